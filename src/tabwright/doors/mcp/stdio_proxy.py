"""`tabwright mcp`: join the hub, then pass lines on between standard input and output and its socket.

A hub that ends is joined again with the client's next line, and told what the client said at its beginning;
calls that were under way are answered with an error, and never sent twice.
"""

import json
import os
import re
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from tabwright import __version__
from tabwright.doors.wire.handshake import Hello, complain
from tabwright.doors.wire.hub_client import HubRefused, join
from tabwright.home import Home, client_environment

_PIECE = 1 << 16
# The longest line that is kept together; a longer one goes on in pieces, for the hub to refuse.
_LONGEST_LINE = 16 * 1024 * 1024
# As the door of MCP calls the end of a browser.
_GONE = -32015
_LOST = (
    "The hub ended before it answered; what the call had begun may have happened. "
    "Call again: a new hub starts, and sessions with a name come back."
)
# An answer to the client, as the hub writes it; its own requests have a method there.
_ANSWER = re.compile(rb'\{"jsonrpc":"2\.0","id":(-?\d+|"(?:[^"\\]|\\.)*"),"(?:result|error)"')
_OPENING = ("initialize", "notifications/initialized")
_CHANGED = b'{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n'

Join = Callable[[bool], socket.socket]


def main(options: dict[str, object]) -> int:
    """Pass lines on until the client ends; return the exit code."""
    home = Home.find()
    if "agent_browser" in str(options.get("dialect", "agent_browser")):
        # Or the hub's default may be: its own environment is that of whoever started it.
        options = {**options, "environment": client_environment()}

    def joined(again: bool) -> socket.socket:
        told = {**options, "again": True} if again else options
        return join(home, Hello("mcp", __version__, options=told))

    try:
        link = joined(False)
    except (HubRefused, OSError) as error:
        complain(str(error))
        return 1
    StdioProxy(joined, link, 0, 1).run()
    return 0


class StdioProxy:
    """One client between its two files and the hub of the moment.

    Two threads, for neither way may wait for the other: who does not read may be writing.
    """

    def __init__(self, joined: Join, link: socket.socket, source: int, sink: int) -> None:
        self._joined = joined
        self._source = source
        self._sink = sink
        self._writing = threading.Lock()
        # Over what follows: the hub, None once it has gone, until there is something to say to the next one;
        # what was asked of it; whether the client has said all.
        self._lock = threading.Lock()
        self._link: socket.socket | None = link
        self._asked: dict[str, Any] = {}
        self._goodbye = False
        self._opening: dict[str, bytes] = {}
        self._listener = self._listen(link, _lines(lambda: link.recv(_PIECE)))

    def run(self) -> None:
        """Pass on what the client says until it has no more to say, then the last answers."""
        for line in _lines(lambda: os.read(self._source, _PIECE)):
            self._pass_on(line)
        with self._lock:
            link, self._goodbye = self._link, True
        if link is not None:
            with suppress(OSError):
                link.shutdown(socket.SHUT_WR)
            self._listener.join()

    def _pass_on(self, line: bytes) -> None:
        said = _parsed(line)
        method = said.get("method")
        if (link := self._link) is not None and _has_ended(link):
            self._listener.join()  # it answers what was asked before, and not this
        with self._lock:
            if "id" in said and method:
                self._asked[_key(said)] = said["id"]
            link = self._link
        if method in _OPENING:
            self._opening[method] = line
        try:
            link = link or self._join_again(opened=method != "initialize")
        except (HubRefused, OSError) as error:
            self._answer_all(str(error))
            return
        with suppress(OSError):  # it has gone just now, and whoever listens to it answers
            link.sendall(line)

    def _join_again(self, *, opened: bool) -> socket.socket:
        """Join the hub, or a new one, and bring it to where its predecessor was with this client."""
        link = self._joined(True)
        lines = _lines(lambda: link.recv(_PIECE))
        if opened and "initialize" in self._opening:
            self._shake_hands(link, lines)
            self._tell(_CHANGED)
        with self._lock:
            self._link = link
        self._listener = self._listen(link, lines)
        return link

    def _shake_hands(self, link: socket.socket, lines: Iterator[bytes]) -> None:
        """Say what the client said first; it has had the answer."""
        first, *then = (self._opening[method] for method in _OPENING if method in self._opening)
        link.sendall(first)
        while _answered(line := next(lines, b"")) != _key(_parsed(first)):
            if not line:
                raise HubRefused(
                    "The hub ended as soon as it was there. Call again, or see: tabwright doctor"
                )
            self._tell(line)
        for line in then:
            link.sendall(line)

    def _listen(self, link: socket.socket, lines: Iterator[bytes]) -> threading.Thread:
        listener = threading.Thread(target=self._copy_back, args=(link, lines), daemon=True)
        listener.start()
        return listener

    def _copy_back(self, link: socket.socket, lines: Iterator[bytes]) -> None:
        """Hand on what a hub says; once it is gone, answer in its place."""
        with suppress(ConnectionResetError):
            for line in lines:
                with self._lock:
                    self._asked.pop(_answered(line), None)
                self._tell(line)
        with self._lock:
            self._link = None
            unanswered = {} if self._goodbye else self._asked
            self._asked = {}
        link.close()
        self._answer(unanswered, _LOST)

    def _answer_all(self, why: str) -> None:
        with self._lock:
            unanswered, self._asked = self._asked, {}
        self._answer(unanswered, why)

    def _answer(self, unanswered: dict[str, Any], why: str) -> None:
        for number in unanswered.values():
            error = {"code": _GONE, "message": why}
            self._tell(json.dumps({"jsonrpc": "2.0", "id": number, "error": error}).encode() + b"\n")

    def _tell(self, line: bytes) -> None:
        with self._writing:
            try:
                while line:
                    line = line[os.write(self._sink, line) :]
            except BrokenPipeError:
                os._exit(0)  # the client does not listen any more


def _lines(read: Callable[[], bytes]) -> Iterator[bytes]:
    """Yield whole lines; one that is too long, in the pieces that it comes in."""
    held: list[bytes] = []
    while piece := read():
        *whole, rest = piece.split(b"\n")
        for line in whole:
            yield b"".join([*held, line, b"\n"])
            held = []
        held.append(rest)
        if len(held) * _PIECE > _LONGEST_LINE:
            yield b"".join(held)
            held = []
    if any(held):
        yield b"".join(held)


def _has_ended(link: socket.socket) -> bool:
    """Whether whoever is at the other end has gone, and all that they said is read."""
    try:
        return not link.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return False
    except OSError:
        return True


def _answered(line: bytes) -> str:
    """Return which request a line answers, "" if none."""
    found = _ANSWER.match(line)
    return _key({"id": json.loads(found[1])}) if found else ""


def _key(message: dict[str, Any]) -> str:
    """Return an id as a text: 1 and "1" are two."""
    return json.dumps(message["id"])


def _parsed(line: bytes) -> dict[str, Any]:
    """Return a message, or nothing where the line is none."""
    try:
        said = json.loads(line)
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}
