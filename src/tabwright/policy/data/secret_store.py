"""Secrets by name: `{{secret:github}}` in what is typed stands for a value that no agent sees.

They live in a file of the user's own, each with the origins it may be typed into; values that `keyring` names
are in the keyring of the system, under the service `tabwright` (`keyring = true`: all that the file has not).
"""

import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from tabwright.errors import Denied, InvalidArgs, NotFound
from tabwright.private_files import one_writer, read_private, write_private
from tabwright.urls import required_origin

_SERVICE = "tabwright"
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_SHORTEST = 4
_NOT_VALUES = frozenset({"origin", "keyring"})
# What a secret with one value calls it.
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
            NotFound: there is none of that name.
            Denied: the file cannot be trusted, or names no origin.
        """
        table_name, _, key = name.partition(".")
        table = self._tables().get(table_name)
        if table is None or key in _NOT_VALUES:
            raise _missing(name)
        key = key or _ONLY
        value = _from_keyring(_entry(table_name, key)) if key in _in_keyring(table, key) else table.get(key)
        if not isinstance(value, str) or len(value) < _SHORTEST:
            raise _missing(name)
        return Secret(name, _origins(table_name, table), value)

    def put(self, name: str, origin: str, value: str, *, keyring: bool = False) -> None:
        """Keep a secret, in place of one of that name.

        Raises:
            InvalidArgs: name, origin or value cannot be.
        """
        table_name, _, key = name.partition(".")
        if not _NAME.fullmatch(table_name) or (key and not _NAME.fullmatch(key)) or key in _NOT_VALUES:
            raise InvalidArgs(f"{name!r} is no name for a secret.", hint="Such as github or github.password.")
        if len(value) < _SHORTEST:
            raise InvalidArgs(
                "The value is too short to be kept out of answers.", hint="4 characters or more."
            )
        origin, key = required_origin(origin), key or _ONLY
        if keyring:
            _into_keyring(_entry(table_name, key), value)
        with _writing(self._path) as tables:
            table = tables.setdefault(table_name, {})
            elsewhere = _in_keyring(table) - {key}
            if not keyring and key in _in_keyring(table, key):
                _out_of_keyring(_entry(table_name, key))
            table.pop(key, None)  # what goes to the keyring does not stay here as well
            table |= {"origin": origin, "keyring": sorted(elsewhere | {key} if keyring else elsewhere)}
            table |= {} if keyring else {key: value}

    def remove(self, name: str) -> None:
        """Forget a secret, with all its values."""
        with _writing(self._path) as tables:
            table = tables.pop(name, None)
            if table is None:
                raise _missing(name)
        for key in _in_keyring(table, _ONLY):
            _out_of_keyring(_entry(name, key))

    @property
    def _path(self) -> Path:
        assert self._file is not None
        return self._file

    def _tables(self) -> dict[str, dict[str, Any]]:
        return _read(self._file) if self._file is not None else {}


def _read(file: Path) -> dict[str, dict[str, Any]]:
    try:
        told = tomllib.loads(read_private(file).decode())
    except ValueError as error:
        raise Denied(f"{file} is no file of secrets: {error}.", hint="Mend it.") from error
    return {name: table for name, table in told.items() if isinstance(table, dict)}


@contextmanager
def _writing(file: Path) -> Iterator[dict[str, dict[str, Any]]]:
    """Change the secrets while no other writer does."""
    import tomlkit  # only who changes them needs to write TOML

    with one_writer(file):
        tables = _read(file)
        yield tables
        write_private(file, tomlkit.dumps(tables).encode())


def _origins(name: str, table: dict[str, Any]) -> frozenset[str]:
    told = table.get("origin", [])
    named = [told] if isinstance(told, str) else list(told)
    if not named:
        raise Denied(f"The secret {name} names no origin.", hint='Add one: origin = "https://example.com".')
    return frozenset(map(required_origin, named))


def _in_keyring(table: dict[str, Any], *asked: str) -> set[str]:
    """Return which values are in the keyring; of a table that names none, those that are asked for."""
    told = table.get("keyring", [])
    return (
        set(map(str, told)) if isinstance(told, list) else {key for key in asked if told and key not in table}
    )


def _entry(name: str, key: str) -> str:
    """Return what a value is called in the keyring: as agents call it."""
    return name if key == _ONLY else f"{name}.{key}"


def _missing(name: str) -> NotFound:
    hint = f"The user can add it: tabwright secret set {name} --origin URL"
    return NotFound(f"There is no secret {name}.", hint=hint)


def _from_keyring(name: str) -> str | None:
    import keyring  # 60 ms, and mute on many servers
    from keyring.errors import KeyringError

    try:
        return keyring.get_password(_SERVICE, name)
    except KeyringError as error:
        told = f"The keyring of the system does not give {name} out: {error}."
        raise Denied(told, hint="Unlock it, or set the secret again without --keyring.") from error


def _into_keyring(name: str, value: str) -> None:
    import keyring
    from keyring.errors import KeyringError

    try:
        keyring.set_password(_SERVICE, name, value)
    except KeyringError as error:
        told = f"The keyring of the system does not take it: {error}."
        raise InvalidArgs(told, hint="Leave --keyring out.") from error


def _out_of_keyring(name: str) -> None:
    import keyring
    from keyring.errors import KeyringError

    with suppress(KeyringError):
        keyring.delete_password(_SERVICE, name)
