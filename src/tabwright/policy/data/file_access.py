"""Which files a caller may read and write: those in its own folder, and in the folders of the settings.

Symbolic links in a path are resolved first. Then each folder on the way is opened in turn without following
links, so that a link that another program creates in the meantime is refused.
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

_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW_FILE_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC

_OUTSIDE_HINT = "Move the file there, or ask the user to add its folder to files.folders."
_NO_FOLDER_HINT = (
    "Ask the user to add a folder to files.folders, or to start the client in its working folder; the home "
    "folder and / are excluded."
)


class Files:
    """Checks paths against the caller's own folder and the folders that all callers may use."""

    def __init__(self, folders: Sequence[Path] = ()) -> None:
        self._folders = tuple(folders)

    def resolve_paths(self, args: Args, principal: Principal) -> Args:
        """Return the arguments with their paths made absolute, without symbolic links.

        Raises:
            Denied: a path is outside of the caller's folders.
            InvalidArgs: a path is invalid, or there is no such file.
        """
        changed: dict[str, Any] = {}
        for name, field in type(args).model_fields.items():
            given = getattr(args, name)
            if given is None:
                continue
            if any(isinstance(mark, FileToRead) for mark in field.metadata):
                changed[name] = self._resolve_all_readable(given, principal)
            elif any(isinstance(mark, FolderToFill) for mark in field.metadata):
                changed[name] = str(self.prepare_folder(given, principal))
        return args.model_copy(update=changed) if changed else args

    def _resolve_all_readable(self, given: str | list[str], principal: Principal) -> str | list[str]:
        if isinstance(given, str):
            return str(self.resolve_readable(given, principal))
        return [str(self.resolve_readable(one, principal)) for one in given]

    def resolve_readable(self, path: str, principal: Principal) -> Path:
        """Return the real path of a file or folder to read."""
        root, parts = self._locate(path, principal)
        try:
            with _open_folder(root, parts[:-1]) as folder:
                if parts:
                    _require_plain(parts[-1], folder)
        except OSError as error:
            raise InvalidArgs(
                f"{path} cannot be read: {error.strerror}.", hint="Name another file."
            ) from error
        return root.joinpath(*parts)

    def prepare_folder(self, path: str, principal: Principal) -> Path:
        """Return the real path of a folder to write to, created if it is missing."""
        root, parts = self._locate(path, principal)
        try:
            with _open_folder(root, parts, make=True):
                return root.joinpath(*parts)
        except OSError as error:
            raise InvalidArgs(
                f"Cannot write to folder {path}: {error.strerror}.", hint="Name another folder."
            ) from error

    @contextmanager
    def new_file(self, path: str, principal: Principal) -> Iterator["_PartialFile"]:
        """Write a file in the caller's own folder; missing folders are created.

        Raises:
            Denied: the caller has no folder, or a link points out of it.
            InvalidArgs: the path cannot name a file.
        """
        root, parts = self._locate(plain_path(path), principal)
        if not parts:
            raise InvalidArgs(f"{path} is a folder.", hint="Name a file.")
        try:
            with _open_folder(root, parts[:-1], make=True) as folder:
                _require_replaceable(parts[-1], folder)
                with _PartialFile.create(folder, parts[-1]) as file:
                    yield file
        except OSError as error:
            raise InvalidArgs(
                f"{path} cannot be written: {error.strerror}.", hint="Name another file."
            ) from error

    def _locate(self, path: str, principal: Principal) -> tuple[Path, tuple[str, ...]]:
        """Return the allowed folder that contains a path, and the parts of the path below it."""
        if not path or any(unicodedata.category(character) in ("Cc", "Cf") for character in path):
            raise InvalidArgs(f"Invalid path {path!r}.", hint="Give a path without invisible characters.")
        roots = [folder.resolve() for folder in (principal.folder, *self._folders) if folder is not None]
        # Relative to the first folder, which is the caller's if it has one. Resolves links and dots.
        real = Path(os.path.realpath(next(iter(roots), Path("/")) / path))
        for root in roots:
            if real.is_relative_to(root):
                return root, real.relative_to(root).parts
        allowed = ", ".join(map(str, roots)) or "none"
        raise Denied(
            f"{path} is outside of the folders that may be used: {allowed}.",
            hint=_OUTSIDE_HINT if roots else _NO_FOLDER_HINT,
        )


class _PartialFile:
    """A file that is written under a temporary name in its folder, until `commit`."""

    def __init__(self, folder: int, name: str, temporary: str, file: int) -> None:
        self._folder = folder
        self._name = name
        self._temporary = temporary
        self._file = file

    @classmethod
    @contextmanager
    def create(cls, folder: int, name: str) -> Iterator["_PartialFile"]:
        """Create the file; it is deleted when the block ends without a `commit`."""
        temporary = f".{secrets.token_hex(8)}.part"
        file = os.open(temporary, _NEW_FILE_FLAGS, 0o666, dir_fd=folder)
        try:
            yield cls(folder, name, temporary, file)
        finally:
            os.close(file)
            with suppress(FileNotFoundError):
                os.unlink(temporary, dir_fd=folder)

    def write(self, piece: bytes) -> None:
        """Append bytes."""
        while piece:
            piece = piece[os.write(self._file, piece) :]

    def commit(self) -> None:
        """Move it to its final name, replacing a file there."""
        os.fsync(self._file)
        os.rename(self._temporary, self._name, src_dir_fd=self._folder, dst_dir_fd=self._folder)


@contextmanager
def _open_folder(root: Path, parts: Sequence[str], *, make: bool = False) -> Iterator[int]:
    """Open a folder below the root, one part of the path after the other; yield its descriptor."""
    here = os.open(root, _FOLDER_FLAGS)
    try:
        for part in parts:
            if make:
                _make_folder(part, here)
            inner = os.open(part, _FOLDER_FLAGS, dir_fd=here)
            os.close(here)
            here = inner
        yield here
    finally:
        os.close(here)


def _make_folder(name: str, folder: int) -> None:
    try:
        os.mkdir(name, 0o700, dir_fd=folder)
    except FileExistsError:
        return


def _require_replaceable(name: str, folder: int) -> None:
    """Refuse to replace anything but a regular file."""
    with suppress(FileNotFoundError):
        if not stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            raise InvalidArgs(f"{name} exists and is not a regular file.", hint="Name another file.")


def _require_plain(name: str, folder: int) -> None:
    """Refuse anything but a regular file or a folder: reading a pipe or a device may never end."""
    file = os.open(name, _FILE_FLAGS, dir_fd=folder)
    try:
        kind = os.fstat(file).st_mode
    finally:
        os.close(file)
    if not stat.S_ISREG(kind) and not stat.S_ISDIR(kind):
        raise InvalidArgs(f"{name} is not a regular file.", hint="Name another file.")
