"""The folder that Chrome loads the extension from: a copy, so that it stays when this program moves."""

import filecmp
import logging
import os
import shutil
from pathlib import Path

from tabwright.home import Home

log = logging.getLogger(__name__)

SHIPPED = Path(__file__).parents[2] / "extension"


def install_extension(home: Home) -> Path:
    """Copy the shipped extension into its folder if it differs; return the folder."""
    folder = _folder(home)
    if not _equal(SHIPPED, folder):
        home.prepare()
        new, old = (folder.with_name(f"extension.{os.getpid()}.{age}") for age in ("new", "old"))
        shutil.copytree(SHIPPED, new, copy_function=shutil.copyfile)
        if folder.exists():
            folder.rename(old)
        new.rename(folder)
        shutil.rmtree(old, ignore_errors=True)
    return folder


def update_extension(home: Home) -> None:
    """Update an existing folder: Chrome reads it when it starts, or when the extension is reloaded."""
    try:
        if _folder(home).exists():
            install_extension(home)
    except OSError as error:
        log.warning("cannot update the extension's folder: %s", error)


def _folder(home: Home) -> Path:
    return home.state / "extension"


def _equal(one: Path, other: Path) -> bool:
    names = _files(one)
    return names == _files(other) and not any(filecmp.cmpfiles(one, other, names, shallow=False)[1:])


def _files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
