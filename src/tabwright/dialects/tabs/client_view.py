"""What a client has before it: the browser, its tabs, the one in focus, and what that one's page offers."""

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

# Seconds for a page to say what it offers; one that takes longer has what it had.
_LOOK = 2.0


@dataclass(frozen=True)
class ClientView:
    """What one client has before it. A tab that crashed is not there.

    `past` are page tools that the client was told of at some time; the list of a client with `fixed` must not
    vary.
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


def glance(session: Session | None) -> ClientView:
    """Return what is before the client of a session, with what its page was last seen to offer."""
    if session is None or not session.settled:
        return ClientView()
    tabs = tuple(tab for tab in session.tabs if not tab.crashed)
    focused = next((tab for tab in tabs if tab.id == session.current), None)
    listing = inventory_of(focused).latest if focused is not None else None
    return ClientView(connected=True, tabs=tabs, focused=focused, listing=listing or Listing())


async def look(session: Session | None) -> ClientView:
    """Return what is before the client of a session now."""
    tab = glance(session).focused
    if tab is not None:
        await inventory_of(tab).list_within(_LOOK)
    return glance(session)


async def follow(session: Session, changed: Changed, *, with_user: bool = False) -> None:
    """Call `changed` whenever what is before the client may have become another, until the session ends.

    With the user: the tab that they bring to the front becomes the one in focus.
    """
    while session.alive and not session.closed:
        before = _place(session)
        for tab in session.tabs if with_user else ():
            tab.component(UserFocus).follow(session.choose)
        focused = glance(session).focused
        async with anyio.create_task_group() as group:
            # Either looks once at first: something may have come before somebody followed.
            if focused is not None:
                group.start_soon(_follow_page, focused, changed)
            else:
                group.start_soon(changed)
            await _until_moved(session, before)
            group.cancel_scope.cancel()
    await changed()


async def _until_moved(session: Session, before: tuple[object, ...]) -> None:
    await session.context.changed.until(lambda: _place(session) != before)


def _place(session: Session) -> tuple[object, ...]:
    desk = glance(session)
    return session.alive and not session.closed, desk.connected, desk.tabs, desk.focused


async def _follow_page(tab: Tab, changed: Changed) -> None:
    async def told(_: Listing) -> None:
        await changed()

    try:
        await inventory_of(tab).follow(told)
    except TabwrightError as error:
        log.debug("the tools of tab %s are not followed any more: %s", tab.id, error)
