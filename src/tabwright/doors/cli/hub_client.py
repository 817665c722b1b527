"""Sends a call to the hub and waits for its answer, with a progress line on a terminal."""

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

CLIENT = "user"
_PROGRESS_INTERVAL = 0.1
_CHUNK_SIZE = 1 << 18


class HubLost(Exception):
    """The hub exited before it answered."""


def call(request: dict[str, Any], terminal: Terminal) -> dict[str, Any]:
    """Send a call and return the answer.

    Raises:
        HubRefused: the hub could not be started, or refused the connection.
        HubLost: it exited before it answered.
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
            answer: dict[str, Any] = json.loads(line)
            if "ok" in answer:
                terminal.clear()
                return answer
            message = answer.get("message", message)
    raise HubLost(f"The hub exited before it answered{home.and_its_log}.")


def _lines(link: socket.socket, terminal: Terminal) -> Iterator[bytes | None]:
    """Yield each line; on a terminal also None every tenth of a second in between."""
    chunks: list[bytes] = []
    while True:
        if terminal.live and not select.select([link], [], [], _PROGRESS_INTERVAL)[0]:
            yield None
            continue
        try:
            chunk = link.recv(_CHUNK_SIZE)
        except ConnectionResetError:
            return
        if not chunk:
            return
        *complete, rest = chunk.split(b"\n")
        for end in complete:
            yield b"".join([*chunks, end])
            chunks = []
        chunks.append(rest)
