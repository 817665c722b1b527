"""The changes of a report: read from the rows that changes.js writes, as lines for an agent."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import orjson

from tabwright.browser.snapshot.nodes import Node, build, words
from tabwright.browser.snapshot.text import Line, Outline
from tabwright.text import format_count, quote

if TYPE_CHECKING:
    from tabwright.browser.page.frame import Frame

MAX_LINE = 160
# Characters of a line for several changes, and how many changes it takes to write one.
_MAX_FOLDED = 240
_MIN_FOLDED = 4
_FIELDS = words("""
    checkbox color combobox date datetime listbox radio searchbox slider spinbutton switch textbox time
""")
# Without a name, such a part of the page says nothing about what is in it.
_BARE_PART = re.compile(r"@e\d+: (banner|complementary|contentinfo|form|main|region|search)")
_REF = re.compile(r"@e\d+")
_CONTROL = re.compile(r'(@e\d+): (\w+)(?: ("(?:[^"\\]|\\.)*"))?')
# A field, its value, and facts that it had before or that say nothing new.
_QUOTED = r'"(?:[^"\\]|\\.)*"'
_OLD_FACTS = rf"(?:focused|multiline|required|\d+ options?|looks like: {_QUOTED}|placeholder: {_QUOTED})"
_FIELD_VALUE = re.compile(
    rf"@e\d+: \w+(?: {_QUOTED})? = ({_QUOTED})(?: \({_OLD_FACTS}(?:, {_OLD_FACTS})*\))?"
)


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that changed: "+" appeared, "~" changed, "-" disappeared."""

    sign: str
    line: str
    of_target: bool = False
    """Whether it is about the element that the action was on."""

    def __str__(self) -> str:
        line = self.line if len(self.line) <= MAX_LINE else self.line[:MAX_LINE] + "…"
        return f"{self.sign} {line}"

    def is_value(self, value: str) -> bool:
        """Whether it only says that a field has this value."""
        found = _FIELD_VALUE.fullmatch(self.line)
        return self.sign == "~" and found is not None and found[1] == quote(value)

    @property
    def role(self) -> str:
        """The role of the element, "" for text and for an element without a ref."""
        found = _CONTROL.match(self.line)
        return found[2] if found else ""


def without_repeats(changes: list[Change]) -> list[Change]:
    """Drop texts that a changed field shows as its name, value or description."""
    fields = [change.line for change in changes if change.role in _FIELDS]

    def repeats(change: Change) -> bool:
        is_text = change.sign != "-" and change.line.startswith('"')
        return is_text and any(change.line in line for line in fields)

    return [change for change in changes if not repeats(change)]


def fold(changes: Iterable[Change]) -> Iterator[str]:
    """Yield one line for neighbouring changes of the same kind: how many, and the first of them."""
    for (sign, role), group in groupby(changes, lambda change: (change.sign, change.role)):
        alike = list(group)
        if not role or len(alike) < _MIN_FOLDED:
            yield from (f"{sign} {_brief_row(change.line)}"[:_MAX_FOLDED] for change in alike)
        else:
            yield _cut_list(
                f"{sign} {format_count(len(alike), role)}:", [_brief(change.line) for change in alike]
            )


def fold_gone(changes: Sequence[Change]) -> list[Change]:
    """Write what is gone on one line, if it is much: refs, and how many texts."""
    gone = [change for change in changes if change.sign == "-"]
    if len(gone) < _MIN_FOLDED:
        return list(changes)
    refs = [ref for change in gone for ref in _REF.findall(_without_quotes(change.line))]
    texts = sum(not _REF.match(change.line) for change in gone)
    parts = [*refs, *([format_count(texts, "text")] if texts else [])]
    return [*(change for change in changes if change.sign != "-"), Change("-", ", ".join(parts))]


def _without_quotes(line: str) -> str:
    return re.sub(_QUOTED, "", line)


def _brief_row(line: str) -> str:
    """Return a table row whose cells hold controls of one kind with that kind only once."""
    controls = _CONTROL.findall(line)
    roles = {role for _, role, _ in controls}
    if not line.startswith("row: ") or len(roles) != 1 or len(controls) < _MIN_FOLDED:
        return line
    (role,) = roles
    brief = re.sub(rf"(@e\d+): {role}\b", r"\1", line)
    return f"row of {role}s: {brief.removeprefix('row: ')}"


