"""Which tools each client of one MCP server sees, and in which dialect its calls are.

A dialect is the same for everybody, except a live one (`tabs`): its list follows the client's browser, which
`live_tools` does for each connection.
"""

from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import replace

import anyio.abc
import mcp_types as types
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from tabwright.aio import background_tasks
from tabwright.dialects.dialect import Dialect, LiveDialect
from tabwright.dialects.tabs.client_view import ClientView, current_view
from tabwright.doors.mcp.live_tools import LiveTools
from tabwright.doors.mcp.results import describe_tool
from tabwright.doors.mcp.server import Context, connection_of
from tabwright.sessions.session import Session

_MAX_LIVE = 1_000


class ToolLists:
    """The tool lists of the clients.

    Args:
        choose: returns the dialect that the client of a request chose.
        find_session: returns the session that it works in, if there is one.
        follow_user: whether the tab that the user brings to the front becomes the focused one.
    """

    def __init__(
        self,
        choose: Callable[[Context], Dialect],
        find_session: Callable[[Context], Session | None],
        *,
        follow_user: bool = False,
    ) -> None:
        self._choose = choose
        self._find_session = find_session
        self._follow_user = follow_user
        self._described: dict[Dialect, list[types.Tool]] = {}
        self._live: OrderedDict[tuple[str, str], LiveTools] = OrderedDict()
        self._group: anyio.abc.TaskGroup | None = None

    def dialect(self, context: Context) -> Dialect:
        """Return the dialect in which a client makes its calls now."""
        dialect = self._choose(context)
        if not isinstance(dialect, LiveDialect):
            return dialect
        if (live := self._live_tools(dialect, context)) is not None:
            return live.dialect
        return dialect.for_view(replace(current_view(self._find_session(context)), fixed=True))

    async def tools(self, context: Context) -> list[types.Tool]:
        """Return the list that a client asks for."""
        dialect = self._choose(context)
        if not isinstance(dialect, LiveDialect):
            if dialect not in self._described:
                self._described[dialect] = [describe_tool(tool) for tool in dialect.tools()]
            return self._described[dialect]
        if (live := self._live_tools(dialect, context)) is not None:
            return await live.tools(context)
        return [describe_tool(tool) for tool in dialect.for_view(ClientView(fixed=True)).tools()]

    def during_call(self, context: Context) -> AbstractAsyncContextManager[None]:
        """Update the client's list, if it is live, when the call in the block ends."""
        dialect = self._choose(context)
        live = self._live_tools(dialect, context) if isinstance(dialect, LiveDialect) else None
        return nullcontext() if live is None else live.during_call(context)

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        """Keep live lists up to date while the block runs."""
        async with background_tasks() as group:
            self._group = group
            try:
                yield
            finally:
                self._group = None

    def forget(self, connection: str) -> None:
        """Drop the lists of a client that disconnected."""
        for key in [key for key in self._live if key[0] == connection]:
            self._live.pop(key).stop()

    def _live_tools(self, dialect: LiveDialect, context: Context) -> LiveTools | None:
        """Return a client's live list; None where its list must not change."""
        # Since 2026-07-28 a list may not depend on earlier requests.
        if self._group is None or context.protocol_version not in HANDSHAKE_PROTOCOL_VERSIONS:
            return None
        key = (connection_of(context), dialect.name)
        if key not in self._live:
            self._live[key] = LiveTools(
                dialect,
                lambda: self._find_session(context),
                self._group.start_soon,
                follow_user=self._follow_user,
            )
            while len(self._live) > _MAX_LIVE:
                self._live.popitem(last=False)[1].stop()
        return self._live[key]
