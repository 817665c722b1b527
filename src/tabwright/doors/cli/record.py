"""Recording a tool from the shell: the actions that begin and end it, in one command."""

from typing import Any

from tabwright.doors.cli import commands
from tabwright.doors.cli.parse import Misused
from tabwright.doors.cli.run_action import run
from tabwright.doors.terminal import Terminal

_STOP = "stop"


def order(given: dict[str, Any], terminal: Terminal) -> int:
    """Begin or end a recording; return the exit code.

    Raises:
        Misused: the site of a new one is missing.
    """
    if given["name"] == _STOP:
        action, words = "stop_recording", ["--discard"] if given.get("discard") else []
    elif "site" not in given:
        raise Misused("--site is needed: the host that the tool is for")
    else:
        action, words = "start_recording", [given["name"], given["site"]]
        words += [f"--describe={given['describe']}"] if "describe" in given else []
        words += ["--replace"] if given.get("replace") else []
    words += [f"--session={given['session']}"] if "session" in given else []
    command = commands.action(action)
    assert command is not None
    return run(command, [*words, "--json"] if given.get("json") else words, terminal)
