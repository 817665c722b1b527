"""A page's text as Markdown, from the tree that js/read/reading.js writes: visible text in page order."""

from collections.abc import Iterator, Sequence

from tabwright.browser.snapshot.grid import GridRow, build_grid
from tabwright.browser.snapshot.nodes import TEXT, Node, words
from tabwright.browser.snapshot.plain_text import is_whole, text_of

_NOT_MAIN = words(
    "banner navigation complementary contentinfo search menu menubar toolbar dialog alertdialog"
)
_INLINE = words("text link code strong emphasis deletion image")
# Inside a cell, they show that the table only arranges them.
_LAYOUT = words("heading list table grid codeblock blockquote")
_TABLES = words("table grid treegrid")
_MARKERS = {"code": "`", "strong": "**", "emphasis": "*", "deletion": "~~"}
# As in reading.js: the node begins a new block; line breaks and tabs inside a text.
_BREAK = 64
_LINE_BREAK, _TAB = "\u2028", "\u2029"


def main_text(nodes: Sequence[Node]) -> str:
    """Return `main` or the only article as Markdown, else the page without navigation and the like."""
    return "\n\n".join(_blocks(_main(nodes))).replace(_LINE_BREAK, " ")


def _main(nodes: Sequence[Node]) -> Sequence[Node]:
    for role in ("main", "article"):
        parts = [node for top in nodes for node in top.walk() if node.role == role]
        if len(parts) == 1 or (parts and role == "main"):
            return parts[:1]
    return nodes


def _blocks(nodes: Sequence[Node]) -> Iterator[str]:
    line: list[Node] = []
    for node in nodes:
        inline = node.role in _INLINE
        if line and (not inline or node.flags & _BREAK):
            yield from _paragraph(line)
            line = []
        if inline:
            line.append(node)
        elif node.role not in _NOT_MAIN:
            yield from _block(node)
    yield from _paragraph(line)


def _paragraph(nodes: Sequence[Node]) -> Iterator[str]:
    """Yield the text of inline nodes, if there is any; a line break of the page ends a line."""
    lines = (line.strip() for line in _inline_text(nodes).split(_LINE_BREAK))
    if text := "\n".join(lines).strip():
        yield text


def _block(node: Node) -> Iterator[str]:
    if node.role == "heading":
        if text := " ".join(_one_line(node.children).split()):
            yield f"{'#' * min(6, int(node.states.get('level', '2')))} {text}"
    elif node.role == "codeblock":
        yield _code_block(node)
    elif node.role in _TABLES and not _is_layout(node):
        yield "\n".join(_table(node))
    elif node.role == "list":
        yield "\n".join(_list(node))
    elif node.role == "blockquote":
        text = "\n\n".join(_blocks(node.children))
        yield "\n".join(f"> {line}".rstrip() for line in text.splitlines())
    else:
        yield from _blocks(node.children)


def _one_line(nodes: Sequence[Node]) -> str:
    return " ".join(block.replace("\n", " ") for block in _blocks(nodes))


def _inline_text(nodes: Sequence[Node]) -> str:
    text = ""
    for node in nodes:
        piece = _inline(node)
        gap = " " if text and piece and node.spaced and not text.endswith((" ", _LINE_BREAK)) else ""
        text += gap + piece
    return text


def _inline(node: Node) -> str:
    if node.role == TEXT:
        return node.name
    if node.role == "image":
        return f"![{node.name}]"
    text = _inline_text(node.children) if all(map(_is_inline, node.children)) else text_of(node)
    if not text.strip():
        return ""
    if node.role == "link":
        return f"[{text}]({node.href})" if node.href else text
    marker = _MARKERS[node.role]
    return f"{marker}{text}{marker}"


def _is_inline(node: Node) -> bool:
    return node.role in _INLINE and not node.flags & _BREAK


def _code_block(node: Node) -> str:
    code = node.name.replace(_LINE_BREAK, "\n").replace(_TAB, "\t")
    fence = "```"
    while fence in code:
        fence += "`"
    return f"{fence}{node.states.get('language', '')}\n{code}\n{fence}"


def _list(node: Node) -> Iterator[str]:
    number = int(node.states.get("start", "1"))
    for item in node.children:
        nested = item.role == "list"
        text = "\n".join(_blocks(item.children if item.role == "listitem" else [item]))
        if not text:
            continue
        marker = "  " if nested else f"{number}. " if "start" in node.states else "- "
        yield marker + text.replace("\n", "\n" + " " * len(marker))
        number += not nested


def _is_layout(table: Node) -> bool:
    """Whether a table only arranges blocks: one column, or cells with headings, lists, code or tables."""
    rows = [row for row in table.walk() if row.role == "row"]
    inner = (part.role for row in rows for cell in row.children for part in cell.walk())
    return max((len(row.children) for row in rows), default=0) < 2 or not _LAYOUT.isdisjoint(inner)


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
