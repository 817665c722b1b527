"""A page's main text as Markdown, read from the snapshot's tree: visible text in page order."""

from collections.abc import Iterator, Sequence

from tabwright.browser.snapshot.grid import GridRow, build_grid
from tabwright.browser.snapshot.nodes import TEXT, Node, words
from tabwright.browser.snapshot.plain_text import is_whole, text_of

_NOT_MAIN = words(
    "banner navigation complementary contentinfo search menu menubar toolbar dialog alertdialog"
)
_INLINE = words(
    "text link code strong emphasis mark time abbr subscript superscript deletion insertion image"
)
# Controls are not part of the text.
_CONTROLS = words("""
    button checkbox combobox label listbox menuitem option radio radiogroup searchbox slider spinbutton
    switch tab textbox
""")
_MARKERS = {"code": "`", "strong": "**", "emphasis": "*"}


def main_text(nodes: Sequence[Node]) -> str:
    """Return `main` or the only article as Markdown, else the page without navigation and the like."""
    blocks = list(_blocks(_main(nodes)))
    return "\n\n".join(block for block in blocks if block.strip())


def _main(nodes: Sequence[Node]) -> Sequence[Node]:
    for role in ("main", "article"):
        parts = [node for top in nodes for node in top.walk() if node.role == role]
        if len(parts) == 1 or (parts and role == "main"):
            return parts[:1]
    return nodes


def _blocks(nodes: Sequence[Node]) -> Iterator[str]:
    line: list[str] = []
    for node in nodes:
        if node.role in _CONTROLS:
            continue
        if node.role in _INLINE:
            line.append((" " if node.spaced and line else "") + _inline(node))
            continue
        if line:
            yield "".join(line).strip()
            line = []
        if node.role not in _NOT_MAIN:
            yield from _block(node)
    if line:
        yield "".join(line).strip()


def _block(node: Node) -> Iterator[str]:
    if node.role == "heading":
        yield f"{'#' * int(node.states.get('level', '2'))} {node.name or text_of(node)}"
    elif node.role in ("table", "grid", "treegrid"):
        yield "\n".join(_table(node))
    elif node.role == "list":
        yield "\n".join(_list(node))
    elif node.role == "blockquote":
        yield "\n".join(f"> {line}" for block in _blocks(node.children) for line in block.splitlines())
    elif node.children:
        yield from _blocks(node.children)
    elif node.name:
        yield node.name


def _inline(node: Node) -> str:
    if node.role == TEXT:
        return node.name
    inner = "".join(
        (" " if child.spaced and place else "") + _inline(child) for place, child in enumerate(node.children)
    )
    text = inner or node.name
    if node.role == "link" and node.href:
        return f"[{text}]({node.href})"
    if node.role == "image":
        return f"![{node.name}]" if node.name else ""
    marker = _MARKERS.get(node.role, "")
    return f"{marker}{text}{marker}"


def _list(node: Node, depth: int = 0) -> Iterator[str]:
    for item in node.children:
        inner = [child for child in item.children if child.role == "list"]
        text = " ".join(_blocks([child for child in item.children if child.role != "list"])) or item.name
        yield f"{'  ' * depth}- {text}"
        for deeper in inner:
            yield from _list(deeper, depth + 1)


def _table(node: Node) -> Iterator[str]:
    """Yield a header row and the others. A row span is repeated, a column span only leaves cells empty."""
    grid = build_grid(node)
    yield from (f"**{title}**\n" for title in grid.titles)
    names = ["" if name == f"column {place}" else name for place, name in enumerate(grid.columns.values(), 1)]
    yield _table_line(names)
    yield "|" + " --- |" * len(names)
    for row in grid.rows:
        yield _table_line([_cell_text(row, column) for column in grid.columns])


def _table_line(texts: Sequence[str]) -> str:
    return "| " + " | ".join(text.replace("|", "\\|") for text in texts) + " |"


def _cell_text(row: GridRow, column: int) -> str:
    cell = row.cells.get(column)
    if cell is None or cell is row.cells.get(column - 1):
        return ""
    if is_whole(cell) or not cell.children:
        return text_of(cell)
    return " ".join(" ".join(_blocks(cell.children)).split()) or text_of(cell)
