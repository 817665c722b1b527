"""Screenshots, scaled and compressed by Chrome itself until they fit."""

import asyncio
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import anyio

from tabwright.aio import deadline
from tabwright.browser.capture.image import EncodedImage, Format, shrink_image
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
# Seconds. A background tab paints nothing until it is activated; a foreground tab needs far less than this.
_ACTIVATE_AFTER = 1.0

Area = Literal["viewport", "page"] | Clip | Element


@dataclass(frozen=True, slots=True)
class Screenshot:
    """A screenshot. Its pixel (px, py) shows the page's point (x + px / scale, y + py / scale)."""

    data: str
    """The image in Base64."""
    mime: str
    """Its type, such as `image/jpeg`."""
    width: int
    """Its width in pixels."""
    height: int
    """Its height in pixels."""
    scale: float
    """Pixels of the image per CSS pixel."""
    x: float
    """Where its left edge is on the page, in CSS pixels."""
    y: float
    """Where its upper edge is on the page, in CSS pixels."""
    scroll_x: float
    """How far the page was scrolled to the right."""
    scroll_y: float
    """How far the page was scrolled down."""

    def pixel_box(self, x: float, y: float, width: float, height: float) -> tuple[float, float, float, float]:
        """Return left, top, right and bottom, in pixels of the screenshot, of a box in the viewport."""
        left = (x + self.scroll_x - self.x) * self.scale
        top = (y + self.scroll_y - self.y) * self.scale
        return left, top, left + width * self.scale, top + height * self.scale

    @property
    def bytes(self) -> int:
        """Size in bytes when decoded."""
        return EncodedImage(self.data).bytes


@dataclass(frozen=True, slots=True)
class LastScreenshot:
    """The last screenshot of a tab, with the viewport and the tab's `mark` at that time."""

    screenshot: Screenshot
    viewport: Clip
    mark: tuple[int, int]
    full_page: bool


@dataclass(frozen=True, slots=True)
class Layout:
    """The visible part of the page, the whole page, and screen pixels per CSS pixel."""

    viewport: Clip
    page: Clip
    ratio: float


@dataclass(frozen=True, slots=True)
class _Request:
    """One request for an image; `scale` is image pixels per CSS pixel."""

    clip: Clip
    scale: float
    kind: Format
    quality: int
    beyond_viewport: bool
    # Measured on PNG: two to five times faster, a fifth larger. It does not affect other formats.
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
    """Take a screenshot with `scale` pixels per CSS pixel, or fewer where a limit requires it.

    The tab remembers it, so that its points can be clicked (`screenshot_point.py`).

    Raises:
        Blocked: a dialog is open, or the element has no size.
        TimedOut: the page painted nothing in time.
    """
    _require_valid(quality=quality, scale=scale, max_side=max_side, max_bytes=max_bytes)
    with deadline(
        timeout,
        f"The page painted nothing within {timeout:g} s.",
        hint="Activate the tab or reload the page, then try again.",
    ):
        layout = await measure_layout(tab)
        clip = await _resolve_clip(tab, area, layout)
        if isinstance(area, Element):
            layout = await measure_layout(tab)  # scrolling the element into view may have moved the page
        beyond = not clip.inside(layout.viewport)
        scale = _limit_scale(clip, scale, max_side, max_short_side, max_pixels)
        screenshot = await _take(tab, _Request(clip, scale, kind, quality, beyond), layout, max_bytes)
    tab.last_screenshot = LastScreenshot(
        screenshot, layout.viewport, tab.page_version, full_page=area == "page"
    )
    return screenshot


def replace_image(tab: "Tab", screenshot: Screenshot, drawn: EncodedImage) -> Screenshot:
    """Replace the image of the last screenshot with a JPEG that was drawn over it."""
    width, height = drawn.size()
    scale = screenshot.scale * width / screenshot.width
    screenshot = replace(
        screenshot, data=drawn.data, mime="image/jpeg", width=width, height=height, scale=scale
    )
    if tab.last_screenshot is not None:
        tab.last_screenshot = replace(tab.last_screenshot, screenshot=screenshot)
    return screenshot


def _require_valid(*, quality: int, scale: float, max_side: int | None, max_bytes: int | None) -> None:
    if not 0 <= quality <= 100:
        raise InvalidArgs(f"Invalid quality {quality}.", hint="Use 0 to 100.")
    if not 0 < scale <= 8:
        raise InvalidArgs(f"Invalid scale {scale:g}.", hint="Use more than 0, up to 8.")
    if max_side is not None and max_side < 1:
        raise InvalidArgs(f"Invalid maximum side {max_side}.", hint="Use 1 or more.")
    if max_bytes is not None and max_bytes < 1000:
        size = format_count(max_bytes, "byte")
        raise InvalidArgs(f"No screenshot fits into {size}.", hint="Use 1000 or more.")


async def measure_layout(tab: "Tab") -> Layout:
    """Return viewport, page size and pixel ratio of the tab."""
    tab.require_responsive()
    measuring = tab.session.start("Page.getLayoutMetrics")
    ratio = float(await tab.main_frame.call("pixelRatio"))
    metrics = await measuring
    visual, content = metrics["cssVisualViewport"], metrics["cssContentSize"]
    viewport = Clip(visual["pageX"], visual["pageY"], visual["clientWidth"], visual["clientHeight"])
    page = Clip(content["x"], content["y"], content["width"], content["height"])
    return Layout(viewport, page, ratio)


