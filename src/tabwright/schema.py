"""The JSON Schema of an action's arguments, and their validation.

Schemas are flat, without titles, references or nulls, so that every client can read them.
"""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from pydantic import ValidationError

from tabwright.action import Args
from tabwright.errors import InvalidArgs

Schema = dict[str, Any]


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


def validate(model: type[Args], given: Mapping[str, Any], names: ClientNames = _OWN_NAMES) -> Args:
    """Check arguments against their model.

    Args:
        model: the model of the arguments.
        given: the arguments.
        names: what the client calls the fields, if it has its own names for them.

    Raises:
        InvalidArgs: names each wrong field as the client does.
    """
    try:
        return model.model_validate(dict(given))
    except ValidationError as error:
        fields = [field.alias or name for name, field in model.model_fields.items()]
        known = [names[field].name for field in fields if field in names] or fields
        hint = f"Fields: {', '.join(known) or 'none'}."
        raise InvalidArgs(f"{faults(error, names)}.", hint=hint) from None


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
