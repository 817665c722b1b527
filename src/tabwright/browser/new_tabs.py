"""Tabs that pages open: which of them the caller does not know yet, and waiting for the next one.

A page may open only so many windows during an action: the rest are closed as they open.

The caller gets to know a tab by listing, choosing or waiting for tabs. The report of the action that opened a
tab names it too, but a wait right after that action still returns it, so either may come first.
"""

from contextlib import suppress
from typing import TYPE_CHECKING

import anyio

from tabwright.aio import deadline
from tabwright.cdp import CdpError
from tabwright.errors import TabwrightError
from tabwright.text import format_count

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tabwright.browser.context import Context
    from tabwright.browser.tab import Tab, TabId

# Windows that pages may open during an action.
MAX_OPENED = 20
# After this many are closed as they open, a script that opens them without a pause is stopped: each takes
# Chrome some 25 ms, in which the page answers nothing.
_MAX_CLOSED = 20
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
        self.max_opened = MAX_OPENED
        self._opened = 0
        # Windows that were closed as they opened, since the last action started.
        self.closed = 0
        # Whether a script that kept opening windows was stopped, since then.
        self.stopped_script = False
        self._stopping = False

    def admit(self, opener: "Tab | None") -> bool:
        """Return whether a window that is opening may stay open; ask once for each window."""
        if opener is None and self._context.browser.ownership.of_user:
            return True  # the user opened it
        if len(self._context.tabs) >= self._context.max_tabs:
            return False
        if opener is None:
            return True
        self._opened += 1
        return self._opened <= self.max_opened

    def note_closed(self, opener: "Tab | None") -> None:
        """Note that a window was closed as it opened; stop a script that keeps opening them."""
        self.closed += 1
        if opener is not None and self.closed > _MAX_CLOSED and not self._stopping:
            self._stopping = True
            self._context.browser.group.start_soon(self._stop_script, opener)

    async def _stop_script(self, opener: "Tab") -> None:
        try:
            with suppress(TabwrightError, CdpError):
                self.stopped_script |= await opener.watchdog.stop_script(opener.session)
        finally:
            self._stopping = False

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
        self._opened = self.closed = 0
        self.stopped_script = False

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

    def describe_closed(self, *, others: bool) -> str:
        """Return a sentence about the windows that were closed as they opened, "" if there were none.

        `others`: whether some stayed open.
        """
        if not self.closed:
            return ""
        windows = format_count(self.closed, "more window" if others else "window")
        stopped = "; the script that opened them was stopped" if self.stopped_script else ""
        return f"Closed {windows} that the page opened{stopped}."

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
