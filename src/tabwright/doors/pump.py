"""`tabwright mcp`: join the hub, then only copy bytes between standard input and output and its socket."""

import os
import socket
import threading

from tabwright import __version__
from tabwright.doors.hello import Hello, complain
from tabwright.doors.join import HubRefused, join
from tabwright.home import Home, client_environment

_PIECE = 1 << 16


def main(options: dict[str, object]) -> int:
    """Pump until either side ends; return the exit code."""
    home = Home.find()
    if "agent_browser" in str(options.get("dialect", "agent_browser")):
        # Or the hub's default may be: its own environment is that of whoever started it.
        options = {**options, "environment": client_environment()}
    try:
        link = join(home, Hello("mcp", __version__, options=options))
    except (HubRefused, OSError) as error:
        complain(str(error))
        return 1
    if copy(link, 0, 1):
        return 0
    complain(f"The hub went away; its log is {home.log}. Start tabwright mcp again.")
    return 1


def copy(link: socket.socket, source: int, sink: int) -> bool:
    """Copy `source` to the link and the link to `sink` until one ends; tell whether the client ended it."""
    goodbye = threading.Event()
    threading.Thread(target=_send, args=(link, source, goodbye), daemon=True).start()
    return _receive(link, sink) or goodbye.is_set()


def _send(link: socket.socket, source: int, goodbye: threading.Event) -> None:
    try:
        while piece := os.read(source, _PIECE):
            link.sendall(piece)
        goodbye.set()
        link.shutdown(socket.SHUT_WR)
    except OSError:
        return  # the hub is gone, which the other direction tells


def _receive(link: socket.socket, sink: int) -> bool:
    """Copy until the hub says no more (False) or the client does not listen any more (True)."""
    try:
        while piece := link.recv(_PIECE):
            while piece:
                piece = piece[os.write(sink, piece) :]
    except BrokenPipeError:
        return True
    except ConnectionResetError:
        return False
    return False
