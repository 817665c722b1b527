"""`tabwright batch` of commands as a shell has them: in order, each answered as if it were alone."""

import io
import json
import shlex
import sys
from collections.abc import Callable
from typing import Any

from tabwright.doors.cli.commands import Command
from tabwright.doors.cli.parse import Misused, parse
from tabwright.doors.terminal import Terminal
from tabwright.errors import InvalidArgs

# Runs a command of some words, and returns its exit code.
Run = Callable[[list[str], Terminal], int]
_MOST = 200


def order(command: Command, words: list[str], terminal: Terminal, run: Run) -> int:
    """Run the steps; return the exit code of the first that failed."""
    given = parse(command, words)
    steps = [_step(step) for step in given.get("steps") or _piped()]
    if not 0 < len(steps) <= _MOST:
        raise Misused(f"1 to {_MOST} commands, here or as JSON on standard input")
    flags = ["--session", given["session"]] if "session" in given else []
    codes: list[int] = []
    answers: list[dict[str, Any]] = []
    for step in steps:
        if given.get("json"):
            code, answer = _collected([*flags, "--json", *step], run)
            answers.append({"command": step, **answer})
        else:
            if codes:
                terminal.say("")
            code = run([*flags, *step], terminal)
        codes.append(code)
        if code and given.get("bail"):
            break
    if given.get("json"):
        terminal.show(json.dumps(answers, ensure_ascii=False))
    return next((code for code in codes if code), 0)


def _collected(words: list[str], run: Run) -> tuple[int, dict[str, Any]]:
    """Run a step and return its answer as JSON; what was no command at all has said so in words."""
    out, err = io.StringIO(), io.StringIO()
    code = run(words, Terminal(out, err))
    try:
        return code, json.loads(out.getvalue())
    except ValueError:
        told = err.getvalue().strip() or out.getvalue().strip()
        if not code:
            return code, {"ok": True, "text": told}
        return code, {"ok": False, "error": InvalidArgs(told).as_json()}


def _piped() -> list[Any]:
    """Read the steps from standard input, if somebody gives them there."""
    if sys.stdin.isatty():
        return []
    try:
        told = json.load(sys.stdin)
    except ValueError as error:
        raise Misused(f"standard input is not JSON: {error}") from None
    return told if isinstance(told, list) else [told]


def _step(told: Any) -> list[str]:
    """Read a step: words in a list, as text or as JSON."""
    try:
        if isinstance(told, str):
            told = json.loads(told) if told.lstrip().startswith("[") else shlex.split(told)
    except ValueError as error:
        raise Misused(f"{told!r:.100} is no command: {error}") from None
    if not isinstance(told, list) or not told or not all(isinstance(word, str) for word in told):
        raise Misused(f"{told!r:.100} is no command")
    if told[0] == "batch":
        raise Misused("a batch cannot hold a batch")
    return told
