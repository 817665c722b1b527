"""Tabs that pages open: which of them the caller has not been told of, and waiting for the next.

A tab is told once by whoever lists, chooses or waits for tabs. The report of the act that opened it tells it
too, but a wait right after that act still finds it: so it does not matter which of the two comes first.
"""

from contextlib import suppress
from typing import TYPE_CHECKING

import anyio

from tabwright.aio import deadline
from tabwright.errors import TabwrightError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tabwright.browser.context import Context
    from tabwright.browser.tab import Tab, TabId

# Seconds given to a new tab to show where it leads.
_FIRST_DOCUMENT = 2.0
_HINT = "Do what opens it, then wait again: a tab that has opened meanwhile is told at once."


class NewTabs:
    """The new tabs of one context."""

    def __init__(self, context: "Context") -> None:
        self._context = context
        self._told: set[TabId] = set()
        self._reported: set[TabId] = set()

    def tell(self, *tabs: "Tab") -> None:
        """Note that the caller knows of these tabs."""
        self._told.update(tab.id for tab in tabs)
        self._told &= self._context.tabs.keys()

    def report(self, tabs: "Iterable[Tab]") -> None:
        """Note that the report of an act tells of these tabs."""
        self._reported.update(tab.id for tab in tabs)

    def act(self) -> None:
        """Note that another act begins: what the one before reported is not new any more."""
        self._told |= self._reported
        self._reported.clear()

    async def next(self, *, timeout: float) -> "Tab":
        """Return the oldest tab that was not told of, or wait for one; it is told with this.

        Raises:
            TimedOut: none opened in time.
        """
        with deadline(timeout, f"No new tab opened in {timeout:g} s.", hint=_HINT):
            while True:
                tab = await self._context.opened(frozenset(self._told))
                if tab.id not in self._told:  # another wait may have been quicker
                    return await self.met(tab)

    async def met(self, tab: "Tab") -> "Tab":
        """Return a new tab, told with this, once it shows where it leads, or after a moment."""
        self.tell(tab)
        await self.shown([tab])
        return tab

    async def shown(self, tabs: "Iterable[Tab]") -> None:
        """Wait until new tabs show where they lead; after a moment no longer."""
        with anyio.move_on_after(_FIRST_DOCUMENT):
            for tab in tabs:
                with suppress(TabwrightError):
                    await _shown(tab)


async def _shown(tab: "Tab") -> None:
    await tab.navigation.wait("commit", timeout=_FIRST_DOCUMENT)
    await tab.until(lambda: tab.url != "")  # one that was met on its way there
