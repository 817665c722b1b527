"""MCP on the standard input and output of this process; prints cannot get in between the messages."""

import os
import socket
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import anyio
import anyio.abc

_FLUSH_TIMEOUT = 2.0
_CHUNK = 1 << 16


@asynccontextmanager
async def own_stdio() -> AsyncIterator[anyio.abc.ByteStream]:
    """Take standard input and output for the protocol; from then on prints go to standard error."""
    source, sink = os.dup(0), os.dup(1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    near_end, far_end = socket.socketpair()
    copier = threading.Thread(target=_copy, args=(far_end, source, sink), daemon=True)
    copier.start()
    async with await anyio.abc.UNIXSocketStream.from_socket(near_end) as stream:
        yield stream
    await anyio.to_thread.run_sync(copier.join, _FLUSH_TIMEOUT)


def _copy(link: socket.socket, source: int, sink: int) -> None:
    """Copy `source` to the link and the link to `sink` until one ends."""
    with link:
        threading.Thread(target=_send, args=(link, source), daemon=True).start()
        _receive(link, sink)


def _send(link: socket.socket, source: int) -> None:
    with suppress(OSError):  # the server is gone, which the other direction notices
        while chunk := os.read(source, _CHUNK):
            link.sendall(chunk)
        link.shutdown(socket.SHUT_WR)


def _receive(link: socket.socket, sink: int) -> None:
    with suppress(BrokenPipeError, ConnectionResetError):
        while chunk := link.recv(_CHUNK):
            while chunk:
                chunk = chunk[os.write(sink, chunk) :]
