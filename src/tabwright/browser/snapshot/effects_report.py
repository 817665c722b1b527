"""What an action changed on the page, rendered within a bound."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import orjson

from tabwright.browser.page.dialogs import Dialog
from tabwright.browser.snapshot.nodes import Node, build
from tabwright.browser.snapshot.text import Outline
from tabwright.text import format_count, quote

if TYPE_CHECKING:
    from tabwright.browser.page.frame import Frame

# About 150 tokens.
MAX_CHARACTERS = 600
_MAX_LINE = 160
_MAX_FACT = 240
_MAX_LOOKS = 2


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that changed: "+" appeared, "~" changed, "-" disappeared."""

    sign: str
    line: str

    def __str__(self) -> str:
        line = self.line if len(self.line) <= _MAX_LINE else self.line[:_MAX_LINE] + "…"
        return f"{self.sign} {line}"


@dataclass(slots=True)
class Effects:
    """Everything that an action changed. `str()` is what an agent reads."""

    unfinished: str = ""
    """Why waiting ended before the page settled; "" if it settled."""
    navigated: str = ""
    """The new document, if the tab navigated to one."""
    url: str = ""
    """The new URL, if it changed."""
    title: str = ""
    """The new title, if it changed."""
    dialog: Dialog | None = None
    """The dialog that opened."""
    closed: bool = False
    """Whether the tab closed."""
    crashed: str = ""
    """How the page crashed, if it did."""
    stopped: bool = False
    """Whether a script blocked the page and was stopped."""
    tabs: list[str] = field(default_factory=list)
    """Tabs that were opened."""
    downloads: list[str] = field(default_factory=list)
    """Downloads that started."""
    changes: list[Change] = field(default_factory=list)
    """What appeared, changed or disappeared on the page."""
    more: int = 0
    """How many changes are not in `changes`."""
    focus: str = ""
    """The element that got the focus."""
    scrolled: str = ""
    """What is at the top of the view, if the page was scrolled."""
    looks: list[str] = field(default_factory=list)
    """Elements that may only look different now."""
    canvas: str = ""
    """A canvas where a change cannot be seen."""
    errors: list[str] = field(default_factory=list)
    """New errors in the console."""
    tools: str = ""
    """New page tools."""
    unobserved: bool = False
    """Whether the page could not be observed, so that what changed in it is unknown."""

    @property
    def empty(self) -> bool:
        """Whether there is no change to report."""
        return not list(self._facts()) and not self.changes

    def __str__(self) -> str:
        if not self.empty:
            return "\n".join(self._lines())
        if self.unobserved:
            return self._unknown()
        if self.canvas:
            return f"Nothing changed{self._reason()}, except perhaps what {self.canvas} draws: take a screenshot."
        return f"Nothing changed{self._reason()}."

    def _unknown(self) -> str:
        return f"What changed on the page is not known{self._reason()}: take a snapshot."

    def _facts(self) -> Iterator[str]:
        """What matters most, first."""
        if self.closed:
            yield "The tab closed."
        if self.crashed:
            yield self.crashed
        if self.stopped:
            yield "A script blocked the page and was stopped."
        if self.dialog:
            yield f"The page shows {self.dialog}."
        if self.navigated:
            yield f"Navigated to {self.navigated}"
        elif self.url:
            yield f"The address is now {self.url}"
        if self.title and not self.navigated:
            yield f"The title is now {quote(self.title)}"
        yield from (f"Opened tab {tab}" for tab in self.tabs)
        yield from (f"Download {download}" for download in self.downloads)
        if self.tools:
            yield f"New page tools: {self.tools}"
        yield from (f"Console: {error[:_MAX_LINE]}" for error in self.errors[:2])
        if self.focus and all(change.line != self.focus for change in self.changes):  # which shows it, too
            yield f"Focus: {self.focus[:_MAX_LINE]}"
        if self.scrolled:
            yield f"Scrolled to {self.scrolled[:_MAX_LINE]}"
        if self.looks and not self.changes:
            more = f" and {len(self.looks) - _MAX_LOOKS} more" if len(self.looks) > _MAX_LOOKS else ""
            yield f"Only the look of {', '.join(self.looks[:_MAX_LOOKS])}{more} changed."

    def _lines(self) -> Iterator[str]:
        """The facts, then as many changes as fit."""
        room, left_out = MAX_CHARACTERS - 60, 0
        for fact in self._facts():
            line = fact if len(fact) <= _MAX_FACT else fact[:_MAX_FACT] + "…"
            if len(line) >= room:
                left_out += 1
                continue
            room -= len(line) + 1
            yield line
        shown = 0
        for change in map(str, self.changes):
            room -= len(change) + 1
            if room < 0:
                break
            shown += 1
            yield change
        left_out += len(self.changes) - shown + self.more
        if left_out:
            yield f"… and {format_count(left_out, 'more change')}{self._reason()}"
        elif self.unobserved:
            yield self._unknown()
        elif self.unfinished:
            yield self.unfinished.capitalize() + "."

    def _reason(self) -> str:
        return f" ({self.unfinished})" if self.unfinished else ""


