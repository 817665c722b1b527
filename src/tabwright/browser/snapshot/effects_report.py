"""What an action changed on the page, rendered within a bound."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from tabwright.browser.page.dialogs import Dialog
from tabwright.browser.snapshot.changes import MAX_LINE, Change, RowReader, fold, fold_gone, without_repeats
from tabwright.text import format_count, quote

if TYPE_CHECKING:
    from tabwright.browser.page.frame import Frame

# About 150 tokens.
MAX_CHARACTERS = 600
_MAX_FACT = 240
_MAX_NOTE = 60  # characters about what is left out
_MAX_LOOKS = 2


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
    closed_windows: str = ""
    """A sentence about windows that were closed as they opened."""
    downloads: list[str] = field(default_factory=list)
    """Downloads that started."""
    changes: list[Change] = field(default_factory=list)
    """What appeared, changed or disappeared on the page."""
    more: int = 0
    """How many changes are not in `changes`."""
    focus: str = ""
    """The element that got the focus."""
    focus_on_target: bool = False
    """Whether that is the element that the action was on."""
    refused: str = ""
    """The field that keeps its form from being sent, and why."""
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
            perhaps = f"except perhaps what {self.canvas} draws: take a screenshot"
            return f"Nothing changed{self._reason()}, {perhaps}."
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
        if self.closed_windows:
            yield self.closed_windows
        yield from (f"Opened tab {tab}" for tab in self.tabs)
        yield from (f"Download {download}" for download in self.downloads)
        if self.tools:
            yield f"New page tools: {self.tools}"
        yield from (f"Console: {error[:MAX_LINE]}" for error in self.errors[:2])
        yield from self._facts_in_page()

    def _facts_in_page(self) -> Iterator[str]:
        if self.refused:
            yield f"The form was not sent: {self.refused}"
        elif self._tells_focus():
            yield f"Focus: {self.focus[:MAX_LINE]}"
        if self.scrolled:
            yield f"Scrolled to {self.scrolled[:MAX_LINE]}"
        if self.looks and not self.changes:
            more = f" and {len(self.looks) - _MAX_LOOKS} more" if len(self.looks) > _MAX_LOOKS else ""
            yield f"Only the look of {', '.join(self.looks[:_MAX_LOOKS])}{more} changed."

    def _tells_focus(self) -> bool:
        """Whether the focus is news: what is clicked gets it, which matters only if nothing else happens."""
        if self.focus_on_target and (self.changes or self.looks):
            return False
        return bool(self.focus) and all(self.focus not in change.line for change in self.changes)

    def without_value(self, value: str) -> "Effects | None":
        """Return the effects without the value that the target now has; None if there is nothing else."""
        left = [change for change in self.changes if not (change.of_target and change.is_value(value))]
        if len(left) == len(self.changes):
            return self
        rest = replace(self, changes=left, focus="" if self.focus_on_target else self.focus)
        return None if rest.empty and not rest.more else rest

    def _lines(self) -> Iterator[str]:
        """The facts, then as many changes as fit."""
        room, left_out = MAX_CHARACTERS - _MAX_NOTE, 0
        for fact in self._facts():
            line = fact if len(fact) <= _MAX_FACT else fact[:_MAX_FACT] + "…"
            if len(line) >= room:
                left_out += 1
                continue
            room -= len(line) + 1
            yield line
        changes = fold_gone(self.changes)
        lines = [str(change) for change in changes]
        if sum(len(line) + 1 for line in lines) > room:
            lines = list(fold(changes))
        if not (left_out or self.more) and sum(len(line) + 1 for line in lines) <= room + _MAX_NOTE:
            room += _MAX_NOTE  # nothing is left out
        shown = 0
        for line in lines:
            room -= len(line) + 1
            if room < 0:
                break
            shown += 1
            yield line
        left_out += len(lines) - shown + self.more
        if left_out:
            yield f"… and {format_count(left_out, 'more change')}{self._reason()}"
        elif self.unobserved:
            yield self._unknown()
        elif self.unfinished:
            yield f"{self.unfinished[0].upper()}{self.unfinished[1:]}."

    def _reason(self) -> str:
        return f" ({self.unfinished})" if self.unfinished else ""


def add_report(effects: Effects, frame: "Frame", report: dict[str, Any]) -> None:
    """Add what the scripts of a frame report; their elements get refs."""
    reader = RowReader(frame, report["mark"])
    effects.more += report["more"]
    if report["revealing"] and not effects.unfinished:
        effects.unfinished = "content is still appearing or disappearing"
    changes = [
        change
        for part in report["parts"]
        for change in reader.changes(part["kind"], part["rows"], part["own"], of_target=part["target"])
    ]
    effects.looks += map(reader.label, report["looks"])
    if report["focus"]:
        effects.focus = reader.line(report["focus"])
        effects.focus_on_target = report["focusOnTarget"]
    if report["refused"]:
        row, reason = report["refused"]
        field_line = reader.line(row)
        effects.refused = f"{field_line}: {quote(reason)}"
        changes = [change for change in changes if change.line != field_line]
    effects.changes += without_repeats(changes)
    if report["canvas"]:
        effects.canvas = reader.label(report["canvas"])
    if report["scrolled"] is not None:
        effects.scrolled = reader.label(report["scrolled"]) if report["scrolled"] else "an empty part"
