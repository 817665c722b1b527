"""Files for their owner alone: refused when others can read them, written whole, one writer at a time."""

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
    """Return what a file holds; nothing where there is none.

    Raises:
        Denied: it is another user's, or others may read it.
    """
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return b""
    with os.fdopen(file, "rb") as opened:
        facts = os.fstat(file)
        if facts.st_uid != os.getuid():
            raise Denied(f"{path} is another user's.", hint="Move it away; a new one is made.")
        if stat.S_IMODE(facts.st_mode) & 0o077:
            raise Denied(f"Others can read {path}.", hint=f"Close it: chmod 600 {path}")
        return opened.read()


def write_private(path: Path, content: bytes) -> None:
    """Put a file in place of what was there, whole or not at all."""
    half = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    file = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(file, "wb") as opened:
            opened.write(content)
            opened.flush()
            os.fsync(file)
        half.replace(path)
    finally:
        half.unlink(missing_ok=True)


@contextmanager
def one_writer(path: Path) -> Iterator[None]:
    """Keep other writers of a file waiting while the block runs."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    lock = os.open(path.with_name(f".{path.name}.lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def save(path: Path, content: bytes) -> Path:
    """Write a file in place of whatever was there; a failure leaves that untouched.

    Raises:
        OSError: it cannot be written, or not by a command that is kept to a folder.
    """
    below = files_below()
    if below is not None and not path.resolve().is_relative_to(below):
        raise PermissionError(errno.EACCES, f"Outside of {below}", str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        half.write_bytes(content)
        half.replace(path)
    finally:
        half.unlink(missing_ok=True)
    return path


def free_path(folder: Path, name: str) -> Path:
    """Return a path for a file of that name that replaces nothing: a-2.jpg where there is an a.jpg."""
    wanted = folder / (Path(name).name.lstrip(".") or "file")
    path, number = wanted, 1
    while path.exists():
        number += 1
        path = wanted.with_name(f"{wanted.stem}-{number}{wanted.suffix}")
    return path
