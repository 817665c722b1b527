"""A point of the last screenshot, written `@xy(120,40)`, as a target for the pointer.

A screenshot shows one moment. After a navigation or a scroll its points are refused as stale. Points of a
full-page screenshot survive scrolling: the page is scrolled to the point.
"""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from tabwright.browser.capture.screenshot import LastScreenshot, measure_layout
from tabwright.browser.geometry import Clip, Point
from tabwright.browser.input.mouse import Button, modifier_mask, require_count
from tabwright.errors import InvalidArgs, NotFound, Stale

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

_NUMBER = r"\s*(\d{1,6}(?:\.\d{1,6})?)\s*"
_POINT = re.compile(rf"@xy\({_NUMBER},{_NUMBER}\)")
_TAKE_ANOTHER = "Take a screenshot, then use its points."


def parse_screenshot_point(tab: "Tab", target: str) -> "ScreenshotPoint | None":
    """Return the point that a target names; None if it is not written as a point."""
    found = _POINT.fullmatch(target.strip())
    return ScreenshotPoint(tab, float(found[1]), float(found[2])) if found else None


class ScreenshotPoint:
    """A point of a tab's last screenshot, in pixels of the screenshot."""

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
        """Click the point."""
        mask = modifier_mask(modifiers)
        require_count(count)
        await self.tab.mouse.click_at(await self.point(), button=button, count=count, mask=mask)

    async def hover(self, *, timeout: float = 5.0) -> None:
        """Move the pointer to the point."""
        await self.tab.mouse.move_to(await self.point())

    async def tap(self, *, timeout: float = 5.0) -> None:
        """Tap the point with a finger."""
        await self.tab.touch.tap_at(await self.point())

    async def point(self) -> Point:
        """Return the point in the viewport, and name the element there in `label`.

        Raises:
            NotFound: the tab has no screenshot yet.
            InvalidArgs: the point is outside the screenshot.
            Stale: the screenshot no longer matches the viewport.
        """
        last = self._require_screenshot()
        screenshot = last.screenshot
        x, y = screenshot.x + self.x / screenshot.scale, screenshot.y + self.y / screenshot.scale
        view = (await measure_layout(self.tab)).viewport
        if last.full_page and not _contains(view, x, y):
            await self.tab.main_frame.call("scrollBack", x - view.width / 2, y - view.height / 2)
            view = (await measure_layout(self.tab)).viewport
        elif not last.full_page and not (view.inside(last.viewport) and last.viewport.inside(view)):
            raise Stale("The page was scrolled or resized after the last screenshot.", hint=_TAKE_ANOTHER)
        point = Point(x - view.x, y - view.y)
        self.label = f"{await self.tab.main_frame.call('describeAt', *point)} at {self.x:g}, {self.y:g}"
        return point

    def _require_screenshot(self) -> LastScreenshot:
        last = self.tab.last_screenshot
        if last is None:
            raise NotFound("This tab has no screenshot yet.", hint=_TAKE_ANOTHER)
        if last.mark != self.tab.page_version:
            raise Stale("The tab navigated after the last screenshot.", hint=_TAKE_ANOTHER)
        width, height = last.screenshot.width, last.screenshot.height
        if not (self.x < width and self.y < height):
            raise InvalidArgs(
                f"{self.label} is outside the last screenshot, which is {width} by {height}.",
                hint=_TAKE_ANOTHER,
            )
        return last


def _contains(view: Clip, x: float, y: float) -> bool:
    return view.x <= x < view.x + view.width and view.y <= y < view.y + view.height
