"""Which verb some words begin with, and the command that it is."""

from typing import Any

from tabwright.doors.cli import commands as table
from tabwright.doors.cli.commands import BESIDE, Command, Field
from tabwright.doors.cli.verb import Verb
from tabwright.doors.cli.verb_handlers import Given
from tabwright.doors.cli.verb_table import ROWS

CATEGORY = "agent-browser"
VERBS = {verb.name: verb for verb in ROWS}
# Flags that may stand before the verb, with whether a value follows.
_BEFORE = {field.flag: field.kind != "boolean" for field in BESIDE} | {"--headers": True, "--timeout": True}


def hoisted(argv: list[str]) -> tuple[list[str], list[str]]:
    """Part the words of a command from the flags before it, which mean the same behind it."""
    at = 0
    while at < len(argv) and (flag := argv[at].partition("="))[0] in _BEFORE:
        at += 2 if _BEFORE[flag[0]] and not flag[1] else 1
    return argv[at:], argv[:at]


def verb_of(words: list[str]) -> tuple[Verb, list[str]] | None:
    """Return the verb that words begin with, and the words after it."""
    for count in (3, 2, 1):
        verb = VERBS.get(" ".join(words[:count])) if len(words) >= count else None
        if verb is not None and not _is_ours(verb, words[count:]):
            return verb, words[count:]
    return None


def _is_ours(verb: Verb, words: list[str]) -> bool:
    """Whether words that look like a verb's are a command of our own: a search, a batch of JSON."""
    plain = [word for word in words if not word.startswith("-")]
    if verb.name == "batch":
        return bool(plain) and plain[0].lstrip().startswith("{")
    return verb.name.startswith("find ") and not plain


def follow(first: str) -> list[str]:
    """Return the words that may follow the first word of verbs; "" where it may stand alone."""
    return [name.partition(" ")[2] for name in VERBS if name.partition(" ")[0] == first]


def command_of(verb: Verb) -> Command:
    """Make the command of a verb: its words, and all flags of its action that it does not fix."""
    action = table.action(verb.action) if verb.action else None
    known = {field.name: field for field in (action.fields if action else BESIDE)}
    placed = [_placed(place, known) for place in verb.places.split()]
    named = [_named(flag, known) for flag in verb.flags.split()]
    taken = {field.means for field in placed if field.required} | {
        field.name for field in (*named, *verb.fields)
    }
    rest = [field for field in known.values() if field.name not in taken | verb.fixed.keys()]
    # Named twice, a field is told once; its own name goes on being understood.
    told = {field.into for field in named} | {field.means for field in placed}
    rest = [field._replace(help="") if field.name in told else field for field in rest]
    if verb.asks is not None or verb.fields:  # such a verb says itself what is needed
        rest = [field._replace(positional=False, required=False) for field in rest]
    fields = (*placed, *sorted(verb.fields, key=lambda field: not field.positional), *named, *rest)
    return Command(
        verb.name, verb.summary or (action.summary if action else ""), CATEGORY, fields, is_action=True
    )


def _placed(place: str, known: dict[str, Field]) -> Field:
    name, _, means = place.rstrip("?").partition(":")
    required = not place.endswith("?")
    return known[means or name]._replace(name=name, into=means, positional=True, required=required)


def _named(flag: str, known: dict[str, Field]) -> Field:
    forms, _, means = flag.partition(":")
    short, _, long = forms.rpartition("/")
    name = long.removeprefix("--").replace("-", "_")
    return known[means]._replace(name=name, short=short, into=means, positional=False, required=False)


def meant(command: Command, given: dict[str, Any]) -> Given:
    """Return what was given by the names that it is meant by."""
    means = {field.name: field.means for field in command.fields}
    return {means[name]: value for name, value in given.items()}


def every() -> list[Command]:
    """Return a command for each word that may come first; verbs of several words are one."""
    ours = {command.word: command for command in table.actions()}
    firsts = dict.fromkeys(name.partition(" ")[0] for name in VERBS)
    return [
        _merged(word, ours["find"] if word == "find" else None) if word in firsts else ours[word]
        for word in dict.fromkeys([*ours, *firsts])
    ]


def _merged(first: str, beside: Command | None) -> Command:
    """One command of all that a word may begin, for whoever looks at the first word only."""
    names = [name for name in VERBS if name.partition(" ")[0] == first]
    if names == [first] and beside is None:
        return command_of(VERBS[first])
    commands = [command_of(VERBS[name]) for name in names] + ([beside] if beside else [])
    words = tuple(dict.fromkeys(word.split()[0] for word in follow(first) if word))
    flags = {field.name: field for one in commands for field in one.fields if not field.positional}
    what = Field("what", "string", "What of it.", positional=True, required=True, choices=words)
    return Command(first, commands[0].summary, CATEGORY, (what, *flags.values()), is_action=True)
