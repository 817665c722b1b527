"""A browser's process: started with our pipes in hand, heard to its last words, ended with all it started."""

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

# What a process gets to leave by itself, or to be gone after it was killed.
EXIT_GRACE = 5.0
_LAST_WORDS_GRACE = 1.0


class BrowserProcess:
    """A running browser: its pid, our end of its pipe, the last words it wrote."""

    def __init__(self, pid: int, transport: PipeTransport, words: "_LastWords") -> None:
        self.pid = pid
        self.transport = transport
        self._words = words
        self._exited = anyio.Event()
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._reap, args=(loop,), name=f"reap {pid}", daemon=True).start()

    def _reap(self, loop: asyncio.AbstractEventLoop) -> None:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.pid, 0)
        # Now, before the number can be given to another process.
        self._kill()
        with contextlib.suppress(RuntimeError):  # our loop ended first
            loop.call_soon_threadsafe(self._exited.set)

    def _kill(self) -> None:
        """Kill the browser and everything it started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)

    async def listen(self) -> None:
        """Begin to hear what the browser writes."""
        await self._words.listen()

    async def last_words(self) -> str:
        """Return the tail of what the browser wrote; one that is about to end may finish its sentence."""
        with anyio.move_on_after(_LAST_WORDS_GRACE):
            await self._words.ended.wait()
        return self._words.text

    async def end(self, *, grace: float) -> None:
        """Wait `grace` seconds for the browser to leave, then kill it and everything it started."""
        with anyio.CancelScope(shield=True):
            with anyio.move_on_after(grace):
                await self._exited.wait()
            if not self._exited.is_set():
                self._kill()
            with anyio.move_on_after(EXIT_GRACE):
                await self._exited.wait()
                # Every process of the browser holds our end of its standard error: its end is theirs.
                await self._words.ended.wait()
            self._words.close()
            await self.transport.aclose()


class _LastWords(asyncio.Protocol):
    """Keeps the tail of a stream and notices its end."""

    def __init__(self, fd: int) -> None:
        self._file = os.fdopen(fd, "rb", buffering=0)
        self._tail = b""
        self._transport: asyncio.BaseTransport | None = None
        self.ended = anyio.Event()

    @property
    def text(self) -> str:
        return self._tail.decode(errors="replace").strip()

    async def listen(self) -> None:
        await asyncio.get_running_loop().connect_read_pipe(lambda: self, self._file)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._tail = (self._tail + data)[-4096:]

    def connection_lost(self, exc: Exception | None) -> None:
        self.ended.set()

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()
        else:
            self._file.close()


def spawn(
    executable: Path, argv: list[str], environment: dict[str, str], hold: int | None = None
) -> BrowserProcess:
    """Start the process with its end of our pipes on descriptors 3 and 4, as Chrome expects them.

    What it is to `hold` open as long as it lives goes to 5.
    """
    (their_in, our_out), (our_in, their_out), (our_words, their_words) = _pipes(executable)
    ours, theirs = (our_out, our_in, our_words), (their_in, their_out, their_words)
    try:
        pid = os.posix_spawn(
            executable,
            argv,
            environment,
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                (os.POSIX_SPAWN_DUP2, their_words, 1),
                (os.POSIX_SPAWN_DUP2, their_words, 2),
                (os.POSIX_SPAWN_DUP2, their_in, 3),
                (os.POSIX_SPAWN_DUP2, their_out, 4),
                *([] if hold is None else [(os.POSIX_SPAWN_DUP2, hold, 5)]),
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
    return BrowserProcess(pid, PipeTransport(our_in, our_out), _LastWords(our_words))


def _pipes(executable: Path) -> list[tuple[int, int]]:
    """Make the three pipes of a browser, or none."""
    made: list[tuple[int, int]] = []
    try:
        made.extend(_pipe() for _ in range(3))
    except OSError as error:
        for end in itertools.chain(*made):
            os.close(end)
        raise BrowserGone(
            f"{executable} could not be started: {error.strerror}.",
            hint="Close what we hold open, or allow more: ulimit -n.",
        ) from error
    return made


def _pipe() -> tuple[int, int]:
    """Make a pipe whose ends stand clear of the descriptors that the browser gets by number."""
    one, other = os.pipe()
    try:
        one = clear(one)
    except OSError:
        os.close(other)
        raise
    try:
        return one, clear(other)
    except OSError:
        os.close(one)
        raise


def clear(descriptor: int) -> int:
    """Return a descriptor in place of one that a number for the browser could collide with."""
    try:
        return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 10)
    finally:
        os.close(descriptor)
