"""Printing a tab to PDF."""

import base64
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tabwright.aio import deadline
from tabwright.cdp import CdpError, Params
from tabwright.errors import InvalidArgs, PageFailed, require_between

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
_PAGE_RANGE = re.compile(r"\d+(?:-\d*)?|-\d+")
_CHUNK_BYTES = 1_000_000
_INVALID_PARAMS = -32602


@dataclass(frozen=True, slots=True)
class Margins:
    """Margins in inches."""

    top: float = 0.4
    right: float = 0.4
    bottom: float = 0.4
    left: float = 0.4


@dataclass(frozen=True, slots=True)
class PdfOptions:
    """How to print. `paper` is a name, or width and height in inches; header and footer are HTML."""

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
    default_header: bool = False

    def to_params(self) -> Params:
        """Return the parameters of `Page.printToPDF`.

        Raises:
            InvalidArgs: an option is invalid.
        """
        width, height = self._paper()
        options: Params = {
            "landscape": self.landscape,
            "printBackground": self.background,
            "scale": require_between("scale", self.scale, 0.1, 2),
            "paperWidth": width,
            "paperHeight": height,
            "marginTop": require_between("top margin", self.margins.top, 0, height),
            "marginBottom": require_between("bottom margin", self.margins.bottom, 0, height),
            "marginLeft": require_between("left margin", self.margins.left, 0, width),
            "marginRight": require_between("right margin", self.margins.right, 0, width),
            "pageRanges": _parse_ranges(self.ranges),
            "preferCSSPageSize": self.prefer_css_size,
        }
        if self.default_header:
            options["displayHeaderFooter"] = True
        if self.header or self.footer:
            # Without a template Chrome prints its own header or footer.
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
                    f"Unknown paper size {self.paper!r}.", hint=f"Use one of {', '.join(PAPER)}."
                )
            return size
        width, height = self.paper
        return require_between("paper width", width, 0.1, 200), require_between(
            "paper height", height, 0.1, 200
        )


async def print_pdf(tab: "Tab", options: PdfOptions | None = None, *, timeout: float = 60.0) -> bytes:
    """Return the page as a PDF."""
    with deadline(
        timeout,
        f"The page was not printed within {timeout:g} s.",
        hint="Print fewer pages, or allow more time.",
    ):
        return b"".join([chunk async for chunk in _read_chunks(tab, options or PdfOptions())])


async def _read_chunks(tab: "Tab", options: PdfOptions) -> AsyncIterator[bytes]:
    handle = await _start_printing(tab, options.to_params())
    try:
        while True:
            answer = await tab.session.send("IO.read", handle=handle, size=_CHUNK_BYTES)
            data = answer["data"]
            yield base64.b64decode(data) if answer.get("base64Encoded") else data.encode()
            if answer["eof"]:
                return
    finally:
        tab.session.post("IO.close", handle=handle)


async def _start_printing(tab: "Tab", params: Params) -> str:
    """Print the page and return the handle of the stream to read."""
    tab.require_responsive()
    try:
        answer = await tab.session.send("Page.printToPDF", transferMode="ReturnAsStream", **params)
    except CdpError as error:
        if error.code == _INVALID_PARAMS or "range" in error.message:
            raise InvalidArgs(
                f"Chrome refused the print options: {error.message}.",
                hint="Check page ranges, paper and margins.",
            ) from error
        raise PageFailed(
            f"Chrome could not print the page: {error.message}.", hint="Try again, or take a screenshot."
        ) from error
    return str(answer["stream"])


def _parse_ranges(text: str) -> str:
    """Return page ranges such as `1-3, 5` in Chrome's form."""
    parts = [part.strip() for part in text.split(",")] if text.strip() else []
    for part in parts:
        first, _, last = part.partition("-")
        backwards = first.isdigit() and last.isdigit() and int(last) < int(first)
        if not _PAGE_RANGE.fullmatch(part) or backwards or "0" in (first, last):
            raise InvalidArgs(f"Invalid page range {part!r}.", hint="Use ranges such as 1-3, 5.")
    return ",".join(parts)
