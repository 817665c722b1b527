"""Parses the words of a command: required fields by position, the others as flags."""

import argparse
import json
from collections.abc import Callable
from typing import Any, NoReturn

from tabwright.doors.cli.commands import Command, Field

# As in tabwright.schema, which takes too long to import.
ELEMENT_NAMES = ("target", "selector", "ref")
# Replaces `--` after the first one, which argparse would drop; no word of a shell contains a NUL.
_DASHES = "\0--"
_VALUE_NAMES = {"session": "NAME", "tab": "ID", "dialect": "NAMES"}


class UsageError(Exception):
    """The words are not a valid command; the message says why."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


def wants_help(words: list[str]) -> bool:
    """Whether the words ask for help rather than run the command."""
    before = words[: words.index("--")] if "--" in words else words
    return "-h" in before or "--help" in before


def parse(command: Command, words: list[str]) -> dict[str, Any]:
    """Return the fields that the words give; those not given are left out.

    Raises:
        UsageError: a field is missing, unknown, or of the wrong kind.
    """
    end = words.index("--") if "--" in words else len(words)
    flags, positionals = _parser(command), _parser(command)
    for field in command.fields:
        if not field.positional:
            _add_flag(flags, field)
    _add_element_names(flags, command)
    given, rest = flags.parse_known_args(words[:end])
    for field in command.fields:
        if field.positional and field.name not in given:
            _add_positional(positionals, field)
    _require_none([word for word in rest if word.startswith("-") and not _is_value(word)])
    # Flags may come anywhere; the rest, and everything after `--`, is positional.
    after = [_DASHES if word == "--" else word for word in words[end + 1 :]]
    placed, too_many = positionals.parse_known_args(["--", *rest, *after])
    _require_none([word for word in too_many if word != "--"])
    found = {name: _restore_dashes(value) for name, value in vars(placed).items()} | vars(given)
    return {name: value for name, value in found.items() if value not in (None, [])}


def _restore_dashes(value: Any) -> Any:
    """Restore two dashes that are a value."""
    if isinstance(value, list):
        return [_restore_dashes(one) for one in value]
    return "--" if value == _DASHES else value


def _parser(command: Command) -> _Parser:
    return _Parser(prog=command.word, add_help=False, allow_abbrev=False, argument_default=argparse.SUPPRESS)


def _require_none(words: list[str]) -> None:
    if words:
        raise UsageError(f"unrecognized arguments: {' '.join(words)}")


def _is_value(word: str) -> bool:
    """Whether a word that begins with a dash is a value: a number, or a single dash."""
    try:
        float(word)
    except ValueError:
        return word == "-"
    return True


def _add_positional(parser: argparse.ArgumentParser, field: Field) -> None:
    nargs = ("+" if field.required else "*") if field.many else None if field.required else "?"
    parser.add_argument(field.name, nargs=nargs, metavar=metavar(field), default=None, **_type_options(field))


def _add_flag(parser: argparse.ArgumentParser, field: Field) -> None:
    if field.kind == "boolean" and not field.many:
        parser.add_argument(*_forms(field), dest=field.name, action=argparse.BooleanOptionalAction)
    else:
        action = "append" if field.many else "store"
        parser.add_argument(*_forms(field), dest=field.name, action=action, **_type_options(field))


def _add_element_names(parser: argparse.ArgumentParser, command: Command) -> None:
    """Accept the element of a command as a flag by any of its names, also if it has a position."""
    element = next((field for field in command.fields if field.name in ELEMENT_NAMES), None)
    used = {field.name for field in command.fields if not field.positional}
    for name in ELEMENT_NAMES if element else ():
        if name not in used:
            parser.add_argument(f"--{name}", dest=element.name if element else name)


def _forms(field: Field) -> list[str]:
    return [field.short, field.flag] if field.short else [field.flag]


def _type_options(field: Field) -> dict[str, Any]:
    options: dict[str, Any] = {"type": _CONVERTERS[field.kind]}
    if field.choices:
        options["choices"] = [_CONVERTERS[field.kind](choice) for choice in field.choices]
    return options


def metavar(field: Field) -> str:
    """Return the name of a value for usage lines."""
    if field.choices and not field.positional:
        return "|".join(field.choices) if len(field.choices) < 4 else "WORD"
    if field.positional:
        return field.name.upper().replace("_", "-")
    if field.is_path:
        return "FILE"
    return {"integer": "N", "number": "N", "json": "JSON", "boolean": "BOOL"}.get(
        field.kind, _VALUE_NAMES.get(field.name, "TEXT")
    )


def _integer(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None


def _boolean(text: str) -> bool:
    if text not in ("true", "false"):
        raise argparse.ArgumentTypeError(f"{text!r} is neither true nor false")
    return text == "true"


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


_CONVERTERS: dict[str, Callable[[str], Any]] = {
    "string": str,
    "integer": _integer,
    "number": _number,
    "boolean": _boolean,
    "json": _json,
}
