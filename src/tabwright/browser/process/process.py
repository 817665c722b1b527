"""A browser's process: spawning it with our pipes, reading its output, and killing everything it started."""

import asyncio
import contextlib
import fcntl
import itertools
import os
import signal
import threading
from pathlib import Path

import anyio

from tabwright.cdp.pipe import PipeTransport
from tabwright.errors import BrowserGone

# Seconds for a process to exit by itself, and again after it was killed.
EXIT_TIMEOUT = 5.0
_OUTPUT_TIMEOUT = 1.0
_MAX_OUTPUT_TAIL = 4096
# Descriptors that the browser gets by number are below this.
_FIRST_FREE_DESCRIPTOR = 10


class BrowserProcess:
    """A running browser: its pid, our end of its pipe, and the end of its output."""

    def __init__(self, pid: int, transport: PipeTransport, output: "_OutputTail") -> None:
        self.pid = pid
        self.transport = transport
        self._output = output
        self._exited = anyio.Event()
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._reap, args=(loop,), name=f"reap {pid}", daemon=True).start()

    def _reap(self, loop: asyncio.AbstractEventLoop) -> None:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.pid, 0)
        # At once, before the number can be reused for another process.
        self._kill()
        with contextlib.suppress(RuntimeError):  # our loop ended first
            loop.call_soon_threadsafe(self._exited.set)

    def _kill(self) -> None:
        """Kill the browser and everything it started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)

    async def read_output(self) -> None:
        """Start reading what the browser writes."""
        await self._output.connect()

    async def last_output(self) -> str:
        """Return the end of what the browser wrote; one that is about to exit may finish writing first."""
        with anyio.move_on_after(_OUTPUT_TIMEOUT):
            await self._output.ended.wait()
        return self._output.text

    async def stop(self, *, timeout: float) -> None:
        """Wait `timeout` seconds for the browser to exit, then kill it and everything it started."""
        with anyio.CancelScope(shield=True):
            with anyio.move_on_after(timeout):
                await self._exited.wait()
            if not self._exited.is_set():
                self._kill()
            with anyio.move_on_after(EXIT_TIMEOUT):
                await self._exited.wait()
                # Every process of the browser inherits this pipe: it ends when the last one has exited.
                await self._output.ended.wait()
            self._output.close()
            await self.transport.aclose()


class _OutputTail(asyncio.Protocol):
    """Keeps the end of a stream and notices when the stream ends."""

    def __init__(self, fd: int) -> None:
        self._file = os.fdopen(fd, "rb", buffering=0)
        self._tail = b""
        self._transport: asyncio.BaseTransport | None = None
        self.ended = anyio.Event()

    @property
    def text(self) -> str:
        return self._tail.decode(errors="replace").strip()

    async def connect(self) -> None:
        await asyncio.get_running_loop().connect_read_pipe(lambda: self, self._file)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._tail = (self._tail + data)[-_MAX_OUTPUT_TAIL:]

    def connection_lost(self, exc: Exception | None) -> None:
        self.ended.set()

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()
        else:
            self._file.close()


def spawn(
    executable: Path, argv: list[str], environment: dict[str, str], lock: int | None = None
) -> BrowserProcess:
    """Start the process with its ends of our pipes on descriptors 3 and 4, as Chrome expects them.

    A `lock` descriptor becomes 5; the browser holds it as long as it runs.
    """
    (their_in, our_out), (our_in, their_out), (our_output, their_output) = _make_pipes(executable)
    ours, theirs = (our_out, our_in, our_output), (their_in, their_out, their_output)
    try:
        pid = os.posix_spawn(
            executable,
            argv,
            environment,
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                (os.POSIX_SPAWN_DUP2, their_output, 1),
                (os.POSIX_SPAWN_DUP2, their_output, 2),
                (os.POSIX_SPAWN_DUP2, their_in, 3),
                (os.POSIX_SPAWN_DUP2, their_out, 4),
                *([] if lock is None else [(os.POSIX_SPAWN_DUP2, lock, 5)]),
            ],
            setpgroup=0,
        )
    except (OSError, ValueError) as error:
        for fd in ours:
            os.close(fd)
        raise BrowserGone(f"{executable} could not be started: {error}.", hint="Check the file.") from error
    finally:
        for fd in theirs:
            os.close(fd)
    return BrowserProcess(pid, PipeTransport(our_in, our_out), _OutputTail(our_output))


def _make_pipes(executable: Path) -> list[tuple[int, int]]:
    """Make the three pipes of a browser, or none."""
    made: list[tuple[int, int]] = []
    try:
        made.extend(_make_pipe() for _ in range(3))
    except OSError as error:
        for end in itertools.chain(*made):
            os.close(end)
        raise BrowserGone(
            f"{executable} could not be started: {error.strerror}.",
            hint="Close tabs or sessions, or raise the limit of open files: ulimit -n.",
        ) from error
    return made


def _make_pipe() -> tuple[int, int]:
    """Make a pipe whose ends do not collide with the descriptors that the browser gets by number."""
    read_end, write_end = os.pipe()
    try:
        read_end = move_descriptor(read_end)
    except OSError:
        os.close(write_end)
        raise
    try:
        return read_end, move_descriptor(write_end)
    except OSError:
        os.close(read_end)
        raise


def move_descriptor(descriptor: int) -> int:
    """Move a descriptor above the numbers that the browser gets, and return its new number."""
    try:
        return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _FIRST_FREE_DESCRIPTOR)
    finally:
        os.close(descriptor)
