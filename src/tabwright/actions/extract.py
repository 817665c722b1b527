"""Extracting data: tables and lists as records, the main text as Markdown."""

import csv
import io
from collections.abc import Sequence
from typing import Annotated, Literal

import anyio
import orjson
from pydantic import Field

from tabwright.action import Args, Effect, Result, action
from tabwright.browser.input.scroll import scroll_page
from tabwright.browser.snapshot.markdown import main_text
from tabwright.browser.snapshot.observe import observe
from tabwright.browser.snapshot.snapshot import Snapshot
from tabwright.browser.snapshot.tables import Record, RecordSet, record_sets
from tabwright.browser.tab import Tab
from tabwright.budget import tokens
from tabwright.documents.source import DocumentChoice, read_document
from tabwright.errors import NotFound
from tabwright.fields import FileToRead, Timeout
from tabwright.text import format_count

# Less than the height of a window, so that no row is skipped.
_SCROLL_STEP = 500


class Extract(Args):
    """Arguments of `extract`."""

    target: str | None = Field(
        None, min_length=1, max_length=2_000, description="Only inside this element (@e7, CSS)."
    )
    number: int = Field(1, ge=1, description="Which table or list; 1 is the main one.")
    kind: Literal["any", "table", "list"] = Field("any", description="What to look for.")
    format: Literal["json", "csv"] = Field("json", description="Format of the rows.")
    start: int = Field(0, ge=0, description="Row to start at.")


class Harvest(Args):
    """Arguments of `harvest`."""

    kind: Literal["any", "table", "list"] = Field("any", description="What to look for.")
    format: Literal["json", "csv"] = Field("json", description="Format of the rows.")
    most: int = Field(500, ge=1, le=10_000, description="Maximum rows.")
    timeout: Timeout = 60.0


