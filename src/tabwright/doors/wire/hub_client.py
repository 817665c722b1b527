"""Join the user's hub over its socket, starting one if there is none. Imports nothing heavy."""

import fcntl
import os
import socket
import struct
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tabwright.doors.wire.handshake import LONGEST, Hello, Welcome, same_user
from tabwright.home import Home

_TRIES = 3
_LEAVING_SECONDS = 30.0
# For a hub to say its welcome: it has other work, but none that holds it for long.
_WELCOME_SECONDS = 30
_ASKING_SECONDS = 5


class HubRefused(Exception):
    """The hub does not take us; the text says why and what to do."""


def join(home: Home, hello: Hello) -> socket.socket:
    """Return a socket on which the hub has taken us.

    Raises:
        HubRefused: it did not, or none could be started.
    """
    for _ in range(_TRIES):
        link = _connect(home) or _start_and_connect(home)
        welcome = _exchange(home, link, hello)
        if welcome is None:
            continue  # it was just leaving
        if welcome.taken:
            _bound(link, 0)
            return link
        if not welcome.leaving:
            link.close()
            raise HubRefused(welcome.reason)
        _wait_until_gone(link)
    raise HubRefused(f"The hub does not stay up{home.and_its_log}.")


def ask(home: Home, hello: Hello) -> Welcome | None:
    """Say a hello that the welcome answers in full (`status`, `stop`); None when no hub runs.

    A hub that leaves is gone when this returns.

    Raises:
        HubRefused: one runs, but says nothing.
    """
    link = _connect(home, _ASKING_SECONDS)
    if link is None:
        return None
    with link:
        welcome = _exchange(home, link, hello)
        if welcome is not None and welcome.leaving:
            _wait_until_gone(link)
        return welcome


def _exchange(home: Home, link: socket.socket, hello: Hello) -> Welcome | None:
    try:
        link.sendall(hello.line())
        line = _read_line(link)
    except BlockingIOError:
        link.close()
        raise _silent(home) from None
    except OSError:
        line = b""
    if not line:
        link.close()
        return None
    return Welcome.parse(line)


def _connect(home: Home, seconds: int = _WELCOME_SECONDS) -> socket.socket | None:
    link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    _bound(link, seconds)
    try:
        link.connect(str(home.socket))
    except (FileNotFoundError, ConnectionRefusedError):
        link.close()
        return None
    except BlockingIOError:
        link.close()
        raise _silent(home) from None
    if not same_user(link):
        link.close()
        raise HubRefused(f"{home.socket} is another user's. Set TABWRIGHT_HOME to a folder of your own.")
    return link


def _bound(link: socket.socket, seconds: int) -> None:
    """Let nothing on a link take longer; 0 lifts it.

    The kernel's own bound: with that of Python, a socket whose queue is full refuses at once.
    """
    for way in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
        link.setsockopt(socket.SOL_SOCKET, way, struct.pack("ll", seconds, 0))


def _silent(home: Home) -> HubRefused:
    return HubRefused(f"The hub does not answer. Wait, or end its process{home.and_its_log}.")


def _start_and_connect(home: Home) -> socket.socket:
    """Start a hub unless somebody else just did; whoever waits for the lock finds it running."""
    home.prepare()
    with _locked(home):
        link = _connect(home)
        if link is None:
            _start(home)
            link = _connect(home)
    if link is None:
        raise HubRefused(f"The hub could not be started. `tabwright doctor` tells why{home.and_its_log}.")
    return link


def _start(home: Home) -> None:
    """Start the hub as a process of its own and wait until it listens, or has failed."""
    ready, theirs = os.pipe()
    os.set_inheritable(theirs, True)
    log = os.open(home.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        os.posix_spawn(
            sys.executable,
            # -P: the folder that a client happens to be in may hold modules of any name.
            [sys.executable, "-P", "-m", "tabwright", "hub", "--ready-fd", str(theirs)],
            os.environ,  # noqa: TID251 - the hub inherits ours; nothing is read from it
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                (os.POSIX_SPAWN_DUP2, log, 1),
                (os.POSIX_SPAWN_DUP2, log, 2),
            ],
            setsid=True,
        )
    finally:
        os.close(theirs)
        os.close(log)
    with os.fdopen(ready, "rb") as told:
        told.read()  # ends when the hub listens, or when it is gone


@contextmanager
def _locked(home: Home) -> Iterator[None]:
    lock = os.open(home.lock, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def _read_line(link: socket.socket) -> bytes:
    """Read up to the newline and not a byte more: what follows belongs to the protocol."""
    line = b""
    while not line.endswith(b"\n") and len(line) < LONGEST:
        byte = link.recv(1)
        if not byte:
            return b""
        line += byte
    return line


def _wait_until_gone(link: socket.socket) -> None:
    """Wait for the end of the hub's process: it holds our link to its last moment."""
    _bound(link, 0)
    link.settimeout(_LEAVING_SECONDS)
    try:
        while link.recv(4096):
            pass
    except ConnectionResetError:
        pass
    except TimeoutError as error:
        raise HubRefused("The hub does not leave; end its process.") from error
    finally:
        link.close()
