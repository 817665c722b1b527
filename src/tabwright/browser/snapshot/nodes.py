"""The tree of a snapshot, built from the rows that snapshot.js writes."""

from collections.abc import Iterator, Mapping, Sequence
from sys import intern
from typing import Any, NamedTuple

TEXT = "text"

# Flags of a row: FLAGS in js/snapshot/rows.js.
CLICKABLE, _INVISIBLE, _OUTSIDE, EDITABLE, _SCROLLS, SPACED, BLOCK = 1, 2, 4, 8, 16, 32, 64

# Nodes that can be acted on; nodes whose line needs an explanation.
ACTIONABLE = CLICKABLE | EDITABLE | _SCROLLS
EXPLAINED = _INVISIBLE | _OUTSIDE

_NO_STATES: Mapping[str, str] = {}
_NO_FRAMES: Mapping[int, Any] = {}


def words(text: str) -> frozenset[str]:
    """Return the words of a text as a set; lists of roles are written this way."""
    return frozenset(text.split())


class Node(NamedTuple):
    """One element, or a piece of text (role "text", with the text as its name).

    `states` are value, checked, level, href and so on; "" for a state without a value.
    """

    role: str
    name: str
    number: int
    flags: int
    states: Mapping[str, str]
    children: "tuple[Node, ...]"

    @property
    def ref(self) -> str:
        """The ref of the element, "" if it has none."""
        return f"@e{self.number}" if self.number else ""

    @property
    def clickable(self) -> bool:
        """Whether it is a control, or has a click handler, a tab stop or a pointer cursor."""
        return bool(self.flags & CLICKABLE)

    @property
    def visible(self) -> bool:
        """Whether its own box is visible; a native control behind a styled one is not."""
        return not self.flags & _INVISIBLE

    @property
    def outside(self) -> bool:
        """Whether it is visible but hidden from assistive technology (aria-hidden, inert)."""
        return bool(self.flags & _OUTSIDE)

    @property
    def editable(self) -> bool:
        """Whether its content is edited in place (contenteditable)."""
        return bool(self.flags & EDITABLE)

    @property
    def scrollable(self) -> bool:
        """Whether it scrolls by itself."""
        return bool(self.flags & _SCROLLS)

    @property
    def spaced(self) -> bool:
        """Whether white space separates it from the text before."""
        return bool(self.flags & SPACED)

    @property
    def starts_line(self) -> bool:
        """Whether it is a block, not a part of the sentence before."""
        return bool(self.flags & BLOCK)

    @property
    def value(self) -> str:
        """The value of a control; secrets are masked."""
        return self.states.get("value", "")

    @property
    def href(self) -> str:
        """The address of a link."""
        return self.states.get("href", "")

    def walk(self) -> "Iterator[Node]":
        """Yield this node and its descendants in page order."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    def shape(self, depth: int = 3) -> tuple[Any, ...]:
        """Return the roles down to `depth`, without names and values: equal for similar siblings."""
        inner = tuple(child.shape(depth - 1) for child in self.children) if depth else ()
        return (self.role, self.clickable, inner)


# The nodes of frames, by the ref number of the frame's element.
FrameNodes = Mapping[int, tuple[Node, ...]]


class Reading(NamedTuple):
    """The rows of a frame and their nodes: one per row (`lines`), and those at the top (`nodes`)."""

    rows: str = ""
    frames: FrameNodes = _NO_FRAMES
    depths: Sequence[int] = ()
    lines: Sequence[Node] = ()
    nodes: tuple[Node, ...] = ()


def build(rows: str, frames: FrameNodes = _NO_FRAMES) -> tuple[Node, ...]:
    """Build the nodes of rows."""
    return read(rows, frames, Reading()).nodes


def read(rows: str, frames: FrameNodes, before: Reading) -> Reading:
    """Build the nodes of rows. Nodes of the previous reading are reused, except ancestors of a change."""
    if not _same_frames(before.frames, frames):
        before = Reading()
    if not rows or rows == before.rows:
        return before if rows else Reading(rows, frames)
    head, tail, changed = _diff(rows, before.rows)
    rest = len(before.lines) - tail
    tree = _TreeBuilder(frames)
    tree.reuse(before.depths[rest:], before.lines[rest:])
    tree.add_rows(changed)
    tree.reuse_before_change(before.depths[:head], before.lines[:head])
    return tree.finish(rows)


class _TreeBuilder:
    """Builds a tree from the last row to the first, so that children exist before their parent."""

    def __init__(self, frames: FrameNodes) -> None:
        self._frames = frames
        # By depth: nodes that have no parent yet.
        self._pending: list[list[Node]] = [[], []]
        self._depths: list[int] = []
        self._lines: list[Node] = []

    def add_rows(self, rows: Sequence[str]) -> None:
        """Add new nodes."""
        add = self._add
        for row in reversed(rows):
            depth, role, number, flags, name, *states = row.split("\t")
            facts = dict(map(_state, states)) if states else _NO_STATES
            add(int(depth), (intern(role) or TEXT, name, int(number) if number else 0, int(flags), facts))

    def reuse(self, depths: Sequence[int], lines: Sequence[Node]) -> None:
        """Add existing nodes with their children."""
        pending = self._pending
        for depth, node in zip(reversed(depths), reversed(lines), strict=True):
            while len(pending) < depth + 2:
                pending.append([])
            if pending[depth + 1]:
                pending[depth + 1] = []
            pending[depth].append(node)
        self._depths += reversed(depths)
        self._lines += reversed(lines)

    def reuse_before_change(self, depths: Sequence[int], lines: Sequence[Node]) -> None:
        """Add the nodes before the change: its ancestors are rebuilt, the others reused."""
        end = len(lines)
        while end:
            ancestor = end - 1
            self._add(depths[ancestor], lines[ancestor][:-1])
            end = ancestor
            while end and depths[end - 1] >= depths[ancestor]:
                end -= 1
            self.reuse(depths[end:ancestor], lines[end:ancestor])

    def _add(self, depth: int, fields: tuple[Any, ...]) -> None:
        pending = self._pending
        while len(pending) < depth + 2:
            pending.append([])
        children: tuple[Node, ...] = ()
        if inner := pending[depth + 1]:
            inner.reverse()
            children = tuple(inner)
            pending[depth + 1] = []
        if self._frames and fields[2] in self._frames:
            children = self._frames[fields[2]]
        node = _new(Node, (*fields, children))  # the constructor would take half of the time
        pending[depth].append(node)
        self._depths.append(depth)
        self._lines.append(node)

    def finish(self, rows: str) -> Reading:
        """Return the whole tree."""
        self._depths.reverse()
        self._lines.reverse()
        return Reading(rows, self._frames, self._depths, self._lines, tuple(reversed(self._pending[0])))


def _diff(rows: str, before: str) -> tuple[int, int, list[str]]:
    """Return how many rows are equal at the beginning and at the end, and the rows between."""
    same = _common_length(rows, before, min(len(rows), len(before)), backwards=False)
    begin = rows.rfind("\n", 0, same) + 1
    same = _common_length(rows, before, min(len(rows), len(before)) - begin, backwards=True)
    line_end = rows.find("\n", len(rows) - same) if same else -1
    end = line_end + 1 if line_end >= 0 else len(rows)
    changed = rows[begin : line_end if line_end >= 0 else len(rows)]
    head, tail = rows.count("\n", 0, begin), rows.count("\n", end) + 1 if end < len(rows) else 0
    return head, tail, changed.split("\n") if end > begin else []


def _common_length(one: str, other: str, most: int, *, backwards: bool) -> int:
    """Return how many characters two texts share at their beginning, or at their end."""
    least = 0
    while least < most:
        middle = (least + most + 1) // 2
        parts = (
            (one[len(one) - middle : len(one) - least], other[len(other) - middle : len(other) - least])
            if backwards
            else (one[least:middle], other[least:middle])
        )
        least, most = (middle, most) if parts[0] == parts[1] else (least, middle - 1)
    return least


def _same_frames(one: FrameNodes, other: FrameNodes) -> bool:
    return one.keys() == other.keys() and all(one[number] is other[number] for number in one)


_new = tuple.__new__


def _state(field: str) -> tuple[str, str]:
    key, _, value = field.partition("=")
    return intern(key), value
