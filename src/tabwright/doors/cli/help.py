"""Help texts: the overview, the help of one command, usage lines, and suggestions for mistyped words."""

import textwrap
from collections.abc import Iterable
from difflib import get_close_matches

from tabwright import __version__
from tabwright.doors.cli import verbs
from tabwright.doors.cli.commands import (
    OWN,
    SHARED_FLAGS,
    Command,
    Field,
    find_action,
    find_own,
    list_actions,
)
from tabwright.doors.cli.parse import metavar
from tabwright.doors.terminal import Terminal

_COLUMN = 24
_SHARED = frozenset(field.name for field in SHARED_FLAGS)
_EXAMPLES = (
    ("tabwright open example.com", "open a page"),
    ("tabwright snapshot -i", "list what you can act on, with refs"),
    ("tabwright click @e3", "click, and see what changed"),
)


def overview(terminal: Terminal) -> str:
    """Return the overview that `tabwright` prints without arguments."""
    lines = [
        f"Tabwright {__version__}: a real browser for agents and the shell.",
        "",
        "Usage: tabwright COMMAND [ARGUMENTS] [--json] [--session NAME] [--output FILE]",
        "       tabwright help COMMAND",
    ]

    def add(title: str, rows: Iterable[tuple[str, str]], column: int = 20) -> None:
        lines.extend(["", terminal.paint(title, "bold")])
        for left, right in rows:
            lines.extend(_row(left, right, column, terminal.width))

    add("Examples", _EXAMPLES, 41)
    add("Program", ((command.word, command.summary) for command in OWN))
    add("Verbs of agent-browser", [("", "  ".join(verbs.first_words()))], 0)
    groups = _group(list_actions()).items()
    add("Actions", ((group, "  ".join(one.word for one in commands)) for group, commands in groups))
    return "\n".join(lines)


def describe(command: Command, terminal: Terminal) -> str:
    """Return the help of one command."""
    shown = [field for field in command.fields if field.help]
    groups = {
        "Arguments": [field for field in shown if field.positional],
        "Options": [field for field in shown if not field.positional and not _is_shared(command, field)],
        "With every action": [field for field in shown if _is_shared(command, field)],
    }
    lines = [*textwrap.wrap(command.summary, terminal.width), "", *_usage_lines(command, terminal.width)]
    for title, fields in groups.items():
        if fields:
            lines += ["", terminal.paint(title, "bold")]
        for field in fields:
            lines += _row(_label(field), _explain(field), _COLUMN, terminal.width)
    return "\n".join(lines)


def usage(command: Command) -> str:
    """Return the usage of a command on one line, without the flags of every action."""
    return " ".join(["tabwright", *_usage_parts(command)])


def _usage_parts(command: Command) -> list[str]:
    """Return the parts of the usage line, each of which must not be wrapped."""
    parts = [command.word]
    for field in command.fields:
        if not field.help or _is_shared(command, field):
            continue
        label = _label(field) + (" …" if field.many else "")
        parts.append(label if field.required else f"[{label}]")
    return parts


def find(words: list[str]) -> Command | None:
    """Return the command that some words begin with."""
    if command := find_own(words[0]):
        return command
    verb = (
        verbs.VERBS.get(" ".join(words[:3]))
        or verbs.VERBS.get(" ".join(words[:2]))
        or verbs.VERBS.get(words[0])
    )
    return verbs.command_of(verb) if verb else find_action(words[0])


def list_forms(first: str) -> list[str]:
    """Return a usage line for each verb of several words that begins with a word."""
    names = [name for name in verbs.VERBS if name.startswith(f"{first} ")]
    return [brief(verbs.command_of(verbs.VERBS[name])) for name in names]


def brief(command: Command) -> str:
    """Return the usage of a command on one line, with its positional arguments only."""
    words = [field for field in command.fields if field.positional]
    names = [metavar(field) + (" …" if field.many else "") for field in words]
    return " ".join(
        [
            "tabwright",
            command.word,
            *(word if field.required else f"[{word}]" for field, word in zip(words, names, strict=True)),
        ]
    )


def close_commands(word: str) -> str:
    """Return the commands closest to a mistyped word."""
    known = list(
        dict.fromkeys([*(command.word for command in (*list_actions(), *OWN)), *verbs.first_words()])
    )
    close = get_close_matches(word.replace("_", "-"), known, n=3) or [
        name for name in known if word and word in name
    ]
    return ", ".join(close[:3])


def close_flag(command: Command, message: str) -> str:
    """Return the flag closest to a mistyped one in an error message."""
    wrong = [word.partition("=")[0] for word in message.split() if word.startswith("--")]
    known = [field.flag for field in command.fields if field.help]
    return next((close for word in wrong for close in get_close_matches(word, known, n=1)), "")


def _group(commands: Iterable[Command]) -> dict[str, list[Command]]:
    groups: dict[str, list[Command]] = {}
    for command in commands:
        groups.setdefault(command.group, []).append(command)
    return groups


def _is_shared(command: Command, field: Field) -> bool:
    return command.is_action and field.name in _SHARED and not field.positional


def _usage_lines(command: Command, width: int) -> list[str]:
    """Return the usage of a command, wrapped between its parts."""
    lines = [""]
    for part in ["Usage: tabwright", *_usage_parts(command), *(["[OPTIONS]"] if command.is_action else [])]:
        if len(lines[-1]) + len(part) + 1 > width:
            lines.append(" " * 6)
        lines[-1] += f" {part}" if lines[-1] else part
    return lines


def _label(field: Field) -> str:
    if field.positional:
        return metavar(field)
    if field.kind == "boolean" and not field.many:
        return f"--[no-]{field.flag[2:]}" if field.default is True else _with_short(field)
    return f"{_with_short(field)} {metavar(field)}"


def _with_short(field: Field) -> str:
    return f"{field.short}, {field.flag}" if field.short else field.flag


def _explain(field: Field) -> str:
    parts = [field.help]
    if field.choices and "|" not in _label(field):
        parts.append(f"One of {', '.join(field.choices)}.")
    if field.many:
        parts.append("One or more." if field.positional else "May be repeated.")
    if field.default not in (None, "", [], False):
        parts.append(f"(default: {'yes' if field.default is True else field.default})")
    return " ".join(parts)


def _row(left: str, right: str, column: int, width: int) -> list[str]:
    """Return two columns; a long left side gets its own line."""
    wrapped = textwrap.wrap(right, max(width - column - 4, 20), break_on_hyphens=False) or [""]
    if len(left) > column:
        return [f"  {left}", *(f"  {'':{column}}  {line}".rstrip() for line in wrapped)]
    first, *rest = wrapped
    return [f"  {left:{column}}  {first}".rstrip(), *(f"  {'':{column}}  {line}" for line in rest)]
