"""The folder in which a browser keeps its data: a chosen one that stays, or one that is thrown away."""

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tabwright.errors import InvalidArgs

_THROWAWAY_PREFIX = "tabwright-profile-"


@contextmanager
def profile_folder(chosen: Path | None) -> Iterator[Path]:
    """Give the folder while the block runs; without a choice, one that is removed afterwards."""
    if chosen is not None:
        with _as_bad_profile(chosen):
            chosen.mkdir(parents=True, exist_ok=True)
        yield chosen
        return
    _sweep()
    folder = Path(tempfile.mkdtemp(prefix=f"{_THROWAWAY_PREFIX}{os.getpid()}-"))
    with _locked(folder):
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


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
            if owner.isdigit() and not _alive(int(owner)):
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


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