def _brief(line: str) -> str:
    """Return ref and name of an element."""
    found = _CONTROL.match(line)
    assert found is not None
    return f"{found[1]} {found[3]}" if found[3] else found[1]


def _cut_list(head: str, names: Sequence[str]) -> str:
    """Return a line with as many names as fit."""
    line = f"{head} {names[0][:MAX_LINE]}"
    for name in names[1:]:
        if len(line) + len(name) > _MAX_FOLDED:
            return f"{line}, …"
        line += f", {name}"
    return line


class RowReader:
    """Reads the rows that the scripts of one frame report; their elements get refs."""

    def __init__(self, frame: "Frame", mark: int) -> None:
        self._frame = frame
        # Elements numbered from here on had no ref before the action.
        self._mark = mark
        parts = urlsplit(frame.url)
        self._origin = f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""

    def _outline(self, nodes: tuple[Node, ...] = ()) -> Outline:
        return Outline(nodes, origin=self._origin, page=self._frame.url)

    def changes(self, kind: str, rows: str, own: Sequence[str], *, of_target: bool = False) -> list[Change]:
        """Return what one part of a report says; `own` are the changed elements in a table row."""
        nodes = build(rows)
        if kind == "gone":
            return [Change("-", self._gone(nodes))]
        self._frame.tab.refs.record(self._frame, nodes)
        if kind == "added":
            lines = list(self._outline(nodes).compact_lines())
            return [Change("+", line) for line in _join_headings(lines)]
        if own and " | " not in self._describe(nodes[0]):
            return [Change("~", self.line(row)) for row in own]
        return [Change("~", self._changed(kind, nodes), of_target)]

    def line(self, row: str) -> str:
        """Return the whole line of an element."""
        nodes = build(row)
        self._frame.tab.refs.record(self._frame, nodes)
        return self._describe(nodes[0])

    def label(self, row: str) -> str:
        """Return ref, role and name of an element, or a text."""
        nodes = build(row)
        self._frame.tab.refs.record(self._frame, nodes)
        return self._describe(nodes[0]._replace(states={}))

    def _changed(self, kind: str, nodes: tuple[Node, ...]) -> str:
        if kind == "moved":
            [item, *before] = map(self._describe, nodes)
            return f"moved {item} after {before[0]}" if before else f"moved {item} to the top"
        if kind == "order":
            around = "" if nodes[0].role == "document" else f" in {self._describe(nodes[0])}"
            return f"new order{around}: {', '.join(quote(child.name) for child in nodes[0].children)}"
        return self._describe(nodes[0])

    def _describe(self, node: Node) -> str:
        if node.role == "row" and node.children:
            return self._describe_row(node)
        states = dict(node.states)
        choices = orjson.loads(states.pop("choices", "[]"))
        line = self._outline().describe(node._replace(states=states), brief=True)
        return f"{line} offers {', '.join(map(quote, choices))}" if choices else line

    def _describe_row(self, node: Node) -> str:
        """Return a table row with its cells, and with its states, which the snapshot leaves out."""
        outline = self._outline((node,))
        line = next(iter(outline.compact_lines())).text
        bare = node._replace(name="", children=())
        head = outline.describe(bare._replace(states={}))
        if not line.startswith(f"{head}: "):
            names = [quote(name) for cell in node.children if (name := cell.name or _first_name(cell))]
            line = f"{head}: {', '.join(names)}" if names else head
        return outline.describe(bare) + line.removeprefix(head)

    def _gone(self, nodes: tuple[Node, ...]) -> str:
        """Describe what is gone, without refs that nobody has seen and without repeated texts."""
        names = {node.name for node in nodes if node.number}
        shown = [node for node in nodes if node.number or node.name not in names]
        return ", ".join(self._describe(self._as_known(node)) for node in shown)

    def _as_known(self, node: Node) -> Node:
        children = tuple(map(self._as_known, node.children))
        return node._replace(
            number=node.number if node.number < self._mark else 0, states={}, children=children
        )


def _first_name(node: Node) -> str:
    return next((inner.name for inner in node.walk() if inner.name), "")


def _join_headings(lines: Sequence[Line]) -> Iterator[str]:
    """Yield lines; one that is only a role, such as an alert, starts the line of what is in it."""
    head = ""
    for at, line in enumerate(lines):
        if _BARE_PART.fullmatch(line.text):
            continue
        if line.text.isalpha() and at + 1 < len(lines) and lines[at + 1].depth > line.depth:
            head += f"{line.text}: "
            continue
        yield head + line.text
        head = ""
