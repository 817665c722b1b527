"""`tabwright record`: start or stop recording a tool of a site."""

from typing import Any

from tabwright.doors.cli import commands, run_action
from tabwright.doors.cli.parse import UsageError
from tabwright.doors.terminal import Terminal

_STOP = "stop"
_WORDING = {
    "then call stop_recording.": "then run: tabwright record stop",
    "Call start_recording first.": "Start with: tabwright record NAME --site HOST",
}


def run(given: dict[str, Any], terminal: Terminal) -> int:
    """Start or stop a recording and return the exit code.

    Raises:
        UsageError: the site of a new recording is missing.
    """
    if given["name"] == _STOP:
        action, words = "stop_recording", ["--discard"] if given.get("discard") else []
    elif "site" not in given:
        raise UsageError("missing --site: the host that the tool is for")
    else:
        action, words = "start_recording", [given["name"], given["site"]]
        words += [f"--describe={given['describe']}"] if "describe" in given else []
        words += ["--replace"] if given.get("replace") else []
    words += [f"--session={given['session']}"] if "session" in given else []
    command = commands.find_action(action)
    assert command is not None
    words += ["--json"] if given.get("json") else []
    return run_action.run(command, words, terminal, wording=_WORDING)
