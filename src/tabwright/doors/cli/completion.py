"""Completion scripts for bash, zsh and fish. They are static, so pressing Tab starts no program."""

import re
from collections.abc import Callable, Iterable

from tabwright.doors.cli.commands import OWN, Command, Field
from tabwright.doors.cli.verbs import list_commands


def script(shell: str) -> str:
    """Return the script for a shell."""
    return _SCRIPTS[shell]([*list_commands(), *OWN])


def _bash(commands: list[Command]) -> str:
    cases = "\n".join(_bash_case(command) for command in commands)
    return f"""\
# Completion of tabwright for bash. Load it with: source <(tabwright completion bash)
_tabwright() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} words="" files=""
    if ((COMP_CWORD == 1)); then
        words="{" ".join(command.word for command in commands)}"
    else
        case ${{COMP_WORDS[1]//_/-}} in
{cases}
        esac
    fi
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    if [[ $files && $current != -* ]]; then
        compopt -o filenames 2>/dev/null
        COMPREPLY+=($(compgen -f -- "$current"))
    fi
}}
complete -F _tabwright tabwright"""


def _bash_case(command: Command) -> str:
    lines = [
        f"                {field.flag}) {_bash_values(field.choices, files=field.is_path)} ;;"
        for field in _flags(command)
        if _takes_value(field)
    ]
    offered = [*_words(command), *(name for field in _flags(command) for name in _forms(field))]
    lines.append(f"                *) {_bash_values(offered, files=_takes_files(command))} ;;")
    body = "\n".join(lines)
    return f"            {command.word})\n                case $previous in\n{body}\n                esac ;;"


def _bash_values(words: Iterable[str], *, files: bool) -> str:
    return f'words="{" ".join(words)}"{" files=1" if files else ""}'


def _zsh(commands: list[Command]) -> str:
    described = "\n".join(
        f"        {_quote(f'{command.word}:{_escape(command.summary)}')}" for command in commands
    )
    cases = "\n".join(_zsh_case(command) for command in commands)
    return f"""\
#compdef tabwright
# Completion of tabwright for zsh. Save it as _tabwright in a folder of your fpath.
_tabwright() {{
    local -a commands
    commands=(
{described}
    )
    if ((CURRENT == 2)); then
        _describe command commands
        return
    fi
    shift words
    ((CURRENT--))
    case ${{words[1]//_/-}} in
{cases}
    esac
}}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _tabwright "$@"
else
    compdef _tabwright tabwright
fi"""


def _zsh_case(command: Command) -> str:
    specs = [_zsh_spec(field, form) for field in _flags(command) for form in _forms(field)]
    specs += [
        f"*:{field.name}:({' '.join(field.choices)})" if field.choices else f"*:{field.name}:"
        for field in command.fields
        if field.positional
    ][:1]
    if _takes_files(command):
        words = " ".join(_words(command))
        specs[-1:] = [*([f"1:word:({words})"] if words else []), "*:file:_files"]
    joined = " \\\n                ".join(_quote(spec) for spec in specs)
    body = f"_arguments \\\n                {joined}" if specs else ":"
    return f"        {command.word})\n            {body} ;;"


def _zsh_spec(field: Field, form: str) -> str:
    star = "*" if field.many else ""
    text = f"{star}{form}[{_escape(_first_sentence(field.help))}]"
    if not _takes_value(field):
        return text
    if field.is_path:
        return f"{text}:file:_files"
    return f"{text}:{field.name}:({' '.join(field.choices)})" if field.choices else f"{text}:{field.name}:"


def _fish(commands: list[Command]) -> str:
    lines = [
        "# Completion of tabwright for fish. Save it as ~/.config/fish/completions/tabwright.fish",
        "complete -c tabwright -f",
    ]
    for command in commands:
        lines.append(
            f"complete -c tabwright -n __fish_use_subcommand -a {command.word} -d {_quote(command.summary)}"
        )
        seen = f"complete -c tabwright -n '__fish_seen_subcommand_from {command.word}'"
        lines += [_fish_flag(seen, field, form) for field in _flags(command) for form in _forms(field)]
        if words := _words(command):
            lines.append(f"{seen} -a {_quote(' '.join(words))}")
        if _takes_files(command):
            lines.append(f"{seen} -F")
    return "\n".join(lines)


def _fish_flag(seen: str, field: Field, form: str) -> str:
    value = ""
    if field.is_path:
        value = " -r -F"
    elif field.choices:
        value = f" -x -a {_quote(' '.join(field.choices))}"
    elif _takes_value(field):
        value = " -x"
    return f"{seen} -l {form[2:]}{value} -d {_quote(_first_sentence(field.help))}"


def _flags(command: Command) -> list[Field]:
    return [field for field in command.fields if field.help and not field.positional]


def _takes_files(command: Command) -> bool:
    """Whether a positional argument is a file or a folder."""
    return any(field.positional and field.is_path for field in command.fields)


def _words(command: Command) -> Iterable[str]:
    """Return the choices of positional arguments."""
    return [choice for field in command.fields if field.positional for choice in field.choices]


def _forms(field: Field) -> list[str]:
    return [field.flag] if _takes_value(field) else [field.flag, f"--no-{field.flag[2:]}"]


def _takes_value(field: Field) -> bool:
    return field.many or field.kind != "boolean"


def _first_sentence(text: str) -> str:
    return re.split(r"[.;] ", text)[0].rstrip(".")


def _escape(text: str) -> str:
    """Escape what has a meaning in zsh descriptions."""
    return re.sub(r"([\[\]:\\])", r"\\\1", text)


def _quote(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


_SCRIPTS: dict[str, Callable[[list[Command]], str]] = {"bash": _bash, "zsh": _zsh, "fish": _fish}
