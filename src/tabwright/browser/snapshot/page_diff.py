"""What differs between two states of a page, by element: added, removed, changed, moved, restyled.

Only causes are reported. What follows from them (an inherited colour, elements that make room) is not.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Literal

from tabwright.browser.snapshot.element_tree import ElementTree, PageElement
from tabwright.text import quote_line

Kind = Literal["added", "removed", "changed", "moved", "restyled"]
_MARKS: dict[Kind, str] = {"added": "+", "removed": "-", "changed": "~", "moved": "~", "restyled": "~"}

_INHERITED = frozenset(
    (
        "color",
        "visibility",
        "font-family",
        "font-size",
        "font-weight",
        "font-style",
        "text-align",
        "text-transform",
        "letter-spacing",
        "line-height",
        "white-space",
        "list-style-type",
    )
)
# An element with a change of one of these is somewhere else.
_POSITION = frozenset(
    (
        "transform",
        "translate",
        "rotate",
        "scale",
        "position",
        "top",
        "right",
        "bottom",
        "left",
        "margin-top",
        "margin-right",
        "margin-bottom",
        "margin-left",
        "float",
        "order",
        "align-self",
    )
)
# Elements that share less of their words than this are not the same one with other words.
_SIMILAR = 0.3


@dataclass(frozen=True)
class Difference:
    """One element that differs, and how."""

    kind: Kind
    label: str
    detail: str = ""

    def __str__(self) -> str:
        how = f" {self.kind}" if self.kind in ("moved", "restyled") else ""
        return f"{_MARKS[self.kind]} {self.label}{how}{': ' if self.detail else ''}{self.detail}"


@dataclass
class _Comparison:
    """The differences found so far, and elements that have no counterpart yet."""

    found: list[Difference] = field(default_factory=list)
    removed: list[PageElement] = field(default_factory=list)
    added: list[PageElement] = field(default_factory=list)


def compare_pages(before: ElementTree, after: ElementTree) -> list[Difference]:
    """Return the elements that differ."""
    comparison = _Comparison()
    _compare(before.root, after.root, comparison)
    _find_moved(comparison)
    return [
        *(Difference("removed", element.label) for element in comparison.removed),
        *(Difference("added", element.label) for element in comparison.added),
        *comparison.found,
    ]


def _compare(old: PageElement, new: PageElement, comparison: _Comparison) -> None:
    """Compare two elements that are the same one, and what is inside them."""
    pending = [(old, new)]  # not by recursion: pages nest deeper than Python's stack
    while pending:
        old, new = pending.pop()
        comparison.found.extend(_own_differences(old, new))
        same = []
        for before, after in _pair_children(old.children, new.children):
            if before is not None and after is not None:
                same.append((before, after))
            elif after is not None:
                comparison.added.append(after)
            elif before is not None:
                comparison.removed.append(before)
        pending.extend(reversed(same))


def _own_differences(old: PageElement, new: PageElement) -> Iterator[Difference]:
    changes = [
        f"{what}{quote_line(was)} → {quote_line(now)}"
        for what, was, now in (("", old.text, new.text), ("value ", old.value, new.value))
        if was != now
    ]
    for name in {**old.attributes, **new.attributes}:
        was, now = old.attributes.get(name), new.attributes.get(name)
        if was != now:
            changes.append(f"{name} {_quote_attribute(was)} → {_quote_attribute(now)}")
    if changes:
        yield Difference("changed", new.label, ", ".join(changes))
    styles = _style_changes(old, new)
    position = {name: change for name, change in styles.items() if name in _POSITION}
    look = {name: change for name, change in styles.items() if name not in _POSITION}
    if position:
        yield Difference("moved", new.label, _describe_styles(position))
    if look:
        yield Difference("restyled", new.label, _describe_styles(look))


def _style_changes(old: PageElement, new: PageElement) -> dict[str, tuple[str, str]]:
    """Return the styles that differ, except as a consequence of others."""
    changed = {name: (was, new.style[name]) for name, was in old.style.items() if was != new.style[name]}
    return {name: change for name, change in changed.items() if not _follows(name, change, old, new)}


def _follows(name: str, change: tuple[str, str], old: PageElement, new: PageElement) -> bool:
    """Whether a change of style follows from another one: of the parent, the colour or the font size."""
    was, now = change
    if name in _INHERITED and old.parent is not None and new.parent is not None:
        above = old.parent.style[name], new.parent.style[name]
        if above == change:
            return True
    if name != "color" and was.replace(old.style["color"], new.style["color"]) == now:
        return True
    grown = _scale(old.style["font-size"], new.style["font-size"])
    return name != "font-size" and grown is not None and grown == _scale(was, now)


def _scale(was: str, now: str) -> float | None:
    """Return by how much a length grew, or None if it is not a length or did not."""
    try:
        lengths = float(was.removesuffix("px")), float(now.removesuffix("px"))
    except ValueError:
        return None
    if not lengths[0] or was == now:
        return None
    return round(lengths[1] / lengths[0], 2)


def _pair_children(
    before: list[PageElement], after: list[PageElement]
) -> Iterator[tuple[PageElement | None, PageElement | None]]:
    """Pair the children that are the same; those without a counterpart are paired with None."""
    matcher = SequenceMatcher(
        None, [child.content for child in before], [child.content for child in after], autojunk=False
    )
    for operation, start, end, new_start, new_end in matcher.get_opcodes():
        olds, news = before[start:end], after[new_start:new_end]
        if operation == "equal":
            yield from zip(olds, news, strict=True)
        else:
            yield from _pair_unequal(olds, news)


def _pair_unequal(
    olds: list[PageElement], news: list[PageElement]
) -> Iterator[tuple[PageElement | None, PageElement | None]]:
    """Pair elements that differ but may be the same: the most similar first."""
    alone = len(olds) == len(news) == 1
    candidates = sorted(
        (-likeness, abs(at - new_at), at, new_at)
        for at, old in enumerate(olds)
        for new_at, new in enumerate(news)
        if (likeness := _likeness(old, new, alone=alone)) >= _SIMILAR
    )
    partners: dict[int, int] = {}
    taken: set[int] = set()
    for _, _, at, new_at in candidates:
        if at not in partners and new_at not in taken:
            partners[at] = new_at
            taken.add(new_at)
    for at, old in enumerate(olds):
        yield old, news[partners[at]] if at in partners else None
    for new_at, new in enumerate(news):
        if new_at not in taken:
            yield None, new


def _likeness(old: PageElement, new: PageElement, *, alone: bool) -> float:
    """Return how likely two elements are the same one, from 0 to 1."""
    if old.tag != new.tag:
        return 0.0
    if old.identity != new.identity:
        return 0.0
    if old.identity.strip():
        return 1.0
    everything = old.words | new.words
    shared = len(old.words & new.words) / len(everything) if everything else 1.0
    same_shape = [child.tag for child in old.children] == [child.tag for child in new.children]
    # All its words may have changed, or all that was inside it may be gone.
    same_place = alone and (same_shape or old.style == new.style)
    return max(shared, _SIMILAR if same_place else 0.0)


def _find_moved(comparison: _Comparison) -> None:
    """Turn an element that was removed in one place and added in another into one that moved."""
    places: dict[int, list[PageElement]] = defaultdict(list)
    for element in comparison.added:
        places[element.content].append(element)
    for old in list(comparison.removed):
        if candidates := places[old.content]:
            new = candidates.pop(0)
            comparison.removed.remove(old)
            comparison.added.remove(new)
            comparison.found.append(Difference("moved", new.label))


def _quote_attribute(value: str | None) -> str:
    return "none" if value is None else quote_line(value, 100)


def _describe_styles(changes: dict[str, tuple[str, str]]) -> str:
    return ", ".join(f"{name} {was or 'none'} → {now or 'none'}" for name, (was, now) in changes.items())
