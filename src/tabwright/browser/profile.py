"""The folders a browser writes to: a chosen profile that stays, and one that is thrown away after it."""

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tabwright.errors import BrowserGone, InvalidArgs

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
