"""Pictures of a tab, scaled and compressed by Chrome itself until they fit."""

import asyncio
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import anyio

from tabwright.aio import deadline
from tabwright.browser.capture.image import Encoded, Format, shrunk
from tabwright.browser.element import Element
from tabwright.browser.geometry import Clip
from tabwright.cdp import CdpError, Params
from tabwright.errors import Blocked, InvalidArgs, PageFailed
from tabwright.text import format_count

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

# Beyond these Chrome runs out of memory, or leaves parts blank.
_MAX_SIDE = 16_000
_MAX_PIXELS = 60_000_000
_QUALITIES = (60, 35)
# A tab behind another paints nothing until it comes to the front; one in front is done long before this.
_TO_FRONT_AFTER = 1.0
_NO_PICTURE = "Bring the tab to the front, or reload the page, then try again."


Area = Literal["viewport", "page"] | Clip | Element


@dataclass(frozen=True, slots=True)
class Screenshot:
    """A picture. Its pixel (px, py) shows the page's point (x + px / scale, y + py / scale)."""

    data: str
    mime: str
    width: int
    height: int
    scale: float
    x: float
    y: float
    scroll_x: float
    scroll_y: float

    def on_picture(
        self, x: float, y: float, width: float, height: float
    ) -> tuple[float, float, float, float]:
        """Return left, top, right and bottom, in pixels, of what is at a place of the viewport."""
        left = (x + self.scroll_x - self.x) * self.scale
        top = (y + self.scroll_y - self.y) * self.scale
        return left, top, left + width * self.scale, top + height * self.scale

    @property
    def bytes(self) -> int:
        """How large the picture is when decoded."""
        return Encoded(self.data).bytes

    def in_viewport(self, px: float, py: float) -> tuple[float, float]:
        """Return the point of the viewport, as the mouse counts it, that a pixel shows."""
        return self.x + px / self.scale - self.scroll_x, self.y + py / self.scale - self.scroll_y


@dataclass(frozen=True, slots=True)
class Shown:
    """The last picture of a tab, where the viewport and the tab were, and whether it is of the whole page."""

    picture: Screenshot
    viewport: Clip
    mark: tuple[int, int]
    whole: bool


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the page stands: what is visible, what there is, pixels of the screen per CSS pixel."""

    viewport: Clip
    page: Clip
    ratio: float


@dataclass(frozen=True, slots=True)
class _Shot:
    """One request for a picture; `scale` is picture pixels per CSS pixel."""

    clip: Clip
    scale: float
    kind: Format
    quality: int
    beyond: bool
    # Measured on PNG: two to five times faster, a fifth larger. Other formats do not care.
    fast: bool = True


async def capture(
    tab: "Tab",
    *,
    area: Area = "viewport",
    kind: Format = "jpeg",
    quality: int = 85,
    scale: float = 1.0,
    max_side: int | None = None,
    max_short_side: int | None = None,
    max_pixels: int | None = None,
    max_bytes: int | None = None,
    timeout: float = 15.0,
) -> Screenshot:
    """Take a picture, with `scale` pixels per CSS pixel, or fewer where a limit says so.

    The tab remembers it, so that points of it can be acted on (`spot.py`).

    Raises:
        Blocked: a dialog is open, or there is nothing to see of what is wanted.
        TimedOut: the page paints nothing.
    """
    _check(quality=quality, scale=scale, max_side=max_side, max_bytes=max_bytes)
    with deadline(timeout, f"The page painted no picture in {timeout:g} s.", hint=_NO_PICTURE):
        layout = await layout_of(tab)
        clip = await _clip(tab, area, layout)
        if isinstance(area, Element):
            layout = await layout_of(tab)  # bringing it into view may have scrolled
        beyond = not clip.inside(layout.viewport)
        scale = _fitting(clip, scale, max_side, max_short_side, max_pixels)
        picture = await _taken(tab, _Shot(clip, scale, kind, quality, beyond), layout, max_bytes)
    tab.shown = Shown(picture, layout.viewport, tab.mark, whole=area == "page")
    return picture


def remember(tab: "Tab", shot: Screenshot, drawn: Encoded) -> Screenshot:
    """Put what was drawn over the last picture, a JPEG, in its place."""
    width, height = drawn.size()
    scale = shot.scale * width / shot.width
    shot = replace(shot, data=drawn.data, mime="image/jpeg", width=width, height=height, scale=scale)
    if tab.shown is not None:
        tab.shown = replace(tab.shown, picture=shot)
    return shot


def _check(*, quality: int, scale: float, max_side: int | None, max_bytes: int | None) -> None:
    if not 0 <= quality <= 100:
        raise InvalidArgs(f"A quality of {quality} is not possible.", hint="Give 0 to 100.")
    if not 0 < scale <= 8:
        raise InvalidArgs(f"A scale of {scale:g} is not possible.", hint="Give more than 0, up to 8.")
    if max_side is not None and max_side < 1:
        raise InvalidArgs(f"A side of {max_side} pixels is not possible.", hint="Give 1 or more.")
    if max_bytes is not None and max_bytes < 1000:
        room = format_count(max_bytes, "byte")
        raise InvalidArgs(f"No picture fits into {room}.", hint="Give 1000 or more.")


async def layout_of(tab: "Tab") -> Layout:
    """Measure where the page stands."""
    tab.require_answering()
    measuring = tab.session.start("Page.getLayoutMetrics")
    ratio = float(await tab.main_frame.call("pixelRatio"))
    metrics = await measuring
    seen, content = metrics["cssVisualViewport"], metrics["cssContentSize"]
    viewport = Clip(seen["pageX"], seen["pageY"], seen["clientWidth"], seen["clientHeight"])
    page = Clip(content["x"], content["y"], content["width"], content["height"])
    return Layout(viewport, page, ratio)


async def _clip(tab: "Tab", area: Area, layout: Layout) -> Clip:
    if area == "viewport":
        return layout.viewport
    if area == "page":
        return layout.page
    if isinstance(area, Clip):
        return _existing(area, layout)
    clip = await _element_clip(area, layout)
    if not clip.inside(layout.viewport):
        await area.scroll_into_view()
        clip = await _element_clip(area, await layout_of(tab))
    return clip


async def _element_clip(element: Element, layout: Layout) -> Clip:
    box = await element.box()
    if box.width < 1 or box.height < 1:
        raise Blocked(
            f"{element.label} has no size ({box.width:g} by {box.height:g}), so there is nothing to see.",
            hint="Choose an element that shows something.",
        )
    return Clip(layout.viewport.x + box.x, layout.viewport.y + box.y, box.width, box.height)


def _existing(clip: Clip, layout: Layout) -> Clip:
    """Return the part of a caller's rectangle that exists."""
    if not all(map(math.isfinite, (clip.x, clip.y, clip.width, clip.height))):
        raise InvalidArgs("The clip has a side that is no number.", hint="Give x, y, width and height.")
    left, top = max(clip.x, layout.page.x), max(clip.y, layout.page.y)
    right = min(clip.x + clip.width, max(layout.page.width, layout.viewport.x + layout.viewport.width))
    bottom = min(clip.y + clip.height, max(layout.page.height, layout.viewport.y + layout.viewport.height))
    if right - left < 1 or bottom - top < 1:
        raise InvalidArgs(
            f"The clip shows nothing of the page, which is {layout.page.width:g} by {layout.page.height:g}.",
            hint="Give a rectangle inside of the page.",
        )
    return Clip(left, top, right - left, bottom - top)


