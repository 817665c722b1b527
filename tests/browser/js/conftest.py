"""Calls the scripts of the isolated world on small pages."""

from typing import Any

import pytest

from tabwright.browser.tab import Tab
from tests.web import Web


class World:
    """The isolated world of a tab, where `tabwright` is."""

    def __init__(self, tab: Tab, web: Web) -> None:
        self._tab = tab
        self._web = web

    async def show(self, html: str) -> None:
        """Open a page with this content."""
        await self._tab.goto(self._web.page(html))

    async def run(self, expression: str) -> Any:
        """Return the value of an expression."""
        frame = self._tab.main_frame
        await frame.call("title")  # the scripts are installed with the first call
        answer = await frame.ask(
            "Runtime.evaluate",
            expression=f"tabwright.clearCaches(), {expression}",
            contextId=await frame.world(),
            returnByValue=True,
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    async def run_each(self, expression: str, *cases: str, head: str = "") -> dict[str, Any]:
        """Return the value of an expression for the `element` of each piece of HTML.

        It is the one with the attribute `t`, else the first one.
        """
        await self.show(head + "".join(f"<div class=case>{html}</div>" for html in cases))
        results = await self.run(
            "[...document.querySelectorAll('.case')].map(box => {"
            f"const element = box.querySelector('[t]') ?? box.firstElementChild; return {expression} }})"
        )
        return dict(zip(cases, results, strict=True))


@pytest.fixture
def world(tab: Tab, web: Web) -> World:
    return World(tab, web)
