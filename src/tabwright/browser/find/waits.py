"""Waits for an element, a text, a URL or a condition. A wait continues through navigations."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

import anyio

from tabwright.aio import Signal, seconds_until
from tabwright.browser.find.locate import (
    MAX_FRAMES,
    ClosedRootSearch,
    call_in_frames,
    fault_error,
    wait_for_change,
)
from tabwright.browser.find.selector import Target, parse_target
from tabwright.browser.page.evaluate import evaluate
from tabwright.cdp import CdpError, Params
from tabwright.errors import InvalidArgs, PageFailed, Stale, TimedOut
from tabwright.text import format_count
from tabwright.urls import UrlGlob

if TYPE_CHECKING:
    from tabwright.browser.page.frame import Frame
    from tabwright.browser.tab import Tab

State = Literal["visible", "hidden", "attached", "detached", "enabled"]

_STATES = ("visible", "hidden", "attached", "detached", "enabled")
# Seconds; what a script waits for may change without a change of the document.
_POLL_INTERVAL = 0.1


class Waits:
    """Waits for an element, a text, a URL or a condition in JavaScript."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab

    async def element(self, target: str, state: State = "visible", *, timeout: float = 30.0) -> None:
        """Wait until an element is visible, hidden, attached, detached or enabled.

        Raises:
            TimedOut: it did not get there in time; the message says what is on the page instead.
        """
        if state not in _STATES:
            raise InvalidArgs(f"{state!r} is not a state to wait for.", hint=f"Use {', '.join(_STATES)}.")
        wanted = parse_target(target)
        progress = _Progress(f"{target} did not become {state}")
        await self._until(wanted, state, progress, timeout)

    async def text(self, text: str, *, gone: bool = False, timeout: float = 30.0) -> None:
        """Wait until a text is shown, or no longer shown."""
        if not text.strip():
            raise InvalidArgs("The text to wait for is empty.", hint="Give some text of the page.")
        wanted = Target(f"text={text}", ({"by": "text", "value": text, "exact": False},))
        state: State = "hidden" if gone else "visible"
        progress = _Progress(f"The text {text[:200]!r} did not {'disappear' if gone else 'appear'}")
        await self._until(wanted, state, progress, timeout)

    async def _until(self, target: Target, state: State, progress: "_Progress", timeout: float) -> None:
        closed_roots = ClosedRootSearch(self._tab)
        with _deadline(timeout, progress):
            while not await self._reached(target, state, progress):
                if state in ("hidden", "detached") or not await closed_roots.found_more():
                    await wait_for_change(self._tab, timeout)

    async def url(self, pattern: str, *, timeout: float = 30.0) -> str:
        """Wait until the tab's URL matches a `*` pattern; return it."""
        wanted, changed = UrlGlob(pattern), Signal()
        progress = _Progress(f"The URL did not match {pattern}")
        unsubscribe = [
            self._tab.session.on(event, lambda _: changed.fire())
            for event in ("Page.frameNavigated", "Page.navigatedWithinDocument")
        ]
        try:
            with _deadline(timeout, progress):
                await changed.until(lambda: self._matches(wanted, progress))
                return self._tab.url
        finally:
            for stop in unsubscribe:
                stop()

    async def navigation(self, since: tuple[int, int], *, timeout: float = 30.0) -> None:
        """Wait until the tab has navigated since its `page_version` was taken, and the page is usable."""
        end = anyio.current_time() + timeout
        with _deadline(timeout, _Progress("No navigation finished")):
            await self._tab.until(lambda: self._tab.page_version != since)
        await self._tab.navigation.wait(timeout=seconds_until(end))

    async def function(self, script: str, *args: Any, timeout: float = 30.0) -> Any:
        """Wait until the result of a script is truthy; return it."""
        progress = _Progress("The condition did not become true")
        with _deadline(timeout, progress):
            while True:
                try:
                    value = await evaluate(self._tab.frames.chosen, script, args, timeout=timeout)
                except (PageFailed, Stale) as error:
                    value, progress.note = None, f": {error.message}"
                else:
                    progress.note = f": it is {value!r:.200}"
                if value not in (None, False, 0, ""):
                    return value
                await wait_for_change(self._tab, _POLL_INTERVAL)

    def _matches(self, wanted: UrlGlob, progress: "_Progress") -> bool:
        progress.note = f": it is {self._tab.url}"
        return wanted.matches(self._tab.url)

    async def check(self, target: Target, state: State) -> tuple[bool, int]:
        """Return whether an element is in a state now, and how many elements match."""
        answers = await self._ask(target, state)
        for answer in answers:
            if "fault" in answer and answer["fault"] != "gone":
                raise await fault_error(self._tab, target, answer)
        count = sum(answer.get("count", 0) for answer in answers)
        reached = [answer["reached"] for answer in answers]
        return all(reached) if state in ("hidden", "detached") else any(reached), count

    async def _reached(self, target: Target, state: State, progress: "_Progress") -> bool:
        reached, count = await self.check(target, state)
        progress.note = f": {format_count(count, 'match') if count else 'nothing matches'}"
        return reached

    async def _ask(self, target: Target, state: State) -> list[Params]:
        inside = self._tab.frames.chosen
        frames = list(inside.walk())[:MAX_FRAMES] if target.ref is None else self._frame_of(target.ref)
        try:
            return [answer for _, answer in await call_in_frames(frames, "checkState", target.spec(), state)]
        except (CdpError, Stale):  # between two documents
            return [{"reached": state in ("hidden", "detached"), "count": 0}]

    def _frame_of(self, ref: str) -> "list[Frame]":
        try:
            return [self._tab.refs.frame_of(ref)[0]]
        except Stale:
            return []


class _Progress:
    """What the error says when a wait times out."""

    def __init__(self, fact: str) -> None:
        self.fact = fact
        self.note = ""


@contextmanager
def _deadline(timeout: float, progress: _Progress) -> Iterator[None]:
    try:
        with anyio.fail_after(timeout):
            yield
    except TimeoutError as error:
        raise TimedOut(
            f"{progress.fact} in {timeout:g} s{progress.note}.", hint="Allow more time, or check the page."
        ) from error
