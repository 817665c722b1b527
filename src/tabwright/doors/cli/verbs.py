"""The verbs of agent-browser: which one some words begin with, and the command that it is."""

from typing import Any, Literal, get_args, get_origin

from tabwright.dialects.alias import REQUIRED, Alias, Param
from tabwright.doors.cli.commands import SHARED_FLAGS, Command, Field, find_action, list_actions
from tabwright.doors.cli.verb_table import ROWS

GROUP = "agent-browser"
VERBS = {verb.name: verb for verb in ROWS}
_KINDS = {str: "string", int: "integer", float: "number", bool: "boolean", dict: "json"}
# Flags that may come before the verb, with whether a value follows.
_LEADING_FLAGS = {
    **{field.flag: field.kind != "boolean" for field in SHARED_FLAGS},
    "--headers": True,
    "--timeout": True,
}


def split_leading_flags(argv: list[str]) -> tuple[list[str], list[str]]:
    """Split argv into the words of a command and the flags before it, which mean the same after it."""
    at = 0
    while at < len(argv) and (flag := argv[at].partition("="))[0] in _LEADING_FLAGS:
        at += 2 if _LEADING_FLAGS[flag[0]] and not flag[1] else 1
    return argv[at:], argv[:at]


def find_verb(words: list[str]) -> tuple[Alias, list[str]] | None:
    """Return the verb that words begin with, and the words after it."""
    for count in (3, 2, 1):
        verb = VERBS.get(" ".join(words[:count])) if len(words) >= count else None
        if verb is not None and not _is_own_command(verb, words[count:]):
            return verb, words[count:]
    return None


def _is_own_command(verb: Alias, words: list[str]) -> bool:
    """Whether words that look like a verb's are our own command: a search of the page, a batch of JSON."""
    plain = [word for word in words if not word.startswith("-")]
    if verb.name == "batch":
        return bool(plain) and plain[0].lstrip().startswith("{")
    return verb.name.startswith("find ") and not plain


def first_words() -> list[str]:
    """Return the words that verbs begin with."""
    return list(dict.fromkeys(name.partition(" ")[0] for name in VERBS))


def command_of(verb: Alias) -> Command:
    """Make the command of a verb: its arguments, and all flags of its action that it does not fix."""
    action = find_action(verb.action) if verb.action else None
    known = {field.name: field for field in (action.fields if action else SHARED_FLAGS)}
    own = sorted((_field(param, known) for param in verb.params), key=lambda field: not field.positional)
    required = {param.target for param in verb.params if param.default is REQUIRED}
    taken = {field.name for field in own if not field.positional} | required | verb.fixed.keys()
    rest = [field for field in known.values() if field.name not in taken]
    # The help lists a renamed argument once; its own name still works.
    renamed = {param.target for param in verb.params}
    rest = [field._replace(help="") if field.name in renamed else field for field in rest]
    if verb.translate is not None or any(param.type for param in verb.params):
        # Such a verb says itself what is required.
        rest = [field._replace(positional=False, required=False) for field in rest]
    summary = verb.text or (action.summary if action else "")
    return Command(verb.name, summary, GROUP, (*own, *rest), is_action=True)


def _field(param: Param, known: dict[str, Field]) -> Field:
    field = known[param.target] if param.type is None else _typed_field(param.type)
    return field._replace(
        is_path=field.is_path or param.name == "path",
        name=param.name,
        help=param.text or field.help,
        positional=not param.flag,
        required=param.default is REQUIRED,
        short=param.flag.rpartition("/")[0],
    )


def _typed_field(kind: Any) -> Field:
    """Return a field of a Python type: a scalar, a list, a choice, or a dict for JSON."""
    if get_origin(kind) is Literal:
        return Field("", "string", "", choices=get_args(kind))
    if get_origin(kind) is list:
        return Field("", _KINDS[get_args(kind)[0]], "", many=True)
    return Field("", _KINDS[kind], "")


def list_commands() -> list[Command]:
    """Return a command for each word that may come first; verbs of several words are one."""
    actions, firsts = {command.word: command for command in list_actions()}, first_words()
    return [
        _merge(word, actions["find"] if word == "find" else None) if word in firsts else actions[word]
        for word in dict.fromkeys([*actions, *firsts])
    ]


def _merge(first: str, own: Command | None) -> Command:
    """Merge all commands that begin with a word, for completion, which sees the first word only."""
    names = [name for name in VERBS if name.partition(" ")[0] == first]
    if names == [first] and own is None:
        return command_of(VERBS[first])
    commands = [command_of(VERBS[name]) for name in names] + ([own] if own else [])
    subcommands = tuple(dict.fromkeys(name.split()[1] for name in names if name != first))
    flags = {field.name: field for one in commands for field in one.fields if not field.positional}
    what = Field("what", "string", "Subcommand.", positional=True, required=True, choices=subcommands)
    paths = [field for one in commands for field in one.fields if field.positional and field.is_path][:1]
    return Command(first, commands[0].summary, GROUP, (what, *paths, *flags.values()), is_action=True)
