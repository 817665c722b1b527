"""A snapshot as text for an agent: one indented line per node, without repetition.

Every string of the page is quoted, so that a page cannot forge a line.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from tabwright.browser.snapshot.grid import CELLS, PLACE_FACTS, place_cells
from tabwright.browser.snapshot.nodes import (
    ACTIONABLE,
    BLOCK,
    CLICKABLE,
    EDITABLE,
    EXPLAINED,
    SPACED,
    TEXT,
    Node,
    words,
)
from tabwright.browser.snapshot.plain_text import TEXT_LEVEL, is_whole, text_of
from tabwright.text import cut, format_count, quote

# A term is named by its text.
_NAMED = words("text term")
_INLINE = TEXT_LEVEL | _NAMED
# Without a name they only group their children.
_WRAPPERS = words("""
    article blockquote caption definition descriptionlist document figcaption figure generic group
    label legend list listitem math none note paragraph presentation rowgroup sectionfooter
    sectionheader svg term
""")
_LABELS = words("label legend caption figcaption")
_FIELDS = words("""
    checkbox color combobox date datetime inputtime listbox meter progressbar radio searchbox slider
    spinbutton switch textbox
""")
_QUOTED = ("placeholder", "description", "looks like")
_NOT_LISTED = words("above href level options section value") | {*_QUOTED}
_STATE_TEXT = {
    ("checked", "true"): "checked",
    ("checked", "false"): "unchecked",
    ("pressed", "true"): "pressed",
    ("pressed", "false"): "not pressed",
    ("expanded", "true"): "expanded",
    ("expanded", "false"): "collapsed",
}
_ROLE_NAMES = {"inputtime": "time", "generic": "clickable", "summary": "button"}
_MAX_HREF = 120
_MAX_GUESSED_NAME = 80
_MAX_ITEM_NAME = 200

_HANDLE = "resize "
_MIN_HANDLES = 4

# Role of the node that replaces folded siblings; its name is not text of the page.
FOLD = "fold"


# What to render, the last item first: a node or a sentence, its depth, and the text that lines above it show.
_Plan = list[tuple[Node | str, int, str]]


class Line(NamedTuple):
    """One line of the text and its indentation depth."""

    depth: int
    text: str


def fold_handles(nodes: tuple[Node, ...]) -> Iterable[Node]:
    """Write the many handles that resize a box on one line."""
    handles = [node for node in nodes if node.states.get("looks like", "").startswith(_HANDLE)]
    if len(handles) < _MIN_HANDLES:
        return nodes
    sides = ", ".join(f"{node.ref} {node.states['looks like'].removeprefix(_HANDLE)}" for node in handles)
    folded = {id(node) for node in handles}
    return (
        *(node for node in nodes if id(node) not in folded),
        Node(FOLD, f"resize handles: {sides}", 0, 0, {}, ()),
    )


class LineCache:
    """The lines rendered last; when a page changed a little, most of them are reused."""

    def __init__(self) -> None:
        # By the id() of the node, which is unique while the node is stored here.
        self.lines: dict[int, tuple[Node, str]] = {}
        self.address = ""
        self.labels: frozenset[str] | None = None

    def store(self, lines: dict[int, tuple[Node, str]], address: str, labels: frozenset[str] | None) -> None:
        """Replace the lines and what they depend on: the page's address and the names of its controls."""
        self.lines, self.address, self.labels = lines, address, labels


