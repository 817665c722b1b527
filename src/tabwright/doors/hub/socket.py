"""The hub's Unix socket: accepts clients, hands each to the door it asks for, and stops when none is left."""

import logging
import os
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import anyio.abc
from anyio.streams.buffered import BufferedByteReceiveStream

from tabwright import __version__
from tabwright.doors.wire.handshake import MAX_LINE, Hello, Welcome, is_same_user
from tabwright.home import Home
from tabwright.policy.callers.principal import Principal
from tabwright.text import format_count

log = logging.getLogger(__name__)

_BAD_HELLO = (
    ValueError,
    TypeError,
    TimeoutError,
    anyio.EndOfStream,
    anyio.DelimiterNotFound,
    anyio.IncompleteRead,
)
_ACCEPT_RETRY_INTERVAL = 0.2

# Serves one client: its stream, the caller, bytes that were read already, its options.
Serve = Callable[[anyio.abc.SocketStream, Principal, bytes, Mapping[str, Any]], Awaitable[None]]


class Hub:
    """Serves clients on the user's socket, and stops by itself when idle.

    Args:
        home: where the socket is.
        doors: how the clients of each door are served, by the door's name in the hello.
        refusal: returns why a client with some options is refused; "" when it is not.
        idle_seconds: after this time without a client the hub stops.
        hello_seconds: how long a client may take to send its hello.
    """

    def __init__(
        self,
        home: Home,
        doors: Mapping[str, Serve],
        refusal: Callable[[Mapping[str, Any]], str] = lambda _: "",
        *,
        idle_seconds: float,
        hello_seconds: float = 10.0,
    ) -> None:
        self._home = home
        self._doors = doors
        self._refusal = refusal
        self._idle_seconds = idle_seconds
        self._hello_seconds = hello_seconds
        self._clients = 0
        self._changed = anyio.Event()
        self._stop = anyio.Event()

    async def serve(self, ready: Callable[[], None]) -> None:
        """Listen until stopped or idle for long; call `ready` once clients can connect."""
        path = self._home.socket
        self._home.prepare()
        path.unlink(missing_ok=True)
        async with await anyio.create_unix_listener(path, mode=0o600) as listener:
            try:
                ready()
                log.info("hub %s listens at %s", __version__, path)
                await self._listen(listener)
            finally:
                # While it is still open, so that it cannot be the socket of our successor.
                path.unlink(missing_ok=True)
                log.info("hub stops")

    async def _listen(self, listener: anyio.abc.SocketListener) -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(self._accept, listener, group)
            group.start_soon(self._stop_when_idle)
            await self._stop.wait()
            group.cancel_scope.cancel()

    async def _accept(self, listener: anyio.abc.SocketListener, group: anyio.abc.TaskGroup) -> None:
        while True:
            try:
                group.start_soon(self._on_client, await listener.accept())
            except anyio.BrokenResourceError:
                # Out of file descriptors (EMFILE): connected clients go on, and some will disconnect.
                log.warning("cannot accept a client now", exc_info=True)
                await anyio.sleep(_ACCEPT_RETRY_INTERVAL)

    async def _on_client(self, stream: anyio.abc.SocketStream) -> None:
        async with stream:
            link = stream.extra(anyio.abc.SocketAttribute.raw_socket)  # noqa: S610 - not Django's
            if not is_same_user(link):
                log.warning("refused a connection of another user")
                return
            try:
                with anyio.fail_after(self._hello_seconds):
                    hello, received = await _read_hello(stream)
                welcome = self._welcome(hello)
                await stream.send(welcome.line())
            except (*_BAD_HELLO, anyio.BrokenResourceError):
                return
            if welcome.leaving:
                # The client waits until this connection closes; the copy keeps it open until we have exited.
                os.dup(link.fileno())
                self._stop.set()
            elif welcome.taken:
                await self._serve_client(stream, hello, received)

    async def _serve_client(self, stream: anyio.abc.SocketStream, hello: Hello, received: bytes) -> None:
        with self.in_use():
            try:
                principal = Principal.here(f"local:{hello.client or 'client'}", Path(hello.folder))
                await self._doors[hello.door](stream, principal, received, hello.options)
            except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                log.debug("a client disconnected during a call")
            except Exception:
                log.exception("a client's connection failed")

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Count as a client while the block runs, so that the hub does not stop."""
        self._count(+1)
        try:
            yield
        finally:
            self._count(-1)

    def _welcome(self, hello: Hello) -> Welcome:
        """Accept a client of the same version; stop for another version unless there are clients."""
        if hello.door == "status":
            return Welcome(taken=False, version=__version__, clients=self._clients)
        if hello.door == "stop" or (hello.version != __version__ and self._clients == 0):
            return Welcome(taken=False, version=__version__, leaving=True, reason="The hub is stopping.")
        if hello.version != __version__:
            clients = format_count(self._clients, "client")
            reason = (
                f"A hub of version {__version__} (process {os.getpid()}) serves {clients}; this is "
                f"version {hello.version}. Wait until they are done, or stop it: tabwright hub stop"
            )
            return Welcome(taken=False, version=__version__, reason=reason)
        reason = self._refusal(hello.options)
        return Welcome(taken=not reason, version=__version__, reason=reason)

    def _count(self, step: int) -> None:
        self._clients += step
        self._changed.set()
        self._changed = anyio.Event()

    async def _stop_when_idle(self) -> None:
        while True:
            with anyio.move_on_after(self._idle_seconds) as idle:
                await self._changed.wait()
            if idle.cancelled_caught and self._clients == 0:
                self._stop.set()
                return


async def _read_hello(stream: anyio.abc.SocketStream) -> tuple[Hello, bytes]:
    buffered = BufferedByteReceiveStream(stream)
    line = await buffered.receive_until(b"\n", MAX_LINE)
    return Hello.parse(line), bytes(buffered.buffer)
