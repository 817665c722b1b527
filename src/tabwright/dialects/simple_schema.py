"""Schemas as tool lists show them: only what all clients accept, whatever an action or a page declares.

The rules of the clients are in tests/conformance/schema_rules.toml. Limits are left out: they are checked,
and named when exceeded.
"""

from collections.abc import Iterable

from tabwright.schema import Schema

_KEYS = ("type", "format", "enum", "items", "properties", "required", "default", "description")
# Those that strict clients know, and `uri`.
_FORMATS = frozenset(
    ("date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid", "uri")
)
# For a list of anything: clients require a type for its items.
_SCALARS = ("string", "number")


def simplify(schema: Schema) -> Schema:
    """Return the schema of a tool's arguments, or of one of them, for a list of tools."""
    kinds = _kinds(schema)
    if len(kinds) > 1:
        return _with_description({"anyOf": kinds}, schema)
    [field] = kinds or [{"type": "string"}]
    shown = {key: field[key] for key in _KEYS if field.get(key) not in (None, [], {})}
    if shown.get("format") not in _FORMATS:
        shown.pop("format", None)
    if field["type"] == "object" and "properties" in field:
        shown["properties"] = {name: simplify(inner) for name, inner in field["properties"].items()}
    if field["type"] == "array":
        shown["items"] = simplify(field["items"]) if field.get("items") else {"anyOf": _types(_SCALARS)}
    return _with_text_choices(shown)


def _kinds(field: Schema) -> list[Schema]:
    """Return what a field may be: the field itself with one type, or its alternatives. Null is left out."""
    for word in ("anyOf", "oneOf", "allOf"):
        if word in field:
            rest = {key: value for key, value in field.items() if key != word}
            inner = [simplify(kind) for kind in field[word] if kind.get("type") != "null"]
            return [{**inner[0], **rest}] if len(inner) == 1 or (inner and word == "allOf") else inner
    declared = field.get("type") or _guess_type(field)
    names = [declared] if isinstance(declared, str) else [name for name in declared if name != "null"]
    return [{**field, "type": names[0]}] if len(names) == 1 else _types(names)


def _types(names: Iterable[str]) -> list[Schema]:
    of_text = {"array": {"items": {"type": "string"}}}
    return [{"type": name, **of_text.get(name, {})} for name in names]


def _guess_type(field: Schema) -> str:
    if "properties" in field:
        return "object"
    return "array" if "items" in field else "string"


def _with_description(shown: Schema, field: Schema) -> Schema:
    """Describe the first alternative: some clients accept nothing next to `anyOf`."""
    first, *others = shown["anyOf"]
    if field.get("description"):
        first = {**first, "description": field["description"]}
    return {"anyOf": [first, *others]}


def _with_text_choices(shown: Schema) -> Schema:
    """Write choices that are not text into the description: some clients accept only text."""
    choices = shown.get("enum", ())
    if all(isinstance(choice, str) for choice in choices) and (not choices or shown["type"] == "string"):
        return shown
    one_of = f"One of: {', '.join(map(str, choices))}."
    description = " ".join(part for part in (shown.get("description"), one_of) if part)
    return {**{key: value for key, value in shown.items() if key != "enum"}, "description": description}
