"""The folder that Chrome loads the extension from: a copy, which stays put when this program moves."""

import filecmp
import logging
import os
import shutil
from pathlib import Path

from tabwright.home import Home

log = logging.getLogger(__name__)

SHIPPED = Path(__file__).parents[2] / "extension"


def installed(home: Home) -> Path:
    """Return the folder, with the extension as it is shipped in it."""
    folder = _place(home)
    if not _same(SHIPPED, folder):
        home.prepare()
        new, old = (folder.with_name(f"extension.{os.getpid()}.{age}") for age in ("new", "old"))
        shutil.copytree(SHIPPED, new, copy_function=shutil.copyfile)
        if folder.exists():
            folder.rename(old)
        new.rename(folder)
        shutil.rmtree(old, ignore_errors=True)
    return folder


def renew(home: Home) -> None:
    """Bring a folder that is there up to date: Chrome reads it when it starts, or when it is told to."""
    try:
        if _place(home).exists():
            installed(home)
    except OSError as error:
        log.warning("the extension's folder stays as it is: %s", error)


def _place(home: Home) -> Path:
    return home.state / "extension"


def _same(one: Path, other: Path) -> bool:
    names, there = _files(one), _files(other)
    return names == there and not any(filecmp.cmpfiles(one, other, names, shallow=False)[1:])


def _files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
