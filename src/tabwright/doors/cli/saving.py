"""Files that a command leaves behind: written whole or not at all."""

import errno
import os
from pathlib import Path

from tabwright.home import files_below


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
