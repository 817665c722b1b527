"""What the program tells about itself."""

import textwrap
from collections.abc import Iterable
from difflib import get_close_matches

from tabwright import __version__
from tabwright.doors.cli import verbs
from tabwright.doors.cli.commands import BESIDE, OWN, Command, Field, action, actions, own
from tabwright.doors.cli.parse import metavar
from tabwright.doors.terminal import Terminal

_COLUMN = 24
_BESIDE = frozenset(field.name for field in BESIDE)
_EXAMPLES = (
    ("tabwright open example.com", "go there"),
    ("tabwright snapshot -i", "see what can be acted on, with refs"),
    ("tabwright click @e3", "act, and read what changed"),
)


def overview(terminal: Terminal) -> str:
    """Return the screen that `tabwright` alone shows."""
    bold = [
        terminal.painted(word, "bold")
        for word in ("Actions", "This program", "Examples", "The verbs of agent-browser")
    ]
    lines = [
        f"Tabwright {__version__}: a real browser for agents and the shell.",
        "",
        "Usage: tabwright COMMAND [ARGUMENTS] [--json] [--session NAME] [--output FILE]",
        "",
        bold[0],
    ]
    for group, commands in _grouped(actions()).items():
        words = "  ".join(command.word for command in commands)
        lines += _row(group, words, 20, terminal.width)
    lines += ["", bold[3], *_row("verbs", "  ".join(_firsts()), 20, terminal.width)]
    lines += ["", bold[1]]
    for command in OWN:
        lines += _row(command.word, command.summary, 20, terminal.width)
    lines += ["", bold[2]]
    for example, meaning in _EXAMPLES:
        lines += _row(example, meaning, 41, terminal.width)
    return "\n".join([*lines, "", "More about a command: tabwright help COMMAND"])


def about(command: Command, terminal: Terminal) -> str:
    """Return the help of one command."""
    shown = [field for field in command.fields if field.help]
    groups = {
        "Arguments": [field for field in shown if field.positional],
        "Options": [field for field in shown if not field.positional and not _is_beside(command, field)],
        "With every action": [field for field in shown if _is_beside(command, field)],
    }
    lines = [*textwrap.wrap(command.summary, terminal.width), "", *_usage_lines(command, terminal.width)]
    for title, fields in groups.items():
        if fields:
            lines += ["", terminal.painted(title, "bold")]
        for field in fields:
            lines += _row(_label(field), _explained(field), _COLUMN, terminal.width)
    return "\n".join(lines)


def usage(command: Command) -> str:
    """Return the form of a command on one line, without what every action takes."""
    return " ".join(["tabwright", *_usage_parts(command)])


def _usage_parts(command: Command) -> list[str]:
    """Return the parts of that line, which belong together."""
    parts = [command.word]
    for field in command.fields:
        if not field.help or _is_beside(command, field):
            continue
        label = _label(field) + (" …" if field.many else "")
        parts.append(label if field.required else f"[{label}]")
    return parts


def find(words: list[str]) -> Command | None:
    """Return the command that some words begin with; dashes or underscores are the same."""
    if command := own(words[0]):
        return command
    verb = (
        verbs.VERBS.get(" ".join(words[:3]))
        or verbs.VERBS.get(" ".join(words[:2]))
        or verbs.VERBS.get(words[0])
    )
    return verbs.command_of(verb) if verb else action(words[0])


def forms(first: str) -> list[str]:
    """Return how the verbs of a word are used, a line each; none where it begins no verb of several words."""
    names = [name for name in verbs.VERBS if name.startswith(f"{first} ")]
    return [brief(verbs.command_of(verbs.VERBS[name])) for name in names]


def brief(command: Command) -> str:
    """Return the form of a command on one line, with its words only."""
    words = [field for field in command.fields if field.positional]
    told = [metavar(field) + (" …" if field.many else "") for field in words]
    return " ".join(
        [
            "tabwright",
            command.word,
            *(word if field.required else f"[{word}]" for field, word in zip(words, told, strict=True)),
        ]
    )


def near(word: str) -> str:
    """Return the commands that a mistyped word may have meant."""
    known = list(dict.fromkeys([*(command.word for command in (*actions(), *OWN)), *_firsts()]))
    close = get_close_matches(word.replace("_", "-"), known, n=3) or [
        name for name in known if word and word in name
    ]
    return ", ".join(close[:3])


def _firsts() -> list[str]:
    return list(dict.fromkeys(name.partition(" ")[0] for name in verbs.VERBS))


def near_flag(command: Command, message: str) -> str:
    """Return the flag that a mistyped one in an error message may have meant."""
    wrong = [word.partition("=")[0] for word in message.split() if word.startswith("--")]
    known = [field.flag for field in command.fields if field.help]
    return next((close for word in wrong for close in get_close_matches(word, known, n=1)), "")


def _grouped(commands: Iterable[Command]) -> dict[str, list[Command]]:
    groups: dict[str, list[Command]] = {}
    for command in commands:
        groups.setdefault(command.group, []).append(command)
    return groups


def _is_beside(command: Command, field: Field) -> bool:
    return command.is_action and field.name in _BESIDE and not field.positional


def _usage_lines(command: Command, width: int) -> list[str]:
    """Return the form of a command, wrapped between its parts."""
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


def _explained(field: Field) -> str:
    parts = [field.help]
    if field.choices and "|" not in _label(field):
        parts.append(f"One of {', '.join(field.choices)}.")
    if field.many:
        parts.append("Several may be given." if field.positional else "May be repeated.")
    if field.default not in (None, "", [], False):
        parts.append(f"(default: {'yes' if field.default is True else field.default})")
    return " ".join(parts)


def _row(left: str, right: str, column: int, width: int) -> list[str]:
    """Return two columns; a long left side gets a line of its own."""
    wrapped = textwrap.wrap(right, max(width - column - 4, 20), break_on_hyphens=False) or [""]
    if len(left) > column:
        return [f"  {left}", *(f"  {'':{column}}  {line}".rstrip() for line in wrapped)]
    first, *rest = wrapped
    return [f"  {left:{column}}  {first}".rstrip(), *(f"  {'':{column}}  {line}" for line in rest)]
