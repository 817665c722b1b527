"""A tool list that follows what its client has before it, and tells the client whenever it became another.

A change that a call brought about is told before the call is answered. One that came by itself is told after
the call under way, and of a navigation at most twice: when the document is there, and when it came to rest.
"""

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Any

import anyio
import mcp_types as types

from tabwright.aio import Signal
from tabwright.browser.tab import Tab
from tabwright.dialects.dialect import Dialect, LiveDialect
from tabwright.dialects.tabs.client_view import ClientView, follow, glance, look
from tabwright.doors.mcp.server import Context
from tabwright.doors.mcp.tool_list import described
from tabwright.errors import TabwrightError
from tabwright.sessions.session import Session

log = logging.getLogger(__name__)

# Seconds for a document to load before its tools are told as far as they are there.
_LOADING = 2.0
# Seconds after it was told of that a document has to come to rest.
_REST = 1.5
# Seconds that a change which came by itself waits for the call under way, whose end tells it.
_CALL = 5.0
_TELLING = 5.0
_MOST_PAST = 1_000

Find = Callable[[], Session | None]
Spawn = Callable[..., Any]
Mark = tuple[frozenset[str], str]


class FixedList:
    """A list that must not vary: what changes is reached through tools that are always there."""

    def __init__(self, dialect: LiveDialect, find: Find) -> None:
        self._dialect = dialect
        self._find = find

    def dialect(self, context: Context) -> Dialect:
        """Return what its calls are said in now."""
        return self._dialect.at(replace(glance(self._find()), fixed=True))

    async def tools(self, context: Context) -> list[types.Tool]:
        """Return the list as sent."""
        return [described(tool) for tool in self._dialect.at(ClientView(fixed=True)).tools()]

    @asynccontextmanager
    async def calling(self, context: Context) -> AsyncIterator[None]:
        """Take no notice of calls."""
        yield


class LiveList:
    """The list of one client.

    Args:
        dialect: what the tools are.
        find: the session of the client, if there is one.
        spawn: starts a task that goes on beside the calls.
        with_user: whether the tab that the user brings to the front becomes the one in focus.
    """

    def __init__(self, dialect: LiveDialect, find: Find, spawn: Spawn, *, with_user: bool) -> None:
        self._dialect = dialect
        self._find = find
        self._spawn = spawn
        self._with_user = with_user
        self._turn = anyio.Lock()
        self._told = self._given = self._mark(ClientView())
        self._past: dict[str, None] = {}
        self._client: Context | None = None
        self._followed: Session | None = None
        self._following = anyio.CancelScope()
        self._calls = 0
        self._called = Signal()
        # The document that was told of last, and when for the first time.
        self._document: tuple[Tab | None, int] = (None, 0)
        self._since = 0.0

    def dialect(self, context: Context) -> Dialect:
        """Return what its calls are said in now."""
        return self._dialect.at(replace(glance(self._find()), past=frozenset(self._past)))

    async def tools(self, context: Context) -> list[types.Tool]:
        """Return the list as sent; if it is another than the client knows, it is told so first."""
        async with self._turn:
            desk = await self._looked(context)
            self._given = self._mark(desk)
            if self._given != self._told and self._restless(desk):
                self._follow(self._followed)  # which looks once at first, when the document came to rest
            elif self._given != self._told:
                await self._tell(desk, context)
            return [described(tool) for tool in self._dialect.at(desk).tools()]

    @asynccontextmanager
    async def calling(self, context: Context) -> AsyncIterator[None]:
        """Look at what a call did to the list when it ends, before it is answered."""
        self._calls += 1
        try:
            yield
        finally:
            self._calls -= 1
            self._called.fire()
            await self._refresh(context)

    def end(self) -> None:
        """Follow nothing any more: the client is gone."""
        self._following.cancel()
        self._followed = None

    async def _refresh(self, context: Context | None) -> None:
        async with self._turn:
            desk = await self._looked(context)
            mark = self._mark(desk)
            if mark != self._told or mark != self._given:
                await self._tell(desk, context)

    async def _looked(self, context: Context | None) -> ClientView:
        self._client = context or self._client
        session = self._find()
        if context is not None and session is not self._followed:
            self._follow(session)  # only calls make sessions; whoever follows one must not end itself
        desk = await look(session)
        self._past |= {tool.name: None for tool in desk.listing}
        for name in list(self._past)[:-_MOST_PAST]:
            del self._past[name]
        return desk

    async def _tell(self, desk: ClientView, context: Context | None) -> None:
        """Tell that the list is another, on the stream of the call that made it so if there is one."""
        document = (desk.focused, desk.focused.navigation.commits) if desk.focused else (None, 0)
        if document != self._document:
            self._document, self._since = document, anyio.current_time()
        self._told = self._given = self._mark(desk)
        teller = context or self._client
        if teller is None:
            return
        with anyio.move_on_after(_TELLING, shield=True):  # what was begun is not lost with whoever began it
            await teller.session.send_notification(
                types.ToolListChangedNotification(),
                related_request_id=context.request_id if context is not None else None,
            )
        if context is not None:
            self._follow(self._followed)  # from what was told now on

    def _mark(self, desk: ClientView) -> Mark:
        """What is another whenever the list that the client sees is."""
        return frozenset(tool.name for tool in self._dialect.at(desk).tools()), desk.listing.fingerprint

    def _restless(self, desk: ClientView) -> bool:
        """Whether the document was told of once already, and has not yet come to rest."""
        tab = desk.focused
        known = tab is not None and self._document == (tab, tab.navigation.commits)
        return known and anyio.current_time() < self._since + _REST

    def _follow(self, session: Session | None) -> None:
        self._following.cancel()
        self._followed, self._following = session, anyio.CancelScope()
        if session is not None:
            self._spawn(self._run, session, self._following)

    async def _run(self, session: Session, scope: anyio.CancelScope) -> None:
        with scope:
            try:
                await follow(session, self._noticed, with_user=self._with_user)
            except Exception:  # a list that is not followed must not end its client, or other clients
                log.exception("the tool list of %r is not followed any more", session)

    async def _noticed(self) -> None:
        """Look at a change that came by itself, in good time."""
        with anyio.move_on_after(_CALL):
            await self._called.until(lambda: self._calls == 0)
        await self._in_good_time(glance(self._find()))
        await self._refresh(None)

    async def _in_good_time(self, desk: ClientView) -> None:
        tab = desk.focused
        if tab is None:
            return
        with suppress(TabwrightError), anyio.move_on_after(_LOADING):
            await tab.until(lambda: tab.navigation.loaded)
        if self._restless(desk):
            await anyio.sleep_until(self._since + _REST)
