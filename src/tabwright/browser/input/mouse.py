"""The mouse of a tab: trusted pointer events at coordinates of the viewport."""

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

from tabwright.browser.geometry import Point, way
from tabwright.browser.input.dispatch import Answer, await_dispatched, require_ready
from tabwright.browser.input.drag import Drag
from tabwright.browser.input.keys import MODIFIERS, key_named
from tabwright.cdp import CdpSession
from tabwright.errors import InvalidArgs

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

Button = Literal["left", "right", "middle"]

_MASKS: dict[Button, int] = {"left": 1, "right": 2, "middle": 4}
_LONGEST_WHEEL = 1_000_000
_MOST_STEPS = 1000


class Mouse:
    """Where the pointer is and which buttons are held."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self.position = Point(0, 0)
        self._held: list[Button] = []

    async def move(self, x: float, y: float, *, steps: int = 1) -> None:
        """Move the pointer, in `steps` equal parts."""
        if not 1 <= steps <= _MOST_STEPS:
            raise InvalidArgs(f"A move of {steps} steps cannot be made.", hint=f"Use 1 to {_MOST_STEPS}.")
        await self.move_to(await self.checked(x, y), steps=steps)

    async def click(
        self,
        x: float,
        y: float,
        *,
        button: Button = "left",
        count: int = 1,
        modifiers: Iterable[str] = (),
    ) -> None:
        """Move there and click `count` times."""
        mask = modifier_mask(modifiers)
        require_count(count)
        await self.click_at(await self.checked(x, y), button=button, count=count, mask=mask)

    async def down(self, button: Button = "left", *, count: int = 1) -> None:
        """Press a button and hold it."""
        await require_ready(self._tab)
        await await_dispatched(self._tab, [self._press(button, count, 0)])

    async def up(self, button: Button = "left", *, count: int = 1) -> None:
        """Release a button."""
        await require_ready(self._tab)
        await await_dispatched(self._tab, [self._release(button, count, 0)])

    async def wheel(self, dx: float = 0, dy: float = 0) -> None:
        """Turn the wheel where the pointer is; positive is right and down."""
        for delta in (dx, dy):
            if not math.isfinite(delta) or abs(delta) > _LONGEST_WHEEL:
                raise InvalidArgs(f"The wheel cannot turn by {delta}.", hint="Give a number of pixels.")
        await require_ready(self._tab)
        await await_dispatched(self._tab, [self._event("mouseWheel", deltaX=dx, deltaY=dy)])

    async def drag(self, x: float, y: float, to_x: float, to_y: float) -> None:
        """Press at one point, let go at another, as HTML drag and drop if the page makes it so."""
        start, end = await self.checked(x, y), await self.checked(to_x, to_y)

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
        answers = [self._moved(mask, point)]
        for number in range(1, count + 1):
            answers += [self._press(button, number, mask), self._release(button, number, mask)]
        return answers

    async def move_to(
        self, point: Point, *, steps: int = 1, mask: int = 0, session: CdpSession | None = None
    ) -> None:
        """Move to a point that is known to be in the viewport."""
        await require_ready(self._tab)
        for at in way(self.position, point, steps):
            # One by one: Chrome joins moves that wait for the same frame.
            await await_dispatched(self._tab, [self._moved(mask, at)], session=session)

    def dropped(self) -> None:
        """Note that a drop took the place of the release: the page gets no other."""
        self._held.clear()

    def let_go(self) -> None:
        """Release what is held, without waiting: whatever failed, the page is not left with a held button."""
        if self._tab.session.lost is None:
            for button in tuple(self._held):
                self._release(button, 1, 0)

    async def checked(self, x: float, y: float) -> Point:
        """Return the point, if it is in the viewport.

        Raises:
            InvalidArgs: it is not a number, or outside.
        """
        if not (math.isfinite(x) and math.isfinite(y)):
            raise InvalidArgs(f"({x}, {y}) is not a point.", hint="Give numbers of CSS pixels.")
        width, height = await self._tab.main_frame.call("viewport")
        if not (0 <= x < width and 0 <= y < height):
            raise InvalidArgs(
                f"({x:g}, {y:g}) is outside of the viewport, which is {width:g} by {height:g}.",
                hint="Scroll there first, or choose a point inside.",
            )
        return Point(x, y)

    def _moved(self, mask: int, point: Point) -> Answer:
        self.position = point
        return self._event("mouseMoved", button=self._held[-1] if self._held else "none", modifiers=mask)

    def _press(self, button: Button, count: int, mask: int) -> Answer:
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
            buttons=sum(_MASKS[button] for button in self._held),
            modifiers=modifiers | self._tab.keyboard.modifiers,
            **more,
        )


def modifier_mask(names: Iterable[str]) -> int:
    """Return the protocol's number for modifiers held together.

    Raises:
        InvalidArgs: one is no modifier.
    """
    mask = 0
    for name in names:
        key = key_named(name).key
        if key not in MODIFIERS:
            raise InvalidArgs(f"{name!r} is not a modifier.", hint="Use Control, Shift, Alt or Meta.")
        mask |= MODIFIERS[key]
    return mask


def require_count(count: int) -> None:
    """Refuse a number of clicks that means nothing."""
    if not 1 <= count <= 3:
        raise InvalidArgs(f"{count} clicks mean nothing.", hint="Click 1, 2 or 3 times.")
