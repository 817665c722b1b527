"""What a program writes, read as it comes: the head is kept, the rest is counted and perhaps passed on."""

import os
from collections.abc import Callable

import anyio

_PIECE = 1 << 16
# As much as a pipe holds at most when its writer ends, unless it was made larger than the system lets users.
_PIPE_PIECES = 16
# More than any answer; who writes on without end is stopped.
MOST_BYTES = 256 * 1024 * 1024


class Stream:
    """One stream of a program. Holds our end of its pipe until it is closed."""

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
        """Whether the head is all of it."""
        return self.size == len(self.head)

    @property
    def endless(self) -> bool:
        """Whether it became more than anybody could want."""
        return self.size > MOST_BYTES

    async def follow(self, stop: Callable[[], None]) -> None:
        """Read to the end; stop the writer once there is no place for more."""
        while True:
            await anyio.wait_readable(self.ours)
            if not self._take():
                return
            if self.endless or self.fault:
                stop()
                return

    def drain(self) -> None:
        """Read what is there when its writer ended; whoever else holds the pipe is not waited for."""
        try:
            for _ in range(_PIPE_PIECES):
                if not self._take():
                    return
        except BlockingIOError:
            return

    def close(self) -> None:
        """Give up our end."""
        os.close(self.ours)

    def _take(self) -> bool:
        """Take in a piece; False at the end."""
        piece = os.read(self.ours, _PIECE)
        self.size += len(piece)
        self.head += piece[: self._most - len(self.head)]
        if self._pass_on is not None and self.fault is None:
            try:
                self._pass_on(piece)
            except OSError as error:
                self.fault = error
        return bool(piece)
