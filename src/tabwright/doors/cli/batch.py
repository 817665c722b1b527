"""`tabwright batch`: runs shell commands in order, each as if it were typed alone."""

import io
import json
import shlex
import sys
from collections.abc import Callable
from typing import Any

from tabwright.doors.cli.commands import Command
from tabwright.doors.cli.parse import UsageError, parse
from tabwright.doors.terminal import Terminal
from tabwright.errors import InvalidArgs
from tabwright.hygiene import escape_invisible

# Runs a command and returns its exit code.
Run = Callable[[list[str], Terminal], int]
_MAX_STEPS = 200


def run(command: Command, words: list[str], terminal: Terminal, run: Run) -> int:
    """Run the steps; return the exit code of the first that failed."""
    given = parse(command, words)
    steps = [_step(step) for step in given.get("steps") or _read_stdin()]
    if not 0 < len(steps) <= _MAX_STEPS:
        raise UsageError(f"give 1 to {_MAX_STEPS} commands, as arguments or as JSON on standard input")
    flags = ["--session", given["session"]] if "session" in given else []
    codes: list[int] = []
    answers: list[dict[str, Any]] = []
    for step in steps:
        if given.get("json"):
            code, answer = _capture([*flags, "--json", *step], run)
            answers.append({"command": step, **answer})
        else:
            if codes:
                terminal.say("")
            code = run([*flags, *step], terminal)
        codes.append(code)
        if code and given.get("bail"):
            break
    if given.get("json"):
        terminal.show(escape_invisible(json.dumps(answers, ensure_ascii=False)))
    return next((code for code in codes if code), 0)


def _capture(words: list[str], run: Run) -> tuple[int, dict[str, Any]]:
    """Run a step and return its answer as JSON; a usage error, which is text, becomes one."""
    out, err = io.StringIO(), io.StringIO()
    code = run(words, Terminal(out, err))
    try:
        return code, json.loads(out.getvalue())
    except ValueError:
        text = err.getvalue().strip() or out.getvalue().strip()
        if not code:
            return code, {"ok": True, "text": text}
        return code, {"ok": False, "error": InvalidArgs(text).as_json()}


def _read_stdin() -> list[Any]:
    """Read the steps from standard input, unless that is a terminal."""
    if sys.stdin.isatty():
        return []
    try:
        steps = json.load(sys.stdin)
    except ValueError as error:
        raise UsageError(f"standard input is not JSON: {error}") from None
    return steps if isinstance(steps, list) else [steps]


def _step(step: Any) -> list[str]:
    """Return the words of a step, which is a list, or text, or JSON in a text."""
    try:
        if isinstance(step, str):
            step = json.loads(step) if step.lstrip().startswith("[") else shlex.split(step)
    except ValueError as error:
        raise UsageError(f"invalid command {step!r:.100}: {error}") from None
    if not isinstance(step, list) or not step or not all(isinstance(word, str) for word in step):
        raise UsageError(f"invalid command {step!r:.100}")
    if step[0] == "batch":
        raise UsageError("a batch cannot contain a batch")
    return step
