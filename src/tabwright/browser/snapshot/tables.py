"""Tables and lists of a page as records, read from the snapshot's tree: visible text only."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tabwright.browser.snapshot.grid import TABLES, Grid, GridRow, build_grid
from tabwright.browser.snapshot.items import read_items
from tabwright.browser.snapshot.nodes import Node, words
from tabwright.browser.snapshot.plain_text import text_of
from tabwright.text import format_count

_LISTS = words("list listbox feed")
_NOT_MAIN = words("banner contentinfo menu menubar navigation toolbar")
_MAX_LISTED = 10

Record = dict[str, str]


@dataclass(frozen=True)
class RecordSet:
    """One table or list: name, columns and rows; the notes say what does not fit."""

    kind: str
    name: str
    ref: str
    columns: tuple[str, ...]
    rows: tuple[Record, ...]
    notes: tuple[str, ...] = ()
    minor: bool = False
    """Whether it is part of a menu, header or footer, or a table that may be there for the layout only."""

    @property
    def rank(self) -> tuple[bool, bool, int]:
        """The order: a table counts by its rows, a list by its values."""
        size = len(self.rows) if self.kind == "table" else sum(map(len, self.rows))
        return self.minor, self.kind == "list", -size


def record_sets(nodes: Sequence[Node]) -> list[RecordSet]:
    """Return all tables, then all lists: the largest first, minor ones last.

    A table that is the only node comes first.
    """
    found = [*_tables(nodes), *_lists(nodes)]
    root = nodes[0].ref if len(nodes) == 1 else ""
    return sorted(found, key=lambda records: (records.ref != root, *records.rank))


def _tables(nodes: Sequence[Node]) -> Iterator[RecordSet]:
    for node in _all(nodes, TABLES):
        grid = build_grid(node)
        if grid.rows:
            columns = tuple(grid.columns.values())
            records = tuple(_record(grid.columns, row) for row in grid.rows)
            name = " / ".join(dict.fromkeys(filter(None, [node.name or _caption(node), *grid.titles])))
            minor = "unmarked" in node.states
            yield RecordSet("table", name, node.ref, columns, records, tuple(_notes(grid)), minor)


def _notes(grid: Grid) -> Iterator[str]:
    if short := grid.short_rows:
        listed = ", ".join(map(str, short[:_MAX_LISTED])) + (" …" if len(short) > _MAX_LISTED else "")
        has = "has" if len(short) == 1 else "have"
        columns = format_count(len(grid.columns), "column")
        yield f"{format_count(len(short), 'row')} {has} cells for fewer than {columns}: {listed}"
    if bare := grid.bare_columns:
        yield f"No header above: {', '.join(bare[:_MAX_LISTED])}"
    if foot := sum(row.section == "foot" for row in grid.rows):
        yield f"The last {format_count(foot, 'row')} of the table {'is' if foot == 1 else 'are'} its footer"


def _record(columns: Mapping[int, str], row: GridRow) -> Record:
    record = dict.fromkeys(columns.values(), "")
    for column, cell in row.cells.items():
        name = columns[column]
        record[name] = text_of(cell)
        if href := next((inner.href for inner in cell.walk() if inner.href), ""):
            record[f"{name} (link)" if f"{name} link" in columns.values() else f"{name} link"] = href
    return record


def _lists(nodes: Sequence[Node]) -> Iterator[RecordSet]:
    minor = {id(node) for part in _all(nodes, _NOT_MAIN) for node in _all([part], _LISTS)}
    for node in _all(nodes, _LISTS):
        if rows := read_items(node):
            columns = tuple(dict.fromkeys(column for row in rows for column in row))
            yield RecordSet("list", node.name, node.ref, columns, tuple(rows), minor=id(node) in minor)


def _all(nodes: Sequence[Node], roles: frozenset[str]) -> Iterator[Node]:
    return (node for top in nodes for node in top.walk() if node.role in roles)


def _caption(table: Node) -> str:
    return next((text_of(child) for child in table.children if child.role == "caption"), "")
