"""Hand a call to the hub and wait for its answer, showing on a terminal that work goes on."""

import json
import select
import socket
from collections.abc import Iterator
from typing import Any

from tabwright import __version__
from tabwright.doors.terminal import Terminal
from tabwright.doors.wire.handshake import Hello
from tabwright.doors.wire.hub_client import join
from tabwright.home import Home

CLIENT = "cli"
_FRAME_SECONDS = 0.1
_PIECE = 1 << 18


class HubLost(Exception):
    """The hub went away before it answered."""


def call(request: dict[str, Any], terminal: Terminal) -> dict[str, Any]:
    """Return the hub's answer.

    Raises:
        HubRefused: no hub takes us.
        HubLost: it went away before it answered.
    """
    home = Home.find()
    if not home.socket.exists():
        terminal.progress("Starting the hub")
    with join(home, Hello("call", __version__, client=CLIENT)) as link:
        link.sendall(json.dumps(request).encode() + b"\n")
        message = str(request["action"])
        for line in _lines(link, terminal):
            if line is None:
                terminal.progress(message)
                continue
            said: dict[str, Any] = json.loads(line)
            if "ok" in said:
                terminal.clear()
                return said
            message = said.get("message", message)
    raise HubLost(f"The hub went away before it answered{home.and_its_log}.")


def _lines(link: socket.socket, terminal: Terminal) -> Iterator[bytes | None]:
    """Yield each line; None every tenth of a second in between while somebody watches."""
    pieces: list[bytes] = []
    while True:
        if terminal.live and not select.select([link], [], [], _FRAME_SECONDS)[0]:
            yield None
            continue
        try:
            piece = link.recv(_PIECE)
        except ConnectionResetError:
            return
        if not piece:
            return
        *ended, rest = piece.split(b"\n")
        for end in ended:
            yield b"".join([*pieces, end])
            pieces = []
        pieces.append(rest)
