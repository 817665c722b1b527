"""What an action changed on the page, rendered within a bound."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

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
_MAX_SELECTED = 5


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
        return self._unknown() if self.unobserved else f"Nothing changed{self._reason()}."

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
    effects.more += report["more"]
    for part in report["parts"]:
        _add_part(effects, frame, part["kind"], _read_nodes(frame, part["rows"]), report["mark"])
    for number in report["gone"]:
        if label := frame.tab.refs.label(number):
            effects.changes.append(Change("-", f"@e{number}: {label}"))
    if report["focus"] and (nodes := _read_nodes(frame, report["focus"])):
        effects.focus = _outline(frame, nodes).describe(nodes[0], brief=True)


def _add_part(effects: Effects, frame: "Frame", kind: str, nodes: tuple[Node, ...], mark: int) -> None:
    """Describe one touched element: as a whole if it is new, else what is new in it or changed itself.

    Elements numbered from `mark` on are new.
    """
    nodes = tuple(map(_without_closed_options, nodes))
    if kind == "value" and nodes and nodes[0].role == "listbox":
        _add_selection(effects, frame, nodes[0])
        return
    outline = _outline(frame, nodes)
    lines = list(outline.compact_lines())
    if kind == "added":
        effects.changes += (Change("+", line.text) for line in lines)
        return
    new = [node for top in nodes for node in top.walk() if node.number >= mark]
    effects.changes += (Change("+", outline.describe(node, brief=True)) for node in new)
    old = [node for node in nodes if node not in new]
    if old and (kind in ("text", "value") or len(lines) <= 3):
        # A line that is only a role does not show what changed inside it.
        shown = [line for line in lines if not line.text.isalpha()] or lines
        effects.changes += (Change("~", line.text) for line in shown[:2])


def _add_selection(effects: Effects, frame: "Frame", listbox: Node) -> None:
    """Describe what is selected now in a list that shows its options."""
    selected = [node for node in listbox.walk() if node.role == "option" and "selected" in node.states]
    outline = _outline(frame, (listbox,))
    for node in (listbox, *selected[:_MAX_SELECTED]):
        effects.changes.append(Change("~", outline.describe(node, brief=True)))
    effects.more += len(selected[_MAX_SELECTED:])


def _read_nodes(frame: "Frame", answer: str) -> tuple[Node, ...]:
    nodes = build(answer.partition("\n")[2], {})
    frame.tab.refs.record(frame, nodes)
    return nodes


def _outline(frame: "Frame", nodes: tuple[Node, ...]) -> Outline:
    parts = urlsplit(frame.url)
    return Outline(nodes, origin=f"{parts.scheme}://{parts.netloc}" if parts.netloc else "")


def _without_closed_options(node: Node) -> Node:
    """Leave out the options of a closed list: the page does not show them."""
    if node.role == "combobox" and all(child.role == "option" for child in node.children):
        return node._replace(children=())
    return node
