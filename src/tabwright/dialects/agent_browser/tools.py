"""agent-browser's tools, each with the words of its command."""

from collections.abc import Sequence
from typing import Annotated, Literal

import orjson
from pydantic import Field

from tabwright.action import Effect
from tabwright.dialects.agent_browser.call import CommandCall, OnElement, Reading, Target, Word
from tabwright.errors import InvalidArgs

Headers = Annotated[dict[str, str], Field(max_length=100, description="Names and values")]


class Open(CommandCall):
    """Go to an address."""

    verb = "open"
    url: Word = Field(description="Address; https when it has no scheme")
    headers: Headers | None = Field(None, description="Headers for requests to its origin")

    def words(self) -> Sequence[str]:
        headers = [] if self.headers is None else ["--headers", _json(self.headers)]
        return (self.url, *headers)


class Snapshot(Reading):
    """See the page: what can be used on it, with refs (@e2) to act on."""

    verb = "snapshot"
    interactive: bool = Field(True, description="Only what can be used")
    compact: bool = Field(True, description="Leave out empty wrappers")
    depth: int | None = Field(30, ge=1, le=1_000, description="How deep to look")
    selector: Target | None = Field(None, description="Only this part of the page")

    def words(self) -> Sequence[str]:
        return (
            *(["-i"] if self.interactive else []),
            *(["-c"] if self.compact else []),
            *(["-d", str(self.depth)] if self.depth is not None else []),
            *(["-s", self.selector] if self.selector is not None else []),
        )


class Click(OnElement):
    """Click an element."""

    verb = "click"


class Fill(OnElement):
    """Clear a field and put a value into it."""

    verb = "fill"
    value: str = Field(max_length=100_000, description="What it is to hold")

    def values(self) -> Sequence[str]:
        return (self.value,)


class Type(OnElement):
    """Type into a field, after what it holds."""

    verb = "type"
    text: str = Field(max_length=100_000, description="What to type")

    def values(self) -> Sequence[str]:
        return (self.text,)


class Press(CommandCall):
    """Press a key or chord where the focus is."""

    verb = "press"
    key: str = Field(min_length=1, max_length=100, description="Enter, Tab, Control+a")

    def values(self) -> Sequence[str]:
        return (self.key,)


class Hover(OnElement):
    """Move the pointer over an element."""

    verb = "hover"


class Check(OnElement):
    """Check a checkbox or radio button."""

    verb = "check"


class Uncheck(OnElement):
    """Uncheck a checkbox."""

    verb = "uncheck"


class Select(OnElement):
    """Choose in a list."""

    verb = "select"
    choices: list[str] = Field(
        alias="values", min_length=1, max_length=100, description="Values or labels to choose"
    )

    def values(self) -> Sequence[str]:
        return self.choices


class Upload(OnElement):
    """Give files to a file field."""

    verb = "upload"
    files: list[Word] = Field(min_length=1, max_length=100, description="Paths, relative to your folder")

    def words(self) -> Sequence[str]:
        return (self.target, *self.files)


class Get(Reading):
    """Read something of the page or of an element."""

    verb = "get"
    what: Literal["text", "html", "value", "attr", "title", "url", "count", "box", "styles"] = Field(
        description="title and url are the page's; the others need a target"
    )
    target: Target | None = None
    name: Word | None = Field(None, description="Name of the attribute, for attr")

    def words(self) -> Sequence[str]:
        return tuple(word for word in (self.what, self.target, self.name) if word is not None)


class Find(CommandCall):
    """Find an element by what it is to a person, and do something with it."""

    verb = "find"
    by: Literal["role", "text", "label", "placeholder", "alt", "title", "testid", "first", "last", "nth"] = (
        Field(description="What is known of it; first, last and nth take a selector")
    )
    value: Word = Field(description="Role, text, label … or selector")
    action: Literal["click", "fill", "type", "hover", "focus", "check", "uncheck", "text"] = Field(
        "click", description="What to do; text reads it"
    )
    text: str | None = Field(None, max_length=100_000, description="Value for fill and type")
    name: Word | None = Field(None, description="Accessible name, with role")
    exact: bool = Field(False, description="The whole text, in the same case")
    index: int | None = Field(None, ge=0, description="Which, from 0, with nth")

    def words(self) -> Sequence[str]:
        return (
            self.by,
            *([str(self.index or 0)] if self.by == "nth" else []),
            self.value,
            self.action,
            *(["--name", self.name] if self.name is not None else []),
            *(["--exact"] if self.exact else []),
        )

    def values(self) -> Sequence[str]:
        return () if self.text is None else (self.text,)


