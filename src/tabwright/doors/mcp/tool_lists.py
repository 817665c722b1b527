"""The tool lists of all clients of one MCP server; those that change are followed while clients are there."""

from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import anyio.abc
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from tabwright.aio import background_tasks
from tabwright.dialects.dialect import Dialect, LiveDialect
from tabwright.doors.mcp.live_tools import FixedList, LiveList
from tabwright.doors.mcp.server import Context, connection_of
from tabwright.doors.mcp.tool_list import StillList, ToolList
from tabwright.sessions.session import Session

_MOST_LIVE = 1_000


class ToolLists:
    """Lists by client.

    Args:
        chosen: the dialect that a request's client chose.
        session_of: the session that it works in, if there is one.
        with_user: whether focus goes to the tab that the user brings to the front.
    """

    def __init__(
        self,
        chosen: Callable[[Context], Dialect],
        session_of: Callable[[Context], Session | None],
        *,
        with_user: bool = False,
    ) -> None:
        self._chosen = chosen
        self._session_of = session_of
        self._with_user = with_user
        self._still: dict[Dialect, StillList] = {}
        self._live: OrderedDict[tuple[str, str], LiveList] = OrderedDict()
        self._group: anyio.abc.TaskGroup | None = None

    def of(self, context: Context) -> ToolList:
        """Return the list of the client that sent a request."""
        dialect = self._chosen(context)
        if (still := self._still.get(dialect)) is not None:
            return still
        if not isinstance(dialect, LiveDialect):
            return self._still.setdefault(dialect, StillList(dialect))
        # From 2026-07-28 on a list may not vary with what went before.
        if self._group is None or context.protocol_version not in HANDSHAKE_PROTOCOL_VERSIONS:
            return FixedList(dialect, lambda: self._session_of(context))
        return self._live_of(dialect, context, self._group)

    @asynccontextmanager
    async def followed(self) -> AsyncIterator[None]:
        """Follow what changes while the block runs."""
        async with background_tasks() as group:
            self._group = group
            try:
                yield
            finally:
                self._group = None

    def forget(self, connection: str) -> None:
        """Note that a client is gone."""
        for key in [key for key in self._live if key[0] == connection]:
            self._live.pop(key).end()

    def _live_of(self, dialect: LiveDialect, context: Context, group: anyio.abc.TaskGroup) -> LiveList:
        key = (connection_of(context), dialect.name)
        if key not in self._live:
            self._live[key] = LiveList(
                dialect, lambda: self._session_of(context), group.start_soon, with_user=self._with_user
            )
            while len(self._live) > _MOST_LIVE:
                self._live.popitem(last=False)[1].end()
        return self._live[key]
