"""The default tools: few, small in the list, and `browser_more` for every other action of the catalogue."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from tabwright.action import Catalog, Effect
from tabwright.call import Call
from tabwright.dialects.dialect import CallOptions, Tool
from tabwright.dialects.tool_call import Bounds, ToolCall, requested, tool_of
from tabwright.errors import InvalidArgs
from tabwright.schema import validate

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

    def request(self, tool: str, arguments: Mapping[str, Any]) -> Call | None:
        """Check the arguments, and say the call in the catalogue's words."""
        call = TOOLS.get(tool.replace(".", "_", 1))
        return None if call is None else requested(self._catalog, call, arguments, self._bounds)

    def _listed(self, name: str) -> str:
        dotted = self._dotted and name.startswith(_PREFIX)
        return name.replace("_", ".", 1) if dotted else name


Session = str | None
_session = Field(None, min_length=1, max_length=100)
_selector = Field(min_length=1, max_length=2_000)


class BrowserCall(ToolCall):
    """A call of one of the default tools."""

    model_config = ConfigDict(alias_generator=to_camel, frozen=True, extra="forbid")

    session_id: Session = _session

    @property
    def place(self) -> str | None:
        return self.session_id


class Navigate(BrowserCall):
    """Go to a URL. Tells the final URL and HTTP status; browser_snapshot then reads the page."""

    url: str = Field(min_length=1, max_length=100_000)
    wait_until: Literal["load", "domcontentloaded", "networkidle"] = "load"
    timeout: float = Field(30_000, gt=0, le=600_000, description="ms")
    session_id: Session = Field(
        None, min_length=1, max_length=100, description="Named session to keep; your own if omitted"
    )

    def request(self, bounds: Bounds) -> Call:
        return self.of("navigate", url=self.url, wait_until=self.wait_until, timeout=self.timeout / 1000)


class Snapshot(BrowserCall):
    """Read the page as text with refs (@e7) to act on. Start here; cheaper and surer than a screenshot."""

    effect = Effect.READ
    selector: str | None = Field(None, min_length=1, max_length=2_000, description="Only inside it")
    interactive_only: bool = False
    compact: bool = True

    def request(self, bounds: Bounds) -> Call:
        return self.of(
            "snapshot", target=self.selector, interactive_only=self.interactive_only, compact=self.compact
        )


class Screenshot(BrowserCall):
    """See the page: layout, charts, canvas. The snapshot comes along; alone it is cheaper."""

    effect = Effect.READ
    selector: str | None = Field(None, min_length=1, max_length=2_000, description="Only this element")
    full_page: bool = False
    include_accessibility_tree: bool = True
    marks: bool = Field(False, description="Draw refs on it")

    def request(self, bounds: Bounds) -> Call:
        return self.of(
            "screenshot",
            target=self.selector,
            full_page=self.full_page,
            snapshot=self.include_accessibility_tree,
            marks=self.marks,
            max_side=bounds.max_side,
            max_bytes=bounds.max_bytes,
        )


class Click(BrowserCall):
    """Click an element. Tells what changed, so that no snapshot is needed after it."""

    selector: str = Field(
        min_length=1,
        max_length=2_000,
        description="@e7, CSS, text=…, or @xy(x,y): pixels of the last screenshot",
    )
    wait_for_navigation: bool = False
    timeout: float = Field(5_000, gt=0, le=600_000, description="ms")

    def request(self, bounds: Bounds) -> Call:
        return self.of(
            "click",
            target=self.selector,
            wait_for_navigation=self.wait_for_navigation,
            timeout=self.timeout / 1000,
        )


class Fill(BrowserCall):
    """Set a form field of any kind: text, select (label), checkbox (true), date (2026-05-31)."""

    selector: str = _selector
    value: str = Field(max_length=10_000_000)
    clear_first: bool = True

    def request(self, bounds: Bounds) -> Call:
        return self.of("fill", target=self.selector, value=self.value, clear=self.clear_first)


class Press(BrowserCall):
    """Press a key or chord (Enter, Control+a) on an element, or where the focus is."""

    key: str = Field(min_length=1, max_length=100)
    selector: str | None = Field(None, min_length=1, max_length=2_000)

    def request(self, bounds: Bounds) -> Call:
        return self.of("press", key=self.key, target=self.selector)


class Scroll(BrowserCall):
    """Scroll the page or an element. Clicks scroll to their element by themselves."""

    direction: Literal["up", "down", "left", "right"] = "down"
    pixels: float = Field(300, ge=0, le=1_000_000)
    selector: str | None = Field(None, min_length=1, max_length=2_000)

    def request(self, bounds: Bounds) -> Call:
        return self.of("scroll", direction=self.direction, pixels=self.pixels, target=self.selector)


