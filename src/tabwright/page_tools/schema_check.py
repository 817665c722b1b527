"""Checks the arguments of a tool against its schema; messages name the field and never repeat a value.

Patterns come from the page, and a hostile one could run forever here, so the browser checks them.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, time
from typing import Any, NamedTuple

from tabwright.errors import InvalidArgs
from tabwright.page_tools.tool import Schema
from tabwright.schema import drop_empty
from tabwright.text import format_count, quote, quote_name

_MAX_FAULTS = 5
_MAX_CHOICES = 60
_TYPE_NAMES = {
    "string": "text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
}
_CHECKED_ELSEWHERE = ("pattern", "patternProperties", "format")


class PatternCheck(NamedTuple):
    """A value that must match a pattern."""

    path: str
    pattern: str
    value: str


def coerce_arguments(schema: Schema, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Convert arguments to the types of their schema where the meaning is clear; leave out empty ones."""
    properties = schema.get("properties", {})
    given = drop_empty(_checked_here(schema), arguments)
    return {name: _coerce(properties.get(name, {}), value) for name, value in given.items()}


def _coerce(schema: Any, value: Any) -> Any:
    kind = schema.get("type") if isinstance(schema, dict) else None
    if isinstance(value, str) and kind in ("number", "integer") and re.fullmatch(r"-?\d+(\.\d+)?", value):
        return float(value) if "." in value else int(value)
    if isinstance(value, str) and kind == "boolean" and value.lower() in ("true", "false"):
        return value.lower() == "true"
    if isinstance(value, int | float) and not isinstance(value, bool) and kind == "string":
        return f"{value:g}" if isinstance(value, float) else str(value)
    if isinstance(value, str) and isinstance(choices := schema.get("enum"), list) and value not in choices:
        alike = [choice for choice in choices if str(choice).casefold() == value.strip().casefold()]
        return alike[0] if len(alike) == 1 else value
    if kind == "array" and isinstance(value, str):
        value = [value]
    if kind == "array" and isinstance(value, list):
        return [_coerce(schema.get("items", {}), one) for one in value]
    return value


def check_arguments(name: str, schema: Schema, arguments: Mapping[str, Any]) -> list[PatternCheck]:
    """Check arguments against a schema; return the patterns that the browser must check.

    Raises:
        InvalidArgs: naming each invalid field.
    """
    faults = [*_schema_faults(schema, arguments), *_format_faults(schema, arguments)]
    if faults:
        raise argument_error(name, schema, faults[:_MAX_FAULTS])
    return list(_pattern_checks(schema, arguments))


def argument_error(name: str, schema: Schema, faults: list[str]) -> InvalidArgs:
    """Return the error for invalid arguments of a tool."""
    known = ", ".join(map(quote_name, schema.get("properties", {}))) or "none"
    return InvalidArgs(f"{quote_name(name)}: {'; '.join(faults)}.", hint=f"Its arguments: {known}."[:1_000])


def _schema_faults(schema: Schema, arguments: Mapping[str, Any]) -> Iterator[str]:
    # Takes 190 ms, and most hubs never run a page tool.
    from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # has no stubs  # noqa: PLC0415
    from referencing import Registry  # noqa: PLC0415

    try:
        # With an empty registry it fetches no schema that this one references.
        validator = Draft202012Validator(_checked_here(schema), registry=Registry())
        errors = sorted(validator.iter_errors(dict(arguments)), key=lambda error: list(map(str, error.path)))
    except Exception as unreadable:
        raise InvalidArgs(
            "The page's schema for this tool is invalid.", hint="Use the page directly instead."
        ) from unreadable
    for error in errors[:_MAX_FAULTS]:
        yield _describe(
            ".".join(map(str, error.absolute_path)), error.validator, error.validator_value, error
        )


def _checked_here(schema: Any) -> Any:
    """Return a schema without the rules that are checked elsewhere."""
    if isinstance(schema, dict):
        return {
            key: _checked_here(value)
            for key, value in schema.items()
            if key not in _CHECKED_ELSEWHERE or isinstance(value, dict)
        }
    return [_checked_here(one) for one in schema] if isinstance(schema, list) else schema


def _describe(path: str, rule: str, bound: Any, error: Any) -> str:
    where = quote_name(path) if path else "arguments"
    if rule == "required":
        missing = [name for name in bound if name not in error.instance]
        return f"{', '.join(map(quote_name, missing))} missing"
    if rule == "additionalProperties":
        unknown = sorted(set(error.instance) - set(error.schema.get("properties", {})))
        return f"unknown: {', '.join(unknown)[:200]}"
    if rule == "enum":
        return f"{where} must be one of: {', '.join(quote(str(choice)) for choice in bound[:_MAX_CHOICES])}"
    if rule == "type":
        return f"{where} must be {_TYPE_NAMES.get(str(bound), f'of type {bound}')}"
    return f"{where} {_RULES.get(rule, lambda _: 'does not match its schema')(bound)}"


_RULES: dict[str, Callable[[Any], str]] = {
    "minimum": lambda bound: f"must be at least {bound:g}",
    "maximum": lambda bound: f"must be at most {bound:g}",
    "multipleOf": lambda bound: f"must be a multiple of {bound:g}",
    "minLength": lambda bound: f"must have at least {format_count(bound, 'character')}",
    "maxLength": lambda bound: f"must have at most {format_count(bound, 'character')}",
    "uniqueItems": lambda _: "must not repeat a choice",
}


def _format_faults(schema: Schema, arguments: Mapping[str, Any]) -> Iterator[str]:
    for name, value in arguments.items():
        kind = schema.get("properties", {}).get(name, {}).get("format")
        if isinstance(value, str) and value and kind in _FORMATS:
            parse, example = _FORMATS[kind]
            try:
                parse(value)
            except ValueError:
                yield f"{name} must be {example}"


def _parse_local_datetime(value: str) -> None:
    day, separator, moment = value.partition("T")
    if not separator:
        raise ValueError(value)
    date.fromisoformat(day)
    time.fromisoformat(moment)


_FORMATS: dict[str, tuple[Callable[[str], object], str]] = {
    "date": (date.fromisoformat, "a date such as 2026-05-31"),
    "time": (time.fromisoformat, "a time such as 14:30"),
    "date-time": (_parse_local_datetime, "a date and time such as 2026-05-31T14:30"),
}


def _pattern_checks(schema: Schema, arguments: Mapping[str, Any]) -> Iterator[PatternCheck]:
    for name, value in arguments.items():
        pattern = schema.get("properties", {}).get(name, {}).get("pattern")
        if isinstance(value, str) and value and isinstance(pattern, str):
            yield PatternCheck(name, pattern, value)