def _fitting(
    clip: Clip, scale: float, max_side: int | None, max_short_side: int | None, max_pixels: int | None
) -> float:
    side = min(max_side or _MAX_SIDE, _MAX_SIDE) / max(clip.width, clip.height)
    short = (max_short_side or _MAX_SIDE) / min(clip.width, clip.height)
    pixels = min(max_pixels or _MAX_PIXELS, _MAX_PIXELS) / (clip.width * clip.height)
    return min(scale, side, short, math.sqrt(pixels))


async def _taken(tab: "Tab", shot: _Shot, layout: Layout, max_bytes: int | None) -> Screenshot:
    try:
        picture = await _shoot(tab, shot, layout)
        if max_bytes is not None and picture.bytes > max_bytes:
            shot, picture = await _smaller(tab, shot, layout, picture, max_bytes)
    finally:
        if shot.beyond and tab.session.lost is None:
            # Chrome lays the page out anew for such a picture, and may lose its place.
            with anyio.move_on_after(2, shield=True):
                await tab.main_frame.call("scrollBack", layout.viewport.x, layout.viewport.y)
    width, height = picture.size()
    return Screenshot(
        data=picture.data,
        mime=f"image/{shot.kind}",
        width=width,
        height=height,
        scale=width / shot.clip.width,
        x=shot.clip.x,
        y=shot.clip.y,
        scroll_x=layout.viewport.x,
        scroll_y=layout.viewport.y,
    )


async def _smaller(
    tab: "Tab", shot: _Shot, layout: Layout, picture: Encoded, max_bytes: int
) -> tuple[_Shot, Encoded]:
    """Take it again with less quality, then with fewer pixels; draw it smaller ourselves in the end."""
    if shot.kind == "png":
        shot = replace(shot, fast=False)
        picture = await _shoot(tab, shot, layout)
    for quality in _QUALITIES if shot.kind != "png" else ():
        if quality < shot.quality and picture.bytes > max_bytes:
            shot = replace(shot, quality=quality)
            picture = await _shoot(tab, shot, layout)
    for _ in range(2):
        if picture.bytes > max_bytes:
            shot = replace(shot, scale=shot.scale * 0.9 * math.sqrt(max_bytes / picture.bytes))
            picture = await _shoot(tab, shot, layout)
    if picture.bytes > max_bytes:
        picture = await anyio.to_thread.run_sync(shrunk, picture, shot.kind, max_bytes)
    return shot, picture


async def _shoot(tab: "Tab", shot: _Shot, layout: Layout) -> Encoded:
    options: Params = {} if shot.kind == "png" else {"quality": shot.quality}
    clip = {"x": shot.clip.x, "y": shot.clip.y, "width": shot.clip.width, "height": shot.clip.height}
    taking = tab.session.start(
        "Page.captureScreenshot",
        format=shot.kind,
        clip={**clip, "scale": shot.scale / layout.ratio},
        captureBeyondViewport=shot.beyond,
        optimizeForSpeed=shot.fast,
        **options,
    )
    done, _ = await asyncio.wait([taking], timeout=_TO_FRONT_AFTER)
    if not done and not tab.context.browser.watched:
        tab.context.browser.root.post("Target.activateTarget", targetId=tab.target_id)
    try:
        return Encoded((await taking)["data"])
    except CdpError as error:
        raise PageFailed(
            f"Chrome took no picture of the page: {error.message}.", hint="Try a smaller part of it."
        ) from error
