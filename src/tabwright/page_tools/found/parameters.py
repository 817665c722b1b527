"""The parameter for a field of the page: its key and its JSON Schema."""

import re
from collections.abc import Callable
from typing import Any, Final

from tabwright.page_tools.found.facts import Field, Option
from tabwright.page_tools.found.naming import field_identifier, label_of
from tabwright.page_tools.found.words import MAX_KEY_LENGTH, slug, without_instruction
from tabwright.page_tools.tool import Schema

MAX_CHOICES = 60
_MAX_DESCRIPTION_LENGTH = 120
_MAX_EXAMPLES = 5
_SENSITIVE = re.compile(r"(?i)\b(cvv|cvc|csc|security code|one.time (code|password)|passcode|pin code)\b")
_SENSITIVE_TOKENS = ("one-time-code", "cc-number", "cc-csc", "current-password", "new-password")
_PLACEHOLDER = re.compile(
    r"(?i)^\W*(select|choose|pick|please|wählen|auswählen|bitte|choisir|choisissez|sélectionne|seleccion|elija|"
    r"выберите|選択|请选择|اختر|none selected)"
)
_WHOLE = re.compile(r"-?\d+(\.0+)?")
_NUMBER = re.compile(r"-?\d*\.?\d+([eE][-+]?\d+)?")
_AUTOCOMPLETE_SECTIONS = ("section-", "shipping", "billing", "home", "work", "mobile", "fax", "pager")


def key_of(field: Field) -> str:
    """Return the key of a field: from its label, else its autocomplete token, its name or id, or its kind."""
    label = without_instruction(label_of(field))
    key = slug(label, MAX_KEY_LENGTH) if re.search(r"[^\W\d_]", label) else ""
    key = key or _autocomplete_key(field) or field_identifier(field, MAX_KEY_LENGTH)
    return key or ("file" if field.kind == "file" else field.type.partition("-")[0] or field.kind)


def _autocomplete_key(field: Field) -> str:
    words = [
        word
        for word in field.autocomplete.split()
        if word not in ("on", "off") and not word.startswith(_AUTOCOMPLETE_SECTIONS)
    ]
    return slug(words[-1], MAX_KEY_LENGTH) if words else ""


def schema_of(field: Field) -> Schema:
    """Return the JSON Schema of a field's value."""
    schema = _KINDS.get(field.kind, _text)(field)
    if is_sensitive(field):
        schema["writeOnly"] = True
        schema.pop("default", None)
    if description := _description(field):
        schema["description"] = description
    return schema


def is_sensitive(field: Field) -> bool:
    """Whether the value of a field must not be returned."""
    return (
        field.secret
        or any(token in field.autocomplete.split() for token in _SENSITIVE_TOKENS)
        or _SENSITIVE.search(label_of(field)) is not None
    )


def _description(field: Field) -> str:
    """Describe what the key does not already say, quoting the page's label and hint."""
    label = label_of(field)
    parts = [label] if label and slug(label, 200) != label.lower().replace(" ", "_") else []
    parts += [field.hint] if field.hint and field.hint != label else []
    quoted = quote_page_text("; ".join(parts), _MAX_DESCRIPTION_LENGTH)
    bounds = f"{field.min} to {field.max}" if field.min and field.max else field.min and f"from {field.min}"
    bounds = bounds or (f"to {field.max}" if field.max else "")
    notes = [f"Dates {bounds}."] if bounds and field.kind in ("date", "datetime", "month", "week") else []
    notes += ["Path of a file in your folder."] if field.kind == "file" else []
    return " ".join([*notes, *([f"From the page: {quoted}"] if quoted else [])])


def quote_page_text(text: str, max_length: int) -> str:
    """Quote text of the page, shortened; "" if there is none."""
    plain = " ".join(text.replace("“", "'").replace("”", "'").split())
    if not plain:
        return ""
    return f"“{plain if len(plain) <= max_length else plain[:max_length].rstrip() + '…'}”"