async def _resolve_clip(tab: "Tab", area: Area, layout: Layout) -> Clip:
    if area == "viewport":
        return layout.viewport
    if area == "page":
        return layout.page
    if isinstance(area, Clip):
        return _clip_to_page(area, layout)
    clip = await _element_clip(area, layout)
    if not clip.inside(layout.viewport):
        await area.scroll_into_view()
        clip = await _element_clip(area, await measure_layout(tab))
    return clip


async def _element_clip(element: Element, layout: Layout) -> Clip:
    box = await element.box()
    if box.width < 1 or box.height < 1:
        raise Blocked(
            f"{element.label} has no size ({box.width:g} by {box.height:g}).",
            hint="Choose an element with visible content.",
        )
    return Clip(layout.viewport.x + box.x, layout.viewport.y + box.y, box.width, box.height)


def _clip_to_page(clip: Clip, layout: Layout) -> Clip:
    """Return the part of a caller's rectangle that is on the page."""
    if not all(map(math.isfinite, (clip.x, clip.y, clip.width, clip.height))):
        raise InvalidArgs("The clip must consist of finite numbers.", hint="Give x, y, width and height.")
    left, top = max(clip.x, layout.page.x), max(clip.y, layout.page.y)
    right = min(clip.x + clip.width, max(layout.page.width, layout.viewport.x + layout.viewport.width))
    bottom = min(clip.y + clip.height, max(layout.page.height, layout.viewport.y + layout.viewport.height))
    if right - left < 1 or bottom - top < 1:
        raise InvalidArgs(
            f"The clip is outside the page, which is {layout.page.width:g} by {layout.page.height:g}.",
            hint="Give a rectangle inside the page.",
        )
    return Clip(left, top, right - left, bottom - top)


def _limit_scale(
    clip: Clip, scale: float, max_side: int | None, max_short_side: int | None, max_pixels: int | None
) -> float:
    side = min(max_side or _MAX_SIDE, _MAX_SIDE) / max(clip.width, clip.height)
    short = (max_short_side or _MAX_SIDE) / min(clip.width, clip.height)
    pixels = min(max_pixels or _MAX_PIXELS, _MAX_PIXELS) / (clip.width * clip.height)
    return min(scale, side, short, math.sqrt(pixels))


async def _take(tab: "Tab", request: _Request, layout: Layout, max_bytes: int | None) -> Screenshot:
    try:
        image = await _request_image(tab, request, layout)
        if max_bytes is not None and image.bytes > max_bytes:
            request, image = await _reduce(tab, request, layout, image, max_bytes)
    finally:
        if request.beyond_viewport and tab.session.lost is None:
            # Chrome lays the page out again for such an image, and may lose the scroll position.
            with anyio.move_on_after(2, shield=True):
                await tab.main_frame.call("scrollBack", layout.viewport.x, layout.viewport.y)
    width, height = image.size()
    return Screenshot(
        data=image.data,
        mime=f"image/{request.kind}",
        width=width,
        height=height,
        scale=width / request.clip.width,
        x=request.clip.x,
        y=request.clip.y,
        scroll_x=layout.viewport.x,
        scroll_y=layout.viewport.y,
    )


async def _reduce(
    tab: "Tab", request: _Request, layout: Layout, image: EncodedImage, max_bytes: int
) -> tuple[_Request, EncodedImage]:
    """Ask again with lower quality, then with fewer pixels; shrink the image ourselves as a last resort."""
    if request.kind == "png":
        request = replace(request, fast=False)
        image = await _request_image(tab, request, layout)
    for quality in _QUALITIES if request.kind != "png" else ():
        if quality < request.quality and image.bytes > max_bytes:
            request = replace(request, quality=quality)
            image = await _request_image(tab, request, layout)
    for _ in range(2):
        if image.bytes > max_bytes:
            request = replace(request, scale=request.scale * 0.9 * math.sqrt(max_bytes / image.bytes))
            image = await _request_image(tab, request, layout)
    if image.bytes > max_bytes:
        image = await anyio.to_thread.run_sync(shrink_image, image, request.kind, max_bytes)
    return request, image


async def _request_image(tab: "Tab", request: _Request, layout: Layout) -> EncodedImage:
    options: Params = {} if request.kind == "png" else {"quality": request.quality}
    clip = request.clip
    request_sent = tab.session.start(
        "Page.captureScreenshot",
        format=request.kind,
        clip={
            "x": clip.x,
            "y": clip.y,
            "width": clip.width,
            "height": clip.height,
            "scale": request.scale / layout.ratio,
        },
        captureBeyondViewport=request.beyond_viewport,
        optimizeForSpeed=request.fast,
        **options,
    )
    done, _ = await asyncio.wait([request_sent], timeout=_ACTIVATE_AFTER)
    if not done and not tab.context.browser.watched:
        tab.context.browser.root.post("Target.activateTarget", targetId=tab.target_id)
    try:
        return EncodedImage((await request_sent)["data"])
    except CdpError as error:
        raise PageFailed(
            f"Chrome could not take the screenshot: {error.message}.", hint="Try a smaller part of the page."
        ) from error
