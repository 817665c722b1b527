"""What a page says of its own tools, made safe to pass on: bounded, cleaned, marked as the page's words."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tabwright.page_tools.found.words import LONGEST_KEY, slug
from tabwright.page_tools.tool import Schema

_LONGEST_DESCRIPTION = 200
_LONGEST_HINT = 160
_DEEPEST = 6
_MOST_PARTS = 400
_MOST_FIELDS = 60
_MOST_CHOICES = 100
_LONGEST_CHOICE = 200
_LONGEST_PATTERN = 500
_TYPES = frozenset({"object", "array", "string", "number", "integer", "boolean", "null"})
_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,63}")
_FORMAT = re.compile(r"[a-z][a-z0-9-]{0,30}")
_NUMBERS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
_COUNTS = ("minLength", "maxLength", "minItems", "maxItems")


@dataclass(frozen=True, kw_only=True)
class Declared:
    """A tool that a page declares. `keys` are the page's names of fields that we call otherwise."""

    name: str
    description: str
    schema: Schema
    keys: Mapping[str, str] = field(default_factory=dict)
    read_only: bool = False
    autosubmit: bool = False
    node: int = 0

    @property
    def is_form(self) -> bool:
        """Whether it is a form with attributes, not a function of a script."""
        return self.node != 0

    def given(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return arguments under the names that the page knows them by."""
        return {self.keys.get(name, name): value for name, value in arguments.items()}


def declared(told: Mapping[str, Any]) -> Declared:
    """Read what Chrome or the page tells of a tool."""
    hints = told.get("annotations")
    hints = hints if isinstance(hints, dict) else {}
    schema, keys = bounded(told.get("inputSchema"))
    return Declared(
        name=str(told.get("name", ""))[:128],
        description=quoted("A tool of the site.", told.get("description")),
        schema=schema,
        keys=keys,
        read_only=(hints.get("readOnly") or hints.get("readOnlyHint")) is True,
        autosubmit=hints.get("autosubmit") is True,
        node=told["backendNodeId"] if isinstance(told.get("backendNodeId"), int) else 0,
    )


def quoted(ours: str, theirs: Any, most: int = _LONGEST_DESCRIPTION) -> str:
    """Return our sentence and the page's words behind it, cut and marked as its own."""
    words = cleaned(theirs)
    if not words:
        return ours
    start = f"{ours} From the page: “".lstrip()
    room = most - len(start) - 1
    return f"{start}{words if len(words) <= room else words[: room - 1] + '…'}”"


def cleaned(text: Any) -> str:
    """Return a page's text on one line, without what cannot be seen or would end our quotation marks."""
    words = " ".join(str(text).split()) if isinstance(text, str) else ""
    return "".join("'" if char in "“”" else char for char in words[:10_000] if char.isprintable())


def bounded(schema: Any) -> tuple[Schema, dict[str, str]]:
    """Return a schema of arguments within bounds, and the page's own names of fields that are renamed.

    References are followed inside of the schema only, and what is too deep or too much may be anything.
    """
    if not isinstance(schema, dict) or not isinstance(schema.get("properties"), dict):
        return {"type": "object", "properties": {}}, {}
    whole = _Reader(schema).part(schema, 0)
    keys: dict[str, str] = {}
    properties = {
        _safe(name, keys): {"description": quoted("", name), **part} if not _KEY.fullmatch(name) else part
        for name, part in whole.get("properties", {}).items()
    }
    ours = {theirs: mine for mine, theirs in keys.items()}
    required = [ours.get(name, name) for name in whole.get("required", ())]
    closed = schema.get("additionalProperties") in (None, False)
    safe: Schema = {"type": "object", "properties": properties, "required": required}
    return (safe | {"additionalProperties": False} if closed else safe), keys


def _safe(name: str, keys: dict[str, str]) -> str:
    """Return a name that every client takes; the page's own is noted where it is another."""
    if _KEY.fullmatch(name):
        return name
    wished = slug(name, LONGEST_KEY, identifier=True) or "field"
    wished = wished if wished[0].isalpha() else f"field_{wished}"
    safe, number = wished, 1
    while safe in keys:
        number += 1
        safe = f"{wished}_{number}"
    keys[safe] = name
    return safe


class _Reader:
    """Reads one schema, and stops when it has read enough."""

    def __init__(self, root: Schema) -> None:
        self._root = root
        self._parts = 0

    def part(self, schema: Any, depth: int) -> Schema:
        self._parts += 1
        schema = self._meant(schema)
        if not isinstance(schema, dict) or depth > _DEEPEST or self._parts > _MOST_PARTS:
            return {}
        read = {**_scalars(schema), **_words(schema), **self._inner(schema, depth)}
        if "type" not in read and "properties" in read:
            read["type"] = "object"
        return read

    def _inner(self, schema: Schema, depth: int) -> Schema:
        inner: Schema = {}
        if isinstance(fields := schema.get("properties"), dict):
            known = list(fields.items())[:_MOST_FIELDS]
            inner["properties"] = {str(name)[:200]: self.part(one, depth + 1) for name, one in known}
            wanted = schema.get("required")
            wanted = wanted if isinstance(wanted, list) else []
            inner["required"] = [name for name in wanted if name in inner["properties"]]
        if isinstance(items := schema.get("items"), dict):
            inner["items"] = self.part(items, depth + 1)
        for word in ("anyOf", "oneOf", "allOf"):
            # Chrome lists the options of a select a second time, with their labels.
            if isinstance(parts := schema.get(word), list) and "enum" not in schema and parts:
                inner[word] = [self.part(one, depth + 1) for one in parts[:20]]
        return inner

    def _meant(self, schema: Any) -> Any:
        """Follow references inside of the schema, not for ever; what is elsewhere is not looked up."""
        for _ in range(_DEEPEST):
            reference = schema.get("$ref") if isinstance(schema, dict) else None
            if not isinstance(reference, str):
                return schema
            schema = self._at(reference)
        return {}

    def _at(self, reference: str) -> Any:
        found: Any = self._root
        if not reference.startswith("#/"):
            return {}
        for step in reference[2:200].split("/"):
            found = found.get(step) if isinstance(found, dict) else None
        return found


def _scalars(schema: Schema) -> Schema:
    read: Schema = {}
    kinds = schema.get("type")
    if (
        kinds in _TYPES
        if isinstance(kinds, str)
        else isinstance(kinds, list) and set(map(str, kinds)) <= _TYPES
    ):
        read["type"] = kinds
    read |= {name: schema[name] for name in _NUMBERS if _is_number(schema.get(name))}
    read |= {name: schema[name] for name in _COUNTS if type(schema.get(name)) is int and schema[name] >= 0}
    read |= {name: True for name in ("uniqueItems", "writeOnly") if schema.get(name) is True}
    if read.get("multipleOf", 1) <= 0:
        del read["multipleOf"]
    choices = schema.get("enum", [schema["const"]] if "const" in schema else None)
    if isinstance(choices, list) and choices and all(map(_is_small, choices)):
        read["enum" if len(choices) <= _MOST_CHOICES else "examples"] = choices[:_MOST_CHOICES]
    if _is_small(schema.get("default", ())):
        read["default"] = schema["default"]
    return read


def _words(schema: Schema) -> Schema:
    read: Schema = {}
    form, pattern = schema.get("format"), schema.get("pattern")
    if isinstance(form, str) and form.startswith("^"):  # Chrome writes the pattern of a time so
        form, pattern = None, form
    if isinstance(form, str) and _FORMAT.fullmatch(form):
        read["format"] = form
    if isinstance(pattern, str) and 0 < len(pattern) <= _LONGEST_PATTERN:
        read["pattern"] = pattern
    told = [cleaned(schema.get(name)) for name in ("title", "description")]
    if said := ". ".join(filter(None, [*dict.fromkeys(told), _labels(schema)])):
        read["description"] = quoted("", said, _LONGEST_HINT)
    return read


def _labels(schema: Schema) -> str:
    """What the options of a select are called, where that is not what they are sent as."""
    options = schema.get("anyOf")
    if "enum" not in schema or not isinstance(options, list):
        return ""
    pairs = [(one.get("const"), cleaned(one.get("title"))) for one in options if isinstance(one, dict)]
    return ", ".join(f"{value} = {title}" for value, title in pairs if title and title != value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_small(value: Any) -> bool:
    if isinstance(value, str):
        return len(value) <= _LONGEST_CHOICE
    return value is None or isinstance(value, bool) or _is_number(value)
