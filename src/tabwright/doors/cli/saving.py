"""Files that a command leaves behind: written whole or not at all."""

import os
from pathlib import Path


def save(path: Path, content: bytes) -> Path:
    """Write a file in place of whatever was there; a failure leaves that untouched."""
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
