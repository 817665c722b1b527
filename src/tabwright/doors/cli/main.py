"""The command line: finds the command that was typed and runs it. Nothing heavy is imported before that."""

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from tabwright.doors.cli import commands
from tabwright.doors.cli.commands import Command
from tabwright.doors.cli.parse import UsageError, parse, wants_help
from tabwright.doors.cli.verbs import command_of, find_verb, split_leading_flags
from tabwright.doors.terminal import Terminal

if TYPE_CHECKING:
    from pathlib import Path

    from tabwright.dialects.alias import Alias
    from tabwright.doors.cli.doctor import Check
    from tabwright.policy.callers.chrome_pairing import PairedChromes
    from tabwright.policy.callers.tokens import Tokens
    from tabwright.sessions.profile_transfer import ProfileTransfer

Given = dict[str, Any]
_HELP = {"-h": "help", "--help": "help", "-V": "version", "--version": "version"}
_INTERRUPTED = 130
_HUB_RUNS = 5


class App(Protocol):
    """What the command line needs of `tabwright.app`."""

    def run_embedded(self, options: dict[str, str]) -> int:
        """Serve one MCP client in this process."""

    def serves_http(self) -> bool:
        """Whether `tabwright mcp` serves HTTP."""

    def run_hub(
        self, ready_fd: int | None, *, keep_running: bool = False, on_ready: Callable[[], None] | None = None
    ) -> int:
        """Run the hub in this process."""


class WithoutHub(Protocol):
    """What the command line needs of `tabwright.without_hub`."""

    def open_profile_transfer(self) -> "ProfileTransfer":
        """Return what moves profiles."""

    def tokens(self) -> "Tokens":
        """Return the tokens."""

    def mcp_url(self) -> str:
        """Return the URL of MCP over HTTP."""

    def chromes(self) -> "PairedChromes":
        """Return the paired Chromes."""

    def extension_folder(self) -> "Path":
        """Return the folder of the extension."""

    def user_browser_path(self) -> "Path":
        """Return the user's browser."""

    def run_doctor(self) -> "list[Check]":
        """Run the checks of the doctor."""


class Program(NamedTuple):
    """What the layers above and the other doors give the command line, each imported when it is called."""

    app: Callable[[], App]
    without_hub: Callable[[], WithoutHub]
    mcp_proxy: Callable[[Given], int]
    demo: Callable[[Given, Terminal], int]


def run(program: Program) -> int:
    """Run the command of `sys.argv` and return the exit code."""
    terminal = Terminal()
    if sys.platform == "win32":
        terminal.fail(
            "tabwright", "Tabwright runs on Linux and macOS, not on Windows.", "WSL counts as Linux."
        )
        return 1
    code = 0
    try:
        code = _CommandLine(program, terminal).run(sys.argv[1:])
    except* KeyboardInterrupt:
        terminal.clear()
        code = _INTERRUPTED
    except* BrokenPipeError:
        # The reader of our output closed it; the interpreter must not complain when it flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


