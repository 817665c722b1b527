"""The folders that a browser writes to: the folder of a profile, or a temporary one, which is deleted.

A folder in use is locked with `flock`. The browser of a profile inherits the lock, so the lock is released
only when the last process that uses the folder has exited.
"""

import errno
import fcntl
import os
import shutil
import socket
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path

import anyio

from tabwright.browser.process.process import move_descriptor
from tabwright.errors import Blocked, BrowserGone, InvalidArgs

_TEMPORARY_PREFIX = "tabwright-"
# Seconds for a browser whose owner was killed to write its files and exit.
_LOCK_TIMEOUT = 8.0
_POLL_INTERVAL = 0.05
# Holds the host and the process that last locked the folder.
_OWNER_FILE = "tabwright-owner"
_CHROME_FILES = ("SingletonLock", "SingletonSocket", "SingletonCookie")


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Create an empty folder that is deleted after the block; delete those of killed processes first."""
    with ExitStack() as stack:
        try:
            _delete_abandoned_folders()
            folder = Path(tempfile.mkdtemp(prefix=f"{_TEMPORARY_PREFIX}{os.getpid()}-"))
            stack.callback(shutil.rmtree, folder, ignore_errors=True)
            stack.enter_context(_lock_temporary(folder))
        except OSError as error:
            raise BrowserGone(
                f"The browser cannot start without a temporary folder: {error.strerror or error}.",
                hint="Free disk space, or set TMPDIR to a writable folder.",
            ) from error
        yield folder


def make_user_data_dir(chosen: Path | None, temporary: Path) -> Path:
    """Return the browser's user data folder, created if missing: the chosen one, or one in `temporary`."""
    folder = chosen or temporary / "profile"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise InvalidArgs(
            f"{folder} cannot be a profile folder: {error.strerror}.", hint="Choose another folder."
        ) from error
    return folder


@asynccontextmanager
async def lock_user_data_dir(folder: Path) -> AsyncIterator[int]:
    """Lock a profile's folder while the block runs; yield the descriptor that its browser must inherit.

    Raises:
        Blocked: another browser uses it.
    """
    descriptor = move_descriptor(os.open(folder, os.O_RDONLY | os.O_DIRECTORY))
    try:
        await _lock(folder, descriptor)
        _clear_stale_files(folder)
        yield descriptor
    finally:
        os.close(descriptor)


def is_alive(pid: int) -> bool:
    """Whether a process runs; on Linux, a zombie does not count.

    Without /proc (macOS) a zombie counts as alive. Its temporary folder is then deleted at a later start.
    """
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except ProcessLookupError:
        return False
    except OSError:  # another user's process, or no /proc
        return True


def _delete_abandoned_folders() -> None:
    """Delete temporary folders whose process was killed before it could."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_TEMPORARY_PREFIX}*-*"):
        owner = folder.name.removeprefix(_TEMPORARY_PREFIX).split("-")[0]
        # The lock decides where the pid cannot: the owner may be in another container, or its pid reused.
        with suppress(OSError):
            if owner.isdigit() and not is_alive(int(owner)):
                with _lock_temporary(folder):
                    shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _lock_temporary(folder: Path) -> Iterator[None]:
    """Lock a temporary folder; the lock is released however our process ends."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(descriptor)


async def _lock(folder: Path, descriptor: int) -> None:
    deadline = anyio.current_time() + _LOCK_TIMEOUT
    while True:
        try:
            return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            # A browser whose owner still runs will not exit by itself.
            if anyio.current_time() > deadline or _runs_here(*_last_owner(folder)):
                raise _in_use(folder, _chrome_owner(folder)[1]) from None
        except OSError as error:
            if error.errno in (errno.ENOLCK, errno.ENOTSUP):  # a file system without locks
                return None
            raise
        await anyio.sleep(_POLL_INTERVAL)


def _clear_stale_files(folder: Path) -> None:
    """Delete the files of a killed Chrome; one that we launched cannot run, for it would hold our lock."""
    host, pid = _chrome_owner(folder)
    here = socket.gethostname()
    # The socket of a Chrome that was just killed may still accept connections.
    if _accepts_connections(folder / "SingletonSocket") and (host != here or _runs_here(host, pid)):
        raise _in_use(folder, pid)
    if host not in ("", here, _last_owner(folder)[0]):
        raise _in_use(folder, pid, host)
    for name in _CHROME_FILES:
        (folder / name).unlink(missing_ok=True)
    # A container has a new host name at each start, and Chrome refuses a folder locked by another host.
    (folder / _OWNER_FILE).write_text(f"{here} {os.getpid()}")


def _chrome_owner(folder: Path) -> tuple[str, str]:
    """Return the host and the process of the Chrome that uses the folder, from Chrome's own lock file."""
    try:
        host, _, pid = str((folder / "SingletonLock").readlink()).rpartition("-")
    except OSError:
        return "", ""
    return host, pid


def _last_owner(folder: Path) -> tuple[str, str]:
    """Return the host and the process that last locked the folder."""
    try:
        host, _, pid = (folder / _OWNER_FILE).read_text().partition(" ")
    except OSError:
        return "", ""
    return host, pid


def _runs_here(host: str, pid: str) -> bool:
    return host == socket.gethostname() and pid.isdigit() and is_alive(int(pid))


def _accepts_connections(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        try:
            client.connect(str(path.resolve()))
        except OSError:
            return False
    return True


def _in_use(folder: Path, pid: str, host: str = "") -> Blocked:
    user = f"process {pid}{f' on {host}' if host else ''}" if pid else "another process"
    stale = f"If nothing runs there, delete {folder / 'SingletonLock'}."
    hint = stale if host else "Close that browser first."
    return Blocked(f"Another browser has {folder} open: {user}.", hint=hint)
