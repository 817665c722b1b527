"""Screenshots and PDFs of the page."""

import base64
from typing import Literal

import anyio
from pydantic import Field, SkipValidation

from tabwright.action import Args, Effect, Result, action
from tabwright.artifacts import Artifact
from tabwright.browser.capture.image import EncodedImage
from tabwright.browser.capture.pdf import Margins, PdfOptions, print_pdf
from tabwright.browser.capture.screenshot import Screenshot, capture, replace_image
from tabwright.browser.find.boxes import boxes_of
from tabwright.browser.snapshot.snapshot import Snapshot
from tabwright.browser.tab import Tab
from tabwright.budget import tokens
from tabwright.errors import InvalidArgs
from tabwright.results import PageText
from tabwright.vision.model_limits import Model, limits_for

_SUFFIXES = {"image/jpeg": "jpg", "image/png": "png", "image/webp": "webp"}
_MAX_MARKS = 250


class TakeScreenshot(Args):
    """Arguments of `screenshot`."""

    exclusive = (("target", "full_page"), ("marks", "format"))

    target: str | None = Field(None, min_length=1, max_length=2_000, description="Only this element.")
    full_page: bool = Field(False, description="The whole page, not only the viewport.")
    snapshot: bool = Field(False, description="Also return a snapshot of the page.")
    marks: bool = Field(False, description="Draw the refs of interactive elements; always JPEG.")
    for_model: Model | None = Field(None, description="Fit the size that this model accepts.")
    format: Literal["jpeg", "png", "webp"] = Field("jpeg", description="Image format.")
    quality: int = Field(85, ge=1, le=100, description="Quality of JPEG and WebP.")
    max_side: int = Field(1568, ge=16, le=8_000, description="Longest side in pixels.")
    max_bytes: int = Field(5_242_880, ge=10_000, description="Maximum bytes; lowers the quality if needed.")


class Picture(Result):
    """A screenshot."""

    own_lines = 2

    picture: Artifact = Field(description="The image.")
    width: int = Field(description="Width in pixels.")
    height: int = Field(description="Height in pixels.")
    scale: float = Field(description="Image pixels per CSS pixel.")
    x: float = Field(description="Left edge of the image, in CSS pixels of the page.")
    y: float = Field(description="Top edge of the image, in CSS pixels of the page.")
    text: str = Field("", description="The snapshot, if requested.")
    seen: SkipValidation[PageText | None] = Field(None, exclude=True, repr=False, description="The snapshot.")

    def __str__(self) -> str:
        return f"{self._size}\n{self.text}" if self.text else self._size

    def shorten(self, max_tokens: int) -> str | None:
        """Shorten the snapshot."""
        short = self.seen.shorten(max_tokens - tokens(self._size)) if self.seen else None
        return f"{self._size}\n{short}" if short else None

    @property
    def _size(self) -> str:
        size = f"{self.width} x {self.height} pixels"
        return f"Screenshot of {size}, scale {self.scale:.3g}, from {self.x:g}, {self.y:g}."


@action(Effect.READ, does=("look",), group="Screenshots and PDF", patient=True)
async def screenshot(tab: Tab, args: TakeScreenshot) -> Picture:
    """Take a screenshot of the page or an element; click points of it as @xy(120,40)."""
    limits = limits_for(args.for_model, args.max_side)
    shot = await capture(
        tab,
        area=tab.element(args.target)
        if args.target is not None
        else "page"
        if args.full_page
        else "viewport",
        kind="png" if args.marks else args.format,
        quality=args.quality,
        max_side=limits.side,
        max_short_side=limits.short_side,
        max_pixels=limits.pixels,
        max_bytes=None if args.marks else args.max_bytes,
    )
    taken = await tab.snapshot() if args.snapshot or args.marks else None
    seen = PageText.from_snapshot(taken) if taken is not None else None
    if args.marks and taken is not None:
        shot, drawn = await _draw_marks(tab, shot, taken, args.max_bytes)
        seen = seen if args.snapshot else PageText.from_snapshot(_only(taken, drawn))
    return _picture(shot, seen)


