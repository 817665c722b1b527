"""TOML files that people edit: changes one table, and keeps comments and order."""

import tomllib
from typing import Any


def get(text: str, path: tuple[str, ...]) -> Any:
    """Return the value at a path of keys; None if there is none.

    Raises:
        ValueError: the text is not TOML, or something on the path is not a table.
    """
    value: Any = tomllib.loads(text)
    for depth, key in enumerate(path):
        if not isinstance(value, dict):
            raise ValueError(f"{'.'.join(path[:depth])} is not a table")  # noqa: TRY004 - as for invalid TOML
        if key not in value:
            return None
        value = value[key]
    return value


def put(text: str, path: tuple[str, ...], value: dict[str, Any]) -> str:
    """Set the table at a path of keys, and leave everything else as it is.

    Raises:
        ValueError: the text is not TOML, or something on the path is not a table.
    """
    new = _append(text, path, value) if get(text, path) is None else _change(text, path, value)
    if get(new, path) != value:
        raise ValueError(f"{path[0]} is written in a way that cannot be changed safely")
    return new


def _append(text: str, path: tuple[str, ...], value: dict[str, Any]) -> str:
    """Add a table at the end, which is right wherever the tables next to it are."""
    import tomlkit

    lines = [f"{key} = {_item(one).as_string()}" for key, one in value.items()]
    new = "\n".join([f"[{'.'.join(tomlkit.key(key).as_string() for key in path)}]", *lines, ""])
    return f"{text.rstrip()}\n\n{new}" if text.strip() else new


def _change(text: str, path: tuple[str, ...], value: dict[str, Any]) -> str:
    import tomlkit

    document = tomlkit.parse(text)
    table: Any = document
    for key in path:
        table = table[key]
    for key in [key for key in table if key not in value]:
        del table[key]
    for key, one in value.items():
        if table.get(key) != one:
            table[key] = _item(one)
    return tomlkit.dumps(document)


def _item(value: Any) -> Any:
    """Return a value as TOML on one line."""
    import tomlkit

    if not isinstance(value, dict):
        return tomlkit.item(value)
    table = tomlkit.inline_table()
    table.update(value)
    return table
