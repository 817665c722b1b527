"""Which files a caller may give to pages, and where downloads may go: its own folder, and those of settings.

A path is followed to where it really leads, and then walked from the folder down, one handle after the other
and no link followed: what was put in its place meanwhile is refused, not opened.
"""

import os
import secrets
import stat
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tabwright.action import Args
from tabwright.errors import Denied, InvalidArgs
from tabwright.fields import FileToRead, FolderToFill
from tabwright.policy.callers.principal import Principal
from tabwright.policy.data.safe_path import plain_path

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC

_PUT_THERE = "Put the file there, or let the user name its folder in files.folders."
_NO_FOLDER = (
    "Let the user name a folder in files.folders, or start the client in the folder of its work: the home "
    "folder and the whole disk do not count as one."
)


class Files:
    """The folders that all callers may use beside their own."""

    def __init__(self, folders: Sequence[Path] = ()) -> None:
        self._folders = tuple(folders)

    def confined(self, args: Args, principal: Principal) -> Args:
        """Return arguments whose paths are where they really lead.

        Raises:
            Denied: one leads out of the caller's folders.
            InvalidArgs: there is nothing to read, or a name cannot be one.
        """
        changed: dict[str, Any] = {}
        for name, field in type(args).model_fields.items():
            given = getattr(args, name)
            if any(isinstance(mark, FileToRead) for mark in field.metadata):
                changed[name] = self._readable_all(given, principal)
            elif any(isinstance(mark, FolderToFill) for mark in field.metadata):
                changed[name] = str(self.fillable(given, principal))
        return args.model_copy(update=changed) if changed else args

    def _readable_all(self, given: str | list[str], principal: Principal) -> str | list[str]:
        if isinstance(given, str):
            return str(self.readable(given, principal))
        return [str(self.readable(one, principal)) for one in given]

    def readable(self, path: str, principal: Principal) -> Path:
        """Return where a file or folder to read is."""
        root, parts = self._within(path, principal)
        try:
            with _walked(root, parts[:-1]) as folder:
                if parts:
                    _require_plain(parts[-1], folder)
        except OSError as error:
            raise InvalidArgs(
                f"{path} cannot be read: {error.strerror}.", hint="Name another file."
            ) from error
        return root.joinpath(*parts)

    def fillable(self, path: str, principal: Principal) -> Path:
        """Return a folder to write into, made where it is missing."""
        root, parts = self._within(path, principal)
        try:
            with _walked(root, parts, make=True):
                return root.joinpath(*parts)
        except OSError as error:
            raise InvalidArgs(f"{path} cannot hold files: {error.strerror}.", hint="Name another.") from error

    @contextmanager
    def new_file(self, path: str, principal: Principal) -> Iterator["_Half"]:
        """Write a file below the caller's own folder, with folders made where they are missing.

        Raises:
            Denied: the caller has no folder, or a link leads out of it.
            InvalidArgs: the path is none for a file.
        """
        root, parts = self._within(plain_path(path), principal)
        if not parts:
            raise InvalidArgs(f"{path} is a folder.", hint="Name a file.")
        try:
            with _walked(root, parts[:-1], make=True) as folder:
                _require_replaceable(parts[-1], folder)
                with _Half.of(folder, parts[-1]) as half:
                    yield half
        except OSError as error:
            raise InvalidArgs(f"{path} cannot be written: {error.strerror}.", hint="Name another.") from error

    def _within(self, path: str, principal: Principal) -> tuple[Path, tuple[str, ...]]:
        """Return the folder that a path is in, and the way from there."""
        if not path or any(unicodedata.category(character) in ("Cc", "Cf") for character in path):
            raise InvalidArgs(f"{path!r} is no path.", hint="Leave out what cannot be seen.")
        roots = [folder.resolve() for folder in (principal.folder, *self._folders) if folder is not None]
        # Relative to the first, the caller's if it has one; where that leads, links and dots and all.
        real = Path(os.path.realpath(next(iter(roots), Path("/")) / path))
        for root in roots:
            if real.is_relative_to(root):
                return root, real.relative_to(root).parts
        allowed = ", ".join(map(str, roots)) or "none"
        raise Denied(
            f"{path} is outside of the folders that may be used: {allowed}.",
            hint=_PUT_THERE if roots else _NO_FOLDER,
        )


class _Half:
    """A file that is being written under another name in the folder where it will be."""

    def __init__(self, folder: int, name: str, half: str, file: int) -> None:
        self._folder = folder
        self._name = name
        self._half = half
        self._file = file

    @classmethod
    @contextmanager
    def of(cls, folder: int, name: str) -> Iterator["_Half"]:
        """Begin it; what was not kept when the block ends is gone."""
        half = f".{secrets.token_hex(8)}.part"
        file = os.open(half, _NEW, 0o666, dir_fd=folder)
        try:
            yield cls(folder, name, half, file)
        finally:
            os.close(file)
            with suppress(FileNotFoundError):
                os.unlink(half, dir_fd=folder)

    def write(self, piece: bytes) -> None:
        """Write on."""
        while piece:
            piece = piece[os.write(self._file, piece) :]

    def commit(self) -> None:
        """Move it to its final name, replacing a file there."""
        os.fsync(self._file)
        os.rename(self._half, self._name, src_dir_fd=self._folder, dst_dir_fd=self._folder)


@contextmanager
def _walked(root: Path, parts: Sequence[str], *, make: bool = False) -> Iterator[int]:
    """Hold the folder at the end of a way, entered step by step."""
    here = os.open(root, _FOLDER)
    try:
        for part in parts:
            if make:
                _make(part, here)
            inner = os.open(part, _FOLDER, dir_fd=here)
            os.close(here)
            here = inner
        yield here
    finally:
        os.close(here)


def _make(name: str, folder: int) -> None:
    try:
        os.mkdir(name, 0o700, dir_fd=folder)
    except FileExistsError:
        return


def _require_replaceable(name: str, folder: int) -> None:
    """Refuse to put a file in the place of what is none."""
    with suppress(FileNotFoundError):
        if not stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            raise InvalidArgs(f"There is something in the place of {name}.", hint="Name another file.")


def _require_plain(name: str, folder: int) -> None:
    """Refuse what is neither a file nor a folder: pipes and devices have no end."""
    file = os.open(name, _FILE, dir_fd=folder)
    try:
        kind = os.fstat(file).st_mode
    finally:
        os.close(file)
    if not stat.S_ISREG(kind) and not stat.S_ISDIR(kind):
        raise InvalidArgs(f"{name} is no ordinary file.", hint="Name another.")
