"""The default tools: few, small in the list, and `browser_more` for every other action of the catalogue."""

from collections.abc import Mapping
from typing import Any

from tabwright.action import Catalog, Effect
from tabwright.dialects.browser_calls import TOOLS, Bounds, Call
from tabwright.dialects.dialect import Request, Tool
from tabwright.errors import InvalidArgs
from tabwright.runner import validated
from tabwright.schema import Schema, schema_of

_PREFIX = "browser_"
_SHOWN = ("type", "enum", "default", "description", "items")


class Browser:
    """The browser dialect. Dotted names (`browser.click`) can always be called, and are listed if wanted."""

    name = "browser"
    instructions = (
        "A real browser. Read the page with browser_snapshot, act on its refs (@e7), and read in each reply "
        "what changed. browser_more finds and runs everything else; long answers are shortened, its action "
        "`more` reads on and `find` searches the page."
    )

    def __init__(self, catalog: Catalog, *, dotted: bool = False, bounds: Bounds | None = None) -> None:
        self._catalog = catalog
        self._dotted = dotted
        self._bounds = bounds or Bounds()

    def tools(self) -> list[Tool]:
        """The tools, what is used most first."""
        return [_tool(self._listed(name), call) for name, call in TOOLS.items()]

    def request(self, tool: str, arguments: Mapping[str, Any]) -> Request | None:
        """Check the arguments, and say the call in the catalogue's words."""
        call = TOOLS.get(tool.replace(".", "_", 1))
        if call is None:
            return None
        checked = validated(call, arguments)
        assert isinstance(checked, Call)
        request = checked.request(self._bounds)
        if request.action not in self._catalog:
            raise InvalidArgs(
                f"There is no action {request.action!r:.100}.", hint='Look for it with {"find": "words"}.'
            )
        return request

    def _listed(self, name: str) -> str:
        dotted = self._dotted and name.startswith(_PREFIX)
        return name.replace("_", ".", 1) if dotted else name


def _tool(name: str, call: type[Call]) -> Tool:
    assert call.__doc__ is not None
    return Tool(
        name=name,
        description=call.__doc__,
        schema=_lean(schema_of(call)),
        read_only=call.effect is Effect.READ,
        destructive=call.effect is Effect.DESTROY,
        idempotent=call.effect is Effect.READ,
    )


def _lean(schema: Schema) -> Schema:
    """Leave out what is checked on a call anyway, and named when it is wrong; the session goes last."""
    fields = {
        name: {key: value for key, value in field.items() if key in _SHOWN and value not in ([], {})}
        for name, field in schema["properties"].items()
    }
    fields["sessionId"] = fields.pop("sessionId")
    required = {"required": schema["required"]} if "required" in schema else {}
    return {"type": "object", "properties": fields, **required}
