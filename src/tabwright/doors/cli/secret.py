"""Secrets from the shell: kept, listed by name, forgotten. Values come from standard input."""

import getpass
import json
import sys
from typing import Any

from tabwright.doors.cli.parse import Misused
from tabwright.doors.terminal import Terminal
from tabwright.policy.data.secret_store import Secrets


def order(secrets: Secrets, given: dict[str, Any], terminal: Terminal) -> int:
    """Do what was asked with the secrets.

    Raises:
        TabwrightError: it cannot be done.
        Misused: the origin of a new secret is missing.
    """
    name, as_json = given.get("name", ""), given.get("json", False)
    match given["order"]:
        case "set":
            if "origin" not in given:
                raise Misused("--origin is needed: the site that the secret is for")
            secrets.put(name, given["origin"], _value(name), keyring=given.get("keyring", False))
            told = f"{name} is kept. Agents type it as {{{{secret:{name}}}}}, there only."
        case "remove":
            secrets.remove(name)
            told = f"{name} is forgotten."
        case _:
            known = {name: sorted(origins) for name, origins in secrets}
            terminal.say(json.dumps(known) if as_json else _listed(known))
            return 0
    terminal.say(json.dumps({"name": name}) if as_json else told)
    return 0


def _value(name: str) -> str:
    if sys.stdin.isatty():
        return getpass.getpass(f"Value of {name}: ")
    return sys.stdin.readline().rstrip("\n")


def _listed(known: dict[str, list[str]]) -> str:
    lines = [f"{name}  {' '.join(origins)}" for name, origins in known.items()]
    return "\n".join(lines) or "There are no secrets."