class Records(Result):
    """Rows of a table or list."""

    own_lines = 0

    name: str = Field(description="Caption or label.")
    kind: str = Field(description="table or list.")
    columns: list[str] = Field(description="Names of the columns.")
    rows: list[Record] = Field(description="The rows.")
    others: list[str] = Field(description="The other tables and lists.")
    notes: list[str] = Field(
        default_factory=list,
        description="What does not fit: rows with fewer cells than columns, and the like.",
    )
    format: str = Field(exclude=True, description="Format of the text.")
    start: int = Field(0, description="Number of the first row.")

    def __str__(self) -> str:
        return self._render(self.rows)

    def shorten(self, max_tokens: int) -> str | None:
        """As many whole rows as fit, and where to continue."""
        few, many = 0, len(self.rows)
        while few < many:
            middle = (few + many + 1) // 2
            few, many = (
                (middle, many)
                if tokens(self._render(self.rows[:middle])) < max_tokens - 40
                else (few, middle - 1)
            )
        left = len(self.rows) - few
        more = f"[{format_count(left, 'more row')}: extract with start {self.start + few}]"
        return f"{self._render(self.rows[:few])}\n{more}"

    def _render(self, rows: Sequence[Record]) -> str:
        notes = f"\n[{'. '.join(self.notes)}.]" if self.notes else ""
        return self._render_rows(rows) + notes

    def _render_rows(self, rows: Sequence[Record]) -> str:
        if self.format == "json":
            return orjson.dumps(list(rows)).decode()
        text = io.StringIO()
        columns = list(dict.fromkeys(column for row in rows for column in row)) or self.columns
        writer = csv.DictWriter(text, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return text.getvalue().rstrip("\n")


class Harvested(Records):
    """Rows collected while scrolling."""

    screens: int = Field(description="Number of screens scrolled.")
    end: str = Field(description="Why it stopped: the end of the page, enough rows, or no more time.")


class Read(Args):
    """Arguments of `read`."""

    exclusive = (("target", "download", "file"),)

    target: str | None = Field(
        None, min_length=1, max_length=2_000, description="Everything inside this element (@e7, CSS)."
    )
    download: str | None = Field(
        None, pattern=r"^d\d+$", description="Read this download instead: PDF, DOCX, XLSX or CSV."
    )
    file: Annotated[str | None, FileToRead()] = Field(
        None, min_length=1, max_length=4_000, description="Read this file of your folder instead."
    )
    pages: str | None = Field(
        None, min_length=1, max_length=20, description="Pages of a PDF, or sheets of an XLSX, such as 3-7."
    )


class Text(Result):
    """The main text of a page or document."""

    own_lines = 0

    title: str = Field(description="Title of the page.")
    text: str = Field(description="The text as Markdown.")
    around: str = Field("", description="What is on the page besides the article, if only that was read.")
    notes: list[str] = Field(default_factory=list, description="What was left out.")

    def __str__(self) -> str:
        around = (
            f"[Article only. Left out: {self.around}. Target body reads it all.]\n\n" if self.around else ""
        )
        notes = f"\n\n[{'. '.join(self.notes)}.]" if self.notes else ""
        return around + (self.text or "The page shows no text.") + notes


@action(Effect.READ, does=("look",), group="Extraction")
async def extract(tab: Tab, args: Extract) -> Records:
    """Read a table, a list or repeated cards of the page as JSON or CSV."""
    root = await tab.element(args.target).ref() if args.target is not None else None
    page = await tab.snapshot(root=root, records=True)
    found = [records for records in record_sets(page.nodes) if args.kind in ("any", records.kind)]
    if len(found) < args.number:
        raise NotFound(
            f"Tables and lists on the page: {len(found)}.", hint="Take a snapshot to see what is there."
        )
    chosen = found[args.number - 1]
    others = [
        f"{place}: {other.kind} {other.name!r}, {format_count(len(other.rows), 'row')}"
        for place, other in enumerate(found, 1)
    ]
    return Records(
        name=chosen.name,
        kind=chosen.kind,
        columns=list(chosen.columns),
        rows=list(chosen.rows[args.start :]),
        others=others[:10],
        notes=list(chosen.notes),
        format=args.format,
        start=args.start,
    )


@action(Effect.ACT, does=("point",), group="Extraction", observed=False, patient=True)
async def harvest(tab: Tab, args: Harvest) -> Harvested:
    """Scroll through a page that loads more as you scroll, and collect the rows of its main list."""
    rows: dict[str, Record] = {}
    about, screens, end = RecordSet("list", "", "", (), ()), 0, "no more time"
    with anyio.move_on_after(args.timeout):
        while True:
            known = len(rows)
            about = _collect(await tab.snapshot(records=True), args.kind, rows) or about
            if len(rows) >= args.most:
                end = "enough rows"
                break
            scrolled, _ = await observe(tab, lambda: scroll_page(tab, "down", _SCROLL_STEP))
            if scrolled.moved_y == 0 and len(rows) == known:
                end = "the end of the page"
                break
            screens += 1
    collected = list(rows.values())[: args.most]
    return Harvested(
        name=about.name,
        kind=about.kind,
        columns=list(dict.fromkeys(column for row in collected for column in row)),
        rows=collected,
        others=[],
        format=args.format,
        screens=screens,
        end=end,
    )


def _collect(page: Snapshot, kind: str, rows: dict[str, Record]) -> RecordSet | None:
    """Add the rows of the largest table or list, each once; rows that were scrolled out stay."""
    largest = next((found for found in record_sets(page.nodes) if kind in ("any", found.kind)), None)
    for row in largest.rows if largest else ():
        rows.setdefault(repr(row), row)
    return largest


@action(Effect.READ, does=("look",), group="Extraction")
async def read(tab: Tab, args: Read) -> Text:
    """Read the main text of the page, or a document (PDF, DOCX, XLSX, CSV), as Markdown."""
    choice = DocumentChoice(args.download, args.file, args.pages)
    if args.target is None and (document := await read_document(tab, choice)) is not None:
        return Text(title=document.title, text=document.text, notes=list(document.notes))
    root = await tab.element(args.target).ref() if args.target is not None else None
    page = await tab.read_text(root=root)
    return Text(title=page.title, text=main_text(page.nodes), around=page.around_article)
