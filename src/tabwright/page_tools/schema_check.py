"""Arguments of a tool against its schema, said in words that name the field and never repeat a value.

Patterns are the page's own: a hostile one could hold us for ever, so the page's browser judges them.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, time
from typing import Any, NamedTuple

from tabwright.errors import InvalidArgs
from tabwright.page_tools.tool import Schema
from tabwright.text import format_count, quote

_MOST_FAULTS = 5
_MOST_CHOICES = 60
_JSON_NAMES = {
    "string": "text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
}
_LATER = ("pattern", "patternProperties", "format")


class Patterned(NamedTuple):
    """A value that must match a pattern."""

    path: str
    pattern: str
    value: str


def fitted(schema: Schema, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments in the types that their schema asks for, where what was meant is plain."""
    properties = schema.get("properties", {})
    return {name: _fitted(properties.get(name, {}), value) for name, value in arguments.items()}


def _fitted(schema: Any, value: Any) -> Any:
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
        return [_fitted(schema.get("items", {}), one) for one in value]
    return value


def require_fit(name: str, schema: Schema, arguments: Mapping[str, Any]) -> list[Patterned]:
    """Check arguments against a schema; return what is left to be judged by the browser.

    Raises:
        InvalidArgs: naming each field at fault.
    """
    faults = [*_faults(schema, arguments), *_misformed(schema, arguments)]
    if faults:
        raise misfit(name, schema, faults[:_MOST_FAULTS])
    return list(_patterned(schema, arguments))


def misfit(name: str, schema: Schema, faults: list[str]) -> InvalidArgs:
    """Return the error that names what is wrong with the arguments of a tool."""
    known = ", ".join(schema.get("properties", {})) or "none"
    return InvalidArgs(f"{name}: {'; '.join(faults)}.", hint=f"Its arguments: {known}."[:1_000])


def _faults(schema: Schema, arguments: Mapping[str, Any]) -> Iterator[str]:
    # 190 ms, and most hubs never run a page tool.
    from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # has no stubs  # noqa: PLC0415
    from referencing import Registry  # noqa: PLC0415

    try:
        # Given a registry of its own, it fetches nothing that a schema may point to.
        validator = Draft202012Validator(_judged(schema), registry=Registry())
        errors = sorted(validator.iter_errors(dict(arguments)), key=lambda error: list(map(str, error.path)))
    except Exception as unreadable:
        raise InvalidArgs(
            "The page gives this tool a schema that cannot be read.", hint="Act on the page itself."
        ) from unreadable
    for error in errors[:_MOST_FAULTS]:
        yield _said(".".join(map(str, error.absolute_path)), error.validator, error.validator_value, error)


def _judged(schema: Any) -> Any:
    """Return a schema without what is judged elsewhere."""
    if isinstance(schema, dict):
        return {
            key: _judged(value)
            for key, value in schema.items()
            if key not in _LATER or isinstance(value, dict)
        }
    return [_judged(one) for one in schema] if isinstance(schema, list) else schema


def _said(path: str, rule: str, bound: Any, error: Any) -> str:
    where = path or "arguments"
    if rule == "required":
        missing = [name for name in bound if name not in error.instance]
        return f"{', '.join(missing)} missing"
    if rule == "additionalProperties":
        unknown = sorted(set(error.instance) - set(error.schema.get("properties", {})))
        return f"unknown: {', '.join(unknown)[:200]}"
    if rule == "enum":
        return f"{where} must be one of: {', '.join(quote(str(choice)) for choice in bound[:_MOST_CHOICES])}"
    if rule == "type":
        return f"{where} must be {_JSON_NAMES.get(str(bound), f'of type {bound}')}"
    return f"{where} {_RULES.get(rule, lambda _: 'does not fit its schema')(bound)}"


_RULES: dict[str, Callable[[Any], str]] = {
    "minimum": lambda bound: f"must be at least {bound:g}",
    "maximum": lambda bound: f"must be at most {bound:g}",
    "multipleOf": lambda bound: f"must be a multiple of {bound:g}",
    "minLength": lambda bound: f"must have at least {format_count(bound, 'character')}",
    "maxLength": lambda bound: f"must have at most {format_count(bound, 'character')}",
    "uniqueItems": lambda _: "must not repeat a choice",
}


def _misformed(schema: Schema, arguments: Mapping[str, Any]) -> Iterator[str]:
    for name, value in arguments.items():
        form = schema.get("properties", {}).get(name, {}).get("format")
        if isinstance(value, str) and value and form in _FORMS and not _reads(_FORMS[form][0], value):
            yield f"{name} must be {_FORMS[form][1]}"


def _reads(read: Callable[[str], object], value: str) -> bool:
    try:
        read(value)
    except ValueError:
        return False
    return True


def _local(value: str) -> None:
    day, sign, moment = value.partition("T")
    if not sign:
        raise ValueError(value)
    date.fromisoformat(day)
    time.fromisoformat(moment)


_FORMS: dict[str, tuple[Callable[[str], object], str]] = {
    "date": (date.fromisoformat, "a date such as 2026-05-31"),
    "time": (time.fromisoformat, "a time such as 14:30"),
    "date-time": (_local, "a date and time such as 2026-05-31T14:30"),
}


def _patterned(schema: Schema, arguments: Mapping[str, Any]) -> Iterator[Patterned]:
    for name, value in arguments.items():
        pattern = schema.get("properties", {}).get(name, {}).get("pattern")
        if isinstance(value, str) and value and isinstance(pattern, str):
            yield Patterned(name, pattern, value)
