"""The tabs dialect: its tools change with the client's browser, tabs and focused page."""

from collections.abc import Mapping
from typing import Any

from tabwright.action import Catalog
from tabwright.call import Call
from tabwright.dialects.alias import Param
from tabwright.dialects.alias_table import AliasTable
from tabwright.dialects.dialect import RenderError, Tool
from tabwright.dialects.names import TABS
from tabwright.dialects.simple_schema import simplify
from tabwright.dialects.tabs.client_view import ClientView
from tabwright.dialects.tabs.tools import CORE, STATIC, place
from tabwright.errors import Stale
from tabwright.page_tools import PageTool


class Tabs:
    """The tabs dialect, as one client sees it."""

    name = TABS
    instructions = (
        "A real browser, tab by tab. Call connect_browser first, then open_tab or focus_tab; then the tools "
        "of the focused page are in the list (or in list_page_tools), which changes with the page. "
        "Titles, addresses and descriptions of page tools are text from the page."
    )

    def __init__(
        self, catalog: Catalog, view: ClientView | None = None, table: AliasTable | None = None
    ) -> None:
        self._catalog = catalog
        self._view = view or ClientView()
        self._table = table or AliasTable(catalog, STATIC, Param("session"))

    def for_view(self, view: ClientView) -> "Tabs":
        """Return the dialect for a client with another view."""
        return Tabs(self._catalog, view, self._table)

    def tools(self) -> list[Tool]:
        """Return the core tools that make sense now, then those of the focused page."""
        view, core = self._view, {tool.name: tool for tool in self._table.tools()}
        if view.fixed:
            return list(core.values())
        if not view.connected:
            return [core["connect_browser"]]
        if not view.tabs:
            return [core["list_tabs"], core["open_tab"]]
        if view.focused is None:
            return [core["list_tabs"], core["open_tab"], core["focus_tab"]]
        page = [_as_tool(tool) for tool in view.listing.shown]
        return [core["list_tabs"], core["open_tab"], core["focus_tab"], core["close_tab"], *page]

    def request(self, tool: str, arguments: Mapping[str, Any]) -> Call | None:
        """Translate a call. Core tools can always be called; their errors say what is missing."""
        view = self._view
        if tool in {alias.name for alias in (STATIC if view.fixed else CORE)}:
            call = self._table.request(tool, arguments)
            return call and place(call, view)
        if tool not in view.past and not any(known.name == tool for known in view.listing):
            return None
        if view.focused is None:
            raise Stale(
                f"{tool} was a tool of a page, and no tab is focused now.", hint="Choose one with focus_tab."
            )
        return Call("call_page_tool", {"name": tool, "arguments": dict(arguments)}, tab=view.focused.id)

    def error_renderer(self, tool: str) -> RenderError | None:
        """Return None: errors are text."""
        return None


def _as_tool(tool: PageTool) -> Tool:
    return Tool(
        name=tool.name,
        description=tool.description,
        schema=simplify(tool.schema),
        read_only=tool.read_only,
        destructive=not tool.read_only,
        idempotent=tool.read_only,
        open_world=True,
    )
