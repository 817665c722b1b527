"""`tabwright mcp`: join the hub, then only copy bytes between standard input and output and its socket."""

import os
import socket
import threading

from tabwright import __version__
from tabwright.doors.hello import Hello, complain
from tabwright.doors.join import HubRefused, join
from tabwright.home import Home

_PIECE = 1 << 16


def main(options: dict[str, object]) -> int:
    """Pump until either side ends; return the exit code."""
    try:
        link = join(Home.find(), Hello("mcp", __version__, options=options))
    except (HubRefused, OSError) as error:
        complain(str(error))
        return 1
    threading.Thread(target=_send, args=(link,), daemon=True).start()
    return _receive(link)


def _send(link: socket.socket) -> None:
    """Copy standard input to the hub; its end is the client's goodbye."""
    try:
        while piece := os.read(0, _PIECE):
            link.sendall(piece)
        link.shutdown(socket.SHUT_WR)
    except OSError:
        return  # the hub is gone, which the other direction tells


def _receive(link: socket.socket) -> int:
    while piece := link.recv(_PIECE):
        while piece:
            try:
                piece = piece[os.write(1, piece) :]
            except BrokenPipeError:
                return 0  # the client is gone
    return 0
