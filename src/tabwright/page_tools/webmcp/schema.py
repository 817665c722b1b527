"""Makes what a page declares about its tools safe to pass on: bounded, cleaned, marked as the page's text."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tabwright.page_tools.found.words import MAX_KEY_LENGTH, slug
from tabwright.page_tools.tool import Schema

_MAX_DESCRIPTION_LENGTH = 200
_MAX_HINT_LENGTH = 160
_MAX_DEPTH = 6
_MAX_PARTS = 400
_MAX_FIELDS = 60
_MAX_CHOICES = 100
_MAX_CHOICE_LENGTH = 200
_MAX_PATTERN_LENGTH = 500
# Larger integers are not JSON that every client reads.
_MAX_INTEGER = 2**63
_TYPES = frozenset({"object", "array", "string", "number", "integer", "boolean", "null"})
_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,63}")
_FORMAT = re.compile(r"[a-z][a-z0-9-]{0,30}")
_NUMBERS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
_COUNTS = ("minLength", "maxLength", "minItems", "maxItems")


@dataclass(frozen=True, kw_only=True)
class DeclaredTool:
    """A tool that a page declares. `keys` maps our names for renamed fields to the page's."""

    name: str
    description: str
    schema: Schema
    keys: Mapping[str, str] = field(default_factory=dict)
    read_only: bool = False
    autosubmit: bool = False
    node: int = 0

    @property
    def is_form(self) -> bool:
        """Whether it is an annotated form rather than a script function."""
        return self.node != 0

    def page_arguments(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments with the page's names."""
        return {self.keys.get(name, name): value for name, value in arguments.items()}


def parse_declared(payload: Mapping[str, Any], ours: str = "A tool of the site.") -> DeclaredTool:
    """Parse a tool as Chrome, the page or an extension describes it; our own sentence says whose it is."""
    hints = payload.get("annotations")
    hints = hints if isinstance(hints, dict) else {}
    schema, keys = bound_schema(payload.get("inputSchema"))
    return DeclaredTool(
        name=str(payload.get("name", ""))[:128],
        description=describe(ours, payload.get("description")),
        schema=schema,
        keys=keys,
        read_only=(hints.get("readOnly") or hints.get("readOnlyHint")) is True,
        autosubmit=hints.get("autosubmit") is True,
        node=payload["backendNodeId"] if isinstance(payload.get("backendNodeId"), int) else 0,
    )


def describe(ours: str, theirs: Any, max_length: int = _MAX_DESCRIPTION_LENGTH) -> str:
    """Return our sentence followed by the page's text, shortened and marked as the page's."""
    text = clean_text(theirs)
    if not text:
        return ours
    start = f"{ours} From the page: “".lstrip()
    room = max_length - len(start) - 1
    return f"{start}{text if len(text) <= room else text[: room - 1] + '…'}”"


def clean_text(text: Any) -> str:
    """Return a page's text on one line, without invisible characters and without our quotation marks."""
    line = " ".join(str(text).split()) if isinstance(text, str) else ""
    return "".join("'" if char in "“”" else char for char in line[:10_000] if char.isprintable())


def bound_schema(schema: Any) -> tuple[Schema, dict[str, str]]:
    """Return a bounded copy of a tool's input schema, and the page's names for the fields that were renamed.

    References are followed only within the schema; parts beyond the limits (depth, number) accept anything.
    """
    if not isinstance(schema, dict) or not isinstance(schema.get("properties"), dict):
        return {"type": "object", "properties": {}}, {}
    whole = _SchemaReader(schema).part(schema, 0)
    keys: dict[str, str] = {}
    properties = {
        _safe_key(name, keys): {"description": describe("", name), **part}
        if not _KEY.fullmatch(name)
        else part
        for name, part in whole.get("properties", {}).items()
    }
    ours = {theirs: mine for mine, theirs in keys.items()}
    required = [ours.get(name, name) for name in whole.get("required", ())]
    closed = schema.get("additionalProperties") in (None, False)
    safe: Schema = {"type": "object", "properties": properties, "required": required}
    return (safe | {"additionalProperties": False} if closed else safe), keys


def _safe_key(name: str, keys: dict[str, str]) -> str:
    """Return a name that every client accepts; record the page's name in `keys` if it differs."""
    if _KEY.fullmatch(name):
        return name
    wanted = slug(name, MAX_KEY_LENGTH, identifier=True) or "field"
    wanted = wanted if wanted[0].isalpha() else f"field_{wanted}"
    safe, number = wanted, 1
    while safe in keys:
        number += 1
        safe = f"{wanted}_{number}"
    keys[safe] = name
    return safe


class _SchemaReader:
    """Reads one schema up to the limits."""

    def __init__(self, root: Schema) -> None:
        self._root = root
        self._parts = 0

    def part(self, schema: Any, depth: int) -> Schema:
        self._parts += 1
        schema = self._resolve(schema)
        if not isinstance(schema, dict) or depth > _MAX_DEPTH or self._parts > _MAX_PARTS:
            return {}
        read = {**_read_constraints(schema), **_read_texts(schema), **self._inner(schema, depth)}
        if "type" not in read and "properties" in read:
            read["type"] = "object"
        return read

    def _inner(self, schema: Schema, depth: int) -> Schema:
        inner: Schema = {}
        if isinstance(fields := schema.get("properties"), dict):
            known = list(fields.items())[:_MAX_FIELDS]
            inner["properties"] = {str(name)[:200]: self.part(one, depth + 1) for name, one in known}
            wanted = schema.get("required")
            wanted = wanted if isinstance(wanted, list) else []
            inner["required"] = [
                name for name in wanted if isinstance(name, str) and name in inner["properties"]
            ]
        if isinstance(items := schema.get("items"), dict):
            inner["items"] = self.part(items, depth + 1)
        for word in ("anyOf", "oneOf", "allOf"):
            # Chrome lists the options of a select a second time, with their labels.
            if isinstance(parts := schema.get(word), list) and "enum" not in schema and parts:
                inner[word] = [self.part(one, depth + 1) for one in parts[:20]]
        return inner

    def _resolve(self, schema: Any) -> Any:
        """Follow references within the schema, up to a limit; others are not resolved."""
        for _ in range(_MAX_DEPTH):
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


def _read_constraints(schema: Schema) -> Schema:
    read: Schema = {}
    kinds = schema.get("type")
    if (
        kinds in _TYPES
        if isinstance(kinds, str)
        else isinstance(kinds, list) and set(map(str, kinds)) <= _TYPES
    ):
        read["type"] = kinds
    numbers = {name: value for name, value in schema.items() if _is_number(value)}
    read |= {name: numbers[name] for name in _NUMBERS if name in numbers}
    read |= {name: numbers[name] for name in _COUNTS if type(numbers.get(name)) is int and numbers[name] >= 0}
    read |= {name: True for name in ("uniqueItems", "writeOnly") if schema.get(name) is True}
    if read.get("multipleOf", 1) <= 0:
        del read["multipleOf"]
    choices = schema.get("enum", [schema["const"]] if "const" in schema else None)
    if isinstance(choices, list) and choices and all(map(_is_short, choices)):
        read["enum" if len(choices) <= _MAX_CHOICES else "examples"] = choices[:_MAX_CHOICES]
    if _is_short(schema.get("default", ())):
        read["default"] = schema["default"]
    return read


def _read_texts(schema: Schema) -> Schema:
    read: Schema = {}
    format_, pattern = schema.get("format"), schema.get("pattern")
    # Chrome puts the pattern of a time field there.
    if isinstance(format_, str) and format_.startswith("^"):
        format_, pattern = None, format_
    if isinstance(format_, str) and _FORMAT.fullmatch(format_):
        read["format"] = format_
    if isinstance(pattern, str) and 0 < len(pattern) <= _MAX_PATTERN_LENGTH:
        read["pattern"] = pattern
    texts = [clean_text(schema.get(name)) for name in ("title", "description")]
    if text := ". ".join(filter(None, [*dict.fromkeys(texts), _option_labels(schema)])):
        read["description"] = describe("", text, _MAX_HINT_LENGTH)
    return read


def _option_labels(schema: Schema) -> str:
    """Return the labels of a select's options where they differ from the values."""
    options = schema.get("anyOf")
    if "enum" not in schema or not isinstance(options, list):
        return ""
    pairs = [(one.get("const"), clean_text(one.get("title"))) for one in options if isinstance(one, dict)]
    return ", ".join(f"{value} = {title}" for value, title in pairs if title and title != value)


def _is_number(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return math.isfinite(value) and abs(value) < _MAX_INTEGER


def _is_short(value: Any) -> bool:
    if isinstance(value, str):
        return len(value) <= _MAX_CHOICE_LENGTH
    return value is None or isinstance(value, bool) or _is_number(value)
