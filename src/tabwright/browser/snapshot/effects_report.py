"""What an action changed on the page, rendered within a bound."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from tabwright.browser.page.dialogs import Dialog
from tabwright.text import format_count, quote

# About 150 tokens.
MOST_CHARACTERS = 600
_MOST_LINE = 160
_MOST_FACT = 240


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that changed: "+" appeared, "~" changed, "-" is gone."""

    sign: str
    line: str

    def __str__(self) -> str:
        line = self.line if len(self.line) <= _MOST_LINE else self.line[:_MOST_LINE] + "…"
        return f"{self.sign} {line}"


@dataclass(slots=True)
class Effects:
    """All that an act changed. `str()` is what an agent reads."""

    settled: str = ""
    navigated: str = ""
    url: str = ""
    title: str = ""
    dialog: Dialog | None = None
    closed: bool = False
    crashed: str = ""
    stopped: bool = False
    tabs: list[str] = field(default_factory=list)
    downloads: list[str] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    more: int = 0
    focus: str = ""
    errors: list[str] = field(default_factory=list)
    tools: str = ""
    # Whether nobody watched the page, so that nothing can be said of what it changed.
    unwatched: bool = False

    @property
    def nothing(self) -> bool:
        """Whether there is no change to tell of."""
        return not list(self._facts()) and not self.changes

    def __str__(self) -> str:
        if not self.nothing:
            return "\n".join(self._fitting())
        return self._unknown() if self.unwatched else f"Nothing changed{self._reason()}."

    def _unknown(self) -> str:
        return f"What changed on the page is not known{self._reason()}: take a snapshot."

    def _facts(self) -> Iterator[str]:
        """What matters most, first."""
        if self.closed:
            yield "The tab closed."
        if self.crashed:
            yield self.crashed
        if self.stopped:
            yield "A script held the page and was stopped."
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
        yield from (f"Console: {error[:_MOST_LINE]}" for error in self.errors[:2])
        if self.focus and all(change.line != self.focus for change in self.changes):  # which tells it too
            yield f"Focus: {self.focus[:_MOST_LINE]}"

    def _fitting(self) -> Iterator[str]:
        """The facts, then as many changes as there is room for."""
        room, untold = MOST_CHARACTERS - 60, 0
        for fact in self._facts():
            line = fact if len(fact) <= _MOST_FACT else fact[:_MOST_FACT] + "…"
            if len(line) >= room:
                untold += 1
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
        left = len(self.changes) - shown + self.more + untold
        if left:
            yield f"… and {format_count(left, 'more change')}{self._reason()}"
        elif self.unwatched:
            yield self._unknown()
        elif self._reason():
            yield self._reason().strip(" ()").capitalize() + "."

    def _reason(self) -> str:
        return f" ({self.settled})" if self.settled else ""