class Wait(BrowserCall):
    """Wait for an element, a text or a URL (with *), or some ms; for loading when none is given."""

    effect = Effect.READ
    selector: str | None = Field(None, min_length=1, max_length=2_000)
    state: Literal["visible", "hidden", "attached", "detached", "enabled"] = "visible"
    text: str | None = Field(None, min_length=1, max_length=2_000)
    url: str | None = Field(None, min_length=1, max_length=2_000)
    time: float | None = Field(None, gt=0, le=30_000)
    timeout: float = Field(30_000, gt=0, le=600_000, description="ms")

    def request(self, bounds: Bounds) -> Call:
        named = [name for name in ("selector", "text", "url", "time") if getattr(self, name) is not None]
        if len(named) > 1:
            raise InvalidArgs(f"{' and '.join(named)} were given.", hint="Wait for one thing at a time.")
        timeout = self.timeout / 1000
        if self.selector is not None:
            return self.of("wait_for", target=self.selector, state=self.state, timeout=timeout)
        if self.text is not None:
            gone = self.state in ("hidden", "detached")
            return self.of("wait_for_text", text=self.text, gone=gone, timeout=timeout)
        if self.url is not None:
            return self.of("wait_for_url", pattern=self.url, timeout=timeout)
        if self.time is not None:
            return self.of("pause", seconds=self.time / 1000)
        return self.of("wait_for_load", timeout=timeout)


class Evaluate(BrowserCall):
    """Run JavaScript in the page: an expression, or statements with return. For what no other tool tells."""

    script: str = Field(min_length=1, max_length=1_000_000)
    args: list[Any] = Field([], description="Found in `args`")

    def request(self, bounds: Bounds) -> Call:
        return self.of("evaluate", script=self.script, args=self.args)


class Tabs(BrowserCall):
    """List, open, select or close tabs. Other tools work in the selected one."""

    action: Literal["list", "open", "select", "close"] = "list"
    id: str | None = Field(None, min_length=1, max_length=20, description="Tab, such as t2")
    url: str | None = Field(None, min_length=1, max_length=100_000)

    def request(self, bounds: Bounds) -> Call:
        if self.action in ("select", "close") and self.id is None:
            raise InvalidArgs(
                f"id: which tab to {self.action} is missing.", hint="List the tabs, then choose one."
            )
        match self.action:
            case "open":
                return self.of("new_tab", url=self.url)
            case "select":
                return self.of("switch_tab", id=self.id)
            case "close":
                return self.of("close_tab", id=self.id)
        return self.of("list_tabs")


class Close(BrowserCall):
    """Close a session with its tabs; all of yours without sessionId."""

    effect = Effect.DESTROY
    graceful: bool = Field(True, description="Let pending calls end")

    def request(self, bounds: Bounds) -> Call:
        return Call("close_session", {"name": self.session_id or "", "graceful": self.graceful})


class ListPageTools(BrowserCall):
    """List forms, searches and lists of the page as tools with arguments: the quickest way to use them."""

    effect = Effect.READ
    more: bool = Field(False)

    def request(self, bounds: Bounds) -> Call:
        return self.of("list_page_tools", more=self.more)


class CallPageTool(BrowserCall):
    """Run a tool of list_page_tools. Tells what came of it, and which tools are new."""

    name: str = Field(min_length=1, max_length=128)
    arguments: dict[str, Any] = Field({})

    def request(self, bounds: Bounds) -> Call:
        return self.of("call_page_tool", name=self.name, arguments=self.arguments)


class More(BrowserCall):
    """Everything else: hover, drag, upload, downloads, dialogs, cookies, network, console, PDF, tables."""

    find: str | None = Field(
        None, min_length=1, max_length=200, description="Words: tells fitting actions and their args"
    )
    action: str | None = Field(None, min_length=1, max_length=100, description="Action to run")
    args: dict[str, Any] = Field({}, description="Its args; also tab, max_tokens")

    def request(self, bounds: Bounds) -> Call:
        if (self.find is None) == (self.action is None):
            raise InvalidArgs("Give either find or action.", hint='Such as {"find": "cookies"}.')
        if self.action is None:
            return self.of("find_actions", words=self.find)
        args = dict(self.args)
        given = {name: args.pop(name) for name in CallOptions.model_fields if name in args}
        if self.session_id is not None:
            given["session"] = self.session_id
        return Call(self.action, args, **validate(CallOptions, given).model_dump())


TOOLS: dict[str, type[BrowserCall]] = {
    "browser_navigate": Navigate,
    "browser_snapshot": Snapshot,
    "browser_screenshot": Screenshot,
    "browser_click": Click,
    "browser_fill": Fill,
    "browser_press": Press,
    "browser_scroll": Scroll,
    "browser_wait": Wait,
    "browser_evaluate": Evaluate,
    "browser_tabs": Tabs,
    "browser_close": Close,
    "list_page_tools": ListPageTools,
    "call_page_tool": CallPageTool,
    "browser_more": More,
}
