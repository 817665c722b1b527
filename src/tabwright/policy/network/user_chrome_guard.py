"""Guards calls in the user's own Chrome, which has no network gate: none runs in a tab that shows the hub."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import anyio

from tabwright.browser.network.gate import OpenGate
from tabwright.browser.tab import Tab
from tabwright.policy.network.own_ports import OwnPorts
from tabwright.policy.network.url_rules import UrlRules


@asynccontextmanager
async def keep_from_own_ports(tab: Tab | None, ports: OwnPorts) -> AsyncIterator[None]:
    """Refuse to run the block in a tab that shows the hub, and cancel it once a link or script leads there.

    Raises:
        Denied: the tab shows a page of the hub.
    """
    if tab is None:
        yield
        return
    ports.require_foreign(tab.url)
    failure: Exception | None = None
    async with anyio.create_task_group() as group:
        group.start_soon(_cancel_there, tab, ports, group.cancel_scope)
        try:
            yield
        except Exception as error:
            failure = error  # raised below, because the group would wrap it
        group.cancel_scope.cancel()
    ports.require_foreign(tab.url)
    if failure is not None:
        raise failure


async def _cancel_there(tab: Tab, ports: OwnPorts, scope: anyio.CancelScope) -> None:
    await tab.changed.until(partial(_is_there, tab, ports))
    scope.cancel()


def _is_there(tab: Tab, ports: OwnPorts) -> bool:
    return ports.refusal_of_url(tab.url) is not None


class GuestGate(OpenGate):
    """Checks the URLs that callers open; requests of the pages themselves are not checked."""

    def __init__(self, rules: UrlRules) -> None:
        self._rules = rules

    def check(self, url: str) -> None:
        self._rules.check(url)
