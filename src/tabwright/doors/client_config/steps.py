"""How to connect an agent, for people who have just started the hub."""

import json

from tabwright.doors.client_config.clients import CLIENTS, SERVER
from tabwright.doors.client_config.entry import entry
from tabwright.doors.client_config.launch import program

_SHOWN = ("claude-code", "codex", "cursor", "vscode")


def setup_steps() -> dict[str, str]:
    """Return, by client, the command that configures it, or the text for its file."""
    us = program()
    return {
        "Your client": f"{us} config",
        **{CLIENTS[name].title: f"{us} config {name} --write" for name in _SHOWN},
        "By hand": _as_json("cursor"),
        "VS Code format": _as_json("vscode"),
    }


def _as_json(name: str) -> str:
    client = CLIENTS[name]
    return json.dumps({client.keys[0]: {SERVER: entry(client)}})
