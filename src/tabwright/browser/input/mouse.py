"""The mouse of a tab: trusted pointer events at coordinates of the viewport."""

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

from tabwright.browser.geometry import Point, path
from tabwright.browser.input.dispatch import Answer, await_dispatched, require_ready
from tabwright.browser.input.drag import Drag
from tabwright.browser.input.keys import MODIFIERS, key_named
from tabwright.cdp import CdpSession
from tabwright.errors import InvalidArgs

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

Button = Literal["left", "right", "middle"]

_BUTTON_BITS: dict[Button, int] = {"left": 1, "right": 2, "middle": 4}
_MAX_WHEEL = 1_000_000
_MAX_STEPS = 1000


class Mouse:
    """The mouse: moves, clicks, drags and scrolls at points of the viewport."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self.position = Point(0, 0)
        self._held: list[Button] = []

    async def move(self, x: float, y: float, *, steps: int = 1) -> None:
        """Move the pointer, in `steps` equal steps."""
        if not 1 <= steps <= _MAX_STEPS:
            raise InvalidArgs(f"steps must be 1 to {_MAX_STEPS}, not {steps}.")
        await self.move_to(await self.require_in_viewport(x, y), steps=steps)

    async def click(
        self,
        x: float,
        y: float,
        *,
        button: Button = "left",
        count: int = 1,
        modifiers: Iterable[str] = (),
    ) -> None:
        """Move to a point and click `count` times."""
        mask = modifier_mask(modifiers)
        require_count(count)
        await self.click_at(await self.require_in_viewport(x, y), button=button, count=count, mask=mask)

    async def down(self, button: Button = "left", *, count: int = 1) -> None:
        """Press a button and hold it."""
        await require_ready(self._tab)
        await await_dispatched(self._tab, [self._press(button, count, 0)])

    async def up(self, button: Button = "left", *, count: int = 1) -> None:
        """Release a button."""
        await require_ready(self._tab)
        await await_dispatched(self._tab, [self._release(button, count, 0)])

    async def wheel(self, dx: float = 0, dy: float = 0) -> None:
        """Turn the wheel at the position of the pointer; positive is right and down."""
        for delta in (dx, dy):
            if not math.isfinite(delta) or abs(delta) > _MAX_WHEEL:
                raise InvalidArgs(f"{delta} is not a scroll distance.", hint="Give a number of pixels.")
        await require_ready(self._tab)
        await await_dispatched(self._tab, [self._event("mouseWheel", deltaX=dx, deltaY=dy)])

    async def drag(self, x: float, y: float, to_x: float, to_y: float) -> None:
        """Drag from one point to another, as HTML drag and drop if the page starts one."""
        start, end = await self.require_in_viewport(x, y), await self.require_in_viewport(to_x, to_y)

        async def find_end() -> Point:
            return end

        await Drag(self._tab, self._tab.main_frame).run(start, find_end)

    async def click_at(
        self,
        point: Point,
        *,
        button: Button = "left",
        count: int = 1,
        mask: int = 0,
        session: CdpSession | None = None,
    ) -> None:
        """Click a point that is known to be in the viewport."""
        await require_ready(self._tab)
        answers = self.start_click(point, button=button, count=count, mask=mask)
        await await_dispatched(self._tab, answers, session=session)

    def start_click(self, point: Point, *, button: Button, count: int, mask: int) -> list[Answer]:
        """Send all events of a click at once, for `await_dispatched` to await."""
        answers = [self._move(mask, point)]
        for number in range(1, count + 1):
            answers += [self._press(button, number, mask), self._release(button, number, mask)]
        return answers

    async def move_to(
        self, point: Point, *, steps: int = 1, mask: int = 0, session: CdpSession | None = None
    ) -> None:
        """Move to a point that is known to be in the viewport."""
        await require_ready(self._tab)
        for at in path(self.position, point, steps):
            # One by one: Chrome merges moves that wait for the same frame.
            await await_dispatched(self._tab, [self._move(mask, at)], session=session)

    def release_by_drop(self) -> None:
        """Note that a drop replaced the release of the buttons."""
        self._held.clear()

    def release_all(self) -> None:
        """Release all buttons without waiting, so that a failure does not leave one pressed."""
        if self._tab.session.lost is None:
            for button in tuple(self._held):
                self._release(button, 1, 0)

    async def require_in_viewport(self, x: float, y: float) -> Point:
        """Return the point, if it is in the viewport.

        Raises:
            InvalidArgs: it is not a number, or outside.
        """
        if not (math.isfinite(x) and math.isfinite(y)):
            raise InvalidArgs(f"({x}, {y}) is not a point.", hint="Give two numbers, in CSS pixels.")
        width, height = await self._tab.main_frame.call("viewport")
        if not (0 <= x < width and 0 <= y < height):
            raise InvalidArgs(
                f"({x:g}, {y:g}) is outside the viewport of {width:g} by {height:g} pixels.",
                hint="Scroll there first, or choose a point inside.",
            )
        return Point(x, y)

    def _move(self, mask: int, point: Point) -> Answer:
        self.position = point
        return self._event("mouseMoved", button=self._held[-1] if self._held else "none", modifiers=mask)

    def _press(self, button: Button, count: int, mask: int) -> Answer:
        self._tab.call_permissions.require_approval("press")
        if button not in self._held:
            self._held.append(button)
        return self._event("mousePressed", button=button, clickCount=count, modifiers=mask)

    def _release(self, button: Button, count: int, mask: int) -> Answer:
        if button in self._held:
            self._held.remove(button)
        return self._event("mouseReleased", button=button, clickCount=count, modifiers=mask)

    def _event(self, kind: str, *, modifiers: int = 0, **more: Any) -> Answer:
        return self._tab.session.start(
            "Input.dispatchMouseEvent",
            type=kind,
            x=self.position.x,
            y=self.position.y,
            buttons=sum(_BUTTON_BITS[button] for button in self._held),
            modifiers=modifiers | self._tab.keyboard.modifiers,
            **more,
        )


def modifier_mask(names: Iterable[str]) -> int:
    """Return the protocol's bit mask for modifiers.

    Raises:
        InvalidArgs: one is not a modifier.
    """
    mask = 0
    for name in names:
        key = key_named(name).key
        if key not in MODIFIERS:
            raise InvalidArgs(f"{name!r} is not a modifier.", hint="Use Control, Shift, Alt or Meta.")
        mask |= MODIFIERS[key]
    return mask


def require_count(count: int) -> None:
    """Refuse a click count that browsers do not know."""
    if not 1 <= count <= 3:
        raise InvalidArgs(f"count must be 1, 2 or 3, not {count}.")
