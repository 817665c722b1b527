"""The hub's socket: takes clients on, each through the door it asks for, and notices when nobody is left."""

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
from tabwright.doors.wire.handshake import LONGEST, Hello, Welcome, same_user
from tabwright.home import Home
from tabwright.policy.callers.principal import Principal
from tabwright.text import format_count

log = logging.getLogger(__name__)

_NO_HELLO = (
    ValueError,
    TypeError,
    TimeoutError,
    anyio.EndOfStream,
    anyio.DelimiterNotFound,
    anyio.IncompleteRead,
)

_RETRY_SECONDS = 0.2

Serve = Callable[[anyio.abc.SocketStream, Principal, bytes, Mapping[str, Any]], Awaitable[None]]


class Hub:
    """Clients on the user's socket. Leaves by itself when unused."""

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
        self._leave = anyio.Event()

    async def serve(self, ready: Callable[[], None]) -> None:
        """Listen until told to leave or unused for long; call `ready` once clients can come."""
        path = self._home.socket
        self._home.prepare()
        path.unlink(missing_ok=True)
        async with await anyio.create_unix_listener(path, mode=0o600) as listener:
            try:
                ready()
                log.info("hub %s listens at %s", __version__, path)
                await self._listen(listener)
            finally:
                # While we still hold it, so that it cannot be the socket of our successor.
                path.unlink(missing_ok=True)
                log.info("hub leaves")

    async def _listen(self, listener: anyio.abc.SocketListener) -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(self._accept, listener, group)
            group.start_soon(self._watch_idleness)
            await self._leave.wait()
            group.cancel_scope.cancel()

    async def _accept(self, listener: anyio.abc.SocketListener, group: anyio.abc.TaskGroup) -> None:
        while True:
            try:
                group.start_soon(self._client, await listener.accept())
            except anyio.BrokenResourceError:
                # No file is left to open (EMFILE): those who are here go on, and some of them will leave.
                log.warning("no client can be taken on now", exc_info=True)
                await anyio.sleep(_RETRY_SECONDS)

    async def _client(self, stream: anyio.abc.SocketStream) -> None:
        async with stream:
            link = stream.extra(anyio.abc.SocketAttribute.raw_socket)  # noqa: S610 - not Django's
            if not same_user(link):
                log.warning("another user knocked")
                return
            try:
                with anyio.fail_after(self._hello_seconds):
                    hello, early = await _hello(stream)
                welcome = self._welcome(hello)
                await stream.send(welcome.line())
            except (*_NO_HELLO, anyio.BrokenResourceError):
                return
            if welcome.leaving:
                # Whoever sent us away waits for this link's end, which is now the end of our process.
                os.dup(link.fileno())
                self._leave.set()
            elif welcome.taken:
                await self._serve_client(stream, hello, early)

    async def _serve_client(self, stream: anyio.abc.SocketStream, hello: Hello, early: bytes) -> None:
        with self.in_use():
            try:
                principal = Principal.here(f"local:{hello.client or 'client'}", Path(hello.folder))
                await self._doors[hello.door](stream, principal, early, hello.options)
            except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                log.debug("a client went away in the middle")
            except Exception:
                log.exception("a client's connection failed")

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Count as somebody who uses the hub while the block runs."""
        self._count(+1)
        try:
            yield
        finally:
            self._count(-1)

    def _welcome(self, hello: Hello) -> Welcome:
        """Take a client of our own version; make way for another version when nobody is here."""
        if hello.door == "status":
            return Welcome(taken=False, version=__version__, clients=self._clients)
        if hello.door == "stop" or (hello.version != __version__ and self._clients == 0):
            return Welcome(taken=False, version=__version__, leaving=True, reason="The hub leaves.")
        if hello.version != __version__:
            clients = format_count(self._clients, "client")
            reason = (
                f"A hub of version {__version__} (process {os.getpid()}) serves {clients}, and you are "
                f"version {hello.version}. Wait until they are done, or end it with: tabwright hub stop"
            )
            return Welcome(taken=False, version=__version__, reason=reason)
        reason = self._refusal(hello.options)
        return Welcome(taken=not reason, version=__version__, reason=reason)

    def _count(self, step: int) -> None:
        self._clients += step
        self._changed.set()
        self._changed = anyio.Event()

    async def _watch_idleness(self) -> None:
        while True:
            with anyio.move_on_after(self._idle_seconds) as quiet:
                await self._changed.wait()
            if quiet.cancelled_caught and self._clients == 0:
                self._leave.set()
                return


async def _hello(stream: anyio.abc.SocketStream) -> tuple[Hello, bytes]:
    buffered = BufferedByteReceiveStream(stream)
    line = await buffered.receive_until(b"\n", LONGEST)
    return Hello.parse(line), bytes(buffered.buffer)
