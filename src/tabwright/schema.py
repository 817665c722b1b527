"""The JSON Schema of an action's arguments, and their validation.

Schemas are flat, without titles, references or nulls, so that every client can read them. What models write
instead of the declared form is accepted where its meaning is clear (`normalize`).
"""

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

import orjson
from pydantic import ValidationError

from tabwright.action import Args
from tabwright.errors import InvalidArgs
from tabwright.fields import Seconds

Schema = dict[str, Any]

# Names of the same argument: what clients of other browser tools call an element.
ELEMENT_NAMES = ("target", "selector", "ref")


class ClientName(NamedTuple):
    """What a client calls an argument; `unit` is the size of the client's unit in ours."""

    name: str
    unit: float = 1


ClientNames = Mapping[str, ClientName]
_OWN_NAMES: ClientNames = MappingProxyType({})


def schema_of(model: type[Args]) -> Schema:
    """Return the object schema of a model's fields. Callers may change its top level; the rest is shared."""
    return dict(_schema_of(model))


@cache
def _schema_of(model: type[Args]) -> Schema:
    """Build a schema once: it takes a millisecond, and a tool list has a hundred."""
    whole = model.model_json_schema()
    definitions = whole.get("$defs", {})
    properties = {name: _plain(field, definitions) for name, field in whole.get("properties", {}).items()}
    schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    if whole.get("required"):
        schema["required"] = whole["required"]
    return schema


def _plain(field: Schema, definitions: Schema) -> Schema:
    """Resolve references and drop titles; an optional field is not required instead of nullable."""
    if "$ref" in field:
        named = definitions[field["$ref"].rpartition("/")[2]]
        field = {**named, **{key: value for key, value in field.items() if key != "$ref"}}
    if "anyOf" in field:
        field = _without_null(field)
    plain = {key: value for key, value in field.items() if key != "title"}
    if plain.get("default", ...) is None:
        del plain["default"]
    if "items" in plain:
        plain["items"] = _plain(plain["items"], definitions)
    if field.get("description") and "enum" in plain:
        plain["description"] = field["description"]
    return plain


def _without_null(field: Schema) -> Schema:
    kinds = [kind for kind in field["anyOf"] if kind.get("type") != "null"]
    rest = {key: value for key, value in field.items() if key != "anyOf"}
    return {**kinds[0], **rest} if len(kinds) == 1 else {"anyOf": kinds, **rest}


