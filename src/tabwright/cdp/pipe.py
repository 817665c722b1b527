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
        self._closing = asyncio.Event()

    def send(self, message: bytes) -> None:
        if self._writer is None:
            self._early.append(message)
        elif not self._writer.is_closing():
            self._writer.write(message + b"\0")

    async def run(self, receive: Callable[[bytes], None]) -> str:
        loop = asyncio.get_running_loop()
        splitter = _Splitter(receive, self._closing)
        reader, _ = await loop.connect_read_pipe(lambda: splitter, self._incoming)
        writer, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, self._outgoing)
        self._writer = writer
        for message in self._early:
            self.send(message)
        self._early.clear()
        try:
            await self._closing.wait()
        finally:
            reader.close()
            if not self._writer.is_closing():
                self._writer.abort()
        return "the browser closed its pipe" if splitter.ended else "we closed the pipe"

    async def aclose(self) -> None:
        self._closing.set()
        if self._writer is None:
            self._incoming.close()
            self._outgoing.close()


class _Splitter(asyncio.Protocol):
    """Cuts the byte stream at NULs; a long message is joined once, at its end."""

    def __init__(self, receive: Callable[[bytes], None], closing: asyncio.Event) -> None:
        self._receive = receive
        self._closing = closing
        self._parts: list[bytes] = []
        self.ended = False

    def data_received(self, data: bytes) -> None:
        *complete, rest = data.split(b"\0")
        for piece in complete:
            self._parts.append(piece)
            message = b"".join(self._parts) if len(self._parts) > 1 else piece
            self._parts.clear()
            self._receive(message)
        if rest:
            self._parts.append(rest)

    def connection_lost(self, exc: Exception | None) -> None:
        self.ended = not self._closing.is_set()
        self._closing.set()
