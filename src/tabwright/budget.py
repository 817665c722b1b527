"""Every text answer fits its budget: repeated structures fold, long texts are cut at a line.

What is left out stays reachable by a cursor; the session keeps it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tabwright.browser.outline import FOLD
from tabwright.browser.tree import Node

# Four characters make about one token.
CHARACTERS_PER_TOKEN = 4
DEFAULT_TOKENS = 2_000
_ROOM_FOR_NOTICE = 160
_SAMPLES = 3


@dataclass(frozen=True, slots=True)
class Page:
    """A part of a long output: its text, and the line at which the next part begins (None: it ends)."""

    text: str
    next_line: int | None


def tokens(text: str) -> int:
    """Estimate the tokens of a text."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def page(lines: list[str], *, start: int = 0, most_tokens: int = DEFAULT_TOKENS) -> Page:
    """Return as many lines from `start` on as the budget holds; at least one, cut if it must be."""
    whole = "\n".join(lines[start:])
    most = most_tokens * CHARACTERS_PER_TOKEN
    if len(whole) <= most:
        return Page(whole, None)
    most -= _ROOM_FOR_NOTICE
    taken: list[str] = []
    for line in lines[start:]:
        if taken and most < len(line) + 1:
            break
        taken.append(line if len(line) <= most else line[: max(most, 0)] + "…")
        most -= len(line) + 1
    end = start + len(taken)
    return Page("\n".join(taken), end if end < len(lines) else None)


def folded(nodes: Sequence[Node], *, most: int) -> tuple[Node, ...]:
    """Fold runs of more than `most` like siblings into three samples and a count, at every depth."""
    kept: list[Node] = []
    for run in _runs(nodes):
        shown = run if len(run) <= most else run[:_SAMPLES]
        kept += [
            node._replace(children=folded(node.children, most=most)) if node.children else node
            for node in shown
        ]
        if len(shown) < len(run):
            rest = len(run) - len(shown)
            kept.append(Node(FOLD, f"… {rest:,} more {run[0].role}s like these", 0, 0, {}, ()))
    return tuple(kept)


def _runs(nodes: Sequence[Node]) -> Iterator[Sequence[Node]]:
    """Part siblings into runs of the same shape."""
    start = 0
    for end in range(1, len(nodes) + 1):
        if end == len(nodes) or _shape(nodes[end]) != _shape(nodes[start]):
            yield nodes[start:end]
            start = end


def _shape(node: Node) -> tuple[str, tuple[str, ...]]:
    return node.role, tuple(child.role for child in node.children)
