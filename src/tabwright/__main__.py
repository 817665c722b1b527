"""`tabwright`: choose the door. Nothing heavy is imported before it is known which."""

import os
import sys
from collections.abc import Callable
from typing import Any

from tabwright.doors.cli import commands
from tabwright.doors.cli.parse import Misused, parse, wants_help
from tabwright.doors.cli.verb import Verb
from tabwright.doors.cli.verbs import command_of, hoisted, verb_of
from tabwright.doors.terminal import Terminal

_HELP = {"-h": "help", "--help": "help", "-V": "version", "--version": "version"}


def main() -> int:
    """Run the command line and return the exit code."""
    terminal = Terminal()
    if sys.platform == "win32":
        terminal.fail(
            "tabwright", "Tabwright runs on Linux and macOS, not on Windows.", "WSL counts as Linux."
        )
        return 1
    try:
        return _main(sys.argv[1:] or ["help"], terminal)
    except KeyboardInterrupt:
        terminal.clear()
        return 130
    except BrokenPipeError:
        # Whoever read our output has had enough; the interpreter must not complain when it flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _main(argv: list[str], terminal: Terminal) -> int:
    argv, flags = hoisted(argv)
    word, words = _HELP.get(argv[0], argv[0]) if argv else "help", argv[1:]
    command, verb = commands.own(word), None
    if command is None and (found := verb_of(argv)):
        verb, words = found
        command = command_of(verb)
    command = command or commands.action(word)
    if wants_help(words):
        return _help({"command": argv}, terminal)
    if command is None:
        return _unknown(argv, terminal)
    try:
        return _run(command, verb, [*flags, *words], terminal)
    except Misused as error:
        return _misused(command, str(error), terminal)


def _run(command: commands.Command, verb: Verb | None, words: list[str], terminal: Terminal) -> int:
    if command.name == "batch" and verb is not None:
        from tabwright.doors.cli.batch import order

        return order(command, words, terminal, _main)
    if command.name == "session" and verb is not None:
        from tabwright.doors.cli.run_action import tell

        return tell(parse(command, words), terminal)
    if command.is_action:
        from tabwright.doors.cli.run_action import run

        return run(command, words, terminal, verb)
    return _OWN[command.name](parse(command, words), terminal)


def _unknown(words: list[str], terminal: Terminal) -> int:
    from tabwright.doors.cli.agent_browser_doc import instead_of
    from tabwright.doors.cli.help import forms, near

    word = words[0]
    if known := forms(word):
        terminal.fail(f"tabwright {word}", "What of it?", "\n".join(known))
        return 2
    if instead := instead_of(word):
        terminal.fail("tabwright", f"There is no command {word}.", f"Instead: {instead}")
        return 2
    close = near(word)
    hint = f"Did you mean: {close}?" if close else "All commands: tabwright help"
    terminal.fail("tabwright", f"There is no command {word}.", hint)
    return 2


def _misused(command: commands.Command, message: str, terminal: Terminal) -> int:
    from tabwright.doors.cli.help import near_flag, usage

    meant = ""
    if "unrecognized" in message:
        close = near_flag(command, message)
        meant = f"Did you mean {close}?\n" if close else "A value that begins with a dash goes after --.\n"
    terminal.fail(f"tabwright {command.word}", f"{message}.", f"{meant}Usage: {usage(command)}")
    return 2


def _help(given: dict[str, Any], terminal: Terminal) -> int:
    from tabwright.doors.cli.help import about, find, forms, overview

    if "command" not in given:
        terminal.say(overview(terminal))
        return 0
    words = given["command"]
    command, others = find(words), forms(words[0])
    if command is None and not others:
        return _unknown(words, terminal)
    told = [about(command, terminal)] if command else []
    if others and (command is None or command.word == words[0]):
        told.append("\n".join([terminal.painted("Forms", "bold"), *(f"  {form}" for form in others)]))
    terminal.say("\n\n".join(told))
    return 0


def _skill(given: dict[str, Any], terminal: Terminal) -> int:
    from tabwright.doors.cli.skill import order

    return order(given, terminal)


def _version(_: dict[str, Any], terminal: Terminal) -> int:
    from tabwright import __version__

    terminal.say(f"tabwright {__version__}")
    return 0


