"""Holds the folder of a profile, so that two browsers never write into it.

The lock is inherited by the browser: it lasts as long as that lives, even when we are killed. Browsers that
others started are known by the files with which Chrome itself keeps a folder for one process.
"""

import errno
import fcntl
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio

from tabwright.browser.process import clear
from tabwright.browser.profile import is_alive
from tabwright.errors import Blocked

# Seconds for a browser whose owner was killed to write its files and leave, and between two looks.
_PATIENCE = 8.0
_LOOK = 0.05
# Tells which computer and process last held the folder.
_OWNER = "tabwright-owner"
_CHROME_FILES = ("SingletonLock", "SingletonSocket", "SingletonCookie")


@asynccontextmanager
async def held(folder: Path) -> AsyncIterator[int]:
    """Hold a profile's folder while the block runs; yield what its browser is to hold as well.

    Raises:
        Blocked: another browser has it open.
    """
    handle = clear(os.open(folder, os.O_RDONLY | os.O_DIRECTORY))
    try:
        await _lock(folder, handle)
        _clear_stale(folder)
        yield handle
    finally:
        os.close(handle)


async def _lock(folder: Path, handle: int) -> None:
    until = anyio.current_time() + _PATIENCE
    while True:
        try:
            return fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            # A browser whose owner lives will not leave by itself.
            if anyio.current_time() > until or _lives(*_owner_of(folder)):
                raise _in_use(folder, _keeper_of(folder)[1]) from None
        except OSError as error:
            if error.errno in (errno.ENOLCK, errno.ENOTSUP):  # a file system without locks
                return None
            raise
        await anyio.sleep(_LOOK)


def _clear_stale(folder: Path) -> None:
    """Remove what a killed Chrome left; one of ours cannot be alive, for it would hold our lock."""
    host, pid = _keeper_of(folder)
    here = socket.gethostname()
    # One that was killed a moment ago may still answer, though its process has ended.
    if _answers(folder / "SingletonSocket") and (host != here or _lives(host, pid)):
        raise _in_use(folder, pid)
    if host not in ("", here, _owner_of(folder)[0]):
        raise _in_use(folder, pid, host)
    for name in _CHROME_FILES:
        (folder / name).unlink(missing_ok=True)
    # In a container every start has another name, and Chrome yields to other computers.
    (folder / _OWNER).write_text(f"{here} {os.getpid()}")


def _keeper_of(folder: Path) -> tuple[str, str]:
    """Return the computer and the process that Chrome says have the folder open."""
    try:
        host, _, pid = str((folder / "SingletonLock").readlink()).rpartition("-")
    except OSError:
        return "", ""
    return host, pid


def _owner_of(folder: Path) -> tuple[str, str]:
    """Return the computer and the process that last held the folder."""
    try:
        host, _, pid = (folder / _OWNER).read_text().partition(" ")
    except OSError:
        return "", ""
    return host, pid


def _lives(host: str, pid: str) -> bool:
    return host == socket.gethostname() and pid.isdigit() and is_alive(int(pid))


def _answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as link:
        try:
            link.connect(str(path.resolve()))
        except OSError:
            return False
    return True


def _in_use(folder: Path, pid: str, host: str = "") -> Blocked:
    who = f"process {pid}{f' on {host}' if host else ''}" if pid else "another process"
    stale = f"If nothing runs there, delete {folder / 'SingletonLock'}."
    hint = stale if host else "Close that browser first."
    return Blocked(f"Another browser has {folder} open: {who}.", hint=hint)
