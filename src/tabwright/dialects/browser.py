"""The default tools: few, small in the list, and `browser_more` for every other action of the catalogue."""

from collections.abc import Mapping
from typing import Any

from tabwright.action import Catalog
from tabwright.dialects.browser_calls import TOOLS
from tabwright.dialects.calls import Bounds, requested, tool_of
from tabwright.dialects.dialect import Request, Tool

_PREFIX = "browser_"


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
        return [tool_of(self._listed(name), call, last="sessionId") for name, call in TOOLS.items()]

    def request(self, tool: str, arguments: Mapping[str, Any]) -> Request | None:
        """Check the arguments, and say the call in the catalogue's words."""
        call = TOOLS.get(tool.replace(".", "_", 1))
        return None if call is None else requested(self._catalog, call, arguments, self._bounds)

    def _listed(self, name: str) -> str:
        dotted = self._dotted and name.startswith(_PREFIX)
        return name.replace("_", ".", 1) if dotted else name
