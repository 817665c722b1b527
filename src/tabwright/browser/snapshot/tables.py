"""Tables and lists of a page as records, read from the snapshot's tree: visible text only."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tabwright.browser.snapshot.nodes import TEXT, Node, words

_TABLES = words("table grid treegrid")
_HEADERS = words("columnheader rowheader")
_CELLS = words("cell gridcell columnheader rowheader")
_LISTS = words("list listbox feed")
_ITEMS = words("listitem option article")
_MIN_LIST_ITEMS = 2

Record = dict[str, str]


@dataclass(frozen=True)
class RecordSet:
    """One table or list: name, columns and rows."""

    kind: str
    name: str
    ref: str
    columns: tuple[str, ...]
    rows: tuple[Record, ...]


def record_sets(nodes: Sequence[Node]) -> list[RecordSet]:
    """Return all tables, then all lists of a page, the largest first."""
    found = [*_tables(nodes), *_lists(nodes)]
    return sorted(found, key=lambda records: (records.kind == "list", -len(records.rows)))


def _tables(nodes: Sequence[Node]) -> Iterator[RecordSet]:
    for node in _all(nodes, _TABLES):
        rows = [row for row in node.walk() if row.role == "row"]
        grid = [[cell for cell in row.children if cell.role in _CELLS] for row in rows]
        head = next((row for row in grid if row and all(cell.role == "columnheader" for cell in row)), None)
        body = [row for row in grid if row and row is not head]
        if body:
            columns = _columns(head, max(map(len, body)))
            records = tuple(_record(columns, row) for row in body)
            yield RecordSet("table", node.name or _caption(node), node.ref, columns, records)


def _columns(head: Sequence[Node] | None, count: int) -> tuple[str, ...]:
    """Return a unique name per column: its header, else its position."""
    names: list[str] = []
    for place in range(max(count, len(head or ()))):
        header = text_of(head[place]) if head and place < len(head) else ""
        name = header or f"column {place + 1}"
        names.append(name if name not in names else f"{name} {place + 1}")
    return tuple(names)


def _record(columns: Sequence[str], row: Sequence[Node]) -> Record:
    record = dict.fromkeys(columns, "")
    for column, cell in zip(columns, row, strict=False):
        record[column] = text_of(cell)
        if href := next((inner.href for inner in cell.walk() if inner.href), ""):
            record[f"{column} link"] = href
    return record


def _lists(nodes: Sequence[Node]) -> Iterator[RecordSet]:
    for node in _all(nodes, _LISTS):
        items = [child for child in node.children if child.role in _ITEMS]
        if len(items) >= _MIN_LIST_ITEMS:
            rows = tuple(_item(item) for item in items)
            columns = tuple(dict.fromkeys(column for row in rows for column in row))
            yield RecordSet("list", node.name, node.ref, columns, rows)


def _item(item: Node) -> Record:
    """Return the title (heading or first link), the link and the text of an item."""
    record: Record = {}
    title = next((inner for inner in item.walk() if inner.role in ("heading", "link") and inner.name), None)
    if title is not None:
        record["title"] = title.name
    if href := next((inner.href for inner in item.walk() if inner.href), ""):
        record["link"] = href
    text = text_of(item)
    if text and text != record.get("title"):
        record["text"] = text
    return record


def _all(nodes: Sequence[Node], roles: frozenset[str]) -> Iterator[Node]:
    return (node for top in nodes for node in top.walk() if node.role in roles)


def _caption(table: Node) -> str:
    return next((text_of(child) for child in table.children if child.role == "caption"), "")


def text_of(node: Node) -> str:
    """Return all text of a node on one line."""
    if not node.children or node.role == TEXT:
        return node.name or node.value
    pieces = [text_of(child) for child in node.children]
    return " ".join(piece for piece in pieces if piece) or node.name
