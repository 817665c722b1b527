"""Formatting JavaScript values as text, as a console shows them."""

import json
import re
from collections.abc import Iterator, Sequence

from tabwright.cdp import Params
from tabwright.text import cut

_PLACEHOLDER = re.compile(r"%[sdifoOc%]")
_STACK = re.compile(r"\n\s+at ")
_MAX_LINE = 120


def console_text(args: Sequence[Params]) -> str:
    """Return the arguments of a console call as one bounded text, with `%s` and others filled in."""
    waiting = list(args)
    parts = []
    if waiting and waiting[0].get("type") == "string" and "%" in waiting[0].get("value", ""):
        parts.append(_fill_placeholders(waiting.pop(0)["value"], waiting))
    parts += [format_value(value) for value in waiting]
    return cut(" ".join(parts))


def format_value(value: Params) -> str:
    """Return one value as text: a string without quotes, an object with its first properties."""
    if value["type"] == "string":
        return str(value.get("value", ""))
    if value["type"] == "object" and value.get("subtype") != "null":
        return _format_object(value)
    if value["type"] == "function":
        return _first_line(value.get("description", "function"))
    if "value" in value:
        return json.dumps(value["value"])
    return str(value.get("description", value["type"]))


def without_stack(description: str) -> str:
    """Return an error's message without its stack trace."""
    return _STACK.split(description, maxsplit=1)[0]


def _fill_placeholders(pattern: str, values: list[Params]) -> str:
    def fill(placeholder: re.Match[str]) -> str:
        if placeholder[0] == "%%":
            return "%"
        if not values:
            return placeholder[0]
        value = values.pop(0)
        return "" if placeholder[0] == "%c" else format_value(value)  # %c takes a CSS style

    return _PLACEHOLDER.sub(fill, pattern)


def _format_object(value: Params) -> str:
    description = str(value.get("description", "Object"))
    if value.get("subtype") == "error":
        return without_stack(description)
    preview = value.get("preview")
    if preview is None or value.get("subtype") in ("node", "regexp", "date", "promise", "proxy"):
        return _first_line(description)
    if value.get("subtype") in ("array", "typedarray"):
        return f"[{', '.join((*_items(preview), *_rest(preview)))}]"
    name = "" if description == "Object" else f"{description} "
    return f"{name}{{{', '.join((*_entries(preview), *_properties(preview), *_rest(preview)))}}}"


def _items(preview: Params) -> Iterator[str]:
    return (_format_nested(item) for item in preview["properties"] if item["name"].isdigit())


def _properties(preview: Params) -> Iterator[str]:
    if "entries" not in preview:  # the only property of a map or set is its size
        yield from (f"{item['name']}: {_format_nested(item)}" for item in preview["properties"])


def _entries(preview: Params) -> Iterator[str]:
    for entry in preview.get("entries", ()):
        value = _format_nested(_with_value(entry["value"]))
        yield f"{_format_nested(_with_value(entry['key']))} => {value}" if "key" in entry else value


def _with_value(preview: Params) -> Params:
    """The entries of a map have a description where the properties of an object have a value."""
    return {**preview, "value": preview.get("description", preview["type"])}


def _format_nested(item: Params) -> str:
    value = str(item.get("value", item["type"]))
    return json.dumps(value, ensure_ascii=False) if item["type"] == "string" else value


def _rest(preview: Params) -> Iterator[str]:
    if preview.get("overflow"):
        yield "…"


def _first_line(text: str) -> str:
    return cut(text.partition("\n")[0], _MAX_LINE)
