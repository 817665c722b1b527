"""The folders a browser writes to: a chosen profile that stays, and one that is thrown away after it."""

import contextlib
import errno
import fcntl
import os
import shutil
import socket
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import anyio

from tabwright.browser.process.process import clear
from tabwright.errors import Blocked, BrowserGone, InvalidArgs

_THROWAWAY_PREFIX = "tabwright-"


def profile_in(chosen: Path | None, throwaway: Path) -> Path:
    """Return the folder for the profile, made if missing: the chosen one, or one to be thrown away."""
    folder = chosen or throwaway / "profile"
    with _as_bad_profile(folder):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


@contextmanager
def throwaway_folder() -> Iterator[Path]:
    """Give an empty folder while the block runs; of one whose owner was killed, the next owner disposes."""
    with contextlib.ExitStack() as held:
        try:
            _sweep()
            folder = Path(tempfile.mkdtemp(prefix=f"{_THROWAWAY_PREFIX}{os.getpid()}-"))
            held.callback(shutil.rmtree, folder, ignore_errors=True)
            held.enter_context(_locked(folder))
        except OSError as error:
            raise BrowserGone(
                f"The browser cannot be started, for it gets no temporary folder: {error.strerror or error}.",
                hint="Make room on the disk, or set TMPDIR to a folder that can be written to.",
            ) from error
        yield folder


@contextmanager
def _as_bad_profile(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InvalidArgs(
            f"{folder} cannot be a profile folder: {error.strerror}.", hint="Choose another folder."
        ) from error


def _sweep() -> None:
    """Remove throw-away folders whose owner was killed before it could."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_THROWAWAY_PREFIX}*-*"):
        owner = folder.name.removeprefix(_THROWAWAY_PREFIX).split("-")[0]
        # The lock tells where the number cannot: in another container, or given to another process since.
        with contextlib.suppress(OSError):
            if owner.isdigit() and not is_alive(int(owner)):
                with _locked(folder):
                    shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold a folder as ours; the lock goes with us however we end."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(handle)


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that ended and was not waited for does not, though its number is taken."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except ProcessLookupError:
        return False
    except OSError:  # another user's, or a system without /proc
        return True


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