class Outline:
    """Renders the lines of one tree; unchanged lines are taken from the cache."""

    def __init__(
        self, nodes: Iterable[Node], *, origin: str, page: str = "", cache: LineCache | None = None
    ) -> None:
        self._nodes = tuple(nodes)
        self._origin = origin
        self._page = page.partition("#")[0]
        self._cache = cache or LineCache()

    @cached_property
    def _labels(self) -> frozenset[str]:
        """The names of all controls; computed only for pages with labels."""
        return frozenset(node.name for top in self._nodes for node in top.walk() if node.flags & CLICKABLE)

    @cached_property
    def _cached_lines(self) -> dict[int, tuple[Node, str]]:
        cache = self._cache
        same = cache.address == (self._page or self._origin) and (
            cache.labels is None or cache.labels == self._labels
        )
        return cache.lines if same else {}

    def all_lines(self) -> Iterator[Line]:
        """Yield one line per node."""
        waiting = [(node, 0) for node in reversed(self._nodes)]
        while waiting:
            node, depth = waiting.pop()
            yield Line(depth, self.describe(node))
            waiting.extend((child, depth + 1) for child in reversed(node.children))

    def interactive_lines(self) -> Iterator[Line]:
        """Yield only nodes that can be acted on, as a flat list; the content of a frame is indented."""
        waiting = [(node, 0) for node in reversed(self._nodes)]
        while waiting:
            node, depth = waiting.pop()
            shown = node.clickable or node.editable or node.role == "iframe"
            if shown:
                yield Line(depth, self.describe(_with_text_as_name(node, _MAX_GUESSED_NAME)))
            inner = depth + 1 if node.role == "iframe" else depth
            waiting.extend((child, inner) for child in reversed(node.children))

    def compact_lines(self) -> Iterator[Line]:
        """Yield lines without wrappers, with whole sentences, and each label once."""
        waiting = self._plan(self._nodes, 0, "")
        rendered: dict[int, tuple[Node, str]] = {}
        while waiting:
            node, depth, covered = waiting.pop()
            if isinstance(node, str):
                yield Line(depth, quote(node))
            elif line := self._single_line(node, rendered):
                yield Line(depth, line)
            else:
                shown = self._has_line(node)
                if shown and _is_text_to_click(node):
                    node = _with_text_as_name(node, _MAX_ITEM_NAME)
                if shown:
                    yield Line(depth, self.describe(node, brief=True))
                if node.children:
                    inner = depth + 1 if shown else depth
                    covered = self._text_shown_by(node, covered, shown=shown)
                    waiting += self._plan(node.children, inner, covered)
        self._cache.store(rendered, self._page or self._origin, self.__dict__.get("_labels"))

    def _single_line(self, node: Node, rendered: dict[int, tuple[Node, str]]) -> str:
        """Return the whole node on one line, from the cache if it is there; "" if it needs more lines."""
        if node.children and node.role != "row":
            return ""
        known = self._cached_lines.get(id(node)) or (node, self._render_single_line(node))
        rendered[id(node)] = known
        return known[1]

    def _render_single_line(self, node: Node) -> str:
        if node.role == "row" and (line := self._render_row(node)):
            return line
        return self.describe(node, brief=True) if self._has_line(node) and not node.children else ""

    def _text_shown_by(self, node: Node, covered: str, *, shown: bool) -> str:
        """Return the text not to repeat inside a node: its name, or the label of a control in it."""
        if node.role == "label" and not node.name:
            text = _text_of(node)
            return text if text in self._labels else covered
        if node.role in CELLS and node.children and not is_whole(node):
            return covered  # its line does not show its name
        return node.name if shown and node.name else covered

    def _plan(self, nodes: tuple[Node, ...], depth: int, covered: str) -> _Plan:
        """Join neighbouring texts and drop what the parent's name repeats. The last item comes first."""
        plan: _Plan = []
        sentence = before = ""
        for node in fold_handles(nodes):
            inline = _is_inline(node) or self._is_plain_label(node, covered)
            breaks = not inline or bool(node.flags & BLOCK) or node.role == before == "term"
            if sentence and breaks:
                _add_sentence(plan, sentence, depth, covered)
                sentence = ""
            before = node.role
            if inline:
                sentence = _append_text(sentence, node)
            elif not self._is_redundant(node, covered):
                plan.append((node, depth, covered))
        if sentence:
            _add_sentence(plan, sentence, depth, covered)
        if len(plan) > 1:
            plan = [item for at, item in enumerate(plan) if not _labels_neighbour(plan, at)]
        plan.reverse()
        return plan

    def _is_plain_label(self, node: Node, covered: str) -> bool:
        """Whether a label is only text: it names no control, and what follows belongs to its sentence."""
        if node.role != "label" or node.flags & ACTIONABLE or not node.children:
            return False
        return all(map(_is_inline, node.children)) and not self._is_redundant(node, covered)

    def _is_redundant(self, node: Node, covered: str) -> bool:
        """Whether a node adds nothing: an image without a name, a label that a control repeats."""
        role = node.role
        if node.flags & ACTIONABLE and role != "label":
            return False
        if role == "image":
            return not node.children and (not node.name or node.name in covered)
        if role in _LABELS:
            text = _text_of(node)
            return not _has_controls(node) and (text in self._labels or text == covered)
        if role == "heading":
            return bool(covered) and node.name == covered
        return role in _WRAPPERS and not (node.children or node.name or node.number)

    def _has_line(self, node: Node) -> bool:
        if node.flags & ACTIONABLE:
            return True
        if node.role == "image" and node.children:
            return bool(node.name)
        if node.role == "term":  # its name is its text, which a link in it may repeat
            return node.name != " ".join(child.name for child in node.children)
        return node.role not in _WRAPPERS or bool(node.name)

    def _render_row(self, node: Node) -> str:
        """Return a table row on one line; "" if a cell holds more than text and controls without content."""
        if not node.children or any(cell.role not in CELLS for cell in node.children):
            return ""
        cells = []
        for _, width, cell in place_cells(node):
            if (text := "(above)" if cell is None else self._render_cell(cell)) is None:
                return ""
            cells.append(f"{text} ({width} columns)" if width > 1 else text)
        return f"{self._ref_and_role(node)}{self._details(node)}: {' | '.join(cells)}"

    def _render_cell(self, cell: Node) -> str | None:
        if cell.flags & CLICKABLE or not PLACE_FACTS.issuperset(cell.states):
            return None
        if not cell.children:
            return quote(cell.name)
        if is_whole(cell):
            return quote(text_of(cell))
        parts: list[str] = []
        waiting = self._plan(cell.children, 0, "")
        while waiting:
            item, _, covered = waiting.pop()
            if isinstance(item, str):
                parts.append(quote(item))
            elif not self._has_line(item):
                waiting += self._plan(item.children, 0, self._text_shown_by(item, covered, shown=False))
            elif item.children:
                return None
            else:
                parts.append(self.describe(item, brief=True))
        return ", ".join(parts) or quote("")

    def describe(self, node: Node, *, brief: bool = False) -> str:
        """Return the line of one node."""
        role, name, states = node.role, node.name, node.states
        if role == TEXT:
            return quote(name)
        if role == FOLD:
            return name
        line = self._ref_and_role(node)
        if name and not (brief and role in CELLS and node.children and not is_whole(node)):
            line = f"{line} {quote(name)}"
        if states or node.flags & EXPLAINED:
            line += self._details(node)
        return line

    def _details(self, node: Node) -> str:
        """Return value, states and address of a node."""
        details = ""
        if "value" in node.states and not (node.flags & EDITABLE and node.children):
            details = f" = {quote(node.value)}"
        if facts := self._state_texts(node):
            details += f" ({', '.join(facts)})"
        if href := self._address(node.href):
            details += f" → {href}"
        return details

    def _ref_and_role(self, node: Node) -> str:
        role = _ROLE_NAMES.get(node.role, node.role)
        if node.role == "generic" and not node.flags & CLICKABLE:
            role = "scroller" if node.scrollable else "generic"
        return f"@e{node.number}: {role}" if node.number else role

    def _state_texts(self, node: Node) -> list[str]:
        facts = [f"level: {node.states['level']}"] if "level" in node.states else []
        facts += [_state_text(key, value) for key, value in node.states.items() if key not in _NOT_LISTED]
        if len(node.states) == len(facts) and not node.flags & EXPLAINED:
            return facts
        if "options" in node.states:
            facts.append(format_count(int(node.states["options"]), "option"))
        if node.outside and node.clickable:
            facts.append("inert")
        if node.clickable and not node.visible:
            facts.append("drawn by another element")
        for key in _QUOTED:
            if key in node.states:
                facts.append(f"{key}: {quote(node.states[key])}")
        return facts

    def _address(self, href: str) -> str:
        """Return an address relative to the page, without what is too long; "" for the page itself."""
        page, _, fragment = href.partition("#")
        if page == self._page:
            return f"#{fragment}"[:_MAX_HREF] if fragment else ""
        shown = href.removeprefix(self._origin) if href.startswith(f"{self._origin}/") else href
        if len(shown) <= _MAX_HREF:
            return shown
        path, mark, _ = shown.partition("?")
        return f"{path[:_MAX_HREF]}{mark}…"


