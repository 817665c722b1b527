"""MCP over HTTP: the SDK's Streamable HTTP at /mcp for both eras, and the older SSE pair where it is wanted.

Up to 2025-11-25 a client has an MCP session, and a browser session of its own that goes with it. From
2026-07-28 on there are none: a caller who names no session works in the default one of its owner.
"""

import hashlib
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
from mcp.server.sse import SseServerTransport
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.datastructures import Headers
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import Message, Receive, Scope, Send

from tabwright.doors.mcp.door import McpDoor, with_client_name
from tabwright.doors.mcp.lazy import Endpoint
from tabwright.doors.mcp.server import Context
from tabwright.doors.wire.http_json import error_response
from tabwright.errors import NotFound
from tabwright.policy.callers.principal import Principal
from tabwright.runner import Runner
from tabwright.sessions.session import UNNAMED

MOST_SESSIONS = 1_000
_SESSION_HEADER = "mcp-session-id"


class McpOverHttp:
    """The endpoint /mcp, and /sse with /messages."""

    def __init__(self, door: McpDoor, runner: Runner, *, sse: bool) -> None:
        self._runner = runner
        self._door = door
        self._owners: OrderedDict[str, str] = OrderedDict()
        server = door.server(_caller, _own_session)
        self._lists = server.lists
        # Without the SDK's own check of Host and Origin: the HTTP door has checked both before any route.
        self._mcp = StreamableHTTPSessionManager(server, max_sessions=MOST_SESSIONS)
        self._sse = SseServerTransport("/messages/") if sse else None

    @property
    def routes(self) -> list[BaseRoute]:
        """The routes to put into the app."""
        routes: list[BaseRoute] = [Route("/mcp", Endpoint(self._streamable))]
        if self._sse is not None:
            routes += [
                Route("/sse", Endpoint(self._events), methods=["GET"]),
                Mount("/messages", app=self._sse.handle_post_message),
            ]
        return routes

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        """Keep MCP sessions while the block runs."""
        async with self._mcp.run(), self._lists.run():
            yield

    async def _streamable(self, scope: Scope, receive: Receive, send: Send) -> None:
        ended = False
        who = scope["state"]["principal"].name
        session = Headers(scope=scope).get(_SESSION_HEADER)
        if session and self._owners.get(session, who) != who:
            await error_response(NotFound("There is no such MCP session.", hint="Initialize one."))(
                scope, receive, send
            )
            return

        async def noticing(message: Message) -> None:
            nonlocal ended
            if message["type"] == "http.response.start":
                ended = scope["method"] == "DELETE" and message["status"] == 200
                self._note_owner(Headers(raw=message["headers"]).get(_SESSION_HEADER), who)
            await send(message)

        await self._mcp.handle_request(scope, receive, noticing)
        if ended and session:
            self._owners.pop(session, None)
            self._lists.forget(session)
            await self._leave(_session_name(session))

    def _note_owner(self, session: str | None, who: str) -> None:
        """Keep who began an MCP session: its id alone lets nobody else in."""
        if session is not None:
            self._owners.setdefault(session, who)
            while len(self._owners) > 2 * MOST_SESSIONS:
                self._owners.popitem(last=False)

    async def _events(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one client of the older transport for as long as its stream is open."""
        assert self._sse is not None
        own = f"{UNNAMED}{secrets.token_hex(6)}"
        server = self._door.server(_caller, lambda _: own)
        try:
            async with (
                self._sse.connect_sse(scope, receive, send) as (incoming, outgoing),
                server.lists.run(),
            ):
                await server.run(incoming, outgoing, server.create_initialization_options())
        finally:
            await self._leave(own)

    async def _leave(self, session: str) -> None:
        with anyio.CancelScope(shield=True):
            await self._runner.sessions.leave(session)


def _caller(context: Context) -> Principal:
    assert context.request is not None
    principal: Principal = context.request.state.principal
    return with_client_name(principal, context)


def _own_session(context: Context) -> str | None:
    """Name the browser session of an MCP session; there is none in the era without sessions."""
    if context.request is None or context.protocol_version not in HANDSHAKE_PROTOCOL_VERSIONS:
        return None
    session = context.request.headers.get(_SESSION_HEADER)
    return _session_name(session) if session else None


def _session_name(session: str) -> str:
    # The id itself is what lets a client in: it is not shown in lists of sessions.
    return f"{UNNAMED}{hashlib.sha256(session.encode()).hexdigest()[:12]}"
