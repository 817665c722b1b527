"""Builds the command line of an agent-browser command, and refuses what must not be run."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tabwright.agent_browser.find_program import Program
from tabwright.errors import Denied, InvalidArgs

# Verbs that act on pages and sessions; not those that install, add programs, store passwords, serve others,
# approve actions, or run further commands.
# fmt: off
VERBS = frozenset((
    "a11y", "back", "check", "click", "clipboard", "close", "connect", "console", "cookies", "dblclick",
    "dialog", "diff", "doctor", "download", "drag", "errors", "eval", "exit", "fill", "find", "focus",
    "forward", "frame", "get", "goto", "highlight", "hover", "is", "key", "keyboard", "keydown", "keyup",
    "mouse", "network", "open", "pdf", "press", "profiler", "pushstate", "quit", "react", "read", "reload",
    "screenshot", "scroll", "scrollintoview", "select", "session", "set", "snapshot", "state", "storage",
    "tab", "trace", "type", "uncheck", "upload", "vitals", "wait", "webmcp",
))
# fmt: on
# Passed as separate arguments, because calls of one session wait for each other.
_OPTIONS = ("--session", "--cdp", "--headed", "--debug", "--executable-path", "--json")
# It checks the computer, not a session.
_SESSIONLESS = ("doctor",)
# Below the limit of Linux for one word (128 KiB), and of macOS for all of them with the environment (1 MiB).
MAX_WORD_BYTES, MAX_COMMAND_BYTES = 100_000, 400_000
# What agent-browser takes for a flag anywhere; it has no `--` to end flags.
_FLAG = re.compile(r"-[-A-Za-z]")


@dataclass(frozen=True, kw_only=True)
class Order:
    """A command as a client gives it. `values` are never flags, whatever they begin with.

    `pass_on` receives everything that it writes to standard output.
    """

    verb: str
    words: Sequence[str] = ()
    values: Sequence[str] = ()
    flags: Sequence[str] = ()
    session: str | None = None
    seconds: float = 60.0
    pass_on: Callable[[bytes], object] | None = None


def build_command(program: Program, order: Order, session: str | None) -> list[str]:
    """Return the whole command: program, session, flags, verb, its words, its values.

    Raises:
        Denied: the verb is not allowed.
        InvalidArgs: a word is not possible, or would be taken for a flag.
    """
    if order.verb not in VERBS:
        known = ", ".join(sorted(VERBS))
        raise Denied(f"The command {order.verb[:100]!r} is not allowed.", hint=f"Allowed: {known}.")
    _require_no_options(order.words)
    named = ["--session", _require_name(session)] if session and order.verb not in _SESSIONLESS else []
    values = _separate(program, order.values)
    command = [*program.command, *named, *order.flags, order.verb, *order.words, *values]
    _require_size(command)
    return command


def _require_no_options(words: Sequence[str]) -> None:
    for word in words:
        if word.partition("=")[0] in _OPTIONS:
            raise InvalidArgs(
                f"{word[:100]} is not allowed among the words.", hint="Use the argument of that name."
            )


def _require_name(session: str) -> str:
    if session.startswith("-"):
        raise InvalidArgs(f"Invalid session name {session[:100]!r}.", hint="Begin with a letter.")
    return session


def _separate(program: Program, values: Sequence[str]) -> Iterator[str]:
    """Yield values in a way that none is taken for a flag."""
    like_flags = [value for value in values if _FLAG.match(value)]
    if like_flags and not program.ours:
        raise InvalidArgs(
            f"agent-browser would take {like_flags[0][:100]!r} for a flag.",
            hint="Type the dashes one by one, then the rest.",
        )
    if program.ours and any(value.startswith("-") for value in values):
        yield "--"
    yield from values


def _require_size(command: Sequence[str]) -> None:
    sizes = [_size(word) for word in command]
    if max(sizes) > MAX_WORD_BYTES or sum(sizes) > MAX_COMMAND_BYTES:
        raise InvalidArgs(
            f"The command has {sum(sizes):,} bytes, its longest word {max(sizes):,}; "
            f"the limits are {MAX_COMMAND_BYTES:,} and {MAX_WORD_BYTES:,}.",
            hint="Split it.",
        )


def _size(word: str) -> int:
    """Return the size of a word; refuse what cannot be an argument of a program."""
    if "\0" in word:
        raise InvalidArgs(f"{word[:100]!r} contains a NUL.", hint="Remove it.")
    try:
        return len(word.encode())
    except UnicodeEncodeError:
        raise InvalidArgs(f"{word[:100]!r} is not valid text.", hint="Send valid Unicode.") from None
