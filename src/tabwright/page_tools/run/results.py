"""Reads what a page shows after a tool ran: new alerts, and the results of a search."""

from collections.abc import Sequence

from tabwright.browser.page.frame import Frame
from tabwright.browser.tab import Tab
from tabwright.errors import Stale
from tabwright.page_tools.found.frame_query import call_script

_MAX_RESULTS = 5
_MAX_RESULT_LENGTH = 160
# Characters by which a result is recognised in an alert.
_MIN_MATCH = 15


async def read_new_messages(frame: Frame, before: Sequence[str], *, searches: bool) -> list[str]:
    """Return the alerts that were not there `before`, then the results if the tool was a search."""
    alerts = [alert for alert in await read_alerts(frame) if alert not in before]
    results = await read_results(frame.tab) if searches else []
    return [*(alert for alert in alerts if not _repeats(alert, results)), *results]


def _repeats(alert: str, results: Sequence[str]) -> bool:
    """Whether an alert (a live region) is the list of results itself."""
    first = results[1].partition(". ")[2] if len(results) > 1 else ""
    return len(first) >= _MIN_MATCH and first[:_MIN_MATCH] in alert


async def read_alerts(frame: Frame) -> list[str]:
    """Return the texts of the page's alerts, status messages and live regions."""
    if _cannot_answer(frame.tab):
        return []
    try:
        alerts: list[str] | None = await call_script(frame, "pageToolAlerts")
    except Stale:
        return []
    return alerts or []


async def read_results(tab: Tab) -> list[str]:
    """Return the first results of a search, if the page shows them as a list."""
    if _cannot_answer(tab):
        return []
    try:
        found = await call_script(tab.main_frame, "pageToolResults", _MAX_RESULTS, _MAX_RESULT_LENGTH)
    except Stale:
        return []
    if not found:
        return []
    title = f"{found['title']}: " if found["title"] else ""
    heading = f"{title}{found['count']} items, the first:"
    return [heading, *(f"{number}. {text}" for number, text in enumerate(found["items"]))]


def _cannot_answer(tab: Tab) -> bool:
    return tab.dialogs.open is not None or tab.closed.is_set()
