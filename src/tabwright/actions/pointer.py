"""Mouse and touch actions."""

from typing import Literal

from pydantic import Field

from tabwright.action import Args, Effect, action
from tabwright.actions.element_info import ElementArgs
from tabwright.browser.capture.screenshot_point import ScreenshotPoint, parse_screenshot_point
from tabwright.browser.element import Element
from tabwright.browser.input.scroll import Scrolled
from tabwright.browser.tab import Tab
from tabwright.errors import InvalidArgs
from tabwright.fields import Target, Timeout
from tabwright.results import Done

Button = Literal["left", "right", "middle"]
Modifier = Literal["Alt", "Control", "Meta", "Shift"]


class Click(Args):
    """Arguments of `click`."""

    target: Target
    button: Button = Field("left", description="Which mouse button.")
    count: int = Field(1, ge=1, le=3, description="2 for a double click.")
    modifiers: list[Modifier] = Field([], description="Keys held during the click.")
    wait_for_navigation: bool = Field(False, description="Wait for the page that the click leads to.")
    expect_tab: bool = Field(False, description="Wait for the tab that the click opens and return it.")
    timeout: Timeout = 5.0


class Clicked(Done):
    """What was clicked, and the tab that it opened."""

    tab: str = Field("", description="Id of the opened tab, with expect_tab.")
    url: str = Field("", description="URL of that tab.")

    def __str__(self) -> str:
        return f"{super().__str__()} It opened tab {self.tab}: {self.url}" if self.tab else super().__str__()


class ClickAt(Args):
    """Arguments of `click_at`."""

    x: float = Field(description="CSS pixels from the left of the viewport.")
    y: float = Field(description="CSS pixels from the top of the viewport.")
    button: Button = Field("left", description="Which mouse button.")
    count: int = Field(1, ge=1, le=3, description="2 for a double click.")


@action(Effect.ACT, does=("press",), group="Mouse and touch")
async def click(tab: Tab, args: Click) -> Clicked:
    """Click an element, or a point of the last screenshot: @xy(120,40)."""
    place, mark = _place(tab, args.target), tab.page_version
    with tab.context.expect_tab() as expected:
        await place.click(
            button=args.button, count=args.count, modifiers=args.modifiers, timeout=args.timeout
        )
    opened = await expected.wait(timeout=args.timeout) if args.expect_tab else None
    if args.wait_for_navigation:
        await tab.waits.navigation(mark, timeout=args.timeout)
    if opened is None:
        return Clicked(deed="Clicked", target=place.label)
    return Clicked(deed="Clicked", target=place.label, tab=opened.id, url=opened.url)


@action(Effect.ACT, does=("point",), group="Mouse and touch", idempotent=True)
async def hover(tab: Tab, args: ElementArgs) -> Done:
    """Move the pointer over an element, or to a point of the last screenshot."""
    place = _place(tab, args.target)
    await place.hover(timeout=args.timeout)
    return Done(deed="Hovered over", target=place.label)


@action(Effect.ACT, does=("press",), group="Mouse and touch")
async def click_at(tab: Tab, args: ClickAt) -> Done:
    """Click at a point of the viewport."""
    await tab.mouse.click(args.x, args.y, button=args.button, count=args.count)
    return Done(deed="Clicked at", target=f"{args.x:g}, {args.y:g}")


@action(Effect.ACT, does=("point",), group="Mouse and touch", idempotent=True)
async def scroll_into_view(tab: Tab, args: ElementArgs) -> Done:
    """Scroll until an element is in view."""
    element = tab.element(args.target)
    await element.scroll_into_view(timeout=args.timeout)
    return Done(deed="Scrolled to", target=element.label)


class Drag(Args):
    """Arguments of `drag`."""

    target: Target
    to: str = Field(
        min_length=1, max_length=2_000, description="Element to drop it on; same syntax as target."
    )
    timeout: Timeout = 5.0


class DropText(Args):
    """Arguments of `drop_text`."""

    target: Target
    text: str = Field(max_length=1_000_000, description="What to drop.")
    mime_type: str = Field(
        "text/plain",
        pattern=r"^[\w.+-]+/[\w.+-]+$",
        max_length=100,
        description="Its type: text/plain, text/html, text/uri-list or another.",
    )
    timeout: Timeout = 5.0


class Scroll(Args):
    """Arguments of `scroll`."""

    direction: Literal["up", "down", "left", "right"] = Field("down", description="Direction.")
    pixels: float = Field(300, ge=0, le=1_000_000, description="Distance in CSS pixels.")
    target: str | None = Field(
        None, min_length=1, max_length=2_000, description="Element to scroll; default: the page."
    )
    timeout: Timeout = 5.0


