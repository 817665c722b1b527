"""`tabwright session`: the session that commands work in, told without a hub."""

import json
from typing import Any

from tabwright.doors.cli.asking import DEFAULT_SESSION
from tabwright.doors.cli.terminal import Terminal
from tabwright.home import default_session


def tell(given: dict[str, Any], terminal: Terminal) -> int:
    """Print its name."""
    name = given.get("session") or default_session() or DEFAULT_SESSION
    if not given.get("json"):
        terminal.say(name)
        return 0
    beside: dict[str, Any] = {"effects": None, "cursor": "", "session": name, "tab": "", "files": []}
    terminal.say(json.dumps({"ok": True, "text": name, "result": {"session": name}, **beside}))
    return 0
