"""Tabs that pages open: which of them the caller does not know yet, and waiting for the next one.

The caller gets to know a tab by listing, choosing or waiting for tabs. The report of the action that opened a
tab names it too, but a wait right after that action still returns it, so either may come first.
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

# Seconds for a tab to appear after Chrome announced its window.
_TAB_TIMEOUT = 2.0
# Seconds for a new tab to commit its first document.
_FIRST_DOCUMENT_TIMEOUT = 2.0
_HINT = "Do what opens it, then wait again: a tab that opened in the meantime is returned at once."


class NewTabs:
    """The new tabs of one context."""

    def __init__(self, context: "Context") -> None:
        self._context = context
        self._known: set[TabId] = set()
        self._reported: set[TabId] = set()

    def mark_known(self, *tabs: "Tab") -> None:
        """Note that the caller knows these tabs."""
        self._known.update(tab.id for tab in tabs)
        self._known &= self._context.tabs.keys()

    def mark_reported(self, tabs: "Iterable[Tab]") -> None:
        """Note that the report of the current action names these tabs."""
        self._reported.update(tab.id for tab in tabs)

    def start_action(self) -> None:
        """Note that another action starts: what the last one reported is known from now on."""
        self._known |= self._reported
        self._reported.clear()

    async def next(self, *, timeout: float) -> "Tab":
        """Return the oldest tab that the caller does not know, or wait for one; it is known from then on.

        Raises:
            TimedOut: none opened in time.
        """
        with deadline(timeout, f"No new tab opened in {timeout:g} s.", hint=_HINT):
            while True:
                tab = await self._context.wait_for_tab(frozenset(self._known))
                if tab.id not in self._known:  # another wait may have taken it
                    self.mark_known(tab)
                    await self.wait_for_documents([tab])
                    return tab

    async def wait_for_announced(self, known: frozenset["TabId"]) -> None:
        """Wait for the tab of a window that Chrome announced, for two seconds at most."""
        with anyio.move_on_after(_TAB_TIMEOUT):
            await self._context.wait_for_tab(known)

    async def wait_for_documents(self, tabs: "Iterable[Tab]") -> None:
        """Wait until new tabs show their first document, for two seconds at most."""
        with anyio.move_on_after(_FIRST_DOCUMENT_TIMEOUT):
            for tab in tabs:
                with suppress(TabwrightError):
                    await _wait_for_document(tab)


async def _wait_for_document(tab: "Tab") -> None:
    await tab.navigation.wait("commit", timeout=_FIRST_DOCUMENT_TIMEOUT)
    # A tab that we attached to during its navigation has no URL yet.
    await tab.until(lambda: tab.url != "")
