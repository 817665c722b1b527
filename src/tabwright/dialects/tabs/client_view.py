"""What a client of the tabs dialect sees: its browser, tabs, focused tab, and the tools of that page."""

import logging
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

import anyio

from tabwright.browser.tab import Tab
from tabwright.browser.user_chrome.focus import UserFocus
from tabwright.errors import TabwrightError
from tabwright.page_tools import Listing, inventory_of
from tabwright.sessions.session import Session

log = logging.getLogger(__name__)

Changed = Callable[[], Coroutine[Any, Any, None]]

# Seconds to find the tools of a page; after that the last known ones count.
_PAGE_TOOLS_TIMEOUT = 2.0


@dataclass(frozen=True)
class ClientView:
    """The view of one client. Crashed tabs are left out.

    `past` has the page tools that the client was ever shown; with `fixed`, the tool list never changes.
    """

    connected: bool = False
    tabs: tuple[Tab, ...] = ()
    focused: Tab | None = None
    listing: Listing = field(default_factory=Listing)
    past: frozenset[str] = frozenset()
    fixed: bool = False

    @property
    def document(self) -> object:
        """The focused document: differs after every navigation and every change of focus."""
        return (self.focused, self.focused.navigation.commits) if self.focused else None

    async def until_loaded(self) -> None:
        """Wait until the focused document has loaded."""
        if (tab := self.focused) is not None:
            await tab.until(lambda: tab.navigation.loaded)


def current_view(session: Session | None) -> ClientView:
    """Return the view of a session's client, with the page tools that are known."""
    if session is None or not session.settled:
        return ClientView()
    tabs = tuple(tab for tab in session.tabs if not tab.crashed)
    focused = next((tab for tab in tabs if tab.id == session.current), None)
    listing = inventory_of(focused).latest if focused is not None else None
    return ClientView(connected=True, tabs=tabs, focused=focused, listing=listing or Listing())


async def fresh_view(session: Session | None) -> ClientView:
    """Return the view of a session's client, after looking for page tools."""
    tab = current_view(session).focused
    if tab is not None:
        await inventory_of(tab).list_within(_PAGE_TOOLS_TIMEOUT)
    return current_view(session)


async def watch_view(session: Session, changed: Changed, *, with_user: bool = False) -> None:
    """Call `changed` whenever the view may have changed, until the session ends.

    With `with_user`, the tab that the user brings to the front becomes the focused one.
    """
    while session.alive and not session.closed:
        before = _state(session)
        for tab in session.tabs if with_user else ():
            tab.component(UserFocus).follow(session.choose)
        focused = current_view(session).focused
        async with anyio.create_task_group() as group:
            # Both check once at first: something may have changed before.
            if focused is not None:
                group.start_soon(_follow_page, focused, changed)
            else:
                group.start_soon(changed)
            await _until_changed(session, before)
            group.cancel_scope.cancel()
    await changed()


async def _until_changed(session: Session, before: tuple[object, ...]) -> None:
    await session.context.changed.until(lambda: _state(session) != before)


def _state(session: Session) -> tuple[object, ...]:
    view = current_view(session)
    return session.alive and not session.closed, view.connected, view.tabs, view.focused


async def _follow_page(tab: Tab, changed: Changed) -> None:
    async def on_change(_: Listing) -> None:
        await changed()

    try:
        await inventory_of(tab).follow(on_change)
    except TabwrightError as error:
        log.debug("stopped watching the tools of tab %s: %s", tab.id, error)
