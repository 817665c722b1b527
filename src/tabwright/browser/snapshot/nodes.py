"""The tree of a snapshot: nodes as the walker in the page describes them, and how its rows become them."""

from collections.abc import Iterator, Mapping, Sequence
from sys import intern
from typing import Any, NamedTuple

TEXT = "text"

# Marks of a row, as snapshot.js sets them.
CLICKABLE, _UNSEEN, _OUTSIDE, EDITABLE, _SCROLLS, SPACED = 1, 2, 4, 8, 16, 32

# What a reader can act on; what needs a word of explanation.
HANDLED = CLICKABLE | EDITABLE | _SCROLLS
EXPLAINED = _UNSEEN | _OUTSIDE

_NO_STATES: Mapping[str, str] = {}
_NOTHING: Mapping[int, Any] = {}


def words(text: str) -> frozenset[str]:
    """Return the words of a text as a set: how lists of roles are written down."""
    return frozenset(text.split())


class Node(NamedTuple):
    """One element (or piece of text: role "text", the text as its name).

    `states` holds what else is true of it: value, checked, level, href; "" where a state has no value.
    """

    role: str
    name: str
    number: int
    marks: int
    states: Mapping[str, str]
    children: "tuple[Node, ...]"

    @property
    def ref(self) -> str:
        """The ref to act on it by, "" when it has none."""
        return f"@e{self.number}" if self.number else ""

    @property
    def clickable(self) -> bool:
        """Whether a person would click it: a control, or what has a handler, a tab stop or a hand cursor."""
        return bool(self.marks & CLICKABLE)

    @property
    def visible(self) -> bool:
        """Whether its own box is seen; the real control behind a drawn one is not."""
        return not self.marks & _UNSEEN

    @property
    def outside(self) -> bool:
        """Whether a person sees it although assistive technology is told not to (aria-hidden, inert)."""
        return bool(self.marks & _OUTSIDE)

    @property
    def editable(self) -> bool:
        """Whether its content is edited in place (contenteditable)."""
        return bool(self.marks & EDITABLE)

    @property
    def scrollable(self) -> bool:
        """Whether it scrolls by itself."""
        return bool(self.marks & _SCROLLS)

    @property
    def spaced(self) -> bool:
        """Whether white space separates it from the text before."""
        return bool(self.marks & SPACED)

    @property
    def value(self) -> str:
        """The value of a control; secrets are masked."""
        return self.states.get("value", "")

    @property
    def href(self) -> str:
        """Where a link leads."""
        return self.states.get("href", "")

    def walk(self) -> "Iterator[Node]":
        """Yield this node and all inside it, in the order of the page."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    def shape(self, depth: int = 3) -> tuple[Any, ...]:
        """Return what siblings of the same kind share: roles down to `depth`, without names and values."""
        inner = tuple(child.shape(depth - 1) for child in self.children) if depth else ()
        return (self.role, self.clickable, inner)


# What goes into the elements of frames, by their numbers.
Inside = Mapping[int, tuple[Node, ...]]


class Reading(NamedTuple):
    """What the walker told of a frame and what came of it: a node for each row, and those that are on top."""

    rows: str = ""
    inside: Inside = _NOTHING
    depths: Sequence[int] = ()
    lines: Sequence[Node] = ()
    nodes: tuple[Node, ...] = ()


def build(rows: str, inside: Inside = _NOTHING) -> tuple[Node, ...]:
    """Turn the walker's rows into nodes."""
    return read(rows, inside, Reading()).nodes


def read(rows: str, inside: Inside, before: Reading) -> Reading:
    """Turn rows into nodes; an earlier reading's are kept, but for what changed and what is around it."""
    if not _same(before.inside, inside):
        before = Reading()
    if not rows or rows == before.rows:
        return before if rows else Reading(rows, inside)
    head, tail, changed = _compared(rows, before.rows)
    rest = len(before.lines) - tail
    growing = _Growing(inside)
    growing.keep(before.depths[rest:], before.lines[rest:])
    growing.make(changed)
    growing.close(before.depths[:head], before.lines[:head])
    return growing.reading(rows)


class _Growing:
    """A tree read backwards, so that the children of a node are there before the node."""

    def __init__(self, inside: Inside) -> None:
        self._inside = inside
        # By depth, what no node around it was read of yet.
        self._pending: list[list[Node]] = [[], []]
        self._depths: list[int] = []
        self._lines: list[Node] = []

    def make(self, rows: Sequence[str]) -> None:
        """Add the nodes of rows."""
        add = self._add
        for row in reversed(rows):
            depth, role, number, marks, name, *states = row.split("\t")
            facts = dict(map(_state, states)) if states else _NO_STATES
            add(int(depth), (intern(role) or TEXT, name, int(number) if number else 0, int(marks), facts))

    def keep(self, depths: Sequence[int], lines: Sequence[Node]) -> None:
        """Add nodes as they are, with all that is in them."""
        pending = self._pending
        for depth, node in zip(reversed(depths), reversed(lines), strict=True):
            while len(pending) < depth + 2:
                pending.append([])
            if pending[depth + 1]:
                pending[depth + 1] = []
            pending[depth].append(node)
        self._depths += reversed(depths)
        self._lines += reversed(lines)

    def close(self, depths: Sequence[int], lines: Sequence[Node]) -> None:
        """Add the nodes before the change: what is around it gets other children, the rest is as it was."""
        end = len(lines)
        while end:
            around = end - 1
            self._add(depths[around], lines[around][:-1])
            end = around
            while end and depths[end - 1] >= depths[around]:
                end -= 1
            self.keep(depths[end:around], lines[end:around])

    def _add(self, depth: int, fields: tuple[Any, ...]) -> None:
        pending = self._pending
        while len(pending) < depth + 2:
            pending.append([])
        children: tuple[Node, ...] = ()
        if inner := pending[depth + 1]:
            inner.reverse()
            children = tuple(inner)
            pending[depth + 1] = []
        if self._inside and fields[2] in self._inside:
            children = self._inside[fields[2]]
        node = _new(Node, (*fields, children))  # past the constructor, which is half of the time
        pending[depth].append(node)
        self._depths.append(depth)
        self._lines.append(node)

    def reading(self, rows: str) -> Reading:
        """Return all of it."""
        self._depths.reverse()
        self._lines.reverse()
        return Reading(rows, self._inside, self._depths, self._lines, tuple(reversed(self._pending[0])))


def _compared(rows: str, before: str) -> tuple[int, int, list[str]]:
    """Return how many rows are the same at the beginning and at the end, and the rows between."""
    same = _shared(rows, before, min(len(rows), len(before)), backwards=False)
    begin = rows.rfind("\n", 0, same) + 1
    same = _shared(rows, before, min(len(rows), len(before)) - begin, backwards=True)
    line_end = rows.find("\n", len(rows) - same) if same else -1
    end = line_end + 1 if line_end >= 0 else len(rows)
    changed = rows[begin : line_end if line_end >= 0 else len(rows)]
    head, tail = rows.count("\n", 0, begin), rows.count("\n", end) + 1 if end < len(rows) else 0
    return head, tail, changed.split("\n") if end > begin else []


def _shared(one: str, other: str, most: int, *, backwards: bool) -> int:
    """Return how many characters two texts have in common at their beginning, or at their end."""
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


def _same(one: Inside, other: Inside) -> bool:
    return one.keys() == other.keys() and all(one[number] is other[number] for number in one)


_new = tuple.__new__


def _state(field: str) -> tuple[str, str]:
    key, _, value = field.partition("=")
    return intern(key), value
