"""`tabwright secret`: stores, lists and removes secrets. Values come from standard input."""

import getpass
import json
import sys
from typing import Any

from tabwright.doors.cli.parse import UsageError
from tabwright.doors.terminal import Terminal
from tabwright.policy.data.secret_store import Secrets


def run(secrets: Secrets, given: dict[str, Any], terminal: Terminal) -> int:
    """Run the command and return the exit code.

    Raises:
        TabwrightError: the name or the origin is wrong, or the secret is unknown.
        UsageError: the origin of a new secret is missing.
    """
    name, as_json = given.get("name", ""), given.get("json", False)
    match given["order"]:
        case "set":
            if "origin" not in given:
                raise UsageError("missing --origin: the site that the secret is for")
            secrets.put(name, given["origin"], _read_value(name), keyring=given.get("keyring", False))
            done = f"Stored {name}. Agents type it as {{{{secret:{name}}}}}, on that site only."
        case "remove":
            secrets.remove(name)
            done = f"Removed {name}."
        case _:
            known = {name: sorted(origins) for name, origins in secrets}
            terminal.say(json.dumps(known) if as_json else _format_list(known))
            return 0
    terminal.say(json.dumps({"name": name}) if as_json else done)
    return 0


def _read_value(name: str) -> str:
    if sys.stdin.isatty():
        return getpass.getpass(f"Value of {name}: ")
    return sys.stdin.readline().rstrip("\n")


def _format_list(known: dict[str, list[str]]) -> str:
    lines = [f"{name}  {' '.join(origins)}" for name, origins in known.items()]
    return "\n".join(lines) or "No secrets."
