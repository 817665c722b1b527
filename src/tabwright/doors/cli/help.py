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
    """Return what `tabwright` prints without arguments: how to begin, and the program's own commands."""
    page = _Page(terminal)
    page.add("Examples", _EXAMPLES, 41)
    for group, commands in _group(OWN).items():
        page.add(group, ((command.word, command.summary) for command in commands))
    page.lines += ["", "What to do with pages, a line for each command: tabwright help"]
    return "\n".join(page.lines)


def list_all(terminal: Terminal) -> str:
    """Return what `tabwright help` prints: a line for each command, by what people do."""
    page = _Page(terminal)
    actions = list_actions()
    groups = {**_group(OWN), **_group(actions)}
    for group, commands in groups.items():
        page.add(group, ((command.word, command.summary) for command in commands))
    known = {action.word for action in actions}
    words = [word for word in verbs.first_words() if word not in known]
    page.add("Verbs of agent-browser", ((word, _summarize(word)) for word in words))
    return "\n".join(page.lines)


class _Page:
    """A help text that consists of tables."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self.lines = [
            f"Tabwright {__version__}: a real browser for agents and the shell.",
            "",
            "Usage: tabwright COMMAND [ARGUMENTS] [--json] [--session NAME] [--output FILE]",
            "       tabwright help COMMAND",
        ]

    def add(self, title: str, rows: Iterable[tuple[str, str]], column: int = 20) -> None:
        """Add a heading and a table."""
        self.lines.extend(["", self._terminal.paint(title, "bold")])
        for left, right in rows:
            self.lines.extend(_row(left, right, column, self._terminal.width))


def _summarize(word: str) -> str:
    """Return what the verbs do that begin with a word."""
    if verb := verbs.VERBS.get(word):
        return verbs.command_of(verb).summary
    forms = dict.fromkeys(name.split()[1] for name in verbs.VERBS if name.startswith(f"{word} "))
    return f"One of: {', '.join(forms)}."


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


def explain_misuse(command: Command, message: str) -> str:
    """Return what to change, from the error message about a command; "" if the usage says it."""
    if "invalid choice" in message:
        return _close_choice(command, message)
    wrong = [word.partition("=")[0] for word in message.partition("unrecognized arguments: ")[2].split()]
    known = {field.flag: field for field in command.fields if field.help}
    for word in wrong:
        if word.startswith("--") and (close := get_close_matches(word, known, n=1)):
            field = known[close[0]]
            if field.positional:
                return f"{metavar(field)} is given without a flag: {brief(command)}"
            return f"Did you mean {field.flag}?"
    takes_words = any(field.positional for field in command.fields)
    dashed = takes_words and wrong and wrong[0].startswith("-")
    return "Put values that begin with a dash after --." if dashed else ""


def _close_choice(command: Command, message: str) -> str:
    """Return the choice closest to a wrong one."""
    typed = message.partition("invalid choice: ")[2].split(" (choose")[0].strip("'\"")
    choices = [choice for field in command.fields for choice in field.choices]
    close = get_close_matches(typed, choices, n=1)
    return f"Did you mean {close[0]}?" if close else ""


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
        parts.append(f"(default: {'on' if field.default is True else field.default})")
    return " ".join(parts)


def _row(left: str, right: str, column: int, width: int) -> list[str]:
    """Return two columns; a long left side gets its own line."""
    wrapped = textwrap.wrap(right, max(width - column - 4, 20), break_on_hyphens=False) or [""]
    if len(left) > column:
        return [f"  {left}", *(f"  {'':{column}}  {line}".rstrip() for line in wrapped)]
    first, *rest = wrapped
    return [f"  {left:{column}}  {first}".rstrip(), *(f"  {'':{column}}  {line}" for line in rest)]