def _state_text(key: str, value: str) -> str:
    if not value:
        return key
    if key == "covers":
        return f"covers {value}"
    return _STATE_TEXT.get((key, value)) or f"{key}: {value}"


def _add_sentence(plan: _Plan, sentence: str, depth: int, covered: str) -> None:
    text = sentence.strip()
    if text and text not in covered:
        plan.append((text, depth, covered))


def _labels_neighbour(plan: _Plan, at: int) -> bool:
    """Whether a text only repeats the name of the field next to it."""
    text = plan[at][0]
    if not isinstance(text, str):
        return False
    neighbours = (plan[near][0] for near in (at - 1, at + 1) if 0 <= near < len(plan))
    return any(isinstance(node, Node) and node.role in _FIELDS and node.name == text for node in neighbours)


def _is_inline(node: Node) -> bool:
    if node.number or node.role not in _INLINE:
        return False
    return not node.children or all(map(_is_inline, node.children))


def _append_text(sentence: str, node: Node) -> str:
    if sentence and node.flags & SPACED:
        sentence += " "
    if node.role in _NAMED:
        return sentence + node.name
    start = True
    for child in node.children:
        sentence = sentence + child.name if start and child.role in _NAMED else _append_text(sentence, child)
        start = False
    return sentence


def _lacks_name(node: Node) -> bool:
    """Whether a node can be clicked although its role is not that of a control, and has no name."""
    return bool(node.flags & CLICKABLE) and not node.name and (node.role in _WRAPPERS or node.role in CELLS)


def _is_text_to_click(node: Node) -> bool:
    """Whether a node is only a short text that can be clicked, such as an item of a list."""
    return _lacks_name(node) and all(map(_is_inline, node.children)) and len(_text_of(node)) <= _MAX_ITEM_NAME


def _with_text_as_name(node: Node, max_length: int) -> Node:
    """Name a node that can be clicked, and has no name, after the text in it."""
    if not _lacks_name(node):
        return node
    text = _text_of(node) if all(map(_is_inline, node.children)) else _gist_of(node)
    return node._replace(name=cut(text, max_length))


def _text_of(node: Node) -> str:
    sentence = ""
    for piece in node.walk():
        if piece.role == TEXT:
            sentence = _append_text(sentence, piece)
    return sentence.strip()


def _gist_of(node: Node) -> str:
    """Return texts and names in a node, without those of its controls."""
    parts, waiting = [], list(reversed(node.children))
    while waiting:
        inner = waiting.pop()
        if inner.name and not inner.clickable:
            parts.append(inner.name)
        elif not inner.clickable:
            waiting.extend(reversed(inner.children))
    return " ".join(parts)


def _has_controls(node: Node) -> bool:
    return any(inner.clickable for child in node.children for inner in child.walk())