def normalize(schema: Schema, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments as their schema declares them: its names, without empty ones, JSON text parsed.

    Raises:
        InvalidArgs: two arguments mean the same and differ.
    """
    fields = schema["properties"]
    present = drop_empty(schema, _rename(fields, given))
    return {name: _parse_json_text(fields.get(name, {}), value) for name, value in present.items()}


def drop_empty(schema: Schema, given: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out optional arguments that are null or "", unless their declaration accepts that value.

    In strict mode models must write every argument, and these are what they write for those they do not mean.
    """
    fields, required = schema.get("properties", {}), schema.get("required", ())
    return {
        name: value
        for name, value in given.items()
        if name in required or name not in fields or value not in (None, "") or _accepts(fields[name], value)
    }


def _accepts(field: Schema | bool, value: str | None) -> bool:
    """Whether a declaration accepts null or the empty string."""
    if isinstance(field, bool):
        return field
    if "anyOf" in field:
        return any(_accepts(kind, value) for kind in field["anyOf"])
    if "enum" in field:
        return value in field["enum"]
    declared = field.get("type", ["null", "string"])
    kinds = [declared] if isinstance(declared, str) else declared
    if value is None:
        return "null" in kinds
    return (
        "string" in kinds
        and not field.get("minLength")
        and re.match(field.get("pattern", ""), "") is not None
    )


def _rename(fields: Schema, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments by the names of their fields: `fullPage` for `full_page`, `ref` for `target`."""
    spellings = {_spelling(name): name for name in fields}
    element = next((name for name in ELEMENT_NAMES if name in fields), None)
    renamed: dict[str, Any] = {name: value for name, value in given.items() if name in fields}
    for name, value in given.items():
        if name in fields:
            continue
        field = element if name in ELEMENT_NAMES and element else spellings.get(_spelling(name), name)
        if renamed.get(field) in (None, "", value):
            renamed[field] = value
        elif value not in (None, ""):
            raise InvalidArgs(f"{field} and {name} mean the same and differ.", hint=f"Give only {field}.")
    return renamed


def _spelling(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()


def _parse_json_text(field: Schema, value: Any) -> Any:
    """Parse JSON text where a list or an object is expected; models often quote those."""
    kinds: dict[str, type] = {"array": list, "object": dict}
    wanted = kinds.get(str(field.get("type")))
    if wanted is None or not isinstance(value, str):
        return value
    try:
        parsed = orjson.loads(value)
    except orjson.JSONDecodeError:
        return value
    return parsed if isinstance(parsed, wanted) else value


def validate(
    model: type[Args], given: Mapping[str, Any], names: ClientNames = _OWN_NAMES, *, second: float = 1
) -> Args:
    """Check arguments against their model.

    Args:
        model: the model of the arguments.
        given: the arguments.
        names: what the client calls the fields, if it has its own names for them.
        second: a second in the client's unit of durations: 1000 if that is milliseconds.

    Raises:
        InvalidArgs: names each wrong field as the client does.
    """
    args = normalize(schema_of(model), given)
    if second != 1:
        durations = duration_fields(model)
        args.update({name: _in_seconds(args[name], second) for name in durations if name in args})
        names = {**names, **{name: ClientName(name, 1 / second) for name in durations}}
    try:
        valid = model.model_validate(args)
    except ValidationError as error:
        fields = [field.alias or name for name, field in model.model_fields.items()]
        known = [names[field].name for field in fields if field in names] or fields
        hint = f"Fields: {', '.join(known) or 'none'}."
        raise InvalidArgs(f"{faults(error, names)}.", hint=hint) from None
    _require_consistent(valid, names)
    return valid


def _require_consistent(args: Args, names: ClientNames) -> None:
    """Refuse arguments that contradict each other; one that equals its default does not count."""
    fields = type(args).model_fields
    for group in args.exclusive:
        given = [field for field in group if getattr(args, field) != fields[field].default]
        if len(given) > 1:
            known = [names.get(field, ClientName(field)).name for field in given]
            raise InvalidArgs(f"{' and '.join(known)} exclude each other.", hint="Give only one of them.")


def duration_fields(model: type[Args]) -> list[str]:
    """Return the fields of a model that are durations."""
    fields = model.model_fields.items()
    return [name for name, field in fields if any(isinstance(mark, Seconds) for mark in field.metadata)]


def _in_seconds(value: Any, second: float) -> Any:
    """Convert a duration; what is not a number is left for the model to refuse."""
    try:
        return value if isinstance(value, bool) else float(value) / second
    except (TypeError, ValueError):
        return value


def faults(error: ValidationError, names: ClientNames = _OWN_NAMES) -> str:
    """Describe each wrong field."""
    found = []
    for fault in error.errors():
        field, *inner = map(str, fault["loc"] or ("arguments",))
        name, unit = names.get(field, ClientName(field))
        found.append(f"{'.'.join([name, *inner])}: {_message(fault, unit)}")
    return "; ".join(found)


def _message(fault: Any, unit: float) -> str:
    """Return the message of a fault, with its limit in the client's unit."""
    message: str = fault["msg"]
    limit = next(iter(fault.get("ctx", {}).values()), None)
    if unit == 1 or not isinstance(limit, int | float):
        return message
    head, _, _ = message.rpartition(" ")
    return f"{head} {round(limit / unit)}"
