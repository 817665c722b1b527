"""The tool list of one client in a live dialect: it follows the focused page, and the client is notified.

A change that a call caused is announced before the call is answered. Another change waits for the call in
progress, and a navigation is announced at most twice: when the document has loaded, and when it has settled.
"""

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Any

import anyio
import mcp_types as types

from tabwright.aio import Signal
from tabwright.dialects.dialect import Dialect, LiveDialect
from tabwright.dialects.tabs.client_view import ClientView, current_view, fresh_view, watch_view
from tabwright.doors.mcp.results import describe_tool
from tabwright.doors.mcp.server import Context
from tabwright.errors import TabwrightError
from tabwright.sessions.session import Session

log = logging.getLogger(__name__)

# Seconds to wait for a document to load before the tools found so far are announced.
_LOAD_TIMEOUT = 2.0
# Seconds after the first announcement of a document in which it may settle.
_SETTLE_TIME = 1.5
# Seconds that a change waits for the call in progress, which announces it when it ends.
_CALL_TIMEOUT = 5.0
_SEND_TIMEOUT = 5.0
_MAX_EARLIER_TOOLS = 1_000

FindSession = Callable[[], Session | None]
StartTask = Callable[..., Any]
# Differs whenever the list that the client sees differs.
Fingerprint = tuple[frozenset[str], str]


class LiveTools:
    """The list of one client.

    Args:
        dialect: decides which tools there are.
        find_session: returns the session of the client, if there is one.
        start_task: starts a task that runs in parallel to calls.
        follow_user: whether the tab that the user brings to the front becomes the focused one.
    """

    def __init__(
        self, dialect: LiveDialect, find_session: FindSession, start_task: StartTask, *, follow_user: bool
    ) -> None:
        self._dialect = dialect
        self._find_session = find_session
        self._start_task = start_task
        self._follow_user = follow_user
        self._lock = anyio.Lock()
        # The list as last announced, and as the client last fetched it.
        self._announced = self._fetched = self._fingerprint(ClientView())
        self._earlier_tools: dict[str, None] = {}
        self._client: Context | None = None
        self._followed: Session | None = None
        self._following = anyio.CancelScope()
        self._calls = 0
        self._call_ended = Signal()
        # The document that was announced last, and when it was announced first.
        self._document: object = None
        self._announced_at = 0.0

    @property
    def dialect(self) -> Dialect:
        """The dialect in which the client makes its calls now."""
        return self._dialect.for_view(
            replace(current_view(self._find_session()), past=frozenset(self._earlier_tools))
        )

    async def tools(self, context: Context) -> list[types.Tool]:
        """Return the list; if it differs from what was announced, announce that first."""
        async with self._lock:
            view = await self._inspect(context)
            self._fetched = self._fingerprint(view)
            if self._fetched != self._announced and self._is_settling(view):
                self._follow(self._followed)  # which announces it once the document has settled
            elif self._fetched != self._announced:
                await self._announce(view, context)
            return [describe_tool(tool) for tool in self._dialect.for_view(view).tools()]

    @asynccontextmanager
    async def during_call(self, context: Context) -> AsyncIterator[None]:
        """Announce what the call in the block changed in the list, before it is answered."""
        self._calls += 1
        try:
            yield
        finally:
            self._calls -= 1
            self._call_ended.fire()
            await self._refresh(context)

    def stop(self) -> None:
        """Stop following: the client disconnected."""
        self._following.cancel()
        self._followed = None

    async def _refresh(self, context: Context | None) -> None:
        async with self._lock:
            view = await self._inspect(context)
            fingerprint = self._fingerprint(view)
            if fingerprint != self._announced or fingerprint != self._fetched:
                await self._announce(view, context)

    async def _inspect(self, context: Context | None) -> ClientView:
        self._client = context or self._client
        session = self._find_session()
        # Only calls create sessions, and the task that follows one must not cancel itself.
        if context is not None and session is not self._followed:
            self._follow(session)
        view = await fresh_view(session)
        self._earlier_tools |= {tool.name: None for tool in view.listing}
        for name in list(self._earlier_tools)[:-_MAX_EARLIER_TOOLS]:
            del self._earlier_tools[name]
        return view

    async def _announce(self, view: ClientView, context: Context | None) -> None:
        """Notify the client of a new list, on the stream of the call that caused it if there is one."""
        if view.document != self._document:
            self._document, self._announced_at = view.document, anyio.current_time()
        self._announced = self._fetched = self._fingerprint(view)
        receiver = context or self._client
        if receiver is None:
            return
        with anyio.move_on_after(_SEND_TIMEOUT, shield=True):  # a message half sent breaks the stream
            await receiver.session.send_notification(
                types.ToolListChangedNotification(),
                related_request_id=context.request_id if context is not None else None,
            )
        if context is not None:
            self._follow(self._followed)  # from the new list on

    def _fingerprint(self, view: ClientView) -> Fingerprint:
        return frozenset(tool.name for tool in self._dialect.for_view(view).tools()), view.listing.fingerprint

    def _is_settling(self, view: ClientView) -> bool:
        """Whether the document was announced once already, and may still change by itself."""
        known = view.focused is not None and self._document == view.document
        return known and anyio.current_time() < self._announced_at + _SETTLE_TIME

    def _follow(self, session: Session | None) -> None:
        self._following.cancel()
        self._followed, self._following = session, anyio.CancelScope()
        if session is not None:
            self._start_task(self._run, session, self._following)

    async def _run(self, session: Session, scope: anyio.CancelScope) -> None:
        with scope:
            try:
                await watch_view(session, self._on_change, with_user=self._follow_user)
            except Exception:  # must not end the connection of this client, or of others
                log.exception("the tool list of %r is no longer updated", session)

    async def _on_change(self) -> None:
        """Announce a change that no call caused, when the time is right."""
        with anyio.move_on_after(_CALL_TIMEOUT):
            await self._call_ended.until(lambda: self._calls == 0)
        view = current_view(self._find_session())
        with suppress(TabwrightError), anyio.move_on_after(_LOAD_TIMEOUT):
            await view.until_loaded()
        if self._is_settling(view):
            await anyio.sleep_until(self._announced_at + _SETTLE_TIME)
        await self._refresh(None)
