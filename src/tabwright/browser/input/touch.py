"""The touch screen of a tab: taps and swipes with one finger."""

from typing import TYPE_CHECKING

from tabwright.browser.geometry import Point, path
from tabwright.browser.input.dispatch import Answer, await_dispatched, require_ready
from tabwright.cdp import CdpSession
from tabwright.errors import InvalidArgs

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

_STEPS = 12


class Touch:
    """A touch screen with one finger: taps and swipes at points of the viewport."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab

    async def tap(self, x: float, y: float) -> None:
        """Tap a point of the viewport."""
        await self.tap_at(await self._tab.mouse.require_in_viewport(x, y))

    async def swipe(self, x: float, y: float, to_x: float, to_y: float, *, steps: int = _STEPS) -> None:
        """Swipe from one point to another, in `steps` steps."""
        if not 1 <= steps <= 1000:
            raise InvalidArgs(f"steps must be 1 to 1000, not {steps}.")
        start, end = (
            await self._tab.mouse.require_in_viewport(x, y),
            await self._tab.mouse.require_in_viewport(to_x, to_y),
        )
        await self.swipe_between(start, end, steps=steps)

    async def tap_at(self, point: Point, *, session: CdpSession | None = None) -> None:
        """Tap a point that is known to be in the viewport."""
        await require_ready(self._tab)
        self._tab.call_permissions.require_approval("press")
        answers = [self._event("touchStart", point), self._event("touchEnd")]
        await await_dispatched(self._tab, answers, session=session)

    async def swipe_between(
        self, start: Point, end: Point, *, steps: int = _STEPS, session: CdpSession | None = None
    ) -> None:
        """Swipe between two points that are known to be in the viewport."""
        await require_ready(self._tab)
        self._tab.call_permissions.require_approval("press")
        answers = [self._event("touchStart", start)]
        answers += [self._event("touchMove", point) for point in path(start, end, steps)]
        answers.append(self._event("touchEnd"))
        await await_dispatched(self._tab, answers, session=session)

    def _event(self, kind: str, *points: Point) -> Answer:
        return self._tab.session.start(
            "Input.dispatchTouchEvent",
            type=kind,
            touchPoints=[{"x": point.x, "y": point.y} for point in points],
            modifiers=self._tab.keyboard.modifiers,
        )
