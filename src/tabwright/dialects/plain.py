"""The plain dialect: each action is a tool of the same name, with the call options added."""

from collections.abc import Mapping
from typing import Any

from tabwright.action import Action, Catalog, Effect
from tabwright.call import Call
from tabwright.dialects.dialect import CallOptions, RenderError, Tool, option_schemas
from tabwright.dialects.names import PLAIN
from tabwright.dialects.simple_schema import simplify
from tabwright.schema import schema_of, validate


class Plain:
    """The plain dialect."""

    name = PLAIN
    instructions = (
        "A real browser. Take a snapshot to see the page and its refs (@e7), act on refs, and read in each "
        "reply what changed. Long answers are shortened: `more` reads on, `find` searches."
    )

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def tools(self) -> list[Tool]:
        """Return a tool for each action."""
        return [_tool(action) for action in self._catalog]

    def request(self, tool: str, arguments: Mapping[str, Any]) -> Call | None:
        """Separate the arguments of the action from the call options."""
        if tool not in self._catalog:
            return None
        args = dict(arguments)
        given = {name: args.pop(name) for name in CallOptions.model_fields if name in args}
        return Call(tool, args, **validate(CallOptions, given).model_dump())

    def error_renderer(self, tool: str) -> RenderError | None:
        """Return None: errors are text."""
        return None


def _tool(action: Action) -> Tool:
    schema = schema_of(action.args)
    schema["properties"] = {**schema["properties"], **option_schemas(action)}
    return Tool(
        name=action.name,
        description=action.summary,
        schema=simplify(schema),
        read_only=action.effect is Effect.READ,
        destructive=action.destructive,
        idempotent=action.idempotent,
        open_world=action.open_world,
    )
