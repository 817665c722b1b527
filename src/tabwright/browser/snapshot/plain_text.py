"""The text of a node on one line, spaced as the page shows it."""

from collections.abc import Collection

from tabwright.browser.snapshot.nodes import TEXT, Node, words

TEXT_LEVEL = words("""
    abbr code deletion emphasis insertion mark ruby strong subscript superscript time text
""")
# Their name is their whole text.
_NAMED_BY_TEXT = words("""
    button heading link menuitem menuitemcheckbox menuitemradio option summary tab term text tooltip
""")
# Their label is text next to them; it counts only where it is the only text.
_FIELDS = words("checkbox combobox listbox radio searchbox slider spinbutton switch textbox")
_CELLS = words("cell columnheader gridcell rowheader")


def text_of(node: Node, *, without: Collection[int] = ()) -> str:
    """Return all text of a node on one line, without the nodes with these ids."""
    text, label, after_box = "", "", False
    waiting = [node]
    while waiting:
        part = waiting.pop()
        if id(part) in without or (without and _repeats(part, without)):
            continue
        is_box = part.role not in TEXT_LEVEL and part.role != "link"
        if text and not text.endswith(" ") and (part.spaced or is_box or after_box):
            text += " "
        if part.role in _FIELDS and not part.value:
            label = label or part.name
            continue
        own = _own_text(part)
        text += own
        after_box = is_box and bool(own)
        if not own or is_whole(part):
            waiting.extend(reversed(part.children))
    return text.strip() or label


def is_whole(cell: Node) -> bool:
    """Whether the name of a cell is its text: it holds only text, which rows.js dropped for the name."""
    if cell.role not in _CELLS or not cell.name:
        return False
    if cell.name.endswith("…"):
        return not cell.children  # a name that was cut repeats the text inside
    return all(part is cell or part.role in TEXT_LEVEL for part in cell.walk())


def _has_text(node: Node) -> bool:
    """Whether text inside a node was not dropped for its name."""
    return any(part.role == TEXT and not part.outside for part in node.walk() if part is not node)


def _repeats(node: Node, without: Collection[int]) -> bool:
    """Whether a node, such as a link around an image, only repeats what is left out."""
    inner = node.children
    return len(inner) == 1 and id(inner[0]) in without and node.name == inner[0].name


def _own_text(node: Node) -> str:
    if is_whole(node) or (node.role in _NAMED_BY_TEXT and not _has_text(node)):
        return node.name
    if node.role in TEXT_LEVEL:
        return ""  # the name of an abbreviation is its explanation
    return "" if node.children else node.value or node.name
