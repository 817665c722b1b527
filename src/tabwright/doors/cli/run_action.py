"""Runs an action from the shell: prints its answer, saves its files, and returns an exit code."""

import base64
import json
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from tabwright import errors
from tabwright.dialects.alias import Alias
from tabwright.doors.cli.commands import SHARED_FLAGS, Command
from tabwright.doors.cli.hub import set_browser_options
from tabwright.doors.cli.hub_client import HubLost, call
from tabwright.doors.cli.parse import parse
from tabwright.doors.cli.verb_translations import DEFAULT_SESSION
from tabwright.doors.terminal import Terminal
from tabwright.doors.wire.hub_client import HubRefused
from tabwright.home import default_session
from tabwright.hygiene import escape_invisible
from tabwright.private_files import free_path, save
from tabwright.text import quote_line

# 1 means that the hub could not be reached at all.
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
# For answers that go to a file: longer than any page.
_NO_LIMIT = 1_000_000_000
# Flags for the hub and its browser, which are not part of the call.
_HUB_FLAGS = ("cdp", "headed", "executable_path", "debug")


class _Plan(NamedTuple):
    """The calls of a command, the last of which gives the answer, and where the answer goes."""

    calls: list[dict[str, Any]]
    hub_flags: dict[str, Any]
    output: str | None
    as_json: bool
    shown: str = ""


def run(
    command: Command,
    words: list[str],
    terminal: Terminal,
    verb: Alias | None = None,
    *,
    wording: Mapping[str, str] = MappingProxyType({}),
) -> int:
    """Run an action, or what a verb means, and return the exit code.

    Args:
        command: the command.
        words: its arguments.
        terminal: where the answer goes.
        verb: what it means, if it is a verb.
        wording: words of the answer about actions, and what to say instead in a shell.
    """
    plan = _plan(command, parse(command, words), verb)
    try:
        set_browser_options(plan.hub_flags, terminal)
        answer = _call(plan.calls, terminal, debug=plan.hub_flags["debug"])
    except (HubRefused, OSError) as error:
        terminal.fail("tabwright", str(error))
        return 1
    except HubLost as error:
        terminal.fail("BrowserGone", str(error), "Run the command again.")
        return EXIT_CODES[errors.BrowserGone]
    for words_of_actions, of_shell in wording.items():
        place, key = (answer, "text") if answer["ok"] else (answer["error"], "hint")
        place[key] = place[key].replace(words_of_actions, of_shell)
    if not answer["ok"]:
        return _report_error(answer, terminal, as_json=plan.as_json)
    _add_titles(answer)
    if plan.shown:
        answer["text"] = _format(answer["result"][plan.shown])
    return _report(answer, terminal, Path(plan.output) if plan.output else None, as_json=plan.as_json)


def _plan(command: Command, given: dict[str, Any], verb: Alias | None) -> _Plan:
    if "session" not in given and (chosen := default_session()):
        given["session"] = chosen
    action, args = verb.meaning(given) if verb else (command.name, given)
    args = dict(args)
    options = {field.name: args.pop(field.name, given.get(field.name)) for field in SHARED_FLAGS}
    hub_flags = {name: options.pop(name) for name in _HUB_FLAGS}
    output, as_json = options.pop("output"), options.pop("json")
    if output and not options["max_tokens"]:
        options["max_tokens"] = _NO_LIMIT
    if action == "list_tabs":
        args.setdefault("titles", True)
    calls = [{"action": action, "args": args, **options}]
    if hub_flags["cdp"]:
        connect = {"action": "connect_browser", "args": {"address": hub_flags["cdp"]}}
        calls.insert(0, {**connect, **options, "tab": None})
    return _Plan(calls, hub_flags, output, as_json, verb.shown if verb else "")


