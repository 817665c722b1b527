"""Waits until an element is ready for an action: one call in its frame, then its point in the viewport.

What "ready" means is up to actionability.js; sending the input is left to `input`.
"""

import math
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal

import anyio

from tabwright.browser.find.approved import changed_since_approval
from tabwright.browser.find.locate import ClosedRootSearch, Place, fault_error, find_place, wait_for_change
from tabwright.browser.find.selector import Step, Target
from tabwright.browser.geometry import Point
from tabwright.browser.page.dialogs import DialogOpened
from tabwright.browser.page.frame import DocumentGone
from tabwright.browser.page.hang_watchdog import HANG_TIMEOUT
from tabwright.browser.page.isolated_world import WORLD
from tabwright.browser.snapshot.observe import require_observing
from tabwright.cdp import Params
from tabwright.errors import InvalidArgs, NotFound, TimedOut

if TYPE_CHECKING:
    from tabwright.browser.page.frame import Frame
    from tabwright.browser.tab import Tab

# "pointer": a point that the pointer reaches; "point": a point in view.
Need = Literal["attached", "visible", "pointer", "point"]

# Seconds for the page to report a press after the browser dispatched it: then there was none.
_PRESS_ARRIVAL = 0.25
# Faults that may go away by waiting.
_TEMPORARY = frozenset(
    {"none", "hidden", "disabled", "covered", "moving", "ignores_pointer", "out_of_view", "readonly"}
)

# Faults of a selector that matches another number of elements than before.
_MISSING = frozenset({"none", "gone", "several"})


@dataclass(frozen=True, slots=True)
class Requirements:
    """What an action requires of its element.

    `position` is counted from its upper left corner. `guard` reports what a press on it hits. `retarget` says
    which element is meant if the given one stands for another, such as a label. `operation` is what the
    scripts do with the element in the same call.
    """

    need: Need
    enabled: bool = True
    position: tuple[float, float] | None = None
    guard: bool = False
    retarget: Literal["press", "check", "field", "files", "control", ""] = ""
    operation: str = ""
    args: Any = None

    def __post_init__(self) -> None:
        if self.position is not None and not all(map(math.isfinite, self.position)):
            raise InvalidArgs(f"{self.position} is not a position.", hint="Give two numbers, in pixels.")


@dataclass(frozen=True, slots=True)
class Ready:
    """An element that is ready for the action."""

    frame: "Frame"
    spec: Step
    label: str
    point: Point
    facts: Params


async def wait_until_ready(tab: "Tab", target: Target, how: Requirements, timeout: float) -> Ready:
    """Wait until the element of a selector is ready.

    Raises:
        TimedOut: the page did not answer.
        TabwrightError: it is not ready; the error is the last fault.
    """
    attempt = _Attempt(tab, target, how)
    # Even without time to wait, a page may take as long to answer as before it counts as hung.
    with anyio.move_on_after(timeout + HANG_TIMEOUT):
        outcome = await _retry(attempt, timeout)
        if isinstance(outcome, Ready):
            return outcome
    if tab.shield.approved and attempt.fault.get("fault") in _MISSING:
        raise changed_since_approval("target")
    if attempt.fault:
        raise await fault_error(tab, target, attempt.fault)
    raise TimedOut(f"The page did not answer in time about {target.text}.", hint="Allow more time.")


async def _retry(attempt: "_Attempt", timeout: float) -> Ready | Params:
    deadline = anyio.current_time() + timeout
    outcome = await attempt.check(None)
    while not isinstance(outcome, Ready):
        if outcome["fault"] == "none" and await attempt.closed_roots.found_more():
            outcome = await attempt.check(None)
            continue
        left = deadline - anyio.current_time()
        if outcome["fault"] == "gone" and attempt.may_heal:
            await attempt.heal()
        elif outcome["fault"] not in attempt.temporary or left <= 0:
            break
        outcome = await attempt.check(max(0.0, left))
    return outcome


