"""`tabwright mcp`: connects to the hub and copies lines between standard input and output and its socket.

When the hub exits, the client's next line connects to a new one, which first gets the client's initialize.
Calls in progress are answered with an error and never sent twice.
"""

import json
import os
import re
import select
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from tabwright import __version__
from tabwright.doors.wire.handshake import Hello, complain
from tabwright.doors.wire.hub_client import HubRefused, join
from tabwright.home import Home, client_environment

_CHUNK = 1 << 16
# The longest line that is buffered as a whole; the hub refuses longer ones, which go on in chunks.
_MAX_LINE = 16 * 1024 * 1024
# The code that the MCP door gives BrowserGone.
_HUB_GONE = -32015
_HUB_EXITED = (
    "The hub exited before it answered; the call may have taken effect. "
    "Call again: a new hub starts, and named sessions are restored."
)
# An answer to the client as the hub writes it; the hub's own requests have a method there.
_ANSWER = re.compile(rb'\{"jsonrpc":"2\.0","id":(-?\d+|"(?:[^"\\]|\\.)*"),"(?:result|error)"')
_HANDSHAKE = ("initialize", "notifications/initialized")
_TOOLS_CHANGED = b'{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n'

# Connects to the hub; the argument says whether this replaces an earlier hub.
Connect = Callable[[bool], socket.socket]


def main(options: dict[str, object]) -> int:
    """Copy lines until the client ends; return the exit code."""
    home = Home.find()
    if "agent_browser" in str(options.get("dialect", "agent_browser")):
        # Also without a dialect, since this may be the hub's default: the hub has the environment of the
        # process that started it, not ours.
        options = {**options, "environment": client_environment()}

    options = {**options, "process": os.getppid()}

    def connect(again: bool) -> socket.socket:
        return join(home, Hello("mcp", __version__, options={**options, "again": True} if again else options))

    try:
        link = connect(False)
    except (HubRefused, OSError) as error:
        complain(str(error))
        return 1
    StdioProxy(connect, link, 0, 1).run()
    return 0


class StdioProxy:
    """One client between its two files and the current hub.

    Two threads, because neither direction may wait for the other: a client that does not read may be writing.
    """

    def __init__(self, connect: Connect, link: socket.socket, source: int, sink: int) -> None:
        self._connect = connect
        self._source = source
        self._sink = sink
        self._write_lock = threading.Lock()
        # Guards what follows: the connection to the hub (None after the hub exited, until the client sends
        # another line), unanswered requests, and whether the client has closed its output.
        self._lock = threading.Lock()
        self._link: socket.socket | None = link
        self._unanswered: dict[str, Any] = {}
        self._client_done = False
        self._handshake: dict[str, bytes] = {}
        self._listener = self._listen(link, _read_lines(lambda: link.recv(_CHUNK)))

    def run(self) -> None:
        """Copy the client's lines until it closes its output, then wait for the last answers."""
        for line in _read_lines(lambda: os.read(self._source, _CHUNK)):
            self._forward(line)
        with self._lock:
            link, self._client_done = self._link, True
        if link is not None:
            with suppress(OSError):
                link.shutdown(socket.SHUT_WR)
            self._listener.join()

    def _forward(self, line: bytes) -> None:
        message = _parse(line)
        method = message.get("method")
        if (link := self._link) is not None and _is_closed(link):
            self._listener.join()  # it answers earlier requests, but not this one
        with self._lock:
            if "id" in message and method:
                self._unanswered[_key(message)] = message["id"]
            link = self._link
        if method in _HANDSHAKE:
            self._handshake[method] = line
        try:
            link = link or self._reconnect(initialize=method != "initialize")
        except (HubRefused, OSError) as error:
            with self._lock:
                unanswered, self._unanswered = self._unanswered, {}
            self._fail(unanswered, str(error))
            return
        with suppress(OSError):  # the hub has just exited, and the listener answers
            link.sendall(line)

    def _reconnect(self, *, initialize: bool) -> socket.socket:
        """Connect to the hub, or a new one, and bring it to the state that the last one had."""
        link = self._connect(True)
        lines = _read_lines(lambda: link.recv(_CHUNK))
        if initialize and "initialize" in self._handshake:
            self._repeat_handshake(link, lines)
            self._write(_TOOLS_CHANGED)
        with self._lock:
            self._link = link
        self._listener = self._listen(link, lines)
        return link

    def _repeat_handshake(self, link: socket.socket, lines: Iterator[bytes]) -> None:
        """Send the client's first messages; it already has the answer."""
        first, *rest = (self._handshake[method] for method in _HANDSHAKE if method in self._handshake)
        link.sendall(first)
        while _answered_request(line := next(lines, b"")) != _key(_parse(first)):
            if not line:
                raise HubRefused("The hub exited after its start. Call again, or run: tabwright doctor")
            self._write(line)
        for line in rest:
            link.sendall(line)

    def _listen(self, link: socket.socket, lines: Iterator[bytes]) -> threading.Thread:
        listener = threading.Thread(target=self._copy_back, args=(link, lines), daemon=True)
        listener.start()
        return listener

    def _copy_back(self, link: socket.socket, lines: Iterator[bytes]) -> None:
        """Copy the hub's lines to the client; once the hub is gone, answer in its place."""
        with suppress(ConnectionResetError):
            for line in lines:
                with self._lock:
                    self._unanswered.pop(_answered_request(line), None)
                self._write(line)
        with self._lock:
            self._link = None
            unanswered = {} if self._client_done else self._unanswered
            self._unanswered = {}
        link.close()
        self._fail(unanswered, _HUB_EXITED)

    def _fail(self, unanswered: dict[str, Any], message: str) -> None:
        for number in unanswered.values():
            error = {"code": _HUB_GONE, "message": message}
            self._write(json.dumps({"jsonrpc": "2.0", "id": number, "error": error}).encode() + b"\n")

    def _write(self, line: bytes) -> None:
        with self._write_lock:
            try:
                while line:
                    line = line[os.write(self._sink, line) :]
            except BrokenPipeError:
                os._exit(0)  # the client does not read any more


def _read_lines(read: Callable[[], bytes]) -> Iterator[bytes]:
    """Yield whole lines; one that is too long, in the chunks in which it arrives."""
    parts: list[bytes] = []
    while chunk := read():
        *whole, rest = chunk.split(b"\n")
        for line in whole:
            yield b"".join([*parts, line, b"\n"])
            parts = []
        parts.append(rest)
        if len(parts) * _CHUNK > _MAX_LINE:
            yield b"".join(parts)
            parts = []
    if any(parts):
        yield b"".join(parts)


def _is_closed(link: socket.socket) -> bool:
    """Whether the hub has closed the connection, even if some of its output has not been read yet."""
    poll = select.poll()
    poll.register(link, 0)  # a closed connection is always reported
    try:
        return bool(poll.poll(0))
    except ValueError:  # the listener has closed our end
        return True


def _answered_request(line: bytes) -> str:
    """Return the key of the request that a line answers; "" if it answers none."""
    found = _ANSWER.match(line)
    return _key({"id": json.loads(found[1])}) if found else ""


def _key(message: dict[str, Any]) -> str:
    """Return an id as text: 1 and "1" differ."""
    return json.dumps(message["id"])


def _parse(line: bytes) -> dict[str, Any]:
    """Return a message; an empty one where the line is not a message."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):  # not JSON, or nested too deeply: the hub answers it
        return {}
    return message if isinstance(message, dict) else {}