async def _draw_marks(
    tab: Tab, shot: Screenshot, taken: Snapshot, max_bytes: int
) -> tuple[Screenshot, frozenset[str]]:
    """Draw the refs of interactive elements; return the image and the drawn refs."""
    from tabwright.vision.marks import Mark, Rect, draw_marks  # noqa: PLC0415 - 40 ms that few screenshots need

    refs = [node.ref for node in taken.walk() if node.ref and (node.clickable or node.editable)]
    boxes = await boxes_of(tab, refs[:_MAX_MARKS])
    marks = [
        Mark(ref, Rect(*shot.pixel_box(box.x, box.y, box.width, box.height))) for ref, box in boxes.items()
    ]
    inside = [mark for mark in marks if mark.box.overlap(Rect(0, 0, shot.width, shot.height))]
    drawn = await anyio.to_thread.run_sync(
        lambda: draw_marks(EncodedImage(shot.data), inside, max_bytes=max_bytes)
    )
    return replace_image(tab, shot, drawn), frozenset(mark.ref for mark in inside)


def _only(taken: Snapshot, refs: frozenset[str]) -> Snapshot:
    """Return a flat snapshot of the given refs only."""
    return taken.with_nodes(tuple(node._replace(children=()) for node in taken.walk() if node.ref in refs))


class PrintPage(Args):
    """Arguments of `pdf`."""

    exclusive = (("paper", "width"), ("paper", "height"))

    paper: str = Field(
        "a4", min_length=1, max_length=20, description="Paper: a3, a4, a5, letter, legal, tabloid."
    )
    landscape: bool = Field(False, description="Landscape format.")
    background: bool = Field(True, description="Print backgrounds.")
    scale: float = Field(1.0, ge=0.1, le=2, description="Scale of the print.")
    ranges: str = Field("", max_length=200, description="Pages, such as 1-3, 5; all when empty.")
    header_footer: bool = Field(False, description="Print date and title above, URL and page below.")
    width: float | None = Field(None, ge=0.1, le=200, description="Width of the paper in inches.")
    height: float | None = Field(None, ge=0.1, le=200, description="Height of the paper in inches.")
    margin_top: float = Field(0.4, ge=0, le=200, description="Margin in inches.")
    margin_right: float = Field(0.4, ge=0, le=200, description="Margin in inches.")
    margin_bottom: float = Field(0.4, ge=0, le=200, description="Margin in inches.")
    margin_left: float = Field(0.4, ge=0, le=200, description="Margin in inches.")


class Document(Result):
    """A printed page."""

    document: Artifact = Field(description="The PDF.")

    def __str__(self) -> str:
        return f"PDF of {self.document.size} bytes."


@action(Effect.READ, does=("look",), group="Screenshots and PDF", patient=True)
async def pdf(tab: Tab, args: PrintPage) -> Document:
    """Print the page as PDF."""
    options = PdfOptions(
        paper=_paper(args),
        landscape=args.landscape,
        margins=Margins(args.margin_top, args.margin_right, args.margin_bottom, args.margin_left),
        background=args.background,
        scale=args.scale,
        ranges=args.ranges,
        default_header=args.header_footer,
    )
    content = await print_pdf(tab, options)
    return Document(document=Artifact.of("page.pdf", "application/pdf", base64.b64encode(content).decode()))


def _paper(args: PrintPage) -> str | tuple[float, float]:
    if args.width is None and args.height is None:
        return args.paper
    if args.width is None or args.height is None:
        raise InvalidArgs("width and height belong together.", hint="Give both.")
    return args.width, args.height


def _picture(shot: Screenshot, seen: PageText | None) -> Picture:
    return Picture(
        picture=Artifact.of(f"screenshot.{_SUFFIXES[shot.mime]}", shot.mime, shot.data),
        width=shot.width,
        height=shot.height,
        scale=shot.scale,
        x=shot.x,
        y=shot.y,
        text=seen.text if seen else "",
        seen=seen,
    )
