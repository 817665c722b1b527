"""What a page says and shows once something was done: its alerts and the like, and what a search found."""

from collections.abc import Sequence

from tabwright.browser.page.frame import Frame
from tabwright.browser.tab import Tab
from tabwright.errors import Stale
from tabwright.page_tools.found.frame_query import ask

_MOST_RESULTS = 5
_LONGEST_RESULT = 160
# Characters by which a result is known again among other words.
_TELLING = 15


async def told_since(frame: Frame, before: Sequence[str], *, searches: bool) -> list[str]:
    """Return what a page says that it did not say before, then what it found, if it was asked to search."""
    news = [one for one in await said(frame) if one not in before]
    found = await results(frame.tab) if searches else []
    return [*(one for one in news if not _repeats(one, found)), *found]


def _repeats(said: str, found: Sequence[str]) -> bool:
    """Whether what the page says aloud is the list of results itself, which is told after it."""
    first = found[1].partition(". ")[2] if len(found) > 1 else ""
    return len(first) >= _TELLING and first[:_TELLING] in said


async def said(frame: Frame) -> list[str]:
    """Return what the page says in its alerts and the like."""
    if _is_silent(frame.tab):
        return []
    try:
        told: list[str] | None = await ask(frame, "pageToolAlerts")
    except Stale:
        return []
    return told or []


async def results(tab: Tab) -> list[str]:
    """Return the first of what a search found, as far as it stands in a list."""
    if _is_silent(tab):
        return []
    try:
        told = await ask(tab.main_frame, "pageToolResults", _MOST_RESULTS, _LONGEST_RESULT)
    except Stale:
        return []
    if not told:
        return []
    title = f"{told['title']}: " if told["title"] else ""
    head = f"{title}{told['count']} items, the first:"
    return [head, *(f"{place}. {text}" for place, text in enumerate(told["items"], 1))]


def _is_silent(tab: Tab) -> bool:
    return tab.dialogs.open is not None or tab.closed.is_set()
