"""The core tools of the tabs dialect: arguments as its document has them, answers too."""

from typing import Any, ClassVar

from pydantic import ConfigDict, Field

from tabwright.action import Effect
from tabwright.actions.connect import Connected
from tabwright.actions.tabs import TabLine, TabList
from tabwright.browser.tab import Tab
from tabwright.budget import DEFAULT_TOKENS, tokens
from tabwright.call import Call
from tabwright.dialects.tabs.client_view import ClientView
from tabwright.dialects.tool_call import Bounds, ToolCall
from tabwright.errors import Blocked, NotFound

Json = dict[str, Any]

_LONGEST_URL = 500


class TabsCall(ToolCall):
    """A call that depends on what the client has before it."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    def request(self, bounds: Bounds) -> Call:
        return self.on(ClientView())

    def on(self, desk: ClientView) -> Call:
        """Say the call in the catalogue's words.

        Raises:
            Blocked: what the client has before it does not let it.
            NotFound: it names a tab that is not there.
        """
        raise NotImplementedError


class ConnectBrowser(TabsCall):
    """Establish connection to browser (attach to existing or launch new)"""  # noqa: D415 - the document's

    effect: ClassVar[Effect] = Effect.ACT
    launch: bool = Field(False, description="Launch new browser instance if none found")

    def on(self, desk: ClientView) -> Call:
        return Call("connect_browser", {"launch": self.launch}, render=_connected)


class ListTabs(TabsCall):
    """See all open tabs without loading their tools"""  # noqa: D415 - the document's

    effect: ClassVar[Effect] = Effect.READ

    def on(self, desk: ClientView) -> Call:
        _require_browser(desk)
        return Call("list_tabs", {"tools": True}, render=_listed)


class OpenTab(TabsCall):
    """Open a new browser tab"""  # noqa: D415 - the document's

    url: str = Field(max_length=100_000, description="URL to open")
    focus: bool = Field(True, description="Focus the new tab after opening")

    def on(self, desk: ClientView) -> Call:
        _require_browser(desk)
        args = {"url": self.url, "wait_until": "domcontentloaded", "current": self.focus, "tools": True}
        return Call("new_tab", args, render=_opened)


class FocusTab(TabsCall):
    """Switch focus to a different tab, loading its tools"""  # noqa: D415 - the document's

    tab_id: float = Field(alias="tabId", description="ID of the tab to focus")

    def on(self, desk: ClientView) -> Call:
        tab = _tab(desk, self.tab_id)
        return Call("switch_tab", {"id": tab.id, "tools": True}, render=_focused)


class CloseTab(TabsCall):
    """Close a tab"""  # noqa: D415 - the document's

    effect: ClassVar[Effect] = Effect.DESTROY
    tab_id: float | None = Field(
        None, alias="tabId", description="ID of tab to close. Defaults to focused tab."
    )

    def on(self, desk: ClientView) -> Call:
        tab = _tab(desk, self.tab_id) if self.tab_id is not None else require_focus(desk)
        return Call("close_tab", {"id": tab.id}, render=_closed)


class ListPageTools(TabsCall):
    """List the focused page's own tools"""  # noqa: D415 - as the others

    effect: ClassVar[Effect] = Effect.READ
    more: bool = Field(False, description="Also those that matter less")

    def on(self, desk: ClientView) -> Call:
        return Call("list_page_tools", {"more": self.more}, tab=require_focus(desk).id)


class CallPageTool(TabsCall):
    """Run a tool of list_page_tools"""  # noqa: D415 - as the others

    name: str = Field(min_length=1, max_length=128)
    arguments: dict[str, Any] = Field({})

    def on(self, desk: ClientView) -> Call:
        args = {"name": self.name, "arguments": self.arguments}
        return Call("call_page_tool", args, tab=require_focus(desk).id)


CORE: dict[str, type[TabsCall]] = {
    "connect_browser": ConnectBrowser,
    "list_tabs": ListTabs,
    "open_tab": OpenTab,
    "focus_tab": FocusTab,
    "close_tab": CloseTab,
}
# For clients whose list must not vary.
STATIC: dict[str, type[TabsCall]] = {
    **CORE,
    "list_page_tools": ListPageTools,
    "call_page_tool": CallPageTool,
}


def require_focus(desk: ClientView) -> Tab:
    """Return the tab in focus.

    Raises:
        Blocked: none is.
    """
    _require_browser(desk)
    if desk.focused is None:
        hint = "Choose one with focus_tab." if desk.tabs else "Open one with open_tab."
        raise Blocked("No tab is focused.", hint=hint)
    return desk.focused


def _require_browser(desk: ClientView) -> None:
    if not desk.connected:
        raise Blocked("No browser is connected.", hint="Call connect_browser first.")


def _tab(desk: ClientView, number: float) -> Tab:
    _require_browser(desk)
    for tab in desk.tabs:
        if _number(tab.id) == number:
            return tab
    known = ", ".join(str(_number(tab.id)) for tab in desk.tabs) or "none"
    raise NotFound(f"There is no tab {number:g}; open tabs: {known}.", hint="Choose one of them.")


def _number(tab_id: str) -> int:
    """The number that stands for a tab as long as it lives."""
    return int(tab_id[1:])


def _connected(result: Connected) -> Json:
    if not result.connected:
        return {"connected": False, "error": result.error, "instructions": result.instructions}
    return {
        "connected": True,
        "browser": {"name": result.browser, "version": result.version},
        "tabCount": result.tabs,
        **({"note": result.note} if result.note else {}),
    }


def _listed(result: TabList) -> Json:
    """All tabs; of very many, as many as an answer holds, and how many more there are."""
    lines = [line for line in result.tabs if not line.crashed]
    told = [_of(line, focused=line.id == result.chosen, toolCount=len(line.tools or ())) for line in lines]
    focused = next((_number(line.id) for line in lines if line.id == result.chosen), None)
    whole: Json = {"tabs": told, "focusedTabId": focused}
    while len(whole["tabs"]) > 1 and tokens(str(whole)) > DEFAULT_TOKENS:
        short = whole["tabs"][: len(whole["tabs"]) * 3 // 4]
        whole = {"tabs": short, "focusedTabId": focused, "moreTabs": len(told) - len(short)}
    return whole


def _opened(result: TabList) -> Json:
    line = _done_to(result)
    focused = line.id == result.chosen
    return {"tab": _of(line), "focused": focused, "toolsAvailable": line.tools if focused else []}


def _focused(result: TabList) -> Json:
    line = _done_to(result)
    return {"success": True, "tab": _of(line), "toolsAvailable": line.tools or []}


def _closed(result: TabList) -> Json:
    return {"closed": True, "tabId": _number(result.done_to)}


def _done_to(result: TabList) -> TabLine:
    """The line of the tab that was opened or switched to; one that went away at once has only its id."""
    gone = TabLine(id=result.done_to, url="", current=False)
    return next((line for line in result.tabs if line.id == result.done_to), gone)


def _of(line: TabLine, **more: Any) -> Json:
    return {"id": _number(line.id), "title": line.title or "", "url": line.url[:_LONGEST_URL], **more}
