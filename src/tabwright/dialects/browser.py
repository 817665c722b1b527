"""The browser dialect, the default: a short list of tools, and `browser_more` for every other action."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import Field

from tabwright.action import Catalog, Effect
from tabwright.call import Call
from tabwright.dialects.alias import MS, Alias, Arguments, Meaning, Param
from tabwright.dialects.alias_table import AliasTable, PictureLimits
from tabwright.dialects.dialect import RenderError, Tool
from tabwright.dialects.names import BROWSER
from tabwright.errors import InvalidArgs

_PREFIX = "browser_"


class Browser:
    """The browser dialect. Dotted names (`browser.click`) can always be called; `dotted` lists them."""

    name = BROWSER
    instructions = (
        "A real browser. Read the page with browser_snapshot, act on its refs (@e7), and read in each reply "
        "what changed. browser_more finds and runs everything else. Long answers are shortened: its action "
        "`more` reads on, `find` searches the page."
    )

    def __init__(
        self, catalog: Catalog, *, dotted: bool = False, limits: PictureLimits | None = None
    ) -> None:
        self._table = AliasTable(catalog, TOOLS, Param("sessionId", "session", "Name"), limits=limits)
        self._dotted = dotted

    def tools(self) -> list[Tool]:
        """Return the tools, most used first."""
        return [replace(tool, name=self._public_name(tool.name)) for tool in self._table.tools()]

    def request(self, tool: str, arguments: Mapping[str, Any]) -> Call | None:
        """Translate a call of a tool; None when there is no such tool."""
        return self._table.request(tool.replace(".", "_", 1), arguments)

    def error_renderer(self, tool: str) -> RenderError | None:
        """Return None: errors are text."""
        return None

    def _public_name(self, name: str) -> str:
        dotted = self._dotted and name.startswith(_PREFIX)
        return name.replace("_", ".", 1) if dotted else name


def _wait(args: Arguments) -> Meaning:
    """Choose what to wait for: an element, a text, a URL, some time, or the page to load."""
    kinds = {"target": "wait_for", "text": "wait_for_text", "pattern": "wait_for_url", "seconds": "pause"}
    given = [kind for kind in kinds if kind in args]
    if len(given) > 1:
        names = {param.target: param.name for param in _WAIT_PARAMS}
        raise InvalidArgs(
            f"{' and '.join(names[kind] for kind in given)} were given.", hint="Wait for one thing at a time."
        )
    state = args.pop("state", "visible")
    match given:
        case ["target"]:
            return "wait_for", {**args, "state": state}
        case ["text"]:
            return "wait_for_text", {**args, "gone": state in ("hidden", "detached")}
        case ["pattern"]:
            return "wait_for_url", args
        case ["seconds"]:
            args.pop("timeout", None)
            return "pause", args
    return "wait_for_load", args


def _tabs(args: Arguments) -> Meaning:
    """Choose what to do with tabs."""
    order = args.pop("action", "list")
    if order in ("select", "close") and "id" not in args:
        raise InvalidArgs(f"id: which tab to {order} is missing.", hint="List the tabs, then choose one.")
    action, wanted = {
        "list": ("list_tabs", ()),
        "open": ("new_tab", ("url",)),
        "select": ("switch_tab", ("id",)),
        "close": ("close_tab", ("id",)),
    }[order]
    if unused := sorted({"id", "url"} & set(args) - set(wanted)):
        raise InvalidArgs(f"{unused[0]} and action {order} exclude each other.", hint="Leave one out.")
    return action, args


def _more(args: Arguments) -> Meaning:
    """Search the catalogue, or run any action of it."""
    if ("words" in args) == ("action" in args):
        raise InvalidArgs("Give either find or action.", hint='For example {"find": "cookies"}.')
    if "words" in args and args["args"]:
        raise InvalidArgs("find takes no args.", hint="Find an action first, then run it with args.")
    session = {"session": args["session"]} if "session" in args else {}
    if "words" in args:
        return "find_actions", {"words": args["words"], **session}
    return args["action"], {**args["args"], **session}


_ActionName = Annotated[str, Field(min_length=1)]
_INSIDE = Param("selector", "target", "Element")
_TIMEOUT = Param("timeout", unit=MS, text="ms")
_WAIT_PARAMS = (
    Param("selector", "target", "Element", None),
    Param("state", text="Its state", default=None),
    Param("text", "wait_for_text.text", "Text", None),
    Param("url", "wait_for_url.pattern", "URL with *", None),
    Param("time", "pause.seconds", "ms", None, MS),
    _TIMEOUT,
)
TOOLS = (
    Alias(
        "browser_navigate",
        "navigate",
        "Go to a URL. Returns the final URL and status.",
        (
            Param("url", text="URL to navigate to"),
            Param(
                "waitUntil",
                "wait_until",
                "Wait for",
                type=Literal["load", "domcontentloaded", "networkidle"],
            ),
            _TIMEOUT,
        ),
        session="A lasting session; default: your own",
    ),
    Alias(
        "browser_snapshot",
        "snapshot",
        "Read the page as text with refs (@e7) to act on. Start here.",
        (
            Param("selector", "target", "Only in this element"),
            Param("interactiveOnly", "interactive_only", "Only controls"),
            Param("compact", text="No wrappers"),
        ),
    ),
    Alias(
        "browser_screenshot",
        "screenshot",
        "See the page: layout, charts, canvas.",
        (
            Param("selector", "target", "Only this element"),
            Param("fullPage", "full_page", "Whole page"),
            Param("includeAccessibilityTree", "snapshot", "Add the snapshot", True),
            Param("marks", text="Draw refs", default=None),
        ),
    ),
    Alias(
        "browser_click",
        "click",
        "Click an element. Reports what changed.",
        (
            Param("selector", "target", "@e7, CSS, text=… or @xy(x,y) of the last screenshot"),
            Param("waitForNavigation", "wait_for_navigation", "Wait for a new page"),
            _TIMEOUT,
        ),
    ),
    Alias(
        "browser_fill",
        "fill",
        "Set a form field of any kind, also select and checkbox.",
        (
            Param("selector", "target", "Field"),
            Param("value", text="Text, option label, true, 2026-05-31"),
            Param("clearFirst", "clear", "false appends"),
        ),
    ),
    Alias(
        "browser_press",
        "press",
        "Press a key on an element or the focused one.",
        (Param("key", text="Enter, Control+a"), _INSIDE),
    ),
    Alias(
        "browser_scroll",
        "scroll",
        "Scroll the page or an element.",
        (Param("direction", text="Direction"), Param("pixels", text="Distance"), _INSIDE),
    ),
    Alias(
        "browser_wait",
        "wait_for",
        "Wait for one of these or the page to load.",
        _WAIT_PARAMS,
        translate=_wait,
        also=("wait_for_text", "wait_for_url", "pause", "wait_for_load"),
    ),
    Alias(
        "browser_evaluate",
        "evaluate",
        "Run JavaScript in the page. Prefer other tools.",
        (
            Param("script", text="Expression, function, or code with return"),
            Param("args", text="Its `args`"),
            Param("target", text="Element: first arg"),
        ),
    ),
    Alias(
        "browser_tabs",
        "switch_tab",
        "List, open, select or close tabs.",
        (
            Param("action", "", "list if omitted", None, type=Literal["list", "open", "select", "close"]),
            Param("id", text="Such as t2", default=None),
            Param("url", "new_tab.url", "To open", None),
        ),
        translate=_tabs,
        also=("list_tabs", "new_tab", "close_tab"),
        effect=Effect.ACT,
    ),
    Alias(
        "browser_close",
        "close_session",
        "Close a session with its tabs.",
        (
            Param("graceful", text="Finish pending calls"),
            Param("sessionId", "name", "Default: all", None),
        ),
    ),
    Alias(
        "list_page_tools",
        "list_page_tools",
        "List forms and lists of the page as tools: the fastest way to use them.",
        (Param("more", text="All of them", default=None),),
    ),
    Alias(
        "call_page_tool",
        "call_page_tool",
        "Run a tool from list_page_tools.",
        (Param("name", text="As listed"), Param("arguments", text="Its args")),
    ),
    Alias(
        "browser_more",
        "",
        "Everything else: hover, drag, upload, downloads, dialogs, cookies, network, console, PDF, tables.",
        (
            Param(
                "find",
                "find_actions.words",
                "Keywords; lists actions",
                default=None,
            ),
            Param("action", type=_ActionName, text="Action to run", default=None),
            Param("args", type=dict[str, Any], text="Its args; also tab, max_tokens", default={}),
        ),
        translate=_more,
        effect=Effect.ACT,
        second=1_000,
    ),
)
