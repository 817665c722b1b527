"""A snapshot as text for an agent: one line per thing, indented, and nothing said twice.

Every string of the page is quoted, so that no page can write a line of its own.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from tabwright.browser.snapshot.nodes import (
    CLICKABLE,
    EDITABLE,
    EXPLAINED,
    HANDLED,
    SPACED,
    TEXT,
    Node,
    words,
)
from tabwright.text import format_count, quote

_TEXT_LEVEL = words("""
    abbr code deletion emphasis insertion mark ruby strong subscript superscript time text
""")
# Without a name they only group what is inside.
_WRAPPERS = words("""
    article blockquote caption definition descriptionlist document figcaption figure generic group
    label legend list listitem math none note paragraph presentation rowgroup sectionfooter
    sectionheader svg term
""")
_CELLS = words("cell columnheader gridcell rowheader")
_LABELS = words("label legend caption figcaption")
_FIELDS = words("""
    checkbox color combobox date datetime inputtime listbox meter progressbar radio searchbox slider
    spinbutton switch textbox
""")
_SILENT = words("href value description placeholder level options")
_SPOKEN = {
    ("checked", "true"): "checked",
    ("checked", "false"): "unchecked",
    ("pressed", "true"): "pressed",
    ("pressed", "false"): "not pressed",
    ("expanded", "true"): "expanded",
    ("expanded", "false"): "collapsed",
}
_ROLE_WORDS = {"inputtime": "time", "generic": "clickable", "summary": "button"}
_LONGEST_HREF = 160

# What stands for siblings that were folded away; its name is our own words.
FOLD = "fold"


class Line(NamedTuple):
    """One line of the text, and how deep it stands."""

    depth: int
    text: str


class Told:
    """The lines that were written last: of a page that changed a little, most are written again."""

    def __init__(self) -> None:
        # By the identity of a node, which holds as long as the node is here.
        self.lines: dict[int, tuple[Node, str]] = {}
        self.origin = ""
        self.labels: frozenset[str] | None = None

    def keep(self, lines: dict[int, tuple[Node, str]], origin: str, labels: frozenset[str] | None) -> None:
        """Have other lines in their place, and what they were written for."""
        self.lines, self.origin, self.labels = lines, origin, labels


class Outline:
    """Writes the lines of one tree; what was `told` of it and did not change is not worked out again."""

    def __init__(self, nodes: Iterable[Node], *, origin: str, told: Told | None = None) -> None:
        self._nodes = tuple(nodes)
        self._origin = origin
        self._told = told or Told()

    @cached_property
    def _labels(self) -> frozenset[str]:
        """What the controls are called: asked for where the page has labels."""
        return frozenset(node.name for top in self._nodes for node in top.walk() if node.marks & CLICKABLE)

    @cached_property
    def _before(self) -> dict[int, tuple[Node, str]]:
        told = self._told
        same = told.origin == self._origin and (told.labels is None or told.labels == self._labels)
        return told.lines if same else {}

    def whole(self) -> Iterator[Line]:
        """Every node on a line of its own."""
        waiting = [(node, 0) for node in reversed(self._nodes)]
        while waiting:
            node, depth = waiting.pop()
            yield Line(depth, self.describe(node))
            waiting.extend((child, depth + 1) for child in reversed(node.children))

    def interactive(self) -> Iterator[Line]:
        """Only what can be acted on, in one flat list; frames keep what is inside them together."""
        waiting = [(node, 0) for node in reversed(self._nodes)]
        while waiting:
            node, depth = waiting.pop()
            shown = node.clickable or node.editable or node.role == "iframe"
            if shown:
                yield Line(depth, self.describe(node))
            inner = depth + 1 if node.role == "iframe" else depth
            waiting.extend((child, inner) for child in reversed(node.children))

    def compact(self) -> Iterator[Line]:
        """What a reader needs: wrappers dropped, sentences whole, labels told once."""
        waiting: list[tuple[Node | str, int, str]] = self._plan(self._nodes, 0, "")
        written: dict[int, tuple[Node, str]] = {}
        while waiting:
            node, depth, told = waiting.pop()
            if isinstance(node, str):
                yield Line(depth, quote(node))
            elif line := self._once(node, written):
                yield Line(depth, line)
            else:
                shown = self._has_line(node)
                if shown:
                    yield Line(depth, self.describe(node, brief=True))
                if node.children:
                    inner = depth + 1 if shown else depth
                    waiting += self._plan(node.children, inner, self._told_inside(node, told, shown=shown))
        self._told.keep(written, self._origin, self.__dict__.get("_labels"))

    def _once(self, node: Node, written: dict[int, tuple[Node, str]]) -> str:
        """All of a node on one line, where that can be, as it was said before if it was."""
        if node.children and node.role != "row":
            return ""
        known = written[id(node)] = self._before.get(id(node)) or (node, self._on_one_line(node))
        return known[1]

    def _on_one_line(self, node: Node) -> str:
        if node.role == "row" and (line := self._as_row(node)):
            return line
        return self.describe(node, brief=True) if self._has_line(node) and not node.children else ""

    def _told_inside(self, node: Node, told: str, *, shown: bool) -> str:
        """What need not be said again inside a node: its name, or the label that a control in it repeats."""
        if node.role == "label":
            text = _text_of(node)
            return text if text in self._labels else told
        return node.name if shown and node.name else told

    def _plan(self, nodes: tuple[Node, ...], depth: int, told: str) -> list[tuple[Node | str, int, str]]:
        """Join neighbouring pieces of text, drop what the parent's name tells; last first."""
        plan: list[tuple[Node | str, int, str]] = []
        sentence = ""
        for node in nodes:
            if node.role in _TEXT_LEVEL and _is_inline(node):
                sentence = _joined(sentence, node)
                continue
            if sentence:
                self._say(plan, sentence, depth, told)
                sentence = ""
            if not self._is_told(node, told):
                plan.append((node, depth, told))
        if sentence:
            self._say(plan, sentence, depth, told)
        if len(plan) > 1:
            plan = [item for at, item in enumerate(plan) if not _labels_neighbour(plan, at)]
        plan.reverse()
        return plan

    def _say(self, plan: list[tuple[Node | str, int, str]], sentence: str, depth: int, told: str) -> None:
        text = sentence.strip()
        if text and text not in told:
            plan.append((text, depth, told))

    def _is_told(self, node: Node, told: str) -> bool:
        """Whether a node adds nothing: a picture without a name, a label that a control repeats."""
        if node.marks & HANDLED:
            return False
        role = node.role
        if role == "image":
            return not node.name or node.name in told
        if role in _LABELS:
            text = _text_of(node)
            return not _has_controls(node) and (text in self._labels or text == told)
        if role == "heading":
            return bool(told) and node.name == told
        return role in _WRAPPERS and not (node.children or node.name or node.number)

    def _has_line(self, node: Node) -> bool:
        if node.marks & HANDLED or node.role not in _WRAPPERS:
            return True
        return bool(node.name) and node.role != "term"

    def _as_row(self, node: Node) -> str:
        """A row of a table on one line; "" when its cells hold more than text and single controls."""
        if not node.children or any(cell.role not in _CELLS for cell in node.children):
            return ""
        cells = []
        for cell in node.children:
            if (text := self._as_cell(cell)) is None:
                return ""
            cells.append(text)
        return f"{self._head(node)}: {' | '.join(cells)}"

    def _as_cell(self, cell: Node) -> str | None:
        if cell.marks & CLICKABLE or cell.states:
            return None
        if not cell.children:
            return quote(cell.name)
        parts = []
        for item, _, _ in reversed(self._plan(cell.children, 0, "")):
            if isinstance(item, str):
                parts.append(quote(item))
            elif item.children or not self._has_line(item):
                return None
            else:
                parts.append(self.describe(item, brief=True))
        return ", ".join(parts)

    def describe(self, node: Node, *, brief: bool = False) -> str:
        """Say one node in one line."""
        role, name, states = node.role, node.name, node.states
        if role == TEXT:
            return quote(name)
        if role == FOLD:
            return name
        line = self._head(node)
        if name and not (brief and role in _CELLS and node.children):
            line = f"{line} {quote(name)}"
        if states or node.marks & EXPLAINED:
            line += self._more(node)
        return line

    def _more(self, node: Node) -> str:
        """What is true of a node beside its name."""
        more = ""
        if "value" in node.states and not (node.marks & EDITABLE and node.children):
            more = f" = {quote(node.value)}"
        if facts := self._facts(node):
            more += f" ({', '.join(facts)})"
        if href := node.href:
            more += f" → {self._address(href)}"
        return more

    def _head(self, node: Node) -> str:
        role = _ROLE_WORDS.get(node.role, node.role)
        if node.role == "generic" and not node.marks & CLICKABLE:
            role = "scroller" if node.scrollable else "generic"
        return f"@e{node.number}: {role}" if node.number else role

    def _facts(self, node: Node) -> list[str]:
        facts = [f"level: {node.states['level']}"] if "level" in node.states else []
        facts += [_fact(key, value) for key, value in node.states.items() if key not in _SILENT]
        if len(node.states) == len(facts) and not node.marks & EXPLAINED:
            return facts
        if "options" in node.states:
            facts.append(format_count(int(node.states["options"]), "option"))
        if node.outside and node.clickable:
            facts.append("inert")
        if node.clickable and not node.visible:
            facts.append("drawn by another element")
        for key in ("placeholder", "description"):
            if key in node.states:
                facts.append(f"{key}: {quote(node.states[key])}")
        return facts

    def _address(self, href: str) -> str:
        shown = (
            href.removeprefix(self._origin) if self._origin and href.startswith(self._origin + "/") else href
        )
        return shown if len(shown) <= _LONGEST_HREF else shown[:_LONGEST_HREF] + "…"


