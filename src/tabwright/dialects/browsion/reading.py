"""Browsion's tools for seeing: the page as a tree, as text, as data, as a picture, on paper; and scripts."""

from typing import Any, Literal

from pydantic import Field

from tabwright.action import Effect
from tabwright.call import Call
from tabwright.dialects.browsion.call import InBrowser, Selector, Tools
from tabwright.dialects.tool_call import Bounds


class Long(InBrowser):
    """A call whose answer may be longer than what is told at once."""

    effect, also = Effect.READ, "more"
    cursor: str | None = Field(
        None, pattern=r"^o\d+(:\d+)?$", description="Read on in an answer that was shortened: o3:120"
    )

    def request(self, bounds: Bounds) -> Call:
        if self.cursor is not None:
            return self.of(self.also, cursor=self.cursor)
        return super().request(bounds)


class GetPageState(Long):
    """Read the page: address, title, and a short tree with refs (e5) to act on. Start here."""

    action = "get_page_state"


class GetAxTree(Long):
    """Read the whole tree of the page, with refs (e5) to act on."""

    action = "snapshot"


class GetPageText(Long):
    """Read the page's main text; with a cursor, read on in any answer that was shortened."""

    action = "read"


class Picture(InBrowser):
    """A call that takes a picture."""

    effect, action = Effect.READ, "screenshot"
    format: Literal["png", "jpeg", "webp"] = "png"
    quality: int | None = Field(None, ge=1, le=100, description="Of jpeg and webp")

    def request(self, bounds: Bounds) -> Call:
        return self.of(self.action, **self.arguments(), max_side=bounds.max_side, max_bytes=bounds.max_bytes)


class Screenshot(Picture):
    """See the page: layout, charts, canvas. get_page_state is cheaper."""

    full_page: bool = False


class ScreenshotElement(Picture):
    """See one element."""

    selector: Selector


class GetDomContext(InBrowser):
    """List what the page offers to use: elements, forms with their fields, links; with refs."""

    effect, action = Effect.READ, "get_dom_context"


class ExtractData(InBrowser):
    """Read data by CSS as JSON: {"title": "h1"}, or {"item": ".card", "fields": {"price": …}} for a list.

    A field is CSS, or {"css", "attr", "type": string|number|boolean|url, "all": true}.
    """

    effect, action = Effect.READ, "extract_fields"
    selectors: dict[str, Any]

    def arguments(self) -> dict[str, Any]:
        given = self.selectors
        if isinstance(given.get("fields"), dict) and set(given) <= {"item", "fields"}:
            return {"fields": given["fields"], "item": given.get("item")}
        return {"fields": given}


class EvaluateJs(InBrowser):
    """Run JavaScript in the page: an expression, or statements with return. For what no other tool tells."""

    action, words = "evaluate", {"expression": "script"}
    expression: str = Field(min_length=1, max_length=1_000_000)


class PrintToPdf(InBrowser):
    """Print the page as PDF."""

    effect, action = Effect.READ, "pdf"
    words = {  # noqa: RUF012 - pydantic copies nothing of a ClassVar, and nobody writes to it
        "display_header_footer": "header_footer",
        "print_background": "background",
        "page_ranges": "ranges",
        "paper_width": "width",
        "paper_height": "height",
    }
    landscape: bool = False
    display_header_footer: bool = False
    print_background: bool = True
    scale: float = Field(1.0, ge=0.1, le=2)
    paper_width: float | None = Field(None, ge=0.1, le=200, description="Inches; A4 if omitted")
    paper_height: float | None = Field(None, ge=0.1, le=200, description="Inches")
    margin_top: float | None = Field(None, ge=0, le=200, description="Inches")
    margin_right: float | None = Field(None, ge=0, le=200)
    margin_bottom: float | None = Field(None, ge=0, le=200)
    margin_left: float | None = Field(None, ge=0, le=200)
    page_ranges: str = Field("", max_length=200, description="Such as 1-3, 5")


OBSERVING: Tools = {
    "get_page_state": GetPageState,
    "get_ax_tree": GetAxTree,
    "screenshot": Screenshot,
    "screenshot_element": ScreenshotElement,
    "get_dom_context": GetDomContext,
    "extract_data": ExtractData,
    "get_page_text": GetPageText,
}
SCRIPTS: Tools = {"evaluate_js": EvaluateJs}
PRINTING: Tools = {"print_to_pdf": PrintToPdf}
