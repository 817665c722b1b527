"""Arguments of an action: their JSON Schema, which any client reads, and what is given against their model.

A schema is flat, without titles, references or nulls.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import ValidationError

from tabwright.action import Args
from tabwright.errors import InvalidArgs

Schema = dict[str, Any]


def schema_of(model: type[Args]) -> Schema:
    """Return the object schema of a model's fields: the caller's own dictionary, of parts that are shared."""
    return dict(_schema_of(model))


@cache
def _schema_of(model: type[Args]) -> Schema:
    """As `schema_of`, made once: that takes a millisecond, and a list of tools has a hundred."""
    whole = model.model_json_schema()
    definitions = whole.get("$defs", {})
    properties = {name: _plain(field, definitions) for name, field in whole.get("properties", {}).items()}
    schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    if whole.get("required"):
        schema["required"] = whole["required"]
    return schema


def _plain(field: Schema, definitions: Schema) -> Schema:
    """Put references in place, drop titles; what may be left out is not required, rather than null."""
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


def validate(model: type[Args], given: Mapping[str, Any]) -> Args:
    """Check arguments against their model.

    Raises:
        InvalidArgs: naming each field at fault.
    """
    try:
        return model.model_validate(dict(given))
    except ValidationError as error:
        known = ", ".join(field.alias or name for name, field in model.model_fields.items()) or "none"
        raise InvalidArgs(f"{faults(error)}.", hint=f"Fields: {known}.") from None


def faults(error: ValidationError) -> str:
    """Name each field at fault, and what is wrong with it."""
    return "; ".join(
        f"{'.'.join(map(str, fault['loc'])) or 'arguments'}: {fault['msg']}" for fault in error.errors()
    )