class ScrollBy(Args):
    """Arguments of `scroll_by`."""

    target: Target
    delta_x: float = Field(0, ge=-1_000_000, le=1_000_000, description="CSS pixels to the right.")
    delta_y: float = Field(0, ge=-1_000_000, le=1_000_000, description="CSS pixels down.")
    timeout: Timeout = 5.0


class SwipeElement(Args):
    """Arguments of `swipe_element`."""

    target: Target
    direction: Literal["up", "down", "left", "right"] = Field(description="Direction of the finger.")
    pixels: float = Field(300, gt=0, le=10_000, description="Distance in CSS pixels.")
    timeout: Timeout = 5.0


class Swipe(Args):
    """Arguments of `swipe`."""

    x: float = Field(description="Start: CSS pixels from the left of the viewport.")
    y: float = Field(description="Start: CSS pixels from the top.")
    to_x: float = Field(description="End: from the left.")
    to_y: float = Field(description="End: from the top.")


@action(Effect.ACT, does=("press",), group="Mouse and touch")
async def drag(tab: Tab, args: Drag) -> Done:
    """Drag an element onto another, or between two points of the last screenshot."""
    start, end = _place(tab, args.target), _place(tab, args.to)
    if isinstance(start, ScreenshotPoint) and isinstance(end, ScreenshotPoint):
        await tab.mouse.drag(*await start.point(), *await end.point())
    elif isinstance(start, Element) and isinstance(end, Element):
        await start.drag_to(end, timeout=args.timeout)
    else:
        raise InvalidArgs("One of target and to is an element, the other a point.", hint="Use two of a kind.")
    return Done(deed=f"Dragged {start.label} to", target=end.label)


@action(Effect.ACT, does=("press", "type"), group="Mouse and touch")
async def drop_text(tab: Tab, args: DropText) -> Done:
    """Drop text, a link or other data onto an element, as a user drags it there from another window."""
    element = tab.element(args.target)
    await element.drop_text(args.text, args.mime_type, timeout=args.timeout)
    return Done(deed="Dropped the text on", target=element.label)


@action(Effect.ACT, does=("point",), group="Mouse and touch")
async def scroll(tab: Tab, args: Scroll) -> Done:
    """Scroll the page or an element."""
    if args.target is None:
        moved = await tab.scroll(args.direction, args.pixels)
    else:
        moved = await tab.element(args.target).scroll(args.direction, args.pixels, timeout=args.timeout)
    return _report_scroll(moved)


@action(Effect.ACT, does=("point",), group="Mouse and touch")
async def scroll_by(tab: Tab, args: ScrollBy) -> Done:
    """Scroll an element's content, horizontally and vertically."""
    element = tab.element(args.target)
    return _report_scroll(await element.scroll_by(args.delta_x, args.delta_y, timeout=args.timeout))


@action(Effect.ACT, does=("press",), group="Mouse and touch")
async def tap(tab: Tab, args: ElementArgs) -> Done:
    """Tap an element, or a point of the last screenshot, with a finger."""
    place = _place(tab, args.target)
    await place.tap(timeout=args.timeout)
    return Done(deed="Tapped", target=place.label)


@action(Effect.ACT, does=("press",), group="Mouse and touch")
async def swipe(tab: Tab, args: Swipe) -> Done:
    """Swipe with a finger from one point of the viewport to another."""
    await tab.touch.swipe(args.x, args.y, args.to_x, args.to_y)
    return Done(deed="Swiped to", target=f"{args.to_x:g}, {args.to_y:g}")


@action(Effect.ACT, does=("press",), group="Mouse and touch")
async def swipe_element(tab: Tab, args: SwipeElement) -> Done:
    """Swipe from the middle of an element, at most to the edge of the viewport."""
    element = tab.element(args.target)
    await element.swipe(args.direction, args.pixels, timeout=args.timeout)
    return Done(deed=f"Swiped {args.direction} on", target=element.label)


def _report_scroll(moved: Scrolled) -> Done:
    place = f"{moved.x:.0f}, {moved.y:.0f} (at most {moved.most_x:.0f}, {moved.most_y:.0f})"
    return Done(deed="Scrolled to", target=place)


def _place(tab: Tab, target: str) -> Element | ScreenshotPoint:
    return parse_screenshot_point(tab, target) or tab.element(target)
