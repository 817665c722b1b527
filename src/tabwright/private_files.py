"""Files written atomically, and private ones: refused if others can read them, one writer at a time."""

import errno
import fcntl
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tabwright.errors import Denied
from tabwright.home import files_below


def read_private(path: Path) -> bytes:
    """Return the content of a file; empty if it does not exist.

    Raises:
        Denied: it belongs to another user, or others may read it.
    """
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return b""
    with os.fdopen(file, "rb") as opened:
        facts = os.fstat(file)
        if facts.st_uid != os.getuid():
            raise Denied(f"{path} belongs to another user.", hint="Move it away; a new one is created.")
        if stat.S_IMODE(facts.st_mode) & 0o077:
            raise Denied(f"Others can read {path}.", hint=f"Run: chmod 600 {path}")
        return opened.read()


def write_private(path: Path, content: bytes) -> None:
    """Write a file that only its owner can read, completely or not at all."""
    _replace(path, content, 0o600)


@contextmanager
def one_writer(path: Path) -> Iterator[None]:
    """Let other writers of a file wait while the block runs."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    lock = os.open(path.with_name(f".{path.name}.lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def save(path: Path, content: bytes, *, mode: int | None = None) -> Path:
    """Write a file, completely or not at all, with these permissions or the usual ones.

    Raises:
        OSError: it cannot be written, or is outside of the folder that a command is limited to.
    """
    below = files_below()
    if below is not None and not path.resolve().is_relative_to(below):
        raise PermissionError(errno.EACCES, f"Outside of {below}", str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    _replace(path, content, mode)
    return path


def _replace(path: Path, content: bytes, mode: int | None) -> None:
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    file = os.open(
        part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666 if mode is None else 0o600
    )
    try:
        with os.fdopen(file, "wb") as opened:
            if mode is not None:
                os.fchmod(file, mode)  # open() would apply the umask to it
            opened.write(content)
            opened.flush()
            os.fsync(file)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def free_path(folder: Path, name: str) -> Path:
    """Return a path for a file of that name that does not exist: a-2.jpg if there is an a.jpg."""
    wanted = folder / (Path(name).name.lstrip(".") or "file")
    path, number = wanted, 1
    while path.exists():
        number += 1
        path = wanted.with_name(f"{wanted.stem}-{number}{wanted.suffix}")
    return path
