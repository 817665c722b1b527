"""PDF pages as Markdown: text in reading order by PDFium, as in Chrome, and tables by pdfplumber.

pdfplumber alone would mix the lines of two columns; PDFium alone knows no tables.
"""

import io
from collections.abc import Iterator, Sequence
from itertools import islice

import pdfplumber
import pypdfium2
import pypdfium2.raw as pdfium

from tabwright.documents.markdown_table import render_table
from tabwright.documents.parsed import Parsed, Request

# Left, top, right, bottom, from the top left corner of the page.
Box = tuple[float, float, float, float]

_MIN_RULES = 4
_MAX_CHARACTERS = 100_000
# PDFium writes it for the hyphen of a word that goes on in the next line.
_HYPHEN = "\x02"


def parse_pdf(content: bytes, request: Request) -> Parsed:
    """Parse a PDF."""
    document = pypdfium2.PdfDocument(content)
    title = document.get_metadata_value("Title")
    return Parsed("page", len(document), _pages(document, content, request), title)


def _pages(document: pypdfium2.PdfDocument, content: bytes, request: Request) -> Iterator[tuple[str, str]]:
    with pdfplumber.open(io.BytesIO(content)) as plumber:
        for number in range(request.first, min(request.last, len(document)) + 1):
            page = document[number - 1]
            tables = _tables(plumber.pages[number - 1]) if _has_rules(page) else []
            text = _page_text(page, tables)
            plumber.pages[number - 1].close()
            yield f"Page {number}", text or "(no text: probably a scanned image)"


def _has_rules(page: pypdfium2.PdfPage) -> bool:
    """Whether the page has lines that may be the rules of a table; finding tables takes long."""
    paths = page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_PATH], max_depth=3)
    return len(list(islice(paths, _MIN_RULES))) == _MIN_RULES


def _tables(page: "pdfplumber.page.Page") -> list[tuple[Box, str]]:
    found = []
    for table in page.find_tables():
        rows = [[cell or "" for cell in row] for row in table.extract()]
        if len(rows) > 1 and max(map(len, rows)) > 1 and any(cell.strip() for row in rows for cell in row):
            found.append((table.bbox, render_table(rows)))
    return found


def _page_text(page: pypdfium2.PdfPage, tables: Sequence[tuple[Box, str]]) -> str:
    """Join the lines of a page; each table takes the place of the text in it."""
    blocks: list[str] = []
    written: set[int] = set()
    before: Box | None = None
    for box, text in _lines(page):
        inside = next((at for at, (area, _) in enumerate(tables) if _is_inside(box, area)), None)
        if inside is not None:
            if inside not in written:
                blocks.append(tables[inside][1])
            written.add(inside)
            before = None
            continue
        if before is not None and blocks[-1].endswith(_HYPHEN):
            blocks[-1] = blocks[-1].removesuffix(_HYPHEN) + text
        elif before is not None and _continues(before, box):
            blocks[-1] += (" " if _same_line(before, box) else "\n") + text
        else:
            blocks.append(text)
        before = box
    return "\n\n".join(blocks).replace(_HYPHEN, "-")


def _lines(page: pypdfium2.PdfPage) -> Iterator[tuple[Box, str]]:
    """Yield the lines of a page in the order in which the document draws them."""
    textpage = page.get_textpage()
    height = page.get_height()
    start = 0
    characters = [
        chr(pdfium.FPDFText_GetUnicode(textpage, place))
        for place in range(min(textpage.count_chars(), _MAX_CHARACTERS))
    ]
    for end, character in enumerate([*characters, "\n"]):
        if character in "\r\n":
            if text := _clean(characters[start:end]):
                yield _box(textpage, range(start, end), height), text
            start = end + 1


def _clean(characters: Sequence[str]) -> str:
    """Join characters; those beyond the first 65,536 are in two halves."""
    text = "".join(characters).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return " ".join(text.replace("\x00", "").split())


def _box(textpage: pypdfium2.PdfTextPage, places: range, height: float) -> Box:
    boxes = [textpage.get_charbox(place, loose=True) for place in (places[0], places[-1])]
    left, bottom = (min(box[at] for box in boxes) for at in (0, 1))
    right, top = (max(box[at] for box in boxes) for at in (2, 3))
    return left, height - top, right, height - bottom


def _is_inside(box: Box, area: Box) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return area[0] - 1 <= x <= area[2] + 1 and area[1] - 1 <= y <= area[3] + 1


def _same_line(one: Box, other: Box) -> bool:
    return min(one[3], other[3]) - max(one[1], other[1]) > 0.4 * min(one[3] - one[1], other[3] - other[1])


def _continues(before: Box, box: Box) -> bool:
    """Whether a piece belongs to the paragraph of the piece before: on its line, or just below."""
    if _same_line(before, box):
        return box[0] >= before[0]
    heights = sorted((before[3] - before[1], box[3] - box[1]))
    return 0 < heights[1] < 1.3 * heights[0] and -0.7 <= (box[1] - before[3]) / heights[0] <= 0.7
