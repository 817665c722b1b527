"""Values of a page's script in words: what the console shows of what was passed to it."""

import json
import re
from collections.abc import Iterator, Sequence

from tabwright.cdp import Params
from tabwright.text import cut

_PLACE = re.compile(r"%[sdifoOc%]")
_STACK = re.compile(r"\n\s+at ")
_ONE_LINE = 120


def console_text(args: Sequence[Params]) -> str:
    """Return the arguments of a console call as one text, its `%s` places filled, bounded."""
    waiting = list(args)
    parts = []
    if waiting and waiting[0].get("type") == "string" and "%" in waiting[0].get("value", ""):
        parts.append(_filled(waiting.pop(0)["value"], waiting))
    parts += [shown(value) for value in waiting]
    return cut(" ".join(parts))


def shown(value: Params) -> str:
    """Return one value as a console shows it: a string bare, an object by its first properties."""
    if value["type"] == "string":
        return str(value.get("value", ""))
    if value["type"] == "object" and value.get("subtype") != "null":
        return _object(value)
    if value["type"] == "function":
        return _first_line(value.get("description", "function"))
    if "value" in value:
        return json.dumps(value["value"])
    return str(value.get("description", value["type"]))


def without_stack(description: str) -> str:
    """Return an error's message without the lines that say where it came from."""
    return _STACK.split(description, maxsplit=1)[0]


def _filled(pattern: str, values: list[Params]) -> str:
    def fill(place: re.Match[str]) -> str:
        if place[0] == "%%":
            return "%"
        if not values:
            return place[0]
        value = values.pop(0)
        return "" if place[0] == "%c" else shown(value)  # %c takes a style, which no text shows

    return _PLACE.sub(fill, pattern)


def _object(value: Params) -> str:
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
    return (_nested(item) for item in preview["properties"] if item["name"].isdigit())


def _properties(preview: Params) -> Iterator[str]:
    if "entries" not in preview:  # the only property of a map or set is its size
        yield from (f"{item['name']}: {_nested(item)}" for item in preview["properties"])


def _entries(preview: Params) -> Iterator[str]:
    for entry in preview.get("entries", ()):
        value = _nested(_quoted(entry["value"]))
        yield f"{_nested(_quoted(entry['key']))} => {value}" if "key" in entry else value


def _quoted(preview: Params) -> Params:
    """The parts of a map are described where those of an object have a value."""
    return {**preview, "value": preview.get("description", preview["type"])}


def _nested(item: Params) -> str:
    value = str(item.get("value", item["type"]))
    return json.dumps(value, ensure_ascii=False) if item["type"] == "string" else value


def _rest(preview: Params) -> Iterator[str]:
    if preview.get("overflow"):
        yield "…"


def _first_line(text: str) -> str:
    return cut(text.partition("\n")[0], _ONE_LINE)