def _mcp(given: dict[str, Any], terminal: Terminal) -> int:
    from tabwright.home import Home

    options = {name: value for name, value in given.items() if name in ("dialect", "tool_names")}
    if given.get("embedded"):
        from tabwright import app

        return _or_failed(lambda: app.embedded(options), terminal)
    if Home.find().mentions("transport"):
        return _or_failed(lambda: _mcp_as_set(options, terminal), terminal)
    return _pump(options)


def _mcp_as_set(options: dict[str, Any], terminal: Terminal) -> int:
    from tabwright import app

    return _serve({}, terminal) if app.speaks_http() else _pump(options)


def _pump(options: dict[str, Any]) -> int:
    from tabwright.doors.mcp.stdio_proxy import main

    return main(options)


def _hub(given: dict[str, Any], terminal: Terminal) -> int:
    if "ready_fd" in given:
        from tabwright import app

        return _or_failed(lambda: app.hub(given["ready_fd"]), terminal)
    from tabwright.doors.cli.hub import status, stop

    order = stop if given.get("order") == "stop" else status
    return order(terminal, as_json=given.get("json", False))


def _serve(_: dict[str, Any], terminal: Terminal) -> int:
    from tabwright import app
    from tabwright.doors.cli.hub import greeting, take_place

    place = take_place(terminal)
    if place is None:
        return 5
    greet = lambda: terminal.say(greeting())  # noqa: E731 - said once the hub listens
    return _or_failed(lambda: app.hub(place, stays=True, greet=greet), terminal)


def _doctor(given: dict[str, Any], terminal: Terminal) -> int:
    from tabwright import without_hub
    from tabwright.doors.cli.doctor import report

    return report(without_hub.examined(), terminal, as_json=given.get("json", False))


def _config(given: dict[str, Any], terminal: Terminal) -> int:
    from tabwright.doors.cli.config import order

    return order(given, terminal)


def _token(given: dict[str, Any], terminal: Terminal) -> int:
    from tabwright import without_hub
    from tabwright.doors.cli.token import order

    return _or_failed(lambda: order(without_hub.tokens(), given, terminal), terminal)


def _secret(given: dict[str, Any], terminal: Terminal) -> int:
    from tabwright.doors.cli.secret import order
    from tabwright.home import Home
    from tabwright.policy.data.secret_store import Secrets

    return _or_failed(lambda: order(Secrets(Home.find().secrets), given, terminal), terminal)


def _record(given: dict[str, Any], terminal: Terminal) -> int:
    from tabwright.doors.cli.record import order

    return order(given, terminal)


def _profile(given: dict[str, Any], terminal: Terminal) -> int:
    from tabwright import without_hub
    from tabwright.doors.cli.profile import order

    return _or_failed(lambda: order(without_hub.mover, given, terminal), terminal)


def _extension(given: dict[str, Any], terminal: Terminal) -> int:
    from tabwright import without_hub
    from tabwright.doors.cli.extension import order

    return _or_failed(
        lambda: order(
            without_hub.extension_folder(), without_hub.chromes(), without_hub.users_program, given, terminal
        ),
        terminal,
    )


def _or_failed(act: Callable[[], int], terminal: Terminal) -> int:
    """Tell a failure as an action's is told."""
    from tabwright.doors.cli.run_action import EXIT_CODES
    from tabwright.errors import TabwrightError

    try:
        return act()
    except TabwrightError as error:
        terminal.fail(error.kind.__name__, error.message, error.hint)
        return EXIT_CODES[error.kind]


def _demo(given: dict[str, Any], terminal: Terminal) -> int:
    from tabwright.doors.demo.command import order

    return order(given, terminal)


def _completion(given: dict[str, Any], terminal: Terminal) -> int:
    from tabwright.doors.cli.completion import script

    terminal.say(script(given["shell"]))
    return 0


_OWN = {
    "mcp": _mcp,
    "config": _config,
    "serve": _serve,
    "hub": _hub,
    "doctor": _doctor,
    "token": _token,
    "secret": _secret,
    "profile": _profile,
    "extension": _extension,
    "record": _record,
    "skill": _skill,
    "demo": _demo,
    "completion": _completion,
    "version": _version,
    "help": _help,
}


if __name__ == "__main__":
    sys.exit(main())
