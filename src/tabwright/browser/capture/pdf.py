"""Printing a tab to PDF."""

import base64
import math
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import anyio

from tabwright.aio import deadline
from tabwright.cdp import CdpError, Params
from tabwright.errors import InvalidArgs, PageFailed

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

# Width and height in inches.
PAPER = {
    "letter": (8.5, 11.0),
    "legal": (8.5, 14.0),
    "tabloid": (11.0, 17.0),
    "a2": (16.54, 23.39),
    "a3": (11.69, 16.54),
    "a4": (8.27, 11.69),
    "a5": (5.83, 8.27),
    "a6": (4.13, 5.83),
}
_RANGE = re.compile(r"\d+(?:-\d*)?|-\d+")
_PIECE = 1_000_000
_INVALID_PARAMS = -32602
_SLOW = "Print fewer pages, or allow more time."


@dataclass(frozen=True, slots=True)
class Margins:
    """Margins in inches."""

    top: float = 0.4
    right: float = 0.4
    bottom: float = 0.4
    left: float = 0.4


@dataclass(frozen=True, slots=True)
class Print:
    """How to print. `paper` is a name or width and height in inches; header and footer are HTML."""

    paper: str | tuple[float, float] = "a4"
    landscape: bool = False
    margins: Margins = Margins()
    background: bool = True
    scale: float = 1.0
    ranges: str = ""
    header: str = ""
    footer: str = ""
    prefer_css_size: bool = False
    # Chrome's own: date and title above, address and page number below.
    plain_header: bool = False

    def options(self) -> Params:
        """Return the protocol's parameters.

        Raises:
            InvalidArgs: naming what is wrong.
        """
        width, height = self._paper()
        options: Params = {
            "landscape": self.landscape,
            "printBackground": self.background,
            "scale": _between("scale", self.scale, 0.1, 2),
            "paperWidth": width,
            "paperHeight": height,
            "marginTop": _between("top margin", self.margins.top, 0, height),
            "marginBottom": _between("bottom margin", self.margins.bottom, 0, height),
            "marginLeft": _between("left margin", self.margins.left, 0, width),
            "marginRight": _between("right margin", self.margins.right, 0, width),
            "pageRanges": _ranges(self.ranges),
            "preferCSSPageSize": self.prefer_css_size,
        }
        if self.plain_header:
            options["displayHeaderFooter"] = True
        if self.header or self.footer:
            # Chrome's own header and footer fill what is not given.
            options |= {
                "displayHeaderFooter": True,
                "headerTemplate": self.header or "<span></span>",
                "footerTemplate": self.footer or "<span></span>",
            }
        return options

    def _paper(self) -> tuple[float, float]:
        if isinstance(self.paper, str):
            size = PAPER.get(self.paper.casefold())
            if size is None:
                raise InvalidArgs(
                    f"There is no paper {self.paper!r}.", hint=f"Choose one of {', '.join(PAPER)}."
                )
            return size
        width, height = self.paper
        return _between("paper width", width, 0.1, 200), _between("paper height", height, 0.1, 200)


async def print_pdf(tab: "Tab", how: Print | None = None, *, timeout: float = 60.0) -> bytes:
    """Return the page as a PDF."""
    with deadline(timeout, f"The page was not printed in {timeout:g} s.", hint=_SLOW):
        return b"".join([piece async for piece in _pieces(tab, how or Print())])


async def save_pdf(tab: "Tab", path: Path, how: Print | None = None, *, timeout: float = 60.0) -> int:
    """Write the page as a PDF to `path`, piece by piece; return its size in bytes.

    A file of that name is replaced when the new one is complete, and not before.
    """
    part, size = anyio.Path(path.with_name(f"{path.name}.part")), 0
    try:
        with deadline(timeout, f"The page was not printed in {timeout:g} s.", hint=_SLOW):
            async with await part.open("wb") as file:
                async for piece in _pieces(tab, how or Print()):
                    size += await file.write(piece)
        await part.replace(path)
    finally:
        with anyio.CancelScope(shield=True):
            await part.unlink(missing_ok=True)
    return size


async def _pieces(tab: "Tab", how: Print) -> AsyncIterator[bytes]:
    handle = await _printed(tab, how.options())
    try:
        while True:
            answer = await tab.session.send("IO.read", handle=handle, size=_PIECE)
            data = answer["data"]
            yield base64.b64decode(data) if answer.get("base64Encoded") else data.encode()
            if answer["eof"]:
                return
    finally:
        tab.session.post("IO.close", handle=handle)


async def _printed(tab: "Tab", options: Params) -> str:
    tab.require_answering()
    try:
        answer = await tab.session.send("Page.printToPDF", transferMode="ReturnAsStream", **options)
    except CdpError as error:
        if error.code == _INVALID_PARAMS or "range" in error.message:
            raise InvalidArgs(
                f"The page cannot be printed so: {error.message}.",
                hint="Check page ranges, paper and margins.",
            ) from error
        raise PageFailed(
            f"Chrome could not print the page: {error.message}.", hint="Try again, or take a picture."
        ) from error
    return str(answer["stream"])


def _between(what: str, value: float, least: float, most: float) -> float:
    if not (math.isfinite(value) and least <= value <= most):
        raise InvalidArgs(f"A {what} of {value:g} is not possible.", hint=f"Give {least:g} to {most:g}.")
    return value


def _ranges(text: str) -> str:
    """Return page ranges such as `1-3, 5` in Chrome's form."""
    parts = [part.strip() for part in text.split(",")] if text.strip() else []
    for part in parts:
        first, _, last = part.partition("-")
        backwards = first.isdigit() and last.isdigit() and int(last) < int(first)
        if not _RANGE.fullmatch(part) or backwards or "0" in (first, last):
            raise InvalidArgs(f"{part!r} is no range of pages.", hint="Give ranges such as 1-3, 5.")
    return ",".join(parts)