def _fact(key: str, value: str) -> str:
    if not value:
        return key
    return _SPOKEN.get((key, value)) or f"{key}: {value}"


def _labels_neighbour(plan: list[tuple[Node | str, int, str]], at: int) -> bool:
    """Whether a piece of text only repeats the name of the field beside it."""
    text = plan[at][0]
    if not isinstance(text, str):
        return False
    beside = (plan[near][0] for near in (at - 1, at + 1) if 0 <= near < len(plan))
    return any(isinstance(node, Node) and node.role in _FIELDS and node.name == text for node in beside)


def _is_inline(node: Node) -> bool:
    if node.number or node.role not in _TEXT_LEVEL:
        return False
    return not node.children or all(map(_is_inline, node.children))


def _joined(sentence: str, node: Node) -> str:
    if sentence and node.marks & SPACED:
        sentence += " "
    if node.role == TEXT:
        return sentence + node.name
    start = True
    for child in node.children:
        sentence = sentence + child.name if start and child.role == TEXT else _joined(sentence, child)
        start = False
    return sentence


def _text_of(node: Node) -> str:
    sentence = ""
    for piece in node.walk():
        if piece.role == TEXT:
            sentence = _joined(sentence, piece)
    return sentence.strip()


def _has_controls(node: Node) -> bool:
    return any(inner.clickable for inner in node.walk())