def add_report(effects: Effects, frame: "Frame", report: dict[str, Any]) -> None:
    """Add what the scripts of a frame report; their elements get refs."""
    reader = _Reader(frame, report["mark"])
    effects.more += report["more"]
    for part in report["parts"]:
        effects.changes += reader.changes(part["kind"], part["rows"])
    effects.looks += map(reader.line, report["looks"])
    if report["focus"]:
        effects.focus = reader.line(report["focus"])
    if report["canvas"]:
        effects.canvas = reader.line(report["canvas"])
    if report["scrolled"] is not None:
        effects.scrolled = reader.line(report["scrolled"]) if report["scrolled"] else "an empty part"


class _Reader:
    """Reads the rows that the scripts of one frame report."""

    def __init__(self, frame: "Frame", mark: int) -> None:
        self._frame = frame
        # Elements numbered from here on had no ref before the action.
        self._mark = mark
        parts = urlsplit(frame.url)
        self._origin = f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""

    def changes(self, kind: str, rows: str) -> list[Change]:
        """Return what one part of a report says."""
        nodes = build(rows)
        if kind == "gone":
            return [Change("-", ", ".join(map(self._gone, nodes)))]
        self._frame.tab.refs.record(self._frame, nodes)
        if kind == "added":
            lines = Outline(nodes, origin=self._origin).compact_lines()
            return [Change("+", line.text) for line in lines]
        return [Change("~", self._changed(kind, nodes))]

    def line(self, rows: str) -> str:
        """Return the line of one element."""
        nodes = build(rows)
        self._frame.tab.refs.record(self._frame, nodes)
        return self._describe(nodes[0])

    def _changed(self, kind: str, nodes: tuple[Node, ...]) -> str:
        if kind == "moved":
            [item, *before] = map(self._describe, nodes)
            return f"moved {item} after {before[0]}" if before else f"moved {item} to the top"
        if kind == "order":
            around = "" if nodes[0].role == "document" else f" in {self._describe(nodes[0])}"
            return f"new order{around}: {', '.join(quote(child.name) for child in nodes[0].children)}"
        return self._describe(nodes[0])

    def _describe(self, node: Node) -> str:
        if node.role == "row" and node.children:
            return next(Outline((node,), origin=self._origin).compact_lines()).text
        states = dict(node.states)
        choices = orjson.loads(states.pop("choices", "[]"))
        line = Outline((), origin=self._origin).describe(node._replace(states=states), brief=True)
        return f"{line} offers {', '.join(map(quote, choices))}" if choices else line

    def _gone(self, node: Node) -> str:
        number = node.number if node.number < self._mark else 0
        return self._describe(node._replace(number=number, states={}))
