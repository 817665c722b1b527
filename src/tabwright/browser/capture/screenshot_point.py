"""A point of the last picture, written `@xy(120,40)`, and acting on it.

A picture is of its moment: once the page has gone elsewhere, or what it shows was scrolled, its points mean
something else and are refused. Only a picture of the whole page outlives scrolling: we scroll to the point.
"""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from tabwright.browser.capture.screenshot import Shown, layout_of
from tabwright.browser.geometry import Clip, Point
from tabwright.browser.input.mouse import Button, modifier_mask, require_count
from tabwright.errors import InvalidArgs, NotFound, Stale

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

_NUMBER = r"\s*(\d{1,6}(?:\.\d{1,6})?)\s*"
_WRITTEN = re.compile(rf"@xy\({_NUMBER},{_NUMBER}\)")
_AGAIN = "Take a screenshot, then use points of it."


def spot_of(tab: "Tab", target: str) -> "ScreenshotPoint | None":
    """Return the point that a target names; None when it names an element."""
    found = _WRITTEN.fullmatch(target.strip())
    return ScreenshotPoint(tab, float(found[1]), float(found[2])) if found else None


class ScreenshotPoint:
    """A point of the last picture of a tab, in the picture's pixels."""

    def __init__(self, tab: "Tab", x: float, y: float) -> None:
        self.tab = tab
        self.x = x
        self.y = y
        self.label = f"{x:g}, {y:g}"

    async def click(
        self,
        *,
        button: Button = "left",
        count: int = 1,
        modifiers: Iterable[str] = (),
        timeout: float = 5.0,
    ) -> None:
        """Click there."""
        mask = modifier_mask(modifiers)
        require_count(count)
        await self.tab.mouse.click_at(await self.point(), button=button, count=count, mask=mask)

    async def hover(self, *, timeout: float = 5.0) -> None:
        """Move the pointer there."""
        await self.tab.mouse.move_to(await self.point())

    async def tap(self, *, timeout: float = 5.0) -> None:
        """Tap there with a finger."""
        await self.tab.touch.tap_at(await self.point())

    async def point(self) -> Point:
        """Return where it is in the viewport, and remember what is there.

        Raises:
            NotFound: there is no picture yet.
            InvalidArgs: it is outside of the picture.
            Stale: the picture does not show what is there now.
        """
        shown = self._shown()
        picture = shown.picture
        x, y = picture.x + self.x / picture.scale, picture.y + self.y / picture.scale
        view = (await layout_of(self.tab)).viewport
        if shown.whole and not _holds(view, x, y):
            await self.tab.main_frame.call("scrollBack", x - view.width / 2, y - view.height / 2)
            view = (await layout_of(self.tab)).viewport
        elif not shown.whole and not (view.inside(shown.viewport) and shown.viewport.inside(view)):
            raise Stale("The page was scrolled or resized since its last picture.", hint=_AGAIN)
        point = Point(x - view.x, y - view.y)
        self.label = f"{await self.tab.main_frame.call('whatIsAt', *point)} at {self.x:g}, {self.y:g}"
        return point

    def _shown(self) -> Shown:
        shown = self.tab.shown
        if shown is None:
            raise NotFound("There is no picture of this tab yet.", hint=_AGAIN)
        if shown.mark != self.tab.mark:
            raise Stale("The tab has gone elsewhere since its last picture.", hint=_AGAIN)
        if not (self.x < shown.picture.width and self.y < shown.picture.height):
            size = f"{shown.picture.width} by {shown.picture.height}"
            raise InvalidArgs(f"{self.label} is outside of the last picture, which is {size}.", hint=_AGAIN)
        return shown


def _holds(view: Clip, x: float, y: float) -> bool:
    return view.x <= x < view.x + view.width and view.y <= y < view.y + view.height
