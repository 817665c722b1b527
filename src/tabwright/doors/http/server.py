"""The HTTP server inside our own task group: uvicorn without its signal handling and log.

uvicorn has no option for clients that connect and send nothing, for clients that never read their answer, or
for the number of connections (`limit_concurrency` answers, but keeps them open). `_Connection` adds these.
"""

import asyncio
import logging
import os
import socket
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import ClassVar

import anyio
import anyio.abc
import orjson
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from tabwright.doors.wire.http_json import LOOPBACK
from tabwright.errors import InvalidArgs

log = logging.getLogger(__name__)

_MAX_CONNECTIONS = 2_000
# Other sites may not embed our answers, and browsers may not guess another content type.
_HEADERS = [("cross-origin-resource-policy", "same-origin"), ("x-content-type-options", "nosniff")]


@dataclass(frozen=True)
class ClientTimeouts:
    """Seconds that a client may take: to send a request, to read an answer, to close the connection."""

    request: float = 10.0
    read: float = 30.0
    close: float = 10.0


def bind(port: int, address: str = LOOPBACK, setting: str = "api_port") -> socket.socket | None:
    """Return a socket on the port; None when the port is in use."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        bound = socket.create_server((address, port), family=family)
    except OSError as error:
        reason = os.strerror(error.errno or 0) if (error.errno or 0) > 0 else error.strerror
        log.warning("HTTP is off: port %s is not available (%s). Set %s.", port, reason, setting)
        return None
    # Connections inherit it. asyncio does not set it on them, and each answer would wait 40 ms for an ACK.
    bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return bound


@asynccontextmanager
async def serve(
    app: ASGIApp, *bound: socket.socket, timeouts: ClientTimeouts | None = None
) -> AsyncIterator["HttpServer"]:
    """Serve on bound sockets while the block runs."""
    server = HttpServer(app, timeouts or ClientTimeouts())
    async with anyio.create_task_group() as group:
        try:
            await group.start(server.run_until_stopped, bound)
            yield server
        finally:
            server.stop()


class HttpServer(uvicorn.Server):
    """Stops when asked, not on signals; waits for that instead of polling ten times a second."""

    def __init__(self, app: ASGIApp, timeouts: ClientTimeouts) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=_connection_class(timeouts),
                ws="none",
                lifespan="off",
                log_config=None,
                log_level="critical",  # errors are logged where they are answered
                access_log=False,
                proxy_headers=False,
                server_header=False,
                date_header=False,
                headers=_HEADERS,
                timeout_graceful_shutdown=2,
            )
        )
        self._stopped = anyio.Event()
        self._started = anyio.Event()

    async def run_until_stopped(
        self,
        bound: Sequence[socket.socket],
        *,
        task_status: anyio.abc.TaskStatus[None] = anyio.TASK_STATUS_IGNORED,
    ) -> None:
        """Serve until `stop`; requests in progress are then still answered, even if we are cancelled."""
        with anyio.CancelScope(shield=True):
            async with anyio.create_task_group() as group:
                group.start_soon(self.serve, list(bound))
                await self._started.wait()
                task_status.started()

    async def main_loop(self) -> None:
        await self.on_tick(0)
        self._started.set()
        await self._stopped.wait()

    def stop(self) -> None:
        """Stop listening and close connections."""
        self._stopped.set()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class _Connection(H11Protocol):
    """A connection that is closed when the client sends no request, or does not read the answer, in time."""

    timeouts: ClassVar[ClientTimeouts]
    _request_timer: asyncio.TimerHandle | None = None
    _read_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # uvicorn's own
        super().connection_made(transport)
        if len(self.connections) > _MAX_CONNECTIONS:
            transport.abort()
            return
        self._request_timer = self.loop.call_later(self.timeouts.request, self._abort_without_request)

    def connection_lost(self, exc: Exception | None) -> None:
        for timer in (self._request_timer, self._read_timer):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._read_timer = self.loop.call_later(self.timeouts.read, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._read_timer is not None:
            self._read_timer.cancel()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        # Closing waits until the client has read everything.
        self._request_timer = self.loop.call_later(self.timeouts.close, self.transport.abort)

    def send_400_response(self, msg: str) -> None:
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is not None and cycle.response_started:
            self.transport.abort()
            return
        error = InvalidArgs("This is not an HTTP request.", hint="Use HTTP/1.1.")
        body = orjson.dumps({"error": error.as_json()})
        head = (
            f"HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n"
        )
        self.transport.write(head.encode() + b"connection: close\r\n\r\n" + body)
        self.transport.close()

    def _abort_without_request(self) -> None:
        if self.cycle is None:
            self.transport.abort()


def _connection_class(chosen: ClientTimeouts) -> type[_Connection]:
    """Return a connection class with its timeouts: uvicorn takes a class and passes it nothing of ours."""

    class Connection(_Connection):
        timeouts = chosen

    return Connection
