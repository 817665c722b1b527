"""The source of tools that an extension declares for a tab, where it relays nothing else of the page."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import orjson

from tabwright.aio import deadline
from tabwright.browser.tab import Tab
from tabwright.browser.user_chrome.declared_page import DeclaredPage
from tabwright.cdp import Params
from tabwright.errors import InvalidArgs
from tabwright.page_tools.found.words import site_name
from tabwright.page_tools.tool import Outcome, PageTool
from tabwright.page_tools.webmcp.invoke import TIMEOUT, failure_error, output_lines
from tabwright.page_tools.webmcp.schema import DeclaredTool, clean_text, parse_declared

_MAX_NAME_LENGTH = 128


class ExtensionTools:
    """The tools that an extension declares for one tab, called by its messages."""

    def __init__(self, tab: Tab, page: DeclaredPage) -> None:
        self._tab = tab
        self._page = page
        page.on_change = tab.changed.fire

    @property
    def revision(self) -> int:
        """Increases whenever the tools may have changed."""
        return self._page.revision

    async def tools(self) -> list[PageTool]:
        """Return the tools that the extension declared last, in its order."""
        self._tab.require_responsive()
        declared = [tool for tool in self._page.tools if len(tool["name"]) <= _MAX_NAME_LENGTH]
        parsed = [parse_declared(tool, "A tool of the user's extension.") for tool in declared]
        return [self._page_tool(tool, rank=-place) for place, tool in enumerate(parsed)]

    def apply_declared_names(self, tools: Iterable[PageTool]) -> list[PageTool]:
        """Return the tools unchanged."""
        return list(tools)

    def _page_tool(self, tool: DeclaredTool, rank: float) -> PageTool:
        return PageTool(
            name=site_name(tool.name),
            description=tool.description,
            schema=tool.schema,
            source="site",
            frame=self._tab.main_frame.id,
            rank=rank,
            run=partial(self._run, tool),
        )

    async def _run(self, tool: DeclaredTool, arguments: Mapping[str, Any]) -> Outcome:
        """Call a tool.

        Raises:
            PageFailed: it failed; the message is the extension's.
            TimedOut: the extension did not answer.
        """
        answers: list[Params] = []

        def on_answer(message: Params) -> None:
            if self._page.connected:  # otherwise the tab ends, with the reason
                answers.append(message)
                self._tab.changed.fire()

        def is_over() -> bool:
            self._tab.require_responsive()
            return bool(answers)

        name = site_name(tool.name)
        late = f"{name} did not answer within {TIMEOUT:g} s."
        try:
            give_up = self._page.call(tool.name, tool.page_arguments(arguments), on_answer)
        except TypeError as error:
            hint = "Use values that JSON can encode."
            raise InvalidArgs(f"The arguments of {name} cannot be sent: {error}.", hint=hint) from error
        try:
            with deadline(TIMEOUT, late, hint="Check the page: the tool may have done part of its work."):
                await self._tab.changed.until(is_over)
        finally:
            give_up()
        return _parse_answer(name, answers[0])


def _parse_answer(name: str, answer: Params) -> Outcome:
    if (error := answer.get("error")) is not None:
        raise failure_error(name, clean_text(error) or "no reason given")
    try:
        lines = output_lines(answer.get("result"))
    except (orjson.JSONEncodeError, RecursionError) as unreadable:
        raise failure_error(name, "its result is nested too deeply, or a number is too large") from unreadable
    return Outcome(summary=f"Ran {name}.", page_lines=lines)
