"""The grid of a table: which cell is in which column of which row, and what each column is called.

core/tables.js places the cells by HTML's table model and states the columns that counting does not give.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from tabwright.browser.snapshot.nodes import Node, words
from tabwright.browser.snapshot.plain_text import text_of

TABLES = words("table grid treegrid")
CELLS = words("cell columnheader gridcell rowheader")
# Facts about the place of a cell, a row or a row group; they are not states of a control.
PLACE_FACTS = words("above colspan column rowspan section")
_HEADERS = words("columnheader rowheader")
_ORDER = {"head": 0, "": 1, "foot": 2}


class Placed(NamedTuple):
    """One cell of a row: its first column, counted from 1, and how many columns it takes.

    The cell is None where a cell of an earlier row takes the column.
    """

    column: int
    width: int
    cell: Node | None


def place_cells(row: Node) -> list[Placed]:
    """Return the cells of a row by column, with the columns that cells of earlier rows take."""
    placed: list[Placed] = []
    column = 1
    for cell in row.children:
        if cell.role in CELLS:
            column = int(cell.states.get("column", column))
            placed.append(Placed(column, int(cell.states.get("colspan", 1)), cell))
            column += placed[-1].width
    if "above" in row.states:
        own = {column for one in placed for column in range(one.column, one.column + one.width)}
        above = map(int, row.states["above"].split(","))
        placed += [Placed(column, 1, None) for column in above if column not in own]
        placed.sort(key=lambda one: one.column)
    return placed


@dataclass(frozen=True)
class GridRow:
    """A row with its spans expanded: the cell in each column, counted from 1."""

    section: str
    cells: Mapping[int, Node]
    starts: frozenset[int]
    """The columns where a cell begins."""

    @property
    def parts(self) -> list[Node]:
        """The cells, each once."""
        return list({id(cell): cell for cell in self.cells.values()}.values())


@dataclass(frozen=True)
class Grid:
    """A table: titles over its whole width, names of its columns by number, and the other rows."""

    titles: tuple[str, ...]
    columns: Mapping[int, str]
    rows: tuple[GridRow, ...]
    bare_columns: tuple[str, ...]
    """Columns that the header rows do not reach."""

    @property
    def short_rows(self) -> list[int]:
        """The numbers of rows without a cell in some column, counted from 1."""
        return [number for number, row in enumerate(self.rows, 1) if len(row.cells) < len(self.columns)]


def build_grid(table: Node) -> Grid:
    """Return the grid of a table: head, body, foot; rows of tables inside its cells are not part of it."""
    rows = sorted(_expand(_rows(table, "")), key=lambda row: _ORDER[row.section])
    titles, headers, body = _split(rows)
    # A hidden column has neither: only cells that span all columns reach it.
    numbers = sorted({*(column for row in headers for column in row.cells), *(_starts(rows))})
    names: dict[int, str] = {}
    for place, column in enumerate(numbers, 1):
        names[column] = _unique(_header(headers, column) or f"column {place}", place, names)
    bare = [
        name for column, name in names.items() if headers and not any(column in row.cells for row in headers)
    ]
    body = [replace(row, cells={at: cell for at, cell in row.cells.items() if at in names}) for row in body]
    return Grid(tuple(map(_text, titles)), names, tuple(body), tuple(bare))


def _starts(rows: Sequence[GridRow]) -> Iterator[int]:
    return (column for row in rows for column in row.starts)


def _rows(node: Node, section: str) -> Iterator[tuple[str, Node]]:
    for child in node.children:
        if child.role == "row":
            yield section, child
        elif child.role not in TABLES and child.role not in CELLS:
            yield from _rows(child, child.states.get("section", section))


def _expand(rows: Iterator[tuple[str, Node]]) -> Iterator[GridRow]:
    above: dict[int, Node] = {}
    for section, row in rows:
        cells: dict[int, Node] = {}
        for column, width, cell in place_cells(row):
            if (shown := cell or above.get(column)) is not None:
                cells |= dict.fromkeys(range(column, column + width), shown)
        if cells:
            starts = frozenset(placed.column for placed in place_cells(row))
            yield GridRow(section, cells, starts)
        above |= {column: cell for column, cell in cells.items() if "rowspan" in cell.states}


def _split(rows: Sequence[GridRow]) -> tuple[list[GridRow], list[GridRow], list[GridRow]]:
    """Split rows into titles, header rows and the others."""
    width = len({column for row in rows for column in row.cells})
    head = [row for row in rows if row.section == "head"]
    rest = rows[len(head) :]
    titles = [row for row in head if _is_title(row, width)] if width > 1 else []
    headers = [row for row in head if row not in titles]
    if not headers:
        more, headers, rest = _leading_headers(rest, width)
        titles += more
    return titles, headers, list(rest)


def _leading_headers(
    rows: Sequence[GridRow], width: int
) -> tuple[list[GridRow], list[GridRow], Sequence[GridRow]]:
    """Split the titles and header rows off a table without a head."""
    start = 0
    while width > 1 and start < len(rows) - 1 and _is_header(rows[start]) and _is_title(rows[start], width):
        start += 1
    end = start
    while (
        end < len(rows) - 1
        and _is_header(rows[end])
        and (end == start or _continues(rows[end - 1], rows[end]))
    ):
        end += 1
    return list(rows[:start]), list(rows[start:end]), rows[end:]


def _continues(upper: GridRow, lower: GridRow) -> bool:
    """Whether a second row of headers belongs to the first: only if a header of the first spans."""
    spans = any("colspan" in cell.states or "rowspan" in cell.states for cell in upper.parts)
    return spans and len(lower.parts) > 1


def _is_title(row: GridRow, width: int) -> bool:
    return len(row.cells) == width and len(row.parts) == 1


def _is_header(row: GridRow) -> bool:
    """Whether all cells are headers; the first may be an empty corner."""
    cells = row.parts
    if cells[0].role not in _HEADERS and not text_of(cells[0]):
        cells = cells[1:]
        return bool(cells) and all(cell.role in _HEADERS for cell in cells)
    return all(cell.role == "columnheader" for cell in cells)


def _header(rows: Sequence[GridRow], column: int) -> str:
    """Join the headers above a column: "Group / Column"."""
    texts = [text_of(row.cells[column]) for row in rows if column in row.cells]
    return " / ".join(dict.fromkeys(text for text in texts if text))


def _unique(name: str, place: int, names: Mapping[int, str]) -> str:
    taken = set(names.values())
    while name in taken:
        name = f"{name} {place}"
    return name


def _text(row: GridRow) -> str:
    return " ".join(filter(None, map(text_of, row.parts)))