class _Attempt:
    """Checks one element, at once or for a while."""

    def __init__(self, tab: "Tab", target: Target, how: Requirements) -> None:
        self._tab = tab
        self._target = target
        self._how = how
        self._approved = tab.shield.approved
        self._place: Place | None = None
        self._last: Params = {}
        self._healed = False
        self.closed_roots = ClosedRootSearch(tab)

    @property
    def fault(self) -> Params:
        """The last fault; empty before the first answer."""
        return self._last if "fault" in self._last else {}

    @property
    def temporary(self) -> frozenset[str]:
        """The faults that may go away by waiting; a target that was approved does not come back."""
        return _TEMPORARY - _MISSING if self._approved else _TEMPORARY

    @property
    def may_heal(self) -> bool:
        """Whether the ref may be healed, which is tried once."""
        return self._target.ref is not None and not self._healed

    async def heal(self) -> None:
        """Let the ref name the element that replaced its own, if that is clear."""
        assert self._target.ref is not None
        self._healed = True
        await self._tab.refs.heal(self._target.ref)

    async def check(self, patience: float | None) -> Ready | Params:
        """Check at once, or wait up to `patience` seconds; return the fault if it is not ready."""
        if patience is not None and self._last and self._place is None:
            await wait_for_change(self._tab, patience)
        place = await find_place(self._tab, self._target)
        if not isinstance(place, Place):
            self._place, self._last = None, place
            return place
        self._tab.require_origin(place.frame)
        if place.frame.session is not self._tab.session:
            await require_observing(self._tab)  # the calls of another session may overtake it
        self._last = await self._prepare(place, patience if place == self._place else None)
        # An element that is not there yet may appear in any frame.
        self._place = None if self._last.get("fault") == "none" else place
        if "fault" in self._last:
            return self._last
        if self._how.need not in ("pointer", "point"):
            return Ready(place.frame, place.spec, self._last["label"], Point(0, 0), self._last)
        return await self._map_to_viewport(place)

    async def _prepare(self, place: Place, patience: float | None) -> Params:
        how = {field.name: getattr(self._how, field.name) for field in fields(self._how)}
        how["approval"] = self._approved.number if self._approved else 0
        answer: Params = self._last
        if patience is None:
            answer = await place.frame.call("prepare", place.spec, how)
        else:
            with anyio.move_on_after(patience + 1):
                answer = await place.frame.call(
                    "prepareWithin",
                    place.spec,
                    how,
                    patience * 1000,
                    sorted(self.temporary),
                    hang_timeout=patience + 2,
                )
        return answer

    async def _map_to_viewport(self, place: Place) -> Ready | Params:
        """Map the point through the surrounding frames; each must show the inner frame at that point."""
        frame, x, y = place.frame, self._last["x"], self._last["y"]
        while frame.parent is not None:
            if frame.session is not frame.parent.session:
                await frame.call("waitForPaint")
            must_reach = self._how.need == "pointer"
            mapped: Params = await frame.parent.call("throughFrame", await frame.owner(), x, y, must_reach)
            if "fault" in mapped:
                self._place, self._last = None, mapped
                return mapped
            frame, x, y = frame.parent, mapped["x"], mapped["y"]
        return Ready(place.frame, place.spec, self._last["label"], Point(x, y), self._last)


class PressGuard:
    """The guard that the page puts around a press on an element that is ready: what does the press meet?

    Made right before or after the events of the press are sent: its call shares their round trip.
    """

    def __init__(self, ready: Ready) -> None:
        self._frame = ready.frame
        self._context = ready.frame.contexts.get(WORLD)
        self._arrival = ready.frame.start("waitForPress")

    async def result(self) -> str:
        """Return "hit", "nothing", or what was in the way, once the events of the press are dispatched.

        A page that navigated away, opened a dialog or closed its tab was hit.
        """
        frame, tab = self._frame, self._frame.tab
        if self._context is None or frame.contexts.get(WORLD) != self._context or tab.closed.is_set():
            return "hit"
        try:
            with anyio.move_on_after(_PRESS_ARRIVAL):
                if self._arrival is not None and await frame.finish(self._arrival) == "hit":
                    return "hit"
            return str(await frame.call_here("endPressGuard"))
        except (DocumentGone, DialogOpened):
            return "hit"
        except NotFound:
            if not tab.closed.is_set():
                raise
            return "hit"
