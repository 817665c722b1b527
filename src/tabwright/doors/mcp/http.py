"""MCP over HTTP: the SDK's Streamable HTTP at /mcp, and the older SSE transport where the settings want it.

Up to protocol version 2025-11-25 a client has an MCP session, and with it its own browser session. It is
connected while one of its requests or its event stream is open.

Since 2026-07-28 there are no MCP sessions, and a server may not infer anything from the connection. A caller
that names no session works in one that belongs to its token, the client's name and version, and the computer
that it calls from: a request shows nothing else. Clients that agree in all of these must name their sessions.
"""

import hashlib
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from http import HTTPStatus

import anyio
import mcp_types as types
from mcp.server.sse import SseServerTransport
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.datastructures import Headers
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import Message, Receive, Scope, Send

from tabwright.doors.mcp.door import McpDoor, describe_client, with_client_name
from tabwright.doors.mcp.framing import Malformed, error_answer, parse_message
from tabwright.doors.mcp.lazy import Endpoint
from tabwright.doors.mcp.server import NOT_INITIALIZED, NOT_INITIALIZED_TEXT, Context
from tabwright.doors.wire.http_json import Json, error_response
from tabwright.errors import NotFound
from tabwright.policy.callers.http_auth import LOCAL
from tabwright.policy.callers.principal import Principal
from tabwright.runner import Runner
from tabwright.sessions.reconnect import Client
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
        self._clients: OrderedDict[str, _HttpClient] = OrderedDict()
        server = door.server(self._principal, self._own_session)
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
        owner = scope["state"]["principal"].name
        session = Headers(scope=scope).get(_SESSION_HEADER, "")
        client = self._clients.get(session) or _HttpClient(owner)
        if client.owner != owner:
            unknown = NotFound("Unknown MCP session.", hint="Initialize one.")
            await error_response(unknown)(scope, receive, send)
            return

        async def send_noting_session(message: Message) -> None:
            if message["type"] == "http.response.start":
                succeeded = message["status"] == HTTPStatus.OK
                client.had_stream |= scope["method"] == "GET" and succeeded
                self._note_client(Headers(raw=message["headers"]).get(_SESSION_HEADER), owner)
                if scope["method"] == "DELETE" and succeeded:
                    # Before the answer: the client may connect again as soon as it has it.
                    self._clients.pop(session, None)
                    self._lists.forget(session)
                    await self._leave(_connection_of(session))
            await send(message)

        client.open_requests += 1
        try:
            await self._mcp.handle_request(scope, receive, send_noting_session)
        finally:
            client.open_requests -= 1
            if session in self._clients and client.open_requests == 0:
                if client.had_stream:
                    self._lists.forget(session)
                self._runner.sessions.connections.suspend(
                    _connection_of(session), replaceable=client.had_stream
                )

    def _note_client(self, session: str | None, owner: str) -> None:
        """Store who started an MCP session: the id alone does not grant access."""
        if session is not None:
            self._clients.setdefault(session, _HttpClient(owner))
            while len(self._clients) > 2 * MAX_SESSIONS:
                self._clients.popitem(last=False)

    async def _serve_sse(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one client of the older transport while its stream is open."""
        assert self._sse is not None
        connection = secrets.token_hex(6)

        def principal(context: Context) -> Principal:
            return replace(self._principal(context), connection=connection)

        def own_session(context: Context) -> str:
            return self._runner.sessions.connections.resume(self._client(context), connection)

        server = self._door.server(principal, own_session)
        try:
            async with (
                self._sse.connect_sse(scope, receive, send) as (incoming, outgoing),
                server.lists.run(),
            ):
                await server.run(incoming, outgoing, server.create_initialization_options())
        finally:
            await self._leave(connection)

    def _principal(self, context: Context) -> Principal:
        """Return the caller of a request; without a token, it is limited like any client of this computer."""
        assert context.request is not None
        principal: Principal = context.request.state.principal
        limited = self._door.limit(principal) if principal.name == LOCAL.name else principal
        session = _mcp_session(context)
        return replace(
            with_client_name(limited, context), connection=_connection_of(session) if session else ""
        )

    def _own_session(self, context: Context) -> str:
        """Return the unnamed session of the caller."""
        client = self._client(context)
        if session := _mcp_session(context):
            return self._runner.sessions.connections.resume(client, _connection_of(session))
        return f"{UNNAMED}{_hash(repr(client))}"

    def _client(self, context: Context) -> Client:
        assert context.request is not None
        address = context.request.client.host if context.request.client else ""
        return describe_client(self._principal(context), context, address)

    async def _leave(self, connection: str) -> None:
        with anyio.CancelScope(shield=True):
            await self._runner.sessions.connections.leave(connection)


@dataclass
class _HttpClient:
    """The client of an MCP session: who started it, and what it has open."""

    owner: str
    open_requests: int = 0
    had_stream: bool = False


def _mcp_session(context: Context) -> str:
    """Return the MCP session of a request; "" in protocol versions without sessions, and over SSE."""
    if context.request is None or context.protocol_version not in HANDSHAKE_PROTOCOL_VERSIONS:
        return ""
    return str(context.request.headers.get(_SESSION_HEADER, ""))


def _connection_of(session: str) -> str:
    # Hashed, because the id itself grants access.
    return f"http-{_hash(session)}"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


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
