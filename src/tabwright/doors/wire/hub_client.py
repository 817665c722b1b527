"""Connects to the user's hub over its socket, and starts one if none runs. Imports nothing heavy."""

import fcntl
import os
import socket
import struct
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tabwright.doors.wire.handshake import MAX_LINE, Hello, Welcome, is_same_user
from tabwright.home import Home

_ATTEMPTS = 3
_EXIT_TIMEOUT = 30.0
# A busy hub may take a while to answer, but never this long.
_WELCOME_TIMEOUT = 30
_STATUS_TIMEOUT = 5


class HubRefused(Exception):
    """The hub does not accept us; the message says why and what to do."""


def join(home: Home, hello: Hello) -> socket.socket:
    """Return a socket on which the hub has accepted us.

    Raises:
        HubRefused: it did not, or none could be started.
    """
    for _ in range(_ATTEMPTS):
        link = _connect(home) or _start_and_connect(home)
        welcome = _exchange(home, link, hello)
        if welcome is None:
            continue  # it was just exiting
        if welcome.taken:
            _set_timeout(link, 0)
            return link
        if not welcome.leaving:
            link.close()
            raise HubRefused(welcome.reason)
        _wait_for_exit(link)
    raise HubRefused(f"The hub exits right after it starts{home.and_its_log}.")


def ask(home: Home, hello: Hello) -> Welcome | None:
    """Send a hello whose whole answer is the welcome (`status`, `stop`); None when no hub runs.

    A hub that was asked to stop has exited when this returns.

    Raises:
        HubRefused: a hub runs, but does not answer.
    """
    link = _connect(home, _STATUS_TIMEOUT)
    if link is None:
        return None
    with link:
        welcome = _exchange(home, link, hello)
        if welcome is not None and welcome.leaving:
            _wait_for_exit(link)
        return welcome


def _exchange(home: Home, link: socket.socket, hello: Hello) -> Welcome | None:
    try:
        link.sendall(hello.line())
        line = _read_line(link)
    except BlockingIOError:
        link.close()
        raise _no_answer(home) from None
    except OSError:
        line = b""
    if not line:
        link.close()
        return None
    return Welcome.parse(line)


def _connect(home: Home, seconds: int = _WELCOME_TIMEOUT) -> socket.socket | None:
    link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    _set_timeout(link, seconds)
    try:
        link.connect(str(home.socket))
    except (FileNotFoundError, NotADirectoryError, ConnectionRefusedError):
        link.close()
        return None
    except BlockingIOError:
        link.close()
        raise _no_answer(home) from None
    if not is_same_user(link):
        link.close()
        raise HubRefused(f"{home.socket} belongs to another user. Set TABWRIGHT_HOME to your own folder.")
    return link


def _set_timeout(link: socket.socket, seconds: int) -> None:
    """Limit every operation on a socket; 0 for no limit.

    With the kernel's timeout: with Python's, a socket whose queue is full refuses at once.
    """
    for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
        link.setsockopt(socket.SOL_SOCKET, option, struct.pack("ll", seconds, 0))


def _no_answer(home: Home) -> HubRefused:
    return HubRefused(f"The hub does not answer. Wait, or kill its process{home.and_its_log}.")


def _start_and_connect(home: Home) -> socket.socket:
    """Start a hub, unless another client just did while we waited for the lock."""
    home.prepare()
    with _locked(home):
        link = _connect(home)
        if link is None:
            _start(home)
            link = _connect(home)
    if link is None:
        raise HubRefused(f"The hub could not be started. Run `tabwright doctor`{home.and_its_log}.")
    return link


def _start(home: Home) -> None:
    """Start the hub as a separate process and wait until it listens, or has failed."""
    ready, hub_end = os.pipe()
    os.set_inheritable(hub_end, True)
    log = os.open(home.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        os.posix_spawn(
            sys.executable,
            # -P: the client's current folder may hold modules of any name.
            [sys.executable, "-P", "-m", "tabwright", "hub", "--ready-fd", str(hub_end)],
            os.environ,  # noqa: TID251 - the hub inherits ours; nothing is read from it
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                (os.POSIX_SPAWN_DUP2, log, 1),
                (os.POSIX_SPAWN_DUP2, log, 2),
            ],
            setsid=True,
        )
    finally:
        os.close(hub_end)
        os.close(log)
    with os.fdopen(ready, "rb") as pipe:
        pipe.read()  # ends when the hub listens, or has exited


@contextmanager
def _locked(home: Home) -> Iterator[None]:
    lock = os.open(home.lock, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def _read_line(link: socket.socket) -> bytes:
    """Read up to the newline and not a byte more: what follows belongs to the door's protocol."""
    line = b""
    while not line.endswith(b"\n") and len(line) < MAX_LINE:
        byte = link.recv(1)
        if not byte:
            return b""
        line += byte
    return line


def _wait_for_exit(link: socket.socket) -> None:
    """Wait until the hub's process has exited: it keeps our connection open until then."""
    _set_timeout(link, 0)
    link.settimeout(_EXIT_TIMEOUT)
    try:
        while link.recv(4096):
            pass
    except ConnectionResetError:
        pass
    except TimeoutError as error:
        raise HubRefused("The hub does not exit; kill its process.") from error
    finally:
        link.close()
