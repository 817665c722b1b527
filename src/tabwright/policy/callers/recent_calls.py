"""The latest calls, for the dashboard: who did what, and with what outcome. The audit log has all calls."""

import json
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tabwright.aio import Signal

_MAX_CALLS = 200
_MAX_ARGS = 300
_MAX_SUMMARY = 1_000


@dataclass(frozen=True, slots=True)
class Line:
    """One call: its line in the audit log, and a summary of its answer."""

    number: int
    at: float
    who: str
    door: str
    action: str
    args: str
    session: str
    owner: str
    tab: str
    ms: int
    outcome: str
    summary: str


class RecentCalls:
    """Holds some lines in memory; `added` fires for each new one."""

    def __init__(self) -> None:
        self._lines: deque[Line] = deque(maxlen=_MAX_CALLS)
        self._last = 0
        self.added = Signal()

    @property
    def last(self) -> int:
        """The number of the newest line; 0 if there is none."""
        return self._last

    def is_past(self, number: int) -> bool:
        """Whether there is a line with a higher number."""
        return self._last > number

    def add(self, line: Mapping[str, Any], summary: str, owner: str) -> None:
        """Add the line of a call that has ended, in a session of that owner."""
        self._last += 1
        args = json.dumps(line["args"], ensure_ascii=False) if line["args"] else ""
        self._lines.append(
            Line(
                number=self._last,
                at=time.time(),
                who=line["who"],
                door=line["door"],
                action=line["action"],
                args=args[:_MAX_ARGS],
                session=line["session"] or "",
                owner=owner,
                tab=line["tab"] or "",
                ms=line["ms"],
                outcome=line["outcome"],
                summary=summary[:_MAX_SUMMARY],
            )
        )
        self.added.fire()

    def after(self, number: int) -> list[Line]:
        """Return the lines with higher numbers, oldest first."""
        return [line for line in self._lines if line.number > number]
