"""XLSX and CSV as Markdown tables; a part is a sheet."""

import codecs
import csv
import datetime as dt
import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from tabwright.documents.markdown_table import render_table
from tabwright.documents.parsed import Parsed, Request

_MAX_ROWS = 5_000
_MAX_COLUMNS = 200
_MAX_CELL = 5_000
_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


def parse_csv(content: bytes, request: Request) -> Parsed:
    """Parse a CSV or TSV file."""
    text = _decode(content)
    csv.field_size_limit(len(text) + 1)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text, request.name))
    notes: list[str] = []
    table = _render(reader, notes, "The file")
    return Parsed("part", 1, iter([("", table)]), notes=notes)


def _decode(content: bytes) -> str:
    for mark, encoding in _BYTE_ORDER_MARKS.items():
        if content.startswith(mark):
            return content.decode(encoding, errors="replace")
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def _delimiter(text: str, name: str) -> str:
    """Return the separator that splits the first line into the most cells."""
    if name.lower().endswith(".tsv"):
        return "\t"
    first = next((line for line in text.splitlines() if line.strip()), "")
    return max(",;\t|", key=lambda one: len(next(csv.reader([first], delimiter=one), [])))


def parse_xlsx(content: bytes, request: Request) -> Parsed:
    """Parse a workbook: the values of its visible sheets, not their formulas."""
    import openpyxl  # noqa: PLC0415 - CSV needs no package

    book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
    sheets = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
    notes = [f"Hidden sheets: {hidden}"] if (hidden := len(book.worksheets) - len(sheets)) else []

    def parts() -> Iterator[tuple[str, str]]:
        for sheet in sheets[request.first - 1 : request.last]:
            rows = sheet.iter_rows(max_row=_MAX_ROWS * 4, max_col=_MAX_COLUMNS + 1, values_only=True)
            label = f"Sheet {sheet.title}"
            yield label, _render(([_text(value) for value in row] for row in rows), notes, label)

    return Parsed("sheet", len(sheets), parts(), str(book.properties.title or ""), notes)


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, dt.datetime):
        return value.isoformat(" ").removesuffix(" 00:00:00")
    return str(value)


def _render(rows: Iterable[Sequence[str]], notes: list[str], what: str) -> str:
    """Render the rows that are not empty, without empty columns at the end."""
    kept = list(islice((row for row in rows if any(cell.strip() for cell in row)), _MAX_ROWS + 1))
    if len(kept) > _MAX_ROWS:
        notes.append(f"{what} has more than {_MAX_ROWS} rows; these are the first ones")
    kept = kept[:_MAX_ROWS]
    width = max((at for row in kept for at, cell in enumerate(row, 1) if cell.strip()), default=0)
    if width > _MAX_COLUMNS:
        notes.append(f"{what} has more than {_MAX_COLUMNS} columns; these are the first ones")
        width = _MAX_COLUMNS
    return render_table([[cell[:_MAX_CELL] for cell in row[:width]] for row in kept]) if width else "(empty)"
