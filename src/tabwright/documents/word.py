"""DOCX as Markdown: headings, paragraphs, lists, links and tables in their order."""

import io
import re
from collections.abc import Iterator
from typing import Any

import docx
from docx.table import Table, _Cell
from docx.text.hyperlink import Hyperlink
from docx.text.paragraph import Paragraph
from docx.text.run import Run

from tabwright.documents.markdown_table import render_table
from tabwright.documents.parsed import Parsed, Request
from tabwright.text import format_count

_HEADING = re.compile(r"Heading ([1-9])")
_LIST_ITEM = re.compile(r"List (Bullet|Number)(?: ([1-9]))?")
_MAX_CELLS = 100_000
_SPACES = {"w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main"}


def parse_docx(content: bytes, _: Request) -> Parsed:
    """Parse a DOCX; it has no pages, so it is one part."""
    document = docx.Document(io.BytesIO(content))
    blocks = (_block(part) for part in document.iter_inner_content())
    text = _join(block for block in blocks if block)
    runs = document.element.body.iterfind(".//w:r", _SPACES)
    hidden = sum(_hidden_length(run) for run in runs)
    notes = [f"Left out: hidden text ({format_count(hidden, 'character')})"] if hidden else []
    return Parsed("part", 1, iter([("", text)]), document.core_properties.title or "", notes)


def _hidden_length(run: Any) -> int:
    if run.find("w:rPr/w:vanish", _SPACES) is None:
        return 0
    return sum(len(text.text or "") for text in run.iterfind("w:t", _SPACES))


def _join(blocks: Iterator[str]) -> str:
    text, was_item = "", False
    for block in blocks:
        is_item = bool(re.match(r" *(-|1\.) ", block))
        text += ("\n" if is_item and was_item else "\n\n" if text else "") + block
        was_item = is_item
    return text


def _block(part: Paragraph | Table) -> str:
    return _table(part) if isinstance(part, Table) else _paragraph(part)


def _paragraph(paragraph: Paragraph) -> str:
    text = "".join(map(_inline, paragraph.iter_inner_content())).strip()
    if not text:
        return ""
    style = str(paragraph.style.name) if paragraph.style is not None else ""
    if style == "Title":
        return f"# {text}"
    if heading := _HEADING.match(style):
        return f"{'#' * min(int(heading[1]), 6)} {text}"
    if item := _LIST_ITEM.match(style):
        return f"{'  ' * (int(item[2] or 1) - 1)}{'-' if item[1] == 'Bullet' else '1.'} {text}"
    return text


def _inline(part: Run | Hyperlink) -> str:
    """Return a piece of a paragraph; hidden text is left out."""
    if isinstance(part, Hyperlink):
        text = "".join(map(_inline, part.runs))
        return f"[{text}]({part.url})" if part.url and text else text
    return "" if part.font.hidden else part.text


def _table(table: Table) -> str:
    """Render a table; a merged cell is repeated in each of its rows, and leaves its other columns empty."""
    rows: list[list[str]] = []
    cells = 0
    for row in table.rows:
        before = None
        texts = [""] * row.grid_cols_before
        for cell in row.cells:
            texts.append("" if cell._tc is before else _cell_text(cell))  # noqa: SLF001 - two objects per merged cell
            before = cell._tc  # noqa: SLF001 - as above
        rows.append(texts)
        cells += len(texts)
        if cells > _MAX_CELLS:
            break
    return render_table(rows)


def _cell_text(cell: _Cell) -> str:
    parts = (
        _cell_text_of_table(part) if isinstance(part, Table) else _paragraph(part)
        for part in cell.iter_inner_content()
    )
    return " ".join(filter(None, parts))


def _cell_text_of_table(table: Table) -> str:
    return " ".join(_cell_text(cell) for row in table.rows for cell in row.cells)
