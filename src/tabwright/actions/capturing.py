"""Pictures and prints of the page."""

import base64
from typing import Literal

from pydantic import Field

from tabwright.action import Args, Effect, Result, action
from tabwright.artifacts import Artifact
from tabwright.browser.pdf import Print, print_pdf
from tabwright.browser.screenshot import Area, Screenshot, capture
from tabwright.browser.tab import Tab

_SUFFIXES = {"image/jpeg": "jpg", "image/png": "png", "image/webp": "webp"}


class TakeScreenshot(Args):
    """Arguments of `screenshot`."""

    target: str | None = Field(None, max_length=2_000, description="Only this element.")
    full_page: bool = Field(False, description="The whole page rather than what is in view.")
    format: Literal["jpeg", "png", "webp"] = Field("jpeg", description="Kind of picture.")
    quality: int = Field(85, ge=1, le=100, description="Quality of JPEG and WebP.")
    max_side: int = Field(1568, ge=16, le=8_000, description="Longest side in pixels.")
    max_bytes: int = Field(5_242_880, ge=10_000, description="Largest size; the quality falls as needed.")


class Picture(Result):
    """A picture that was taken."""

    picture: Artifact = Field(description="The picture.")
    width: int = Field(description="Width in pixels.")
    height: int = Field(description="Height in pixels.")
    scale: float = Field(description="Pixels of the picture per CSS pixel of the page.")
    x: float = Field(description="Left edge of what it shows, in CSS pixels of the page.")
    y: float = Field(description="Top edge of what it shows, in CSS pixels of the page.")

    def __str__(self) -> str:
        size = f"{self.width} x {self.height} pixels"
        return f"Picture of {size}, scale {self.scale:.3g}, from {self.x:g}, {self.y:g}."


@action(Effect.READ, patient=True)
async def screenshot(tab: Tab, args: TakeScreenshot) -> Picture:
    """Take a picture of the page or an element."""
    area: Area = "page" if args.full_page else "viewport"
    if args.target is not None:
        area = tab.element(args.target)
    shot = await capture(
        tab,
        area=area,
        kind=args.format,
        quality=args.quality,
        max_side=args.max_side,
        max_bytes=args.max_bytes,
    )
    return _picture(shot)


class PrintPage(Args):
    """Arguments of `pdf`."""

    paper: str = Field("a4", max_length=20, description="Paper: a3, a4, a5, letter, legal, tabloid.")
    landscape: bool = Field(False, description="Wider than high.")
    background: bool = Field(True, description="Print backgrounds.")
    scale: float = Field(1.0, ge=0.1, le=2, description="Scale of the print.")
    ranges: str = Field("", max_length=200, description="Pages, such as 1-3, 5; all when empty.")


class Document(Result):
    """A printed page."""

    document: Artifact = Field(description="The PDF.")

    def __str__(self) -> str:
        return f"PDF of {self.document.size} bytes."


@action(Effect.READ, patient=True)
async def pdf(tab: Tab, args: PrintPage) -> Document:
    """Print the page as PDF."""
    how = Print(
        paper=args.paper,
        landscape=args.landscape,
        background=args.background,
        scale=args.scale,
        ranges=args.ranges,
    )
    content = await print_pdf(tab, how)
    return Document(document=Artifact.of("page.pdf", "application/pdf", base64.b64encode(content).decode()))


def _picture(shot: Screenshot) -> Picture:
    artifact = Artifact.of(f"screenshot.{_SUFFIXES[shot.mime]}", shot.mime, shot.data)
    return Picture(
        picture=artifact, width=shot.width, height=shot.height, scale=shot.scale, x=shot.x, y=shot.y
    )
