"""The last calls, for whoever watches: what was done, by whom, how it ended. The audit log is what lasts."""

import json
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tabwright.aio import Signal

_MOST = 200
_LONGEST_ARGS = 300
_LONGEST_TOLD = 1_000


@dataclass(frozen=True, slots=True)
class Line:
    """One call: what the audit log says of it, and what its caller was told."""

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
    told: str


class RecentCalls:
    """Keeps some lines in memory; `news` wakes those who wait for more."""

    def __init__(self) -> None:
        self._lines: deque[Line] = deque(maxlen=_MOST)
        self._last = 0
        self.news = Signal()

    @property
    def last(self) -> int:
        """The number of the newest line; 0 when there was none."""
        return self._last

    def is_past(self, number: int) -> bool:
        """Whether there is a newer line than that of a number."""
        return self._last > number

    def note(self, line: Mapping[str, Any], told: str, owner: str) -> None:
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
                args=args[:_LONGEST_ARGS],
                session=line["session"] or "",
                owner=owner,
                tab=line["tab"] or "",
                ms=line["ms"],
                outcome=line["outcome"],
                told=told[:_LONGEST_TOLD],
            )
        )
        self.news.fire()

    def after(self, number: int) -> list[Line]:
        """Return the lines with higher numbers, oldest first."""
        return [line for line in self._lines if line.number > number]