class _CommandLine:
    """Runs commands on one terminal."""

    def __init__(self, program: Program, terminal: Terminal) -> None:
        self._program = program
        self._terminal = terminal
        self._own: dict[str, Callable[[Given], int]] = {
            "mcp": self._mcp,
            "config": self._config,
            "serve": self._serve,
            "hub": self._hub,
            "doctor": self._doctor,
            "token": self._token,
            "secret": self._secret,
            "profile": self._profile,
            "extension": self._extension,
            "record": self._record,
            "skill": self._skill,
            "demo": self._demo,
            "completion": self._completion,
            "version": self._version,
            "help": self._help,
        }

    def run(self, argv: list[str]) -> int:
        """Run a command and return its exit code."""
        if not argv:
            return self._overview()
        argv, flags = split_leading_flags(argv)
        name, words = _HELP.get(argv[0], argv[0]) if argv else "help", argv[1:]
        command, verb = commands.find_own(name), None
        if command is None and (found := find_verb(argv)):
            verb, words = found
            command = command_of(verb)
        command = command or commands.find_action(name)
        if wants_help(words):
            return self._help({"command": argv})
        if command is None:
            return self._report_unknown(argv)
        try:
            return self._run(command, verb, [*flags, *words])
        except UsageError as error:
            return self._report_misuse(command, str(error))

    def _run(self, command: Command, verb: "Alias | None", words: list[str]) -> int:
        if command.name == "batch" and verb is not None:
            from tabwright.doors.cli import batch

            return batch.run(command, words, self._terminal, self._run_on)
        if command.name == "session" and verb is not None:
            from tabwright.doors.cli.run_action import print_session

            return print_session(parse(command, words), self._terminal)
        if command.is_action:
            from tabwright.doors.cli import run_action

            return run_action.run(command, words, self._terminal, verb)
        return self._run_own(command.name, parse(command, words))

    def _run_on(self, argv: list[str], terminal: Terminal) -> int:
        return _CommandLine(self._program, terminal).run(argv)

    def _run_own(self, name: str, given: Given) -> int:
        """Run a command of the program itself; an error is reported like an action's."""
        from tabwright.errors import TabwrightError
        from tabwright.home import HomeUnusable

        try:
            return self._own[name](given)
        except HomeUnusable as error:
            self._terminal.fail(f"tabwright {name}", str(error))
            return 1
        except TabwrightError as error:
            from tabwright.doors.cli.run_action import EXIT_CODES

            self._terminal.fail(error.kind.__name__, error.message, error.hint)
            return EXIT_CODES[error.kind]

    def _report_unknown(self, words: list[str]) -> int:
        from tabwright.doors.cli.help import close_commands, list_forms
        from tabwright.doors.cli.replacements import replacement_for

        word = words[0]
        if forms := list_forms(word):
            self._terminal.fail(
                f"tabwright {word}", "Missing or unknown subcommand. Use one of:", "\n".join(forms)
            )
        elif replacement := replacement_for(word):
            self._terminal.fail("tabwright", f"Unknown command {word}.", f"Instead: {replacement}")
        else:
            close = close_commands(word)
            hint = f"Did you mean: {close}?" if close else "All commands: tabwright help"
            self._terminal.fail("tabwright", f"Unknown command {word}.", hint)
        return 2

    def _report_misuse(self, command: Command, message: str) -> int:
        from tabwright.doors.cli.help import explain_misuse, usage

        advice = explain_misuse(command, message)
        hint = "\n".join([*([advice] if advice else []), f"Usage: {usage(command)}"])
        self._terminal.fail(f"tabwright {command.word}", f"{message}.", hint)
        return 2

    def _help(self, given: Given) -> int:
        from tabwright.doors.cli.help import describe, find, list_all, list_forms

        if "command" not in given:
            self._terminal.say(list_all(self._terminal))
            return 0
        words = given["command"]
        command, forms = find(words), list_forms(words[0])
        if command is None and not forms:
            return self._report_unknown(words)
        parts = [describe(command, self._terminal)] if command else []
        if forms and (command is None or command.word == words[0]):
            parts.append("\n".join([self._terminal.paint("Forms", "bold"), *(f"  {form}" for form in forms)]))
        self._terminal.say("\n\n".join(parts))
        return 0

    def _overview(self) -> int:
        from tabwright.doors.cli.help import overview

        self._terminal.say(overview(self._terminal))
        return 0

    def _version(self, _: Given) -> int:
        from tabwright import __version__

        self._terminal.say(f"tabwright {__version__}")
        return 0

    def _mcp(self, given: Given) -> int:
        from tabwright.home import Home

        chosen = ("dialect", "tool_names", "manage")
        options = {name: value for name, value in given.items() if name in chosen and value}
        if given.get("embedded"):
            return self._program.app().run_embedded(options)
        if Home.find().mentions("transport") and self._program.app().serves_http():
            return self._serve({})
        return self._program.mcp_proxy(options)

    def _hub(self, given: Given) -> int:
        if "ready_fd" in given:
            return self._program.app().run_hub(given["ready_fd"])
        from tabwright.doors.cli.hub import status, stop

        order = stop if given.get("order") == "stop" else status
        return order(self._terminal, as_json=given.get("json", False))

    def _serve(self, _: Given) -> int:
        from tabwright.doors.cli.hub import greeting, lock_hub

        lock = lock_hub(self._terminal)
        if lock is None:
            return _HUB_RUNS
        return self._program.app().run_hub(
            lock, keep_running=True, on_ready=lambda: self._terminal.say(greeting())
        )

    def _doctor(self, given: Given) -> int:
        from tabwright.doors.cli.doctor import report

        checks = self._program.without_hub().run_doctor()
        return report(checks, self._terminal, as_json=given.get("json", False))

    def _config(self, given: Given) -> int:
        from tabwright.doors.cli import config

        return config.run(given, self._terminal, self._program.without_hub)

    def _token(self, given: Given) -> int:
        from tabwright.doors.cli import token

        return token.run(self._program.without_hub().tokens(), given, self._terminal)

    def _secret(self, given: Given) -> int:
        from tabwright.doors.cli import secret
        from tabwright.home import Home
        from tabwright.policy.data.secret_store import Secrets

        return secret.run(Secrets(Home.find().secrets), given, self._terminal)

    def _record(self, given: Given) -> int:
        from tabwright.doors.cli import record

        return record.run(given, self._terminal)

    def _profile(self, given: Given) -> int:
        from tabwright.doors.cli import profile

        return profile.run(self._program.without_hub().open_profile_transfer, given, self._terminal)

    def _extension(self, given: Given) -> int:
        from tabwright.doors.cli import extension

        user = self._program.without_hub()
        return extension.run(
            user.extension_folder(), user.chromes(), user.user_browser_path, given, self._terminal
        )

    def _skill(self, given: Given) -> int:
        from tabwright.doors.cli import skill

        return skill.run(given, self._terminal)

    def _demo(self, given: Given) -> int:
        return self._program.demo(given, self._terminal)

    def _completion(self, given: Given) -> int:
        from tabwright.doors.cli.completion import script

        self._terminal.say(script(given["shell"]))
        return 0
