"""What an oracle has seen of a page: the lines of snapshots and reports, parsed."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

_QUOTED = r'"((?:[^"\\]|\\.)*)"'


@dataclass(frozen=True)
class Item:
    """One element or text. Text has the role "text" and no ref."""

    ref: str
    role: str
    name: str = ""
    value: str = ""
    facts: str = ""
    """The rest of the line: states, guesses, an address."""
    depth: int = 0

    def __contains__(self, word: str) -> bool:
        return word.lower() in f"{self.name} {self.value} {self.facts}".lower()


Test = Callable[[Item], bool]


class Screen:
    """The items in page order; what a report adds comes last, because a report does not say where it is."""

    def __init__(self) -> None:
        self.items: list[Item] = []

    def show(self, items: list[Item]) -> None:
        """Replace everything."""
        self.items = items

    def update(self, changes: list[tuple[str, Item]]) -> None:
        """Apply a report: "+" appeared, "~" changed, "-" disappeared."""
        for sign, item in changes:
            known = next((at for at, old in enumerate(self.items) if item.ref and old.ref == item.ref), None)
            if sign == "-":
                self.items = [old for old in self.items if not _is_same(old, item)]
            elif known is None:
                self.items.append(item)
            else:
                self.items[known] = replace(item, depth=self.items[known].depth)

    def matching(self, test: Test) -> list[Item]:
        """Return the items that pass a test."""
        return [item for item in self.items if test(item)]

    @property
    def text(self) -> str:
        """All text and names."""
        return "\n".join(item.name or item.value for item in self.items)


def _is_same(one: Item, other: Item) -> bool:
    if one.ref or other.ref:
        return one.ref == other.ref
    return one.role == other.role and one.name == other.name


# Tabwright: `@e7: button "Save" (disabled)`, `"text"`, `row: "a" | @e8: link "b"`.
_OURS = re.compile(rf"(?:(@e\d+): )?(?:([a-z]+)(?![\w:]))?:?(?:\s*{_QUOTED})?(?: = {_QUOTED})?(.*)")
_FOLDED = re.compile(rf"(@e\d+) {_QUOTED}")
_REPORTED = re.compile(r"([+~-]) (.+)")


def parse_ours(text: str) -> list[Item]:
    """Parse a snapshot of Tabwright."""
    return [
        replace(item, depth=depth)
        for line in text.splitlines()
        if (found := re.match(r"( *)- (.+)", line))
        for depth in [len(found[1]) // 2]
        for item in _line_items(found[2])
    ]


def parse_our_report(text: str) -> list[tuple[str, Item]]:
    """Parse what an action of Tabwright reports."""
    changes = []
    for line in text.splitlines():
        if found := _REPORTED.fullmatch(line):
            changes += [(found[1], item) for item in _line_items(found[2])]
    return changes


def _line_items(line: str) -> Iterator[Item]:
    if folded := re.match(r"(?:\d+|row of) (\w+?)s?: ", line):
        yield from (Item(ref, folded[1], _unquote(name)) for ref, name in _FOLDED.findall(line))
    elif re.match(r"(@e\d+: )?row(?= ?\(|:)", line):
        yield Item("", "row")
        _, _, cells = line.partition("row")
        for cell in re.split(r" \| |, (?=@e)", cells.partition(": ")[2]):
            yield _item(cell)
    else:
        yield _item(line)


def _item(line: str) -> Item:
    ref, role, name, value, facts = _OURS.fullmatch(line.strip()).groups()  # type: ignore[union-attr]  # all parts are optional
    return Item(ref or "", role or "text", _unquote(name), _unquote(value), facts.strip())


def _unquote(text: str | None) -> str:
    return re.sub(r"\\(.)", r"\1", text or "")


# Others: `- button "Save" [ref=e7] [disabled]: text`.
_THEIRS = re.compile(rf"( *)- (\w+)(?: {_QUOTED})?((?: (?:\[[^\]]*\]|\w+))*)(?:: ?(.*))?")


def parse_theirs(text: str) -> list[Item]:
    """Parse a snapshot of Playwright's server or of agent-browser."""
    items = []
    for line in text.splitlines():
        if not (found := _THEIRS.fullmatch(line)):
            continue
        depth, role, name, facts, rest = found.groups()
        ref = re.search(r"\bref=(\w+)", facts or "")
        role = "text" if role in ("StaticText", "text") else role
        shown = _unquote(name) or (rest or "").strip('"')
        value = (rest or "").strip('"')
        items.append(Item(ref[1] if ref else "", role, shown, value, facts or "", len(depth) // 2))
    return items
