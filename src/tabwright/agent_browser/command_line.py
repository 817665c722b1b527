"""The words of a command: which may come first, which are none, and in which order a program gets them."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tabwright.agent_browser.find_program import Program
from tabwright.errors import Denied, InvalidArgs

# What acts on pages and sessions. Not: what installs, adds programs, keeps passwords, serves others, allows
# what was to be asked for, or runs further commands.
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
# Told apart from the words of a command, because calls of one session wait for each other.
_OPTIONS = ("--session", "--cdp", "--headed", "--debug", "--executable-path", "--json")
# It looks at the computer, whatever the session.
_SESSIONLESS = ("doctor",)
# Below what Linux takes as one word (128 KiB), and macOS as all of them with the environment (1 MiB).
LONGEST_WORD, LONGEST_COMMAND = 100_000, 400_000
# What agent-browser may take for a flag wherever it stands; it knows no `--` that would end them.
_FLAG = re.compile(r"-[-A-Za-z]")


@dataclass(frozen=True, kw_only=True)
class Order:
    """A command as a client gives it: `values` are no flags, whatever they begin with.

    `pass_on` gets all that it writes to standard output.
    """

    verb: str
    words: Sequence[str] = ()
    values: Sequence[str] = ()
    flags: Sequence[str] = ()
    session: str | None = None
    seconds: float = 60.0
    pass_on: Callable[[bytes], object] | None = None


def ordered(program: Program, order: Order, session: str | None) -> list[str]:
    """Return the whole command: program, session, flags, verb, its words, its values.

    Raises:
        Denied: the verb is none that may be run.
        InvalidArgs: something cannot be a word, or would be taken for what it is not.
    """
    if order.verb not in VERBS:
        known = ", ".join(sorted(VERBS))
        raise Denied(f"{order.verb[:100]!r} is no command that may be run.", hint=f"There are: {known}.")
    _require_no_options(order.words)
    named = ["--session", _name(session)] if session and order.verb not in _SESSIONLESS else []
    values = _kept_apart(program, order.values)
    command = [*program.command, *named, *order.flags, order.verb, *order.words, *values]
    _require_words(command)
    return command


def _require_no_options(words: Sequence[str]) -> None:
    for word in words:
        if word.partition("=")[0] in _OPTIONS:
            raise InvalidArgs(
                f"{word[:100]} is no word of a command here.", hint="Use the argument of that name."
            )


def _name(session: str) -> str:
    if session.startswith("-"):
        raise InvalidArgs(f"{session[:100]!r} is no name of a session.", hint="Begin with a letter.")
    return session


def _kept_apart(program: Program, values: Sequence[str]) -> Iterator[str]:
    """Yield values so that none is taken for a flag."""
    like_flags = [value for value in values if _FLAG.match(value)]
    if like_flags and not program.ours:
        raise InvalidArgs(
            f"agent-browser would take {like_flags[0][:100]!r} for a flag.",
            hint="Type the dashes one by one, then the rest.",
        )
    if program.ours and any(value.startswith("-") for value in values):
        yield "--"
    yield from values


def _require_words(command: Sequence[str]) -> None:
    sizes = [_size(word) for word in command]
    if max(sizes) > LONGEST_WORD or sum(sizes) > LONGEST_COMMAND:
        raise InvalidArgs(
            f"The command has {sum(sizes):,} bytes, its longest word {max(sizes):,}; "
            f"{LONGEST_COMMAND:,} and {LONGEST_WORD:,} are the most.",
            hint="Give it in parts.",
        )


def _size(word: str) -> int:
    """Return how long a word is; refuse what no program can be given."""
    if "\0" in word:
        raise InvalidArgs(f"{word[:100]!r} has a NUL in it.", hint="Leave it out.")
    try:
        return len(word.encode())
    except UnicodeEncodeError:
        raise InvalidArgs(f"{word[:100]!r} is half a character.", hint="Send text.") from None
