"""MCP on this process's own standard input and output, where no stray print gets among the messages."""

import os
import socket
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import anyio
import anyio.abc

_LAST_WORDS_SECONDS = 2.0
_PIECE = 1 << 16


@asynccontextmanager
async def own_stdio() -> AsyncIterator[anyio.abc.ByteStream]:
    """Take standard input and output for the protocol; from then on prints go to standard error."""
    source, sink = os.dup(0), os.dup(1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    ours, theirs = socket.socketpair()
    copying = threading.Thread(target=_copy, args=(theirs, source, sink), daemon=True)
    copying.start()
    async with await anyio.abc.UNIXSocketStream.from_socket(ours) as stream:
        yield stream
    await anyio.to_thread.run_sync(copying.join, _LAST_WORDS_SECONDS)


def _copy(link: socket.socket, source: int, sink: int) -> None:
    """Copy `source` to the link and the link to `sink` until one ends."""
    with link:
        threading.Thread(target=_send, args=(link, source), daemon=True).start()
        _receive(link, sink)


def _send(link: socket.socket, source: int) -> None:
    with suppress(OSError):  # the server is gone, which the other direction tells
        while piece := os.read(source, _PIECE):
            link.sendall(piece)
        link.shutdown(socket.SHUT_WR)


def _receive(link: socket.socket, sink: int) -> None:
    with suppress(BrokenPipeError, ConnectionResetError):
        while piece := link.recv(_PIECE):
            while piece:
                piece = piece[os.write(sink, piece) :]
