"""`tabwright config cursor`: print what an MCP client is told of us, or write it into the client's file."""

import json
from pathlib import Path
from typing import Any

from tabwright.doors.client_config import CLIENTS, claude_code_command
from tabwright.doors.terminal import Terminal
from tabwright.private_files import free_path, save

# Of an entry that reaches us over HTTP, and would be at odds with one that starts us.
_OVER_HTTP = ("type", "url", "serverUrl", "httpUrl", "headers")


class NotWritten(Exception):
    """The client's file was left as it is; the text says why."""


def order(given: dict[str, Any], terminal: Terminal) -> int:
    """Print what a client is to be told, or write it into the client's file."""
    client, dialect = CLIENTS[given["client"]], given.get("dialect")
    told = client.entry(dialect)
    if not given.get("write"):
        terminal.say(json.dumps(told, indent=2))
        terminal.note(f"For {client.title}, in {client.file}; --write puts it there.")
    else:
        file = client.file
        try:
            backup = write(file, told, keep_args=not dialect)
        except (NotWritten, OSError) as failure:
            by_hand = f"Put in by hand:\n{json.dumps(told, indent=2)}"
            terminal.fail("tabwright config", str(failure), by_hand)
            return 1
        kept = f"; as it was: {backup}" if backup else ""
        terminal.say(f"{file} names Tabwright now{kept}. Start {client.title} anew.")
    if given["client"] == "claude-code":
        terminal.note(f"In all your projects: {claude_code_command(dialect)}")
    return 0


def write(file: Path, told: dict[str, Any], *, keep_args: bool) -> Path | None:
    """Add to a client's file, keeping all else in it; return where it was copied to before, if it was there.

    Arguments after ours that the entry has already are kept if wished for.

    Raises:
        NotWritten: the file is not one that can be added to safely.
    """
    file = file.resolve()
    before = file.read_bytes() if file.exists() else None
    known = _parsed(file, before) if before is not None and before.strip() else {}
    [(table, servers)] = told.items()
    named = known.setdefault(table, {})
    if not isinstance(named, dict):
        raise NotWritten(f"{file}: {table} is no table of servers.")
    joined = {name: _joined(named.get(name), ours, keep_args=keep_args) for name, ours in servers.items()}
    if all(named.get(name) == server for name, server in joined.items()):
        return None
    named.update(joined)
    backup = save(free_path(file.parent, f"{file.name}.backup"), before) if before is not None else None
    save(file, (json.dumps(known, indent=2, ensure_ascii=False) + "\n").encode())
    return backup


def _joined(theirs: object, ours: dict[str, Any], *, keep_args: bool) -> dict[str, Any]:
    """Return our entry with what a person added to it: variables, what they allowed, arguments."""
    if not isinstance(theirs, dict):
        return ours
    if "command" not in theirs:
        theirs = {key: value for key, value in theirs.items() if key not in _OVER_HTTP}
    args, first = theirs.get("args"), ours["args"]
    same = theirs.get("command") == ours["command"] and isinstance(args, list) and args[: len(first)] == first
    return {**theirs, **ours, "args": args if keep_args and same else first}


def _parsed(file: Path, content: bytes) -> dict[str, Any]:
    try:
        known = json.loads(content)
    except ValueError:
        raise NotWritten(f"{file} is not plain JSON (it may hold comments, which would be lost).") from None
    if not isinstance(known, dict):
        raise NotWritten(f"{file} holds no JSON object.")
    return known
