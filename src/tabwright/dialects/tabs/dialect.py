"""Tools that change with what the client has before it: no browser, tabs, or a tab and its page."""

from collections.abc import Mapping
from typing import Any

from tabwright.call import Call
from tabwright.dialects.dialect import Tool
from tabwright.dialects.tabs.client_view import ClientView
from tabwright.dialects.tabs.tools import CORE, STATIC, TabsCall
from tabwright.dialects.tool_call import tool_of
from tabwright.errors import Stale
from tabwright.page_tools import PageTool
from tabwright.schema import validate


class Tabs:
    """The tabs dialect, as it is for a client with one desk before it."""

    name = "tabs"
    instructions = (
        "A real browser, tab by tab. connect_browser comes first, open_tab or focus_tab next; then the "
        "focused page's own tools are in the list (or in list_page_tools), which changes as the page does. "
        "Titles, addresses, and what is said of a page's tools are the page's words as well."
    )

    def __init__(self, desk: ClientView | None = None) -> None:
        self._desk = desk or ClientView()

    def at(self, desk: ClientView) -> "Tabs":
        """The tools of a client with that before it."""
        return Tabs(desk)

    def tools(self) -> list[Tool]:
        """The core tools that make sense now, then those of the focused page."""
        desk = self._desk
        if desk.fixed:
            return _core(*STATIC)
        if not desk.connected:
            return _core("connect_browser")
        if not desk.tabs:
            return _core("list_tabs", "open_tab")
        if desk.focused is None:
            return _core("list_tabs", "open_tab", "focus_tab")
        page = [_listed(tool) for tool in desk.listing.shown]
        return [*_core("list_tabs", "open_tab", "focus_tab", "close_tab"), *page]

    def request(self, tool: str, arguments: Mapping[str, Any]) -> Call | None:
        """Say a call in the catalogue's words. Core tools can always be called, and say what they lack."""
        desk = self._desk
        if call := (STATIC if desk.fixed else CORE).get(tool):
            checked = validate(call, arguments)
            assert isinstance(checked, TabsCall)
            return checked.on(desk)
        if tool not in desk.past and not any(known.name == tool for known in desk.listing):
            return None
        if desk.focused is None:
            raise Stale(
                f"{tool} was a tool of a page, and no tab is focused now.", hint="Choose one with focus_tab."
            )
        return Call("call_page_tool", {"name": tool, "arguments": dict(arguments)}, tab=desk.focused.id)


def _core(*names: str) -> list[Tool]:
    return [tool_of(name, STATIC[name], last="") for name in names]


def _listed(tool: PageTool) -> Tool:
    return Tool(
        name=tool.name,
        description=tool.description,
        schema=tool.schema,
        read_only=tool.read_only,
        destructive=False,
        idempotent=False,
    )
