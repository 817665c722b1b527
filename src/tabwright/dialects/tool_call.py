"""Calls of tools: models of the arguments as clients write them, which say the action that each means."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from tabwright.action import Args, Catalog, Effect
from tabwright.call import Call
from tabwright.dialects.dialect import Tool
from tabwright.errors import InvalidArgs
from tabwright.schema import Schema, schema_of, validate

_SHOWN = ("type", "enum", "items", "default", "description")


@dataclass(frozen=True)
class Bounds:
    """How large pictures may be."""

    max_side: int = 1568
    max_bytes: int = 5 * 1024 * 1024


class ToolCall(Args):
    """A call of one tool: its docstring describes the tool, `request` says it in the catalogue's words."""

    effect: ClassVar[Effect] = Effect.ACT

    @property
    def place(self) -> str | None:
        """The session that the call names, if it does."""
        return None

    def request(self, bounds: Bounds) -> Call:
        """Return the call of an action."""
        raise NotImplementedError

    def of(self, action: str, **args: Any) -> Call:
        """Call an action with what was given of its arguments."""
        given = {name: value for name, value in args.items() if value is not None}
        return Call(action, given, session=self.place)


def requested(catalog: Catalog, call: type[ToolCall], arguments: Mapping[str, Any], bounds: Bounds) -> Call:
    """Check the arguments of a call, and say it in the catalogue's words.

    Raises:
        InvalidArgs: an argument is wrong, or names an action that is not there.
    """
    checked = validate(call, arguments)
    assert isinstance(checked, ToolCall)
    request = checked.request(bounds)
    if request.action not in catalog:
        raise InvalidArgs(
            f"There is no action {request.action!r:.100}.", hint='Look for it with {"find": "words"}.'
        )
    return request


def tool_of(name: str, call: type[ToolCall], *, last: str) -> Tool:
    """Describe the tool of a call; what every tool has (`last`) stands behind its own arguments."""
    assert call.__doc__ is not None
    return Tool(
        name=name,
        description=call.__doc__,
        schema=_lean(schema_of(call), last),
        read_only=call.effect is Effect.READ,
        destructive=call.effect is Effect.DESTROY,
        idempotent=call.effect is Effect.READ,
    )


def _lean(schema: Schema, last: str) -> Schema:
    """Leave out what is checked on a call anyway, and named when it is wrong."""
    fields = {
        name: {key: field[key] for key in _SHOWN if field.get(key, []) not in ([], {})}
        for name, field in schema["properties"].items()
    }
    if last in fields:
        fields[last] = fields.pop(last)
    required = {"required": schema["required"]} if "required" in schema else {}
    return {"type": "object", "properties": fields, **required}
