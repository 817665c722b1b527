"""The hub's socket: takes clients on, each through the door it asks for, and notices when nobody is left."""

import logging
import os
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio
import anyio.abc
from anyio.streams.buffered import BufferedByteReceiveStream

from tabwright import __version__
from tabwright.doors.hello import LONGEST, Hello, Welcome
from tabwright.home import Home
from tabwright.policy.identity import Principal

log = logging.getLogger(__name__)

Serve = Callable[[anyio.abc.SocketStream, Principal, bytes], Awaitable[None]]
_HELLO_SECONDS = 10.0


class Hub:
    """Clients on the user's socket. Leaves by itself when unused."""

    def __init__(self, home: Home, doors: dict[str, Serve], *, idle_seconds: float) -> None:
        self._home = home
        self._doors = doors
        self._idle_seconds = idle_seconds
        self._clients = 0
        self._changed = anyio.Event()
        self._leave = anyio.Event()

    async def serve(self, ready: Callable[[], None]) -> None:
        """Listen until told to leave or unused for long; call `ready` once clients can come."""
        path = self._home.socket
        self._home.prepare()
        path.unlink(missing_ok=True)
        async with await anyio.create_unix_listener(path, mode=0o600) as listener:
            ready()
            log.info("hub %s listens at %s", __version__, path)
            async with anyio.create_task_group() as group:
                group.start_soon(listener.serve, self._client)
                group.start_soon(self._watch_idleness)
                await self._leave.wait()
                group.cancel_scope.cancel()
        path.unlink(missing_ok=True)
        log.info("hub leaves")

    async def _client(self, stream: anyio.abc.SocketStream) -> None:
        async with stream:
            try:
                hello, early = await _hello(stream)
            except (
                ValueError,
                TypeError,
                TimeoutError,
                anyio.EndOfStream,
                anyio.BrokenResourceError,
                anyio.DelimiterNotFound,
                anyio.IncompleteRead,
            ):
                return
            welcome = self._welcome(hello)
            await stream.send(welcome.line())
            if welcome.leaving:
                # Whoever sent us away waits for this link's end, which is now the end of our process.
                link = stream.extra(anyio.abc.SocketAttribute.raw_socket)  # noqa: S610 - not Django's
                os.dup(link.fileno())
                self._leave.set()
            elif welcome.taken:
                await self._serve_client(stream, hello, early)

    async def _serve_client(self, stream: anyio.abc.SocketStream, hello: Hello, early: bytes) -> None:
        with self.present():
            try:
                principal = Principal(f"local:{hello.client or 'client'}", folder=Path(hello.folder))
                await self._doors[hello.door](stream, principal, early)
            except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                log.debug("a client went away in the middle")
            except Exception:
                log.exception("a client's connection failed")

    @contextmanager
    def present(self) -> Iterator[None]:
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
            reason = (
                f"A hub of version {__version__} (process {os.getpid()}) serves {self._clients} clients, "
                f"and you are version {hello.version}. Close them, or end it with: tabwright hub stop"
            )
            return Welcome(taken=False, version=__version__, reason=reason)
        return Welcome(taken=True, version=__version__)

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
    with anyio.fail_after(_HELLO_SECONDS):
        line = await buffered.receive_until(b"\n", LONGEST)
    return Hello.parse(line), bytes(buffered.buffer)
