"""Folds runs of similar nodes of a snapshot into a few samples and a count."""

from collections import deque
from itertools import groupby

from tabwright.browser.snapshot.nodes import Node
from tabwright.browser.snapshot.text import FOLD
from tabwright.text import format_count

_SAMPLES = 3


class Folding:
    """Folds one tree, several times if needed; runs of similar siblings are computed once."""

    def __init__(self, nodes: tuple[Node, ...]) -> None:
        self._nodes = nodes
        # By the id() of the siblings, which live as long as the tree.
        self._runs: dict[int, list[tuple[Node, ...]]] = {}

    def longest_run(self, enough: int) -> int:
        """Return the length of the longest run of similar siblings; stop searching above `enough`."""
        longest, waiting = 0, deque([self._nodes])
        while waiting and longest <= enough:
            for run in self._runs_of(waiting.popleft()):
                longest = max(longest, len(run))
                waiting.extend(node.children for node in run if node.children)
        return longest

    def fold(self, most: int) -> tuple[Node, ...]:
        """Fold runs of more than `most` similar siblings into three samples and a count, at every depth."""
        return self._fold(self._nodes, most)

    def _fold(self, nodes: tuple[Node, ...], most: int) -> tuple[Node, ...]:
        folded: list[Node] = []
        for run in self._runs_of(nodes):
            shown = run if len(run) <= most else run[:_SAMPLES]
            folded += [
                node._replace(children=self._fold(node.children, most)) if node.children else node
                for node in shown
            ]
            if len(shown) < len(run):
                more = format_count(len(run) - len(shown), f"more {run[0].role}")
                folded.append(Node(FOLD, f"… {more} like these", 0, 0, {}, ()))
        return tuple(folded)

    def _runs_of(self, nodes: tuple[Node, ...]) -> list[tuple[Node, ...]]:
        """Split siblings into runs of the same shape: same role, children of the same roles."""
        if (runs := self._runs.get(id(nodes))) is None:
            runs = self._runs[id(nodes)] = [tuple(run) for _, run in groupby(nodes, _shape)]
        return runs


def _shape(node: Node) -> tuple[str, list[str]]:
    return node.role, [child.role for child in node.children]
