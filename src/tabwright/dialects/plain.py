"""The catalogue as it is: each action a tool of its own name, with session, tab and budget beside its own."""

from collections.abc import Mapping
from typing import Any

from tabwright.action import Action, Catalog, Effect
from tabwright.browser.tab import Tab
from tabwright.dialects.dialect import Request, Tool
from tabwright.schema import Schema, schema_of

_SESSION: Schema = {
    "type": "string",
    "maxLength": 100,
    "description": "Session to work in; your own when not given.",
}
_TAB: Schema = {
    "type": "string",
    "maxLength": 20,
    "description": "Tab to work in; the current one when not given.",
}
_BUDGET: Schema = {
    "type": "integer",
    "minimum": 50,
    "maximum": 100_000,
    "description": "Most tokens of the answer.",
}


class Plain:
    """The plain dialect."""

    name = "plain"

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def tools(self) -> list[Tool]:
        """One tool for each action."""
        return [_tool(action) for action in self._catalog]

    def request(self, tool: str, arguments: Mapping[str, Any]) -> Request | None:
        """Part the arguments of the action from those of the runner."""
        if tool not in self._catalog:
            return None
        args = dict(arguments)
        beside = {name: args.pop(name, None) for name in ("session", "tab", "max_tokens")}
        return Request(tool, args, **beside)


def _tool(action: Action) -> Tool:
    schema = schema_of(action.args)
    tab = {"tab": _TAB} if action.scope is Tab else {}
    schema["properties"] = {**schema["properties"], "session": _SESSION, **tab, "max_tokens": _BUDGET}
    return Tool(
        name=action.name,
        description=action.summary,
        schema=schema,
        read_only=action.effect is Effect.READ,
        destructive=action.effect is Effect.DESTROY,
        idempotent=action.idempotent,
    )
