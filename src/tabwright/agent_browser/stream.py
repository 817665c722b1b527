"""Reads an output stream of a program: keeps its beginning, counts the rest, and passes it on if wanted."""

import os
from collections.abc import Callable

import anyio

_CHUNK_SIZE = 1 << 16
# The most that a pipe holds when its writer exits, unless it was enlarged beyond the limit for users.
_PIPE_CHUNKS = 16
# More than any answer; a program that writes more is killed.
MAX_BYTES = 256 * 1024 * 1024


class Stream:
    """One output stream of a program. Owns our end of its pipe until it is closed."""

    def __init__(self, most: int, pass_on: Callable[[bytes], object] | None = None) -> None:
        self.ours, self.theirs = os.pipe()
        os.set_blocking(self.ours, False)
        self.head = b""
        self.size = 0
        self.fault: OSError | None = None
        self._most = most
        self._pass_on = pass_on

    @property
    def whole(self) -> bool:
        """Whether the head is the whole output."""
        return self.size == len(self.head)

    @property
    def endless(self) -> bool:
        """Whether it is longer than any output may be."""
        return self.size > MAX_BYTES

    async def follow(self, stop: Callable[[], None]) -> None:
        """Read to the end; stop the writer if it writes too much or the output cannot be passed on."""
        while True:
            await anyio.wait_readable(self.ours)
            if not self._take():
                return
            if self.endless or self.fault:
                stop()
                return

    def drain(self) -> None:
        """Read what is left after the writer exited, without waiting for others that hold the pipe open."""
        try:
            for _ in range(_PIPE_CHUNKS):
                if not self._take():
                    return
        except BlockingIOError:
            return

    def close(self) -> None:
        """Close our end."""
        os.close(self.ours)

    def _take(self) -> bool:
        """Read a chunk; False at the end."""
        chunk = os.read(self.ours, _CHUNK_SIZE)
        self.size += len(chunk)
        self.head += chunk[: self._most - len(self.head)]
        if self._pass_on is not None and self.fault is None:
            try:
                self._pass_on(chunk)
            except OSError as error:
                self.fault = error
        return bool(chunk)
