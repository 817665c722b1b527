"""Searching a page of any size: line by line, in parts, of which only the matches are kept.

Each part is one call to the page, short enough that the page can work in between. The lines are those of a
snapshot, so that a match is found by its role, its states and its ref too.
"""

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import anyio

from tabwright.browser.snapshot.nodes import Node
from tabwright.browser.snapshot.snapshot import Snapshot, read_on
from tabwright.errors import Stale

if TYPE_CHECKING:
    from tabwright.browser.page.frame import Frame
    from tabwright.browser.tab import Tab

# Lines shown around each match.
_CONTEXT = 1
# Limits of the work on pages that are too large for one snapshot. A row takes Chrome some 0.03 ms.
PART_ROWS = 20_000
_MAX_PARTS = 100
_MAX_MATCHES = 1_000
_TOTAL_TIMEOUT = 30.0
_REF = re.compile(r"@e(\d+):")


@dataclass(slots=True)
class Matches:
    """The lines of a page that match, with the lines around them."""

    count: int = 0
    lines: list[str] = field(default_factory=list)
    whole: bool = True
    """Whether the whole page was searched."""


async def search(tab: "Tab", pattern: re.Pattern[str]) -> Matches:
    """Search the chosen frame of a tab, and the frames in it."""
    found = Matches()
    found.whole = not (await _search_parts(tab, pattern, found))
    return found


async def _search_parts(tab: "Tab", pattern: re.Pattern[str], found: Matches) -> bool:
    """Search part after part; return whether something was left out."""
    first = await tab.snapshot()
    _add_matches(found, first, pattern)
    incomplete = first.left_out.deep or bool(first.left_out.frames)
    if not first.unread:
        return incomplete or first.left_out.truncated
    parts = _Parts(tab, first)
    async for frame, part in parts:
        numbers = _add_matches(found, part, pattern)
        tab.refs.record(frame, tuple(_with_numbers(part, numbers)))
        incomplete |= part.left_out.deep or bool(part.left_out.frames)
        if found.count >= _MAX_MATCHES:
            break
    return incomplete or bool(parts.unread)


class _Parts:
    """The parts of a page after its first snapshot."""

    def __init__(self, tab: "Tab", first: Snapshot) -> None:
        self._tab = tab
        # The frames that are not read to their end, and where to read on.
        self.unread = dict(first.unread)

    async def __aiter__(self) -> "AsyncIterator[tuple[Frame, Snapshot]]":
        until = anyio.current_time() + _TOTAL_TIMEOUT
        for _ in range(_MAX_PARTS):
            if not self.unread or anyio.current_time() > until:
                return
            frame_id, number = next(iter(self.unread.items()))
            if (frame := self._tab.frames.get(frame_id)) is None:
                del self.unread[frame_id]
                continue
            try:
                part = await read_on(self._tab, frame, number, PART_ROWS)
            except Stale:  # the page changed there
                return
            del self.unread[frame_id]
            self.unread |= part.unread
            if part.left_out.truncated and not part.unread and not part.left_out.deep:
                self.unread[frame_id] = number
                return
            yield frame, part


def _add_matches(found: Matches, part: Snapshot, pattern: re.Pattern[str]) -> set[int]:
    """Add the lines of a part that match, and those around them; return the numbers of their refs."""
    lines = str(part).splitlines()[1:]
    if str(part.left_out):
        lines.pop()
    matches = [number for number, line in enumerate(lines) if pattern.search(line)]
    near = {at for number in matches for at in range(number - _CONTEXT, number + _CONTEXT + 1)}
    shown = [line for number, line in enumerate(lines) if number in near]
    found.count += len(matches)
    found.lines += shown
    return {int(number) for line in shown for number in _REF.findall(line)}


def _with_numbers(part: Snapshot, numbers: set[int]) -> list[Node]:
    """Return the nodes of a part that have one of these numbers, without what is in them."""
    return [node._replace(children=()) for node in part.walk() if node.number in numbers] if numbers else []
