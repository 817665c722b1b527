"""The pair of pipes of `--remote-debugging-pipe`: JSON messages, each ended by a NUL byte."""

import asyncio
from collections.abc import Callable
from io import FileIO


class PipeTransport:
    """Reads and writes the two pipe ends; owns both from construction on."""

    def __init__(self, read_fd: int, write_fd: int) -> None:
        self._incoming = FileIO(read_fd, "rb")
        self._outgoing = FileIO(write_fd, "wb")
        self._writer: asyncio.WriteTransport | None = None
        self._early: list[bytes] = []
        self._started = False
        self._closing = asyncio.Event()

    def send(self, message: bytes) -> None:
        if self._writer is None:
            self._early.append(message)
        elif not self._writer.is_closing():
            self._writer.write(message + b"\0")

    async def run(self, receive: Callable[[bytes], None]) -> str:
        if self._closing.is_set():
            return "we closed the pipe"
        self._started = True
        loop = asyncio.get_running_loop()
        incoming = _Incoming(Splitter(receive), self._closing)
        try:
            reader, _ = await loop.connect_read_pipe(lambda: incoming, self._incoming)
            try:
                self._writer, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, self._outgoing)
                self._send_early()
                await self._closing.wait()
            finally:
                reader.close()
        finally:
            self._close()
        return "the browser closed its pipe" if incoming.ended else "we closed the pipe"

    async def aclose(self) -> None:
        self._closing.set()
        if not self._started:
            self._close()

    def _send_early(self) -> None:
        for message in self._early:
            self.send(message)
        self._early.clear()

    def _close(self) -> None:
        # Aborting a second time is an error inside asyncio; the first may have been the browser's doing.
        if self._writer is not None and not self._writer.is_closing():
            self._writer.abort()
        self._incoming.close()
        self._outgoing.close()


class Splitter:
    """Cuts the byte stream at NULs; a long message is joined once, at its end."""

    def __init__(self, receive: Callable[[bytes], None]) -> None:
        self._receive = receive
        self._parts: list[bytes] = []

    def feed(self, data: bytes) -> None:
        """Take the next bytes and pass on every message that they complete."""
        *complete, rest = data.split(b"\0")
        for piece in complete:
            self._parts.append(piece)
            message = b"".join(self._parts) if len(self._parts) > 1 else piece
            self._parts.clear()
            self._receive(message)
        if rest:
            self._parts.append(rest)


class _Incoming(asyncio.Protocol):
    """Feeds the splitter and notices who ended the wire."""

    def __init__(self, splitter: Splitter, closing: asyncio.Event) -> None:
        self._closing = closing
        self.data_received = splitter.feed  # type: ignore[method-assign] # one call less for every read
        self.ended = False

    def connection_lost(self, exc: Exception | None) -> None:
        self.ended = not self._closing.is_set()
        self._closing.set()