class Wait(Reading):
    """Wait for one thing: an element, a time, a text, an address, a page, a condition."""

    verb = "wait"
    target: Target | None = Field(None, description="Until this element is seen")
    milliseconds: int | None = Field(None, ge=0, le=600_000, description="So long")
    text: Word | None = Field(None, description="Until the page shows this text")
    url: Word | None = Field(None, description="Until the address fits this pattern: **/done")
    load: Literal["load", "domcontentloaded", "networkidle"] | None = Field(
        None, description="Until the page is so far"
    )
    fn: Word | None = Field(None, description="Until this expression is true")

    def words(self) -> Sequence[str]:
        return (
            *([self.target] if self.target is not None else []),
            *([str(self.milliseconds)] if self.milliseconds is not None else []),
            *(word for flag in ("text", "url", "load", "fn") for word in self._flag(flag)),
        )

    def _flag(self, name: str) -> Sequence[str]:
        value = getattr(self, name)
        return () if value is None else (f"--{name}", value)


class Screenshot(CommandCall):
    """Take a picture of the page into a file."""

    verb = "screenshot"
    path: Word | None = Field(None, description="File to write, such as page.png")
    target: Target | None = Field(None, description="Only this element")
    full: bool = Field(False, description="The whole page, not only what is seen")
    annotate: bool = Field(False, description="Draw the refs of what can be used")

    def words(self) -> Sequence[str]:
        return (
            *(word for word in (self.target, self.path) if word is not None),
            *(["--full"] if self.full else []),
            *(["--annotate"] if self.annotate else []),
        )


class Tab(CommandCall):
    """List, open, choose or close tabs."""

    verb = "tab"
    action: Literal["list", "new", "switch", "close"] = Field("list", description="What to do")
    tab: Word | None = Field(None, description="Tab to switch to or to close, as listed: t2")
    url: Word | None = Field(None, description="Address of a new tab")

    def words(self) -> Sequence[str]:
        if self.action == "switch" and self.tab is None:
            raise InvalidArgs("tab: which one to switch to?", hint="List the tabs, then name one.")
        about = {"new": self.url, "switch": self.tab, "close": self.tab}.get(self.action)
        verb = () if self.action == "switch" else (self.action,)
        return verb if about is None else (*verb, about)


class Back(CommandCall):
    """Go back in the history of the tab."""

    verb = "back"


class Forward(CommandCall):
    """Go forward in the history of the tab."""

    verb = "forward"


class Reload(CommandCall):
    """Load the page again."""

    verb = "reload"


class Close(CommandCall):
    """Close the browser of the session, with all its tabs."""

    verb, effect = "close", Effect.DESTROY


class Session(Reading):
    """Tell the name of the session that commands work in."""

    verb = "session"


class SessionList(Reading):
    """List the sessions that are open."""

    verb = "session"

    def words(self) -> Sequence[str]:
        return ("list",)


class Connect(CommandCall):
    """Work in a browser that runs already and listens to debuggers; commands after it need no cdp_port."""

    verb = "connect"
    cdp_port: int = Field(ge=1, le=65535, description="Its debugging port")

    def words(self) -> Sequence[str]:
        return (str(self.cdp_port),)

    @property
    def joined(self) -> int | None:
        return None


class SetHeaders(CommandCall):
    """Send extra headers with every request."""

    verb = "set"
    headers: Headers = Field(description="Names and values; none takes them back")

    def words(self) -> Sequence[str]:
        return ("headers", _json(self.headers))


class Doctor(Reading):
    """Check what the browser and its program need."""

    verb = "doctor"


class Command(CommandCall):
    """Run another command of agent-browser, for what has no tool of its own."""

    verb, effect = "", Effect.DESTROY
    argv: list[str] = Field(
        min_length=1, max_length=1_000, description='The command\'s words: ["cookies", "get"]'
    )

    @property
    def first(self) -> str:
        return self.argv[0]

    def words(self) -> Sequence[str]:
        return self.argv[1:]


TOOLS: dict[str, type[CommandCall]] = {
    "open": Open,
    "snapshot": Snapshot,
    "click": Click,
    "fill": Fill,
    "type": Type,
    "press": Press,
    "hover": Hover,
    "check": Check,
    "uncheck": Uncheck,
    "select": Select,
    "upload": Upload,
    "get": Get,
    "find": Find,
    "wait": Wait,
    "screenshot": Screenshot,
    "tab": Tab,
    "back": Back,
    "forward": Forward,
    "reload": Reload,
    "close": Close,
    "session": Session,
    "session_list": SessionList,
    "connect": Connect,
    "set_headers": SetHeaders,
    "doctor": Doctor,
    "command": Command,
}


def _json(headers: dict[str, str]) -> str:
    return orjson.dumps(headers).decode()
