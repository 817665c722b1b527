"""Assertions: conditions that must hold within a deadline.

Each returns its evidence, or fails with what was seen instead.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

import anyio

from tabwright.aio import seconds_until
from tabwright.browser.find.locate import ClosedRootSearch, count_matches, wait_for_change
from tabwright.browser.find.selector import parse_target
from tabwright.browser.find.waits import State
from tabwright.errors import Blocked, NotFound, PageFailed, Stale, TimedOut
from tabwright.text import format_count, quote_line
from tabwright.urls import UrlGlob

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

# Seconds; a value that a script sets does not change the document.
_POLL_INTERVAL = 0.1
# Seconds that one look at an element may take.
_LOOK_TIMEOUT = 0.5
_MAX_SHOWN = 3


@dataclass(frozen=True)
class Finding:
    """Whether a condition holds, and what was seen."""

    holds: bool
    seen: str


class Assertions:
    """Conditions on one tab."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab

    async def visible(self, target: str, *, hidden: bool = False, timeout: float) -> str:
        """Assert that an element is visible, or that none is."""
        tab, selector = self._tab, parse_target(target)
        state: State = "hidden" if hidden else "visible"
        closed_roots = ClosedRootSearch(tab)

        async def look() -> Finding:
            holds, count = await tab.waits.check(selector, state)
            if not holds and not hidden and await closed_roots.found_more():
                holds, count = await tab.waits.check(selector, state)
            if not holds and not count:
                return Finding(False, "nothing matches")
            return Finding(holds, f"{target} is {'hidden' if holds is hidden else 'visible'}")

        return await self._until(f"{target} is {state}", look, timeout)

    async def text(
        self, text: str, target: str = "body", *, exact: bool = False, absent: bool = False, timeout: float
    ) -> str:
        """Assert that an element's visible text contains a text, is exactly that text, or lacks it."""
        wanted = " ".join(text.split())
        verb = ("is not" if absent else "is") if exact else ("does not contain" if absent else "contains")

        async def look() -> Finding:
            element = self._tab.element(target)
            shown = (await element.visible_text(timeout=_LOOK_TIMEOUT)).text
            flat = " ".join(shown.split())
            matches = flat == wanted if exact else wanted in flat
            if matches is not absent:
                return Finding(True, f"the text of {element.label} {verb} {quote_line(text)}")
            return Finding(False, f"its text is {_excerpt(shown, wanted)}")

        return await self._until(f"the text of {target} {verb} {quote_line(text)}", look, timeout)

    async def value(self, target: str, value: str, *, timeout: float) -> str:
        """Assert the value of a form control."""

        async def look() -> Finding:
            element = self._tab.element(target)
            held = await element.value(timeout=_LOOK_TIMEOUT)
            seen = "has no value" if held is None else f"has the value {quote_line(held)}"
            return Finding(held == value, f"{element.label} {seen}")

        return await self._until(f"{target} has the value {quote_line(value)}", look, timeout)

    async def url(self, pattern: str, *, timeout: float) -> str:
        """Assert that the tab's URL matches a `*` pattern."""
        wanted = UrlGlob(pattern)

        async def look() -> Finding:
            return Finding(wanted.matches(self._tab.url), f"the URL is {self._tab.url}")

        return await self._until(f"the URL matches {pattern}", look, timeout)

    async def count(self, target: str, least: int, most: int | None, *, timeout: float) -> str:
        """Assert how many elements match, hidden ones included."""
        selector = parse_target(target)
        wanted = format_count(least, "element") + (" or more" if most is None else "")

        async def look() -> Finding:
            count = await count_matches(self._tab, selector)
            holds = count >= least and (most is None or count <= most)
            return Finding(holds, f"found {format_count(count, 'element')} for {target}")

        return await self._until(f"{wanted} for {target}", look, timeout)

    async def no_console_errors(self, ignore: Sequence[str]) -> str:
        """Assert that the page logged no error and threw no exception."""
        tab = self._tab
        errors = [
            message
            for message in tab.console.errors()
            if message.page == tab.navigation.commits and not any(part in message.text for part in ignore)
        ]
        if errors:
            shown = "; ".join(f"{message.kind} {quote_line(message.text)}" for message in errors[:_MAX_SHOWN])
            raise _failure(f"The console has {format_count(len(errors), 'error')}: {shown}")
        return "the console of this page has no errors"

    async def request(
        self, pattern: str, method: str | None = None, status: str | None = None, *, timeout: float
    ) -> str:
        """Assert that the tab sent a request to a matching URL, with this method and status."""
        network = self._tab.network
        wanted = " ".join(
            part for part in ("a request", method, pattern, status and f"with {status}") if part
        )

        async def look() -> Finding:
            matching = network.exchanges(pattern=pattern)
            for exchange in reversed(matching):
                if exchange.matches(method, status):
                    return Finding(True, f"the page sent {exchange}")
            shown = "; ".join(map(str, (matching or network.exchanges())[-_MAX_SHOWN:]))
            which = "the last requests to it were" if matching else "the last requests were"
            return Finding(False, f"{which} {shown}" if shown else "there were no requests")

        return await self._until(wanted, look, timeout)

    async def _until(self, wanted: str, look: Callable[[], Awaitable[Finding]], timeout: float) -> str:
        """Look again after each change until the condition holds; return the evidence."""
        end = anyio.current_time() + timeout
        while True:
            try:
                finding = await look()
            except (NotFound, Stale, Blocked, TimedOut) as error:
                finding = Finding(False, error.message.removesuffix("."))
            if finding.holds:
                return finding.seen
            if anyio.current_time() >= end:
                raise _failure(f"Expected within {timeout:g} s: {wanted}; but {finding.seen}")
            await wait_for_change(self._tab, min(_POLL_INTERVAL, seconds_until(end)))


def _failure(fact: str) -> PageFailed:
    return PageFailed(
        f"Assertion failed. {fact.removesuffix('.')}.", hint="Inspect the page, or allow more time."
    )


def _excerpt(shown: str, wanted: str) -> str:
    """Quote a text, or the line of a long one that is most like what was wanted."""
    lines = [line for line in map(str.strip, shown.splitlines()) if line]
    if len(shown) > 200 and (close := get_close_matches(wanted, lines, n=1, cutoff=0.5)):
        return f"long; its most similar line is {quote_line(close[0])}"
    return quote_line(shown)
