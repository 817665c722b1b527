"""The two pipes of `--remote-debugging-pipe`: JSON messages, each ended by a NUL byte."""

import asyncio
import os
from collections.abc import Callable
from io import FileIO

import orjson

from tabwright.cdp.decoding import decode_message
from tabwright.cdp.transport import Message, Receive

# The capacity of a pipe.
_READ_SIZE = 64 * 1024


class PipeTransport:
    """Reads and writes the two pipe ends; owns both from construction on."""

    def __init__(self, read_fd: int, write_fd: int) -> None:
        self._incoming = FileIO(read_fd, "rb")
        self._outgoing = FileIO(write_fd, "wb")
        self._writer: asyncio.WriteTransport | None = None
        self._early: list[bytes] = []
        self._started = self._ended = False
        self._closing = asyncio.Event()

    def send(self, message: Message) -> None:
        self._write(orjson.dumps(message) + b"\0")

    def _write(self, data: bytes) -> None:
        if self._writer is None:
            self._early.append(data)
        elif not self._writer.is_closing():
            self._writer.write(data)

    async def run(self, receive: Receive) -> str:
        if self._closing.is_set():
            return "we closed the pipe"
        self._started = True
        loop, source = asyncio.get_running_loop(), self._incoming.fileno()
        splitter = Splitter(lambda raw: receive(decode_message(raw)))
        os.set_blocking(source, False)
        loop.add_reader(source, self._read, splitter)
        try:
            self._writer, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, self._outgoing)
            self._send_early()
            await self._closing.wait()
        finally:
            loop.remove_reader(source)
            self._close()
        return "the browser closed its pipe" if self._ended else "we closed the pipe"

    def _read(self, splitter: "Splitter") -> None:
        """Read what is there. asyncio's own pipe costs 13 µs more per read: it allocates a huge buffer."""
        try:
            data = os.read(self._incoming.fileno(), _READ_SIZE)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            splitter.feed(data)
        elif not self._closing.is_set():
            self._ended = True
            self._closing.set()

    async def aclose(self) -> None:
        self._closing.set()
        if not self._started:
            self._close()

    def _send_early(self) -> None:
        for data in self._early:
            self._write(data)
        self._early.clear()

    def _close(self) -> None:
        # Aborting twice is an error inside asyncio, and the browser may have closed its end.
        if self._writer is not None and not self._writer.is_closing():
            self._writer.abort()
        self._incoming.close()
        self._outgoing.close()


class Splitter:
    """Splits the byte stream at NULs; a long message is joined once, at its end."""

    def __init__(self, receive: Callable[[bytes], None]) -> None:
        self._receive = receive
        self._parts: list[bytes] = []

    def feed(self, data: bytes) -> None:
        """Add the next bytes, and pass on every message that they complete."""
        *complete, rest = data.split(b"\0")
        for part in complete:
            self._parts.append(part)
            message = b"".join(self._parts) if len(self._parts) > 1 else part
            self._parts.clear()
            self._receive(message)
        if rest:
            self._parts.append(rest)
