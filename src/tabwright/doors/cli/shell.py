"""Run an action from the shell: words in, answer on standard output, exit code by class of error."""

import base64
import json
import sys
from pathlib import Path
from typing import Any

from tabwright import errors
from tabwright.doors.cli.call import HubLost, call
from tabwright.doors.cli.parse import parse
from tabwright.doors.cli.saving import free_path, save
from tabwright.doors.cli.table import BESIDE, Command
from tabwright.doors.cli.terminal import Terminal
from tabwright.doors.join import HubRefused

# 1 says that the hub could not be reached at all.
EXIT_CODES: dict[type[errors.TabwrightError], int] = {
    errors.InvalidArgs: 2,
    errors.NotFound: 3,
    errors.Stale: 4,
    errors.Blocked: 5,
    errors.Denied: 6,
    errors.TimedOut: 7,
    errors.PageFailed: 8,
    errors.BrowserGone: 9,
    errors.Internal: 10,
}
_BY_NAME = {kind.__name__: code for kind, code in EXIT_CODES.items()}
# A file takes the whole text: more than any page has.
_WHOLE = 1_000_000_000


def run(command: Command, words: list[str], terminal: Terminal) -> int:
    """Run one action and return the exit code."""
    args = parse(command, words)
    beside = {field.name: args.pop(field.name, None) for field in BESIDE}
    output, as_json = beside.pop("output"), beside.pop("json")
    if output and not beside["max_tokens"]:
        beside["max_tokens"] = _WHOLE
    try:
        answer = call({"action": command.name, "args": args, **beside}, terminal)
    except (HubRefused, OSError) as error:
        terminal.fail("tabwright", str(error))
        return 1
    except HubLost as error:
        terminal.fail("BrowserGone", str(error), "Run the command again.")
        return EXIT_CODES[errors.BrowserGone]
    if not answer["ok"]:
        return _failed(answer, terminal, as_json=as_json)
    return _answered(answer, terminal, Path(output) if output else None, as_json=as_json)


def _failed(answer: dict[str, Any], terminal: Terminal, *, as_json: bool) -> int:
    error = answer["error"]
    if as_json:
        terminal.show(_dumped(answer))
    terminal.fail(error["class"], error["message"], error["hint"])
    return _BY_NAME.get(error["class"], EXIT_CODES[errors.Internal])


def _answered(answer: dict[str, Any], terminal: Terminal, output: Path | None, *, as_json: bool) -> int:
    try:
        saved = _saved(answer, output)
    except OSError as error:
        terminal.fail(
            "InvalidArgs",
            f"{error.filename or output}: {error.strerror}.",
            "Name a file that can be written.",
        )
        return EXIT_CODES[errors.InvalidArgs]
    if as_json:
        terminal.show(_dumped(answer))
    elif output is None or answer["files"]:
        terminal.show("\n".join([answer["text"], *map(str, saved)]))
    else:
        terminal.say(str(output))
        if answer["effects"]:
            terminal.note(answer["effects"])
    return 0


def _saved(answer: dict[str, Any], output: Path | None) -> list[Path]:
    """Write what the answer brought to files, and put their paths in the place of their content."""
    saved: list[Path] = []
    for number, file in enumerate(answer["files"]):
        folder = output.parent if output else Path()
        path = output if output and number == 0 else free_path(folder, file["name"])
        saved.append(save(path, base64.b64decode(file.pop("content"))))
        file["path"] = str(path)
    if output and not saved:
        # What changed on the page is no part of what was asked for.
        text: str = answer["text"].removesuffix(answer["effects"] or "").removesuffix("\n")
        saved.append(save(output, f"{text}\n".encode()))
        answer["output"] = str(output)
    return saved


def _dumped(answer: dict[str, Any]) -> str:
    """Return JSON for a program, or laid out for whoever looks at it."""
    return json.dumps(answer, ensure_ascii=False, indent=2 if sys.stdout.isatty() else None)
