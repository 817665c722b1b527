"""Acts in the user's own Chrome, where no gate is: none goes on in a tab that shows a page of ours."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import anyio

from tabwright.browser.network.gate import OpenGate
from tabwright.browser.tab import Tab
from tabwright.policy.network.own_ports import OwnPorts
from tabwright.policy.network.url_rules import UrlRules


@asynccontextmanager
async def kept_away(tab: Tab | None, ports: OwnPorts) -> AsyncIterator[None]:
    """Refuse the block in such a tab, and end it as soon as a link or a script leads there.

    Raises:
        Denied: the tab shows a page of ours.
    """
    if tab is None:
        yield
        return
    ports.require_foreign(tab.url)
    failure: Exception | None = None
    async with anyio.create_task_group() as group:
        group.start_soon(_end_there, tab, ports, group.cancel_scope)
        try:
            yield
        except Exception as error:
            failure = error  # raised below, because the group would wrap it
        group.cancel_scope.cancel()
    ports.require_foreign(tab.url)
    if failure is not None:
        raise failure


async def _end_there(tab: Tab, ports: OwnPorts, scope: anyio.CancelScope) -> None:
    await tab.changed.until(partial(_is_there, tab, ports))
    scope.cancel()


def _is_there(tab: Tab, ports: OwnPorts) -> bool:
    return ports.shown(tab.url) is not None


class GuestGate(OpenGate):
    """Judges what callers open; what the pages themselves request goes its own way."""

    def __init__(self, rules: UrlRules) -> None:
        self._rules = rules

    def check(self, url: str) -> None:
        self._rules.check(url)
