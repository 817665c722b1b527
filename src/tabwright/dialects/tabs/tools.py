"""The tools of the tabs dialect that do not come from a page: a row each, and how their results are rendered.

Names, arguments, texts and answers are those of the document that the dialect follows.
"""

from dataclasses import replace
from typing import Annotated, Any

from pydantic import Field

from tabwright.action import Effect
from tabwright.actions.connect import Connected
from tabwright.actions.tabs import TabLine, TabList
from tabwright.browser.tab import Tab
from tabwright.budget import DEFAULT_TOKENS, tokens
from tabwright.call import Call
from tabwright.dialects.alias import REQUIRED, Alias, Param
from tabwright.dialects.tabs.client_view import ClientView
from tabwright.errors import Blocked, NotFound

Json = dict[str, Any]

_MAX_URL_LENGTH = 500


def _render_connection(result: Connected) -> Json:
    if not result.connected:
        return {"connected": False, "error": result.error, "instructions": result.instructions}
    return {
        "connected": True,
        "browser": {"name": result.browser, "version": result.version},
        "tabCount": result.tabs,
        **({"note": result.note} if result.note else {}),
    }


def _render_tabs(result: TabList) -> Json:
    """Render all tabs; if they are too many for an answer, the first ones and the number of the others."""
    lines = [line for line in result.tabs if not line.crashed]
    lines_json = [
        _render_line(line, focused=line.id == result.chosen, toolCount=len(line.tools or ()))
        for line in lines
    ]
    focused = next((_number(line.id) for line in lines if line.id == result.chosen), None)
    whole: Json = {"tabs": lines_json, "focusedTabId": focused}
    while len(whole["tabs"]) > 1 and tokens(str(whole)) > DEFAULT_TOKENS:
        short = whole["tabs"][: len(whole["tabs"]) * 3 // 4]
        whole = {"tabs": short, "focusedTabId": focused, "moreTabs": len(lines_json) - len(short)}
    return whole


def _render_opened_tab(result: TabList) -> Json:
    line = _changed_line(result)
    focused = line.id == result.chosen
    return {"tab": _render_line(line), "focused": focused, "toolsAvailable": line.tools if focused else []}


def _render_focused_tab(result: TabList) -> Json:
    line = _changed_line(result)
    return {"success": True, "tab": _render_line(line), "toolsAvailable": line.tools or []}


def _render_closed_tab(result: TabList) -> Json:
    return {"closed": True, "tabId": _number(result.done_to)}


def _changed_line(result: TabList) -> TabLine:
    """Return the line of the tab that was opened or switched to; one that closed at once has only its id."""
    gone = TabLine(id=result.done_to, url="", current=False)
    return next((line for line in result.tabs if line.id == result.done_to), gone)


def _render_line(line: TabLine, **more: Any) -> Json:
    return {"id": _number(line.id), "title": line.title or "", "url": line.url[:_MAX_URL_LENGTH], **more}


_TabNumber = Annotated[float, Field(allow_inf_nan=False)]

CORE = (
    Alias(
        "connect_browser",
        "connect_browser",
        "Establish connection to browser (attach to existing or launch new)",
        (Param("launch", text="Launch new browser instance if none found", default=False),),
        effect=Effect.ACT,
        session=None,
        render=_render_connection,
    ),
    Alias(
        "list_tabs",
        "list_tabs",
        "See all open tabs without loading their tools",
        fixed={"tools": True},
        session=None,
        render=_render_tabs,
    ),
    Alias(
        "open_tab",
        "new_tab",
        "Open a new browser tab",
        (
            Param("url", text="URL to open", default=REQUIRED),
            Param("focus", "current", "Focus the new tab after opening", True),
        ),
        fixed={"wait_until": "domcontentloaded", "tools": True},
        session=None,
        render=_render_opened_tab,
    ),
    Alias(
        "focus_tab",
        "switch_tab",
        "Switch focus to a different tab, loading its tools",
        (Param("tabId", "id", "ID of the tab to focus", type=_TabNumber),),
        fixed={"tools": True},
        session=None,
        render=_render_focused_tab,
    ),
    Alias(
        "close_tab",
        "close_tab",
        "Close a tab",
        (Param("tabId", "id", "ID of tab to close. Defaults to focused tab.", None, type=_TabNumber),),
        session=None,
        render=_render_closed_tab,
    ),
)
# For clients whose list must not change.
STATIC = (
    *CORE,
    Alias(
        "list_page_tools",
        "list_page_tools",
        "List the focused page's own tools",
        (Param("more", text="Also those that matter less"),),
        session=None,
    ),
    Alias(
        "call_page_tool",
        "call_page_tool",
        "Run a tool from list_page_tools",
        (Param("name"), Param("arguments")),
        session=None,
    ),
)


def place(call: Call, view: ClientView) -> Call:
    """Point a call at the tab that it means.

    Raises:
        Blocked: the client has no browser, or no tab in focus.
        NotFound: it names a tab that is not there.
    """
    match call.action:
        case "connect_browser":
            return call
        case "list_tabs" | "new_tab":
            _require_browser(view)
            return call
        case "switch_tab" | "close_tab":
            tab = _tab(view, call.args["id"]) if "id" in call.args else require_focus(view)
            return replace(call, args={**call.args, "id": tab.id})
    return replace(call, tab=require_focus(view).id)


def require_focus(view: ClientView) -> Tab:
    """Return the focused tab.

    Raises:
        Blocked: no tab is focused.
    """
    _require_browser(view)
    if view.focused is None:
        hint = "Choose one with focus_tab." if view.tabs else "Open one with open_tab."
        raise Blocked("No tab is focused.", hint=hint)
    return view.focused


def _require_browser(view: ClientView) -> None:
    if not view.connected:
        raise Blocked("No browser is connected.", hint="Call connect_browser first.")


def _tab(view: ClientView, number: float) -> Tab:
    _require_browser(view)
    for tab in view.tabs:
        if _number(tab.id) == number:
            return tab
    known = ", ".join(str(_number(tab.id)) for tab in view.tabs) or "none"
    given = f"{number:.0f}" if float(number).is_integer() else f"{number}"
    raise NotFound(f"There is no tab {given}; open tabs: {known}.", hint="Choose one of them.")


def _number(tab_id: str) -> int:
    """Return the number of a tab, which stays the same as long as it exists."""
    return int(tab_id[1:])
