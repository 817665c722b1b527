"""Settings of other programs: what their files and variables call ours, and what may be ignored in them.

Somebody who moves from Browsion, or has written the keys of the Browser Vision documents, can keep them.
"""

import re
from collections.abc import Mapping
from typing import Any

Table = dict[str, Any]

# Browsion's variables, and the settings that they mean.
VARIABLES = {"BROWSION_API_PORT": ("api_port",), "BROWSION_API_KEY": ("auth", "api_key")}
# A table whose content belongs at the top of our file.
_WRAPPER = ("mcp", "browser")
_RENAMED = {
    ("allow_shared_sessions",): ("sessions", "allow_shared"),
    ("sessions", "allow_shared_sessions"): ("sessions", "allow_shared"),
    ("chrome_path",): ("browser",),
}
# About Browsion's window. Other keys in these places are reported, because they could be misplaced settings.
_IGNORED = {("settings", "minimize_to_tray"), ("settings", "auto_start"), ("recent_profiles",)}


def translate(content: Table) -> Table:
    """Return the content of a file with our own keys; where it has both, ours count."""
    content, wrapped = _take(content, _WRAPPER)
    if isinstance(wrapped, dict):
        content = _merge(wrapped, content)
    for theirs, ours in _RENAMED.items():
        content, value = _take(content, theirs)
        if value is not None:
            content = _merge(nested(ours, value), content)
    for path in _IGNORED:
        content, _ = _take(content, path)
    return content


def snake_case(key: str) -> str:
    """Return a key in the form that our own have."""
    return re.sub(r"(?<=[a-z0-9])[A-Z]", lambda upper: f"_{upper[0].lower()}", key)


def nested(path: tuple[str, ...], value: Any) -> Table:
    """Return a value in tables, one for each part of its path but the last."""
    *above, last = path
    table = {last: value}
    for name in reversed(above):
        table = {name: table}
    return table


def _take(table: Table, path: tuple[str, ...]) -> tuple[Table, Any]:
    """Return a table without the value at a path, and that value; a table that is then empty is left out."""
    name = next((key for key in table if snake_case(key) == path[0]), None)
    if name is None or (len(path) > 1 and not isinstance(table[name], dict)):
        return table, None
    rest = {key: value for key, value in table.items() if key != name}
    if len(path) == 1:
        return rest, table[name]
    inner, value = _take(table[name], path[1:])
    emptied = not inner and inner is not table[name]
    return (rest if emptied else {**table, name: inner}), value


def _merge(under: Mapping[str, Any], over: Table) -> Table:
    """Return two tables as one."""
    named = {snake_case(key): key for key in over}
    merged = dict(over)
    for key, value in under.items():
        own = named.get(snake_case(key))
        if own is None:
            merged[key] = value
        elif isinstance(value, dict) and isinstance(merged[own], dict):
            merged[own] = _merge(value, merged[own])
    return merged