def _text(field: Field) -> Schema:
    schema: Schema = {"type": "string"}
    formats = {"email": "email", "url": "uri"}
    if field.kind in formats and not field.multiple:
        schema["format"] = formats[field.kind]
    if field.minlength is not None:
        schema["minLength"] = field.minlength
    if field.maxlength is not None:
        schema["maxLength"] = field.maxlength
    if field.pattern:
        schema["pattern"] = f"^(?:{field.pattern})$"
    return _with_value(field, schema)


def _with_value(field: Field, schema: Schema) -> Schema:
    if field.examples:
        schema["examples"] = list(field.examples)
    if field.value:
        schema["default"] = field.value
    return schema


def _number(field: Field) -> Schema:
    values = (field.min, field.max, field.step, field.value)
    whole = field.step != "any" and all(not value or _WHOLE.fullmatch(value) for value in values)
    schema: Schema = {"type": "integer" if whole else "number"}
    for name, value in (("minimum", field.min), ("maximum", field.max), ("default", field.value)):
        if value and _NUMBER.fullmatch(value):
            schema[name] = int(float(value)) if whole else float(value)
    step = int(float(field.step)) if whole and field.step else 1
    if step > 1 and schema.get("minimum", 0) % step == 0:
        schema["multipleOf"] = step
    return schema


def _with_format(kind: str) -> Callable[[Field], Schema]:
    return lambda field: _with_value(field, {"type": "string", "format": kind})


def _with_pattern(pattern: str) -> Callable[[Field], Schema]:
    return lambda field: _with_value(field, {"type": "string", "pattern": pattern})


def _check(field: Field) -> Schema:
    return {"type": "boolean", "default": field.value == "true"}


def _file(field: Field) -> Schema:
    if field.multiple:
        return {"type": "array", "items": {"type": "string"}}
    return {"type": "string"}


def _choice(field: Field) -> Schema:
    options = selectable_options(field)
    one: Schema = {"type": "string"}
    labels = list(dict.fromkeys(option.label for option in options))
    if max(len(labels), field.count if len(labels) >= MAX_CHOICES else 0) > MAX_CHOICES:
        one["examples"] = labels[:_MAX_EXAMPLES]
    elif labels:
        one["enum"] = labels
    now = [option.label for option in options if option.selected]
    if not field.multiple and field.kind != "checks":
        return one | ({"default": now[0]} if now else {})
    several: Schema = {"type": "array", "items": one, "uniqueItems": True}
    return several | ({"default": now} if now else {})


def selectable_options(field: Field) -> list[Option]:
    """Return the options that can be chosen: neither disabled ones nor a placeholder ("Please choose")."""
    return [
        option
        for option in field.options
        if option.label and not option.disabled and not (option.empty and _is_placeholder(field, option))
    ]


def _is_placeholder(field: Field, option: Option) -> bool:
    return (
        field.required
        or _PLACEHOLDER.search(option.label) is not None
        or not any(map(str.isalnum, option.label))
    )


def _combobox(field: Field) -> Schema:
    if field.options:
        return _choice(field)
    shown = field.value if field.typable or not _PLACEHOLDER.search(field.value) else ""
    return {"type": "string"} | ({"default": shown} if shown else {})


_KINDS: Final[dict[str, Callable[[Field], Schema]]] = {
    "number": _number,
    "spin": _number,
    "date": _with_format("date"),
    "time": _with_format("time"),
    "datetime": _with_format("date-time"),
    "month": _with_pattern(r"^\d{4}-(0[1-9]|1[0-2])$"),
    "week": _with_pattern(r"^\d{4}-W(0[1-9]|[1-4]\d|5[0-3])$"),
    "color": _with_pattern(r"^#[0-9a-f]{6}$"),
    "check": _check,
    "checks": _choice,
    "radio": _choice,
    "select": _choice,
    "listbox": _choice,
    "combobox": _combobox,
    "file": _file,
}


def object_schema(properties: dict[str, Schema], required: list[str]) -> Schema:
    """Return the schema of a tool's arguments."""
    schema: dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": False}
    return schema | ({"required": required} if required else {})
