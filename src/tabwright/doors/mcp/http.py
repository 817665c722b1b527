"""MCP over HTTP: the SDK's Streamable HTTP at /mcp, and the older SSE transport where the settings want it.

Up to protocol version 2025-11-25 a client has an MCP session, and with it its own browser session. Since
2026-07-28 there are no MCP sessions: a caller that names no session works in its owner's default one.
"""

import hashlib
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import anyio
import mcp_types as types
from mcp.server.sse import SseServerTransport
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.datastructures import Headers
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import Message, Receive, Scope, Send

from tabwright.doors.mcp.door import McpDoor, with_client_name
from tabwright.doors.mcp.framing import Malformed, error_answer, parse_message
from tabwright.doors.mcp.lazy import Endpoint
from tabwright.doors.mcp.server import NOT_INITIALIZED, NOT_INITIALIZED_TEXT, Context
from tabwright.doors.wire.http_json import Json, error_response
from tabwright.errors import NotFound
from tabwright.policy.callers.http_auth import LOCAL
from tabwright.policy.callers.principal import Principal
from tabwright.runner import Runner
from tabwright.sessions.session import UNNAMED

MAX_SESSIONS = 1_000
_SESSION_HEADER = "mcp-session-id"
_MAX_BODY = 4 * 1024 * 1024
_VERSION_HEADER = "mcp-protocol-version"


class McpOverHttp:
    """The endpoint /mcp, and /sse with /messages."""

    def __init__(self, door: McpDoor, runner: Runner, *, sse: bool) -> None:
        self._runner = runner
        self._door = door
        self._owners: OrderedDict[str, str] = OrderedDict()
        server = door.server(self._principal, _own_session)
        self._lists = server.lists
        # Without the SDK's own check of Host and Origin: the HTTP door checks both before any route.
        self._mcp = StreamableHTTPSessionManager(server, max_sessions=MAX_SESSIONS)
        self._sse = SseServerTransport("/messages/") if sse else None

    @property
    def routes(self) -> list[BaseRoute]:
        """The routes for the app."""
        routes: list[BaseRoute] = [Route("/mcp", Endpoint(self._serve_streamable))]
        if self._sse is not None:
            routes += [
                Route("/sse", Endpoint(self._serve_sse), methods=["GET"]),
                Mount("/messages", app=self._sse.handle_post_message),
            ]
        return routes

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        """Keep MCP sessions while the block runs."""
        async with self._mcp.run(), self._lists.run():
            yield

    async def _serve_streamable(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request. A malformed message gets our error; the SDK's would have internals in it."""
        if scope["method"] == "POST":
            body = await _read_body(receive)
            if (answer := _find_fault(body, Headers(scope=scope))) is not None:
                status = 413 if len(body) > _MAX_BODY else 400
                await Json(answer.model_dump(by_alias=True, exclude_unset=True), status)(scope, receive, send)
                return
            receive = _replay(body, receive)
        await self._serve_message(scope, receive, send)

    async def _serve_message(self, scope: Scope, receive: Receive, send: Send) -> None:
        deleted = False
        owner = scope["state"]["principal"].name
        session = Headers(scope=scope).get(_SESSION_HEADER)
        if session and self._owners.get(session, owner) != owner:
            unknown = NotFound("Unknown MCP session.", hint="Initialize one.")
            await error_response(unknown)(scope, receive, send)
            return

        async def send_noting_session(message: Message) -> None:
            nonlocal deleted
            if message["type"] == "http.response.start":
                deleted = scope["method"] == "DELETE" and message["status"] == 200
                self._note_owner(Headers(raw=message["headers"]).get(_SESSION_HEADER), owner)
            await send(message)

        await self._mcp.handle_request(scope, receive, send_noting_session)
        if deleted and session:
            self._owners.pop(session, None)
            self._lists.forget(session)
            await self._close_session(_session_name(session))

    def _note_owner(self, session: str | None, owner: str) -> None:
        """Store who started an MCP session: the id alone does not grant access."""
        if session is not None:
            self._owners.setdefault(session, owner)
            while len(self._owners) > 2 * MAX_SESSIONS:
                self._owners.popitem(last=False)

    async def _serve_sse(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one client of the older transport while its stream is open."""
        assert self._sse is not None
        own = f"{UNNAMED}{secrets.token_hex(6)}"
        server = self._door.server(
            lambda context: replace(self._principal(context), connection=own), lambda _: own
        )
        try:
            async with (
                self._sse.connect_sse(scope, receive, send) as (incoming, outgoing),
                server.lists.run(),
            ):
                await server.run(incoming, outgoing, server.create_initialization_options())
        finally:
            await self._close_session(own)

    def _principal(self, context: Context) -> Principal:
        """Return the caller of a request; without a token, it is limited like any client of this computer."""
        assert context.request is not None
        principal: Principal = context.request.state.principal
        limited = self._door.limit(principal) if principal.name == LOCAL.name else principal
        return with_client_name(limited, context)

    async def _close_session(self, session: str) -> None:
        with anyio.CancelScope(shield=True):
            await self._runner.sessions.leave(session)


def _own_session(context: Context) -> str | None:
    """Return the browser session of an MCP session; None in protocol versions without sessions."""
    if context.request is None or context.protocol_version not in HANDSHAKE_PROTOCOL_VERSIONS:
        return None
    session = context.request.headers.get(_SESSION_HEADER)
    return _session_name(session) if session else None


def _session_name(session: str) -> str:
    # Hashed, because the id itself grants access and session names are listed.
    return f"{UNNAMED}{hashlib.sha256(session.encode()).hexdigest()[:12]}"


def _find_fault(body: bytes, headers: Headers) -> types.JSONRPCError | None:
    """Return the answer to a message that is malformed or too long, or that comes before the handshake."""
    if len(body) > _MAX_BODY:
        return error_answer(types.INVALID_REQUEST, f"The message is longer than {_MAX_BODY // 1024**2} MB.")
    try:
        message = parse_message(body)
    except Malformed as malformed:
        return malformed.answer
    version = headers.get(_VERSION_HEADER)
    has_handshake = version is None or version in HANDSHAKE_PROTOCOL_VERSIONS
    if not has_handshake or _SESSION_HEADER in headers or getattr(message, "method", "") == "initialize":
        return None
    return error_answer(NOT_INITIALIZED, NOT_INITIALIZED_TEXT, message.model_dump())


async def _read_body(receive: Receive) -> bytes:
    """Read the body, or the first part of one that is too long."""
    body = bytearray()
    while len(body) <= _MAX_BODY:
        message = await receive()
        body += message.get("body", b"")
        if message["type"] != "http.request" or not message.get("more_body"):
            break
    return bytes(body)


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return what gives the body again, and then what follows it."""
    bodies: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Message:
        return bodies.pop() if bodies else await receive()

    return receive_again
