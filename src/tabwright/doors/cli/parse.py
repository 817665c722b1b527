"""Read the words of a command: required fields by position, the others by flag."""

import argparse
import json
from collections.abc import Callable
from typing import Any, NoReturn

from tabwright.doors.cli.commands import Command, Field

# Stands for two dashes behind `--`, which argparse would drop as well; no word of a shell has a NUL.
_DASHES = "\0--"
_TEXTS = {"session": "NAME", "tab": "ID", "output": "FILE", "dialect": "NAMES"}


class Misused(Exception):
    """The words do not make a command; the text says which."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise Misused(message)


def wants_help(words: list[str]) -> bool:
    """Whether somebody asks how to use a command, rather than using it."""
    before = words[: words.index("--")] if "--" in words else words
    return "-h" in before or "--help" in before


def parse(command: Command, words: list[str]) -> dict[str, Any]:
    """Return the fields that the words give; those not given are left out.

    Raises:
        Misused: a field is missing, unknown, or of the wrong kind.
    """
    end = words.index("--") if "--" in words else len(words)
    flags, places = _parser(command), _parser(command)
    for field in command.fields:
        (_add_place if field.positional else _add_flag)(places if field.positional else flags, field)
    given, rest = flags.parse_known_args(words[:end])
    _refuse([word for word in rest if word.startswith("-") and not _is_value(word)])
    # Flags may stand anywhere; what is left are the positions, and whatever follows `--` is one of them.
    behind = [_DASHES if word == "--" else word for word in words[end + 1 :]]
    placed, too_many = places.parse_known_args(["--", *rest, *behind])
    _refuse([word for word in too_many if word != "--"])
    found = {name: _with_dashes(value) for name, value in vars(placed).items()} | vars(given)
    return {name: value for name, value in found.items() if value not in (None, [])}


def _with_dashes(value: Any) -> Any:
    """Put back two dashes that are a value."""
    if isinstance(value, list):
        return [_with_dashes(one) for one in value]
    return "--" if value == _DASHES else value


def _parser(command: Command) -> _Parser:
    return _Parser(prog=command.word, add_help=False, allow_abbrev=False, argument_default=argparse.SUPPRESS)


def _refuse(words: list[str]) -> None:
    if words:
        raise Misused(f"unrecognized arguments: {' '.join(words)}")


def _is_value(word: str) -> bool:
    """Whether a word with a dash is no flag: a number, or the dash alone."""
    try:
        float(word)
    except ValueError:
        return word == "-"
    return True


def _add_place(parser: argparse.ArgumentParser, field: Field) -> None:
    nargs = ("+" if field.required else "*") if field.many else None if field.required else "?"
    parser.add_argument(field.name, nargs=nargs, metavar=metavar(field), default=None, **_reading(field))


def _add_flag(parser: argparse.ArgumentParser, field: Field) -> None:
    if field.kind == "boolean" and not field.many:
        parser.add_argument(*_forms(field), dest=field.name, action=argparse.BooleanOptionalAction)
    else:
        action = "append" if field.many else "store"
        parser.add_argument(*_forms(field), dest=field.name, action=action, **_reading(field))


def _forms(field: Field) -> list[str]:
    return [field.short, field.flag] if field.short else [field.flag]


def _reading(field: Field) -> dict[str, Any]:
    reading: dict[str, Any] = {"type": _READ[field.kind]}
    if field.choices:
        reading["choices"] = [_READ[field.kind](choice) for choice in field.choices]
    return reading


def metavar(field: Field) -> str:
    """Name a value in usage lines."""
    if field.choices and not field.positional:
        return "|".join(field.choices) if len(field.choices) < 4 else "WORD"
    if field.positional:
        return field.name.upper().replace("_", "-")
    return {"integer": "N", "number": "N", "json": "JSON", "boolean": "BOOL"}.get(
        field.kind, _TEXTS.get(field.name, "TEXT")
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


_READ: dict[str, Callable[[str], Any]] = {
    "string": str,
    "integer": _integer,
    "number": _number,
    "boolean": _boolean,
    "json": _json,
}
