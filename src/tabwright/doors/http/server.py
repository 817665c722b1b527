"""The HTTP server inside our own task group: uvicorn, without its signals, its log and its patience."""

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

from tabwright.errors import InvalidArgs

log = logging.getLogger(__name__)

ADDRESS = "127.0.0.1"
_MOST_CONNECTIONS = 2_000
# Kept out of other sites' pages, and never taken for another type than the one we say.
_HEADERS = [("cross-origin-resource-policy", "same-origin"), ("x-content-type-options", "nosniff")]


@dataclass(frozen=True)
class Patience:
    """How many seconds a client may take: to ask, to read what we send, to read the last of it."""

    asking: float = 10.0
    reading: float = 30.0
    leaving: float = 10.0


def bind(port: int, address: str = ADDRESS, setting: str = "api_port") -> socket.socket | None:
    """Return a socket on our port; None when it is taken."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        return socket.create_server((address, port), family=family)
    except OSError as error:
        why = os.strerror(error.errno or 0) if (error.errno or 0) > 0 else error.strerror
        log.warning("no HTTP: port %s cannot be had (%s); choose another %s", port, why, setting)
        return None


@asynccontextmanager
async def serving(
    app: ASGIApp, *bound: socket.socket, patience: Patience | None = None
) -> AsyncIterator["Listener"]:
    """Serve on bound sockets while the block runs."""
    listener = Listener(app, patience or Patience())
    async with anyio.create_task_group() as group:
        try:
            await group.start(listener.run_until_ended, bound)
            yield listener
        finally:
            listener.end()


class Listener(uvicorn.Server):
    """Ends when told, not by signals; waits instead of waking ten times a second."""

    def __init__(self, app: ASGIApp, patience: Patience) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=_connection_with(patience),
                ws="none",
                lifespan="off",
                log_config=None,
                log_level="critical",  # what fails is logged where it is answered
                access_log=False,
                proxy_headers=False,
                server_header=False,
                date_header=False,
                headers=_HEADERS,
                timeout_graceful_shutdown=2,
            )
        )
        self._ended = anyio.Event()
        self._started = anyio.Event()

    async def run_until_ended(
        self,
        bound: Sequence[socket.socket],
        *,
        task_status: anyio.abc.TaskStatus[None] = anyio.TASK_STATUS_IGNORED,
    ) -> None:
        """Serve until `end`; what is under way then gets its answer, cancelled or not."""
        with anyio.CancelScope(shield=True):
            async with anyio.create_task_group() as group:
                group.start_soon(self.serve, list(bound))
                await self._started.wait()
                task_status.started()

    async def main_loop(self) -> None:
        await self.on_tick(0)
        self._started.set()
        await self._ended.wait()

    def end(self) -> None:
        """Stop listening and let connections go."""
        self._ended.set()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class _Connection(H11Protocol):
    """A connection that gives up on those who never ask, and on those who never read."""

    patience: ClassVar[Patience]
    _waiting: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # uvicorn's own
        super().connection_made(transport)
        if len(self.connections) > _MOST_CONNECTIONS:
            transport.abort()
            return
        self._waiting = self.loop.call_later(self.patience.asking, self._give_up_unasked)

    def connection_lost(self, exc: Exception | None) -> None:
        for timer in (self._waiting, self._unread):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread = self.loop.call_later(self.patience.reading, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        # Closing waits for what is still unread on the other side.
        self._waiting = self.loop.call_later(self.patience.leaving, self.transport.abort)

    def send_400_response(self, msg: str) -> None:
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is not None and cycle.response_started:
            self.transport.abort()
            return
        error = InvalidArgs("This is not an HTTP request.", hint="Speak HTTP/1.1.")
        body = orjson.dumps({"error": error.as_json()})
        head = (
            f"HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n"
        )
        self.transport.write(head.encode() + b"connection: close\r\n\r\n" + body)
        self.transport.close()

    def _give_up_unasked(self) -> None:
        if self.cycle is None:
            self.transport.abort()


def _connection_with(chosen: Patience) -> type[_Connection]:
    """Return the connections of one listener: uvicorn makes them of a class and hands nothing more over."""

    class Connection(_Connection):
        patience = chosen

    return Connection
