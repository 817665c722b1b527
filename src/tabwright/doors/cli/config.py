"""`tabwright config cursor`: prints the configuration for an MCP client, or writes it to its file."""

import json
from pathlib import Path
from typing import Any

from tabwright.doors.client_config import CLIENTS, claude_code_command
from tabwright.doors.terminal import Terminal
from tabwright.private_files import free_path, save

# Keys of an entry that uses HTTP, which conflict with one that starts a program.
_OVER_HTTP = ("type", "url", "serverUrl", "httpUrl", "headers")


class NotWritten(Exception):
    """The client's file was not changed; the message says why."""


def run(given: dict[str, Any], terminal: Terminal) -> int:
    """Print the configuration for a client, or write it to the client's file."""
    client, dialect = CLIENTS[given["client"]], given.get("dialect")
    entry = client.entry(dialect)
    if not given.get("write"):
        terminal.say(json.dumps(entry, indent=2))
        terminal.note(f"For {client.title}, in {client.file}. --write adds it there.")
    else:
        file = client.file
        try:
            backup = write(file, entry, keep_args=not dialect)
        except (NotWritten, OSError) as failure:
            by_hand = f"Add this by hand:\n{json.dumps(entry, indent=2)}"
            terminal.fail("tabwright config", str(failure), by_hand)
            return 1
        copied = f" (backup: {backup})" if backup else ""
        terminal.say(f"{file} now has Tabwright{copied}. Restart {client.title}.")
    if given["client"] == "claude-code":
        terminal.note(f"For all your projects: {claude_code_command(dialect)}")
    return 0


def write(file: Path, entry: dict[str, Any], *, keep_args: bool) -> Path | None:
    """Add an entry to a client's file and keep the rest; return the path of the backup, if there is one.

    Args:
        file: the client's file.
        entry: the table and the server in it.
        keep_args: whether to keep further arguments of an existing entry.

    Raises:
        NotWritten: the file cannot be changed safely.
    """
    file = file.resolve()
    before = file.read_bytes() if file.exists() else None
    known = _parse(file, before) if before is not None and before.strip() else {}
    [(table, servers)] = entry.items()
    named = known.setdefault(table, {})
    if not isinstance(named, dict):
        raise NotWritten(f"{file}: {table} is not an object.")
    merged = {name: _merge(named.get(name), ours, keep_args=keep_args) for name, ours in servers.items()}
    if all(named.get(name) == server for name, server in merged.items()):
        return None
    named.update(merged)
    backup = save(free_path(file.parent, f"{file.name}.backup"), before) if before is not None else None
    save(file, (json.dumps(known, indent=2, ensure_ascii=False) + "\n").encode())
    return backup


def _merge(theirs: object, ours: dict[str, Any], *, keep_args: bool) -> dict[str, Any]:
    """Return our entry with what the user added to it: variables, permissions, arguments."""
    if not isinstance(theirs, dict):
        return ours
    if "command" not in theirs:
        theirs = {key: value for key, value in theirs.items() if key not in _OVER_HTTP}
    args, first = theirs.get("args"), ours["args"]
    same = theirs.get("command") == ours["command"] and isinstance(args, list) and args[: len(first)] == first
    return {**theirs, **ours, "args": args if keep_args and same else first}


def _parse(file: Path, content: bytes) -> dict[str, Any]:
    try:
        known = json.loads(content)
    except ValueError:
        raise NotWritten(f"{file} is not plain JSON (comments in it would be lost).") from None
    if not isinstance(known, dict):
        raise NotWritten(f"{file} is not a JSON object.")
    return known