def _add_titles(answer: dict[str, Any]) -> None:
    """Add titles to the lines about a page that was opened, and about tabs: people know pages by them."""
    result = answer["result"] if isinstance(answer["result"], dict) else {}
    lines = answer["text"].split("\n")
    tabs = result.get("tabs")
    pages = [result] if lines[0].startswith("Navigated to ") else tabs if isinstance(tabs, list) else []
    for number, page in enumerate(pages[: len(lines)]):
        if isinstance(page, dict) and (title := page.get("title")) and page["url"] in lines[number]:
            before, url, after = lines[number].partition(page["url"])
            lines[number] = f"{before}{url} {quote_line(title)}{after}"
    answer["text"] = "\n".join(lines)


def _call(calls: list[dict[str, Any]], terminal: Terminal, *, debug: bool) -> dict[str, Any]:
    """Return the answer to the last call, or to the first that failed."""
    answer: dict[str, Any] = {}
    for request in calls:
        started = time.perf_counter()
        answer = call(request, terminal)
        if debug:
            milliseconds = (time.perf_counter() - started) * 1000
            outcome = "ok" if answer["ok"] else answer["error"]["class"]
            session = answer.get("session") or request["session"] or "of the shell"
            terminal.note(f"{request['action']} in session {session}: {outcome}, {milliseconds:.0f} ms")
        if not answer["ok"]:
            break
    return answer


def _format(value: Any) -> str:
    """Format one value of a result; a state that an element cannot have is false."""
    return str(value or False).lower() if value is None or isinstance(value, bool) else str(value)


def _report_error(answer: dict[str, Any], terminal: Terminal, *, as_json: bool) -> int:
    error = answer["error"]
    if as_json:
        terminal.show(_to_json(answer))
    terminal.fail(error["class"], error["message"], error["hint"])
    return _BY_NAME.get(error["class"], EXIT_CODES[errors.Internal])


def _report(answer: dict[str, Any], terminal: Terminal, output: Path | None, *, as_json: bool) -> int:
    try:
        saved = _save_files(answer, output)
    except OSError as error:
        terminal.fail(
            "InvalidArgs",
            f"{error.filename or output}: {error.strerror}.",
            "Name a file that can be written.",
        )
        return EXIT_CODES[errors.InvalidArgs]
    if as_json:
        terminal.show(_to_json(answer))
    elif output is None or answer["files"]:
        terminal.show("\n".join([answer["text"], *map(str, saved)]))
    else:
        terminal.say(str(output))
        if answer["effects"]:
            terminal.note(answer["effects"])
    return 0


def _save_files(answer: dict[str, Any], output: Path | None) -> list[Path]:
    """Save the files of an answer, or its text if it has none; replace their content by their paths."""
    saved: list[Path] = []
    for number, file in enumerate(answer["files"]):
        folder = output.parent if output else Path()
        saved.append(_save_file(file, output if number == 0 else None, folder))
        file["path"] = str(saved[-1])
    if output and not saved:
        # The report of what changed on the page does not belong into the file.
        text: str = answer["text"].removesuffix(answer["effects"] or "").removesuffix("\n")
        saved.append(save(output, f"{text}\n".encode()))
        answer["output"] = str(output)
    return saved


def _save_file(file: dict[str, Any], path: Path | None, folder: Path) -> Path:
    """Save a file; a download stays where it is, unless a path is given."""
    if "content" in file:
        return save(path or free_path(folder, file["name"]), base64.b64decode(file.pop("content")))
    downloaded = Path(file["path"])
    return save(path, downloaded.read_bytes()) if path else downloaded


def _to_json(answer: dict[str, Any]) -> str:
    """Return JSON in one line for programs, indented for a terminal."""
    text = json.dumps(answer, ensure_ascii=False, indent=2 if sys.stdout.isatty() else None)
    return escape_invisible(text)


def print_session(given: dict[str, Any], terminal: Terminal) -> int:
    """Print the name of the session that commands work in."""
    name = given.get("session") or default_session() or DEFAULT_SESSION
    if not given.get("json"):
        terminal.say(name)
        return 0
    rest: dict[str, Any] = {"effects": None, "cursor": "", "session": name, "tab": "", "files": []}
    terminal.say(json.dumps({"ok": True, "text": name, "result": {"session": name}, **rest}))
    return 0
