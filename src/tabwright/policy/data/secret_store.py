"""Secrets by name: `{{secret:github}}` in typed text stands for a value that no agent sees.

They are in a private file, each with the origins that it may be typed into. Values listed under `keyring` are
in the system keyring, under the service `tabwright` (`keyring = true`: all values that the file lacks).
"""

import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from tabwright.errors import Denied, InvalidArgs, NotFound
from tabwright.private_files import one_writer, read_private, write_private
from tabwright.urls import require_origin

_SERVICE = "tabwright"
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_MIN_LENGTH = 4
_NOT_VALUES = frozenset({"origin", "keyring"})
# The key of a secret with one value.
_ONLY = "value"


class Secret(NamedTuple):
    """A value, and the origins that it may be typed into."""

    name: str
    origins: frozenset[str]
    value: str


class Secrets:
    """The secrets of one file; none without a file."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file

    def __iter__(self) -> Iterator[tuple[str, frozenset[str]]]:
        for name, table in self._tables().items():
            yield name, _origins(name, table)

    def get(self, name: str) -> Secret:
        """Return a secret by its name: `github`, or `github.password` for one of several values.

        Raises:
            NotFound: there is no such secret.
            Denied: others can read the file, or the secret has no origin.
        """
        table_name, _, key = name.partition(".")
        table = self._tables().get(table_name)
        if table is None or key in _NOT_VALUES:
            raise _missing(name)
        key = key or _ONLY
        value = _read_keyring(_entry(table_name, key)) if key in _in_keyring(table, key) else table.get(key)
        if not isinstance(value, str) or len(value) < _MIN_LENGTH:
            raise _missing(name)
        return Secret(name, _origins(table_name, table), value)

    def put(self, name: str, origin: str, value: str, *, keyring: bool = False) -> None:
        """Store a secret, replacing one of that name.

        Raises:
            InvalidArgs: the name, the origin or the value is invalid.
        """
        table_name, _, key = name.partition(".")
        if not _NAME.fullmatch(table_name) or (key and not _NAME.fullmatch(key)) or key in _NOT_VALUES:
            raise InvalidArgs(
                f"Invalid secret name {name!r}.", hint="Use a name such as github or github.password."
            )
        if len(value) < _MIN_LENGTH:
            raise InvalidArgs(
                "The value is too short to redact it from answers.", hint="Use 4 characters or more."
            )
        origin, key = require_origin(origin), key or _ONLY
        if keyring:
            _write_keyring(_entry(table_name, key), value)
        with _writing(self._path) as tables:
            table = tables.setdefault(table_name, {})
            elsewhere = _in_keyring(table) - {key}
            if not keyring and key in _in_keyring(table, key):
                _delete_from_keyring(_entry(table_name, key))
            table.pop(key, None)  # not in both places
            table |= {"origin": origin, "keyring": sorted(elsewhere | {key} if keyring else elsewhere)}
            table |= {} if keyring else {key: value}

    def remove(self, name: str) -> None:
        """Delete a secret with all its values."""
        with _writing(self._path) as tables:
            table = tables.pop(name, None)
            if table is None:
                raise _missing(name)
        for key in _in_keyring(table, _ONLY):
            _delete_from_keyring(_entry(name, key))

    @property
    def _path(self) -> Path:
        assert self._file is not None
        return self._file

    def _tables(self) -> dict[str, dict[str, Any]]:
        return _read(self._file) if self._file is not None else {}


def _read(file: Path) -> dict[str, dict[str, Any]]:
    try:
        content = tomllib.loads(read_private(file).decode())
    except ValueError as error:
        raise Denied(f"{file} is not a valid file of secrets: {error}.", hint="Correct it.") from error
    return {name: table for name, table in content.items() if isinstance(table, dict)}


@contextmanager
def _writing(file: Path) -> Iterator[dict[str, dict[str, Any]]]:
    """Change the secrets under the lock for writers."""
    import tomlkit  # needed only to write

    with one_writer(file):
        tables = _read(file)
        yield tables
        write_private(file, tomlkit.dumps(tables).encode())


def _origins(name: str, table: dict[str, Any]) -> frozenset[str]:
    origins = table.get("origin", [])
    named = [origins] if isinstance(origins, str) else list(origins)
    if not named:
        raise Denied(f"The secret {name} has no origin.", hint='Add one: origin = "https://example.com".')
    return frozenset(map(require_origin, named))


def _in_keyring(table: dict[str, Any], *wanted: str) -> set[str]:
    """Return the keys in the keyring; for `keyring = true`, those of `wanted` that the file lacks."""
    listed = table.get("keyring", [])
    if isinstance(listed, list):
        return set(map(str, listed))
    return {key for key in wanted if listed and key not in table}


def _entry(name: str, key: str) -> str:
    """Return the name of a value in the keyring, which is the name that agents use."""
    return name if key == _ONLY else f"{name}.{key}"


def _missing(name: str) -> NotFound:
    hint = f"The user can add it: tabwright secret set {name} --origin URL"
    return NotFound(f"There is no secret {name}.", hint=hint)


def _read_keyring(name: str) -> str | None:
    import keyring  # takes 60 ms to import, and many servers have none
    from keyring.errors import KeyringError

    try:
        return keyring.get_password(_SERVICE, name)
    except KeyringError as error:
        message = f"The system keyring did not return {name}: {error}."
        raise Denied(message, hint="Unlock it, or set the secret again without --keyring.") from error


def _write_keyring(name: str, value: str) -> None:
    import keyring
    from keyring.errors import KeyringError

    try:
        keyring.set_password(_SERVICE, name, value)
    except KeyringError as error:
        raise InvalidArgs(
            f"The system keyring did not store {name}: {error}.", hint="Leave out --keyring."
        ) from error


def _delete_from_keyring(name: str) -> None:
    import keyring
    from keyring.errors import KeyringError

    with suppress(KeyringError):
        keyring.delete_password(_SERVICE, name)
