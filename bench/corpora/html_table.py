"""The records of an HTML table by a second implementation of HTML's table model, to compare `extract` with.

It reads the source with lxml and shares no code with Tabwright.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import lxml.html
from lxml.html import HtmlElement

Slots = dict[int, HtmlElement]
_SKIPPED = ("script", "style", "template", "noscript")


def read_records(file: Path, index: int) -> list[dict[str, str]]:
    """Return the records of the table with that index; texts are without white space."""
    document = lxml.html.fromstring(file.read_bytes(), parser=lxml.html.HTMLParser(encoding="utf-8"))
    table = list(document.iter("table"))[index]
    head, body = _split(table)
    numbers = sorted({column for row in [*head, *body] for column in row})
    names: list[str] = []
    for place, number in enumerate(numbers, 1):
        parts = dict.fromkeys(text_of(row[number]) for row in head if number in row)
        name = "/".join(filter(None, parts)) or f"column{place}"
        names.append(name if name not in names else f"{name}{place}")
    return [
        {
            name: text_of(row[number]) if number in row else ""
            for name, number in zip(names, numbers, strict=True)
        }
        for row in body
    ]


def text_of(element: HtmlElement) -> str:
    """Return the text of an element without white space and without the permalinks of documentation."""
    return squeeze("".join(_texts(element)))


def squeeze(text: str) -> str:
    """Remove white space and permalinks, so that only the characters of a text are compared."""
    return re.sub(r"[\s\u00b6\u200b\u00ad]+", "", text).casefold()


def _texts(element: HtmlElement) -> Iterator[str]:
    if element.tag in _SKIPPED or not isinstance(element.tag, str):
        return
    if element.tag == "img":
        yield element.get("alt") or ""
    if element.tag == "input" and element.get("type", "text") == "text":
        yield element.get("value") or ""
    yield element.text or ""
    for child in element:
        yield from _texts(child)
        yield child.tail or ""


def _split(table: HtmlElement) -> tuple[list[Slots], list[Slots]]:
    """Return the header rows and the other rows: head, body, foot."""
    sections = [(_section(rows[0]), _expand(rows)) for rows in _row_groups(table)]
    head = [row for section, rows in sections if section == "thead" for row in rows if row]
    body = [
        row
        for wanted in ("tbody", "tfoot")
        for section, rows in sections
        if section == wanted
        for row in rows
        if row
    ]
    width = len({column for row in [*head, *body] for column in row})
    head = [row for row in head if not _spans_all(row, width)]
    if head:
        return head, body
    while len(body) > 1 and _all_headers(body[0]) and _spans_all(body[0], width):
        body = body[1:]
    head = body[:1] if len(body) > 1 and _all_headers(body[0]) else []
    while head and len(body) > len(head) + 1 and _has_second_row(head[-1], body[len(head)]):
        head = body[: len(head) + 1]
    return head, body[len(head) :]


def _spans_all(row: Slots, width: int) -> bool:
    return width > 1 and len(row) == width and len({*row.values()}) == 1


def _all_headers(row: Slots) -> bool:
    cells = list(dict.fromkeys(row.values()))
    if cells[0].tag == "td" and not text_of(cells[0]) and len(cells) > 1:
        cells = cells[1:]
    return all(cell.tag == "th" and cell.get("scope") not in ("row", "rowgroup") for cell in cells)


def _has_second_row(upper: Slots, lower: Slots) -> bool:
    spans = any(cell.get("colspan", "1") != "1" or cell.get("rowspan", "1") != "1" for cell in upper.values())
    return spans and _all_headers(lower) and len({*lower.values()}) > 1


def _row_groups(table: HtmlElement) -> Iterator[list[HtmlElement]]:
    loose: list[HtmlElement] = []
    for child in table:
        if child.tag == "tr":
            loose.append(child)
        elif child.tag in ("thead", "tbody", "tfoot"):
            if loose:
                yield loose
            loose = []
            if rows := child.findall("tr"):
                yield rows
    if loose:
        yield loose


def _section(row: HtmlElement) -> str:
    parent = row.getparent()
    return str(parent.tag) if parent is not None and parent.tag in ("thead", "tfoot") else "tbody"


def _expand(rows: list[HtmlElement]) -> list[Slots]:
    """Place the cells of a row group: each cell takes the first free column and all slots of its spans."""
    grid: list[Slots] = [{} for _ in rows]
    for y, row in enumerate(rows):
        x = 1
        for cell in row:
            if cell.tag not in ("td", "th"):
                continue
            while x in grid[y]:
                x += 1
            height = _span(cell, "rowspan") or len(rows)
            for below in range(y, min(y + height, len(rows))):
                for column in range(x, x + (_span(cell, "colspan") or 1)):
                    grid[below][column] = cell
    return [dict(sorted(slots.items())) for slots in grid]


def _span(cell: HtmlElement, name: str) -> int:
    match = re.match(r"\s*(\d+)", cell.get(name) or "1")
    return int(match[1]) if match else 1
