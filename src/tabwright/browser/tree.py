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


def build(rows: str, inside: Mapping[int, Sequence[Node]]) -> tuple[Node, ...]:
    """Turn the walker's rows into nodes; `inside` holds, by number, what goes into the elements of frames."""
    # Read backwards, so that the children of a node are there before the node.
    pending: list[list[Node]] = [[], []]
    for row in reversed(rows.split("\n")) if rows else ():
        depth, role, number, marks, name, *states = row.split("\t")
        level = int(depth)
        while len(pending) < level + 2:
            pending.append([])
        own = int(number) if number else 0
        children: tuple[Node, ...] = ()
        if pending[level + 1]:
            children = tuple(reversed(pending[level + 1]))
            pending[level + 1] = []
        if own in inside:
            children = tuple(inside[own])
        facts = dict(map(_state, states)) if states else _NO_STATES
        # Past the constructor, which is half of the time.
        pending[level].append(_new(Node, (intern(role) or TEXT, name, own, int(marks), facts, children)))
    return tuple(reversed(pending[0]))


_new = tuple.__new__


def _state(field: str) -> tuple[str, str]:
    key, _, value = field.partition("=")
    return intern(key), value
