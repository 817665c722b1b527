"""Run an action from the shell: words in, answer on standard output, exit code by class of error."""

import base64
import json
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

from tabwright import errors
from tabwright.doors.cli.commands import BESIDE, Command
from tabwright.doors.cli.hub import wish
from tabwright.doors.cli.hub_client import HubLost, call
from tabwright.doors.cli.parse import parse
from tabwright.doors.cli.verb import Verb
from tabwright.doors.cli.verb_handlers import DEFAULT_SESSION, Ask
from tabwright.doors.cli.verbs import meant
from tabwright.doors.terminal import Terminal
from tabwright.doors.wire.hub_client import HubRefused
from tabwright.home import default_session
from tabwright.private_files import free_path, save

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
_WISHES = ("cdp", "headed", "executable_path", "debug")


class _Wanted(NamedTuple):
    """What a command wants: calls, the last of which is answered, and what becomes of the answer."""

    requests: list[dict[str, Any]]
    wishes: dict[str, Any]
    output: str | None
    as_json: bool
    shown: str = ""


def run(command: Command, words: list[str], terminal: Terminal, verb: Verb | None = None) -> int:
    """Run one action, or what a verb asks for, and return the exit code."""
    wanted = _wanted(command, parse(command, words), verb)
    try:
        wish(wanted.wishes, terminal)
        answer = _asked(wanted.requests, terminal, debug=wanted.wishes["debug"])
    except (HubRefused, OSError) as error:
        terminal.fail("tabwright", str(error))
        return 1
    except HubLost as error:
        terminal.fail("BrowserGone", str(error), "Run the command again.")
        return EXIT_CODES[errors.BrowserGone]
    if not answer["ok"]:
        return _failed(answer, terminal, as_json=wanted.as_json)
    if wanted.shown:
        answer["text"] = _plain(answer["result"][wanted.shown])
    return _answered(answer, terminal, Path(wanted.output) if wanted.output else None, as_json=wanted.as_json)


def _wanted(command: Command, given: dict[str, Any], verb: Verb | None) -> _Wanted:
    if "session" not in given and (chosen := default_session()):
        given["session"] = chosen
    asked = verb.ask(meant(command, given)) if verb else Ask(command.name, given)
    args = dict(asked.args)
    beside = {field.name: args.pop(field.name, given.get(field.name)) for field in BESIDE}
    wishes = {name: beside.pop(name) for name in _WISHES}
    output, as_json = beside.pop("output"), beside.pop("json")
    if output and not beside["max_tokens"]:
        beside["max_tokens"] = _WHOLE
    requests = [{"action": asked.action, "args": args, **beside}]
    if wishes["cdp"]:
        joining = {"action": "connect_browser", "args": {"address": wishes["cdp"]}}
        requests.insert(0, {**joining, **beside, "tab": None})
    return _Wanted(requests, wishes, output, as_json, asked.shown)


def _asked(requests: list[dict[str, Any]], terminal: Terminal, *, debug: bool) -> dict[str, Any]:
    """Return the answer to the last request, or to the first that failed."""
    answer: dict[str, Any] = {}
    for request in requests:
        started = time.perf_counter()
        answer = call(request, terminal)
        if debug:
            milliseconds = (time.perf_counter() - started) * 1000
            outcome = "ok" if answer["ok"] else answer["error"]["class"]
            where = f"session {answer.get('session') or request['session'] or 'of the shell'}"
            terminal.note(f"{request['action']} in {where}: {outcome}, {milliseconds:.0f} ms")
        if not answer["ok"]:
            break
    return answer


def _plain(value: Any) -> str:
    """Write one value of a result; what cannot be so is not so."""
    return str(value or False).lower() if value is None or isinstance(value, bool) else str(value)


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
        saved.append(_delivered(file, output if number == 0 else None, folder))
        file["path"] = str(saved[-1])
    if output and not saved:
        # What changed on the page is no part of what was asked for.
        text: str = answer["text"].removesuffix(answer["effects"] or "").removesuffix("\n")
        saved.append(save(output, f"{text}\n".encode()))
        answer["output"] = str(output)
    return saved


def _delivered(file: dict[str, Any], path: Path | None, folder: Path) -> Path:
    """Put a file where it is wanted; a download stays where it is unless it is wanted elsewhere."""
    if "content" in file:
        return save(path or free_path(folder, file["name"]), base64.b64decode(file.pop("content")))
    kept = Path(file["path"])
    return save(path, kept.read_bytes()) if path else kept


def _dumped(answer: dict[str, Any]) -> str:
    """Return JSON for a program, or laid out for whoever looks at it."""
    return json.dumps(answer, ensure_ascii=False, indent=2 if sys.stdout.isatty() else None)


def tell(given: dict[str, Any], terminal: Terminal) -> int:
    """Print its name."""
    name = given.get("session") or default_session() or DEFAULT_SESSION
    if not given.get("json"):
        terminal.say(name)
        return 0
    beside: dict[str, Any] = {"effects": None, "cursor": "", "session": name, "tab": "", "files": []}
    terminal.say(json.dumps({"ok": True, "text": name, "result": {"session": name}, **beside}))
    return 0
