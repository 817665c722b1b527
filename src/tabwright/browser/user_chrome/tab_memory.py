"""What a session keeps of the user's Chrome while it cannot reach it: what its tabs were called."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import anyio

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

# Seconds that tabs are kept for a session whose link was lost.
_KEPT = 300.0


class TabMemory:
    """The place of one session: its tabs by target, and the last number that one of them got."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.tabs: dict[str, Tab] = {}
        self.last = 0
        # The target of each tab by the Chrome and the number that its extension knows it by.
        self._targets: dict[tuple[str, int], str] = {}
        self._runs: dict[str, str] = {}
        # When the session lost its link, if it has none.
        self.left: float | None = None

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Count as somebody who is there while the block runs, and for a while who may come back."""
        self.left = None
        try:
            yield
        finally:
            self.left = anyio.current_time()

    @property
    def expected(self) -> bool:
        """Whether the session is there, or may come back for its tabs."""
        return self.left is None or anyio.current_time() - self.left < _KEPT

    def comes_to(self, chrome: str, run_id: str) -> bool:
        """Note which run of a Chrome it works in; return whether it knew an earlier one."""
        before = self._runs.get(chrome, run_id)
        self._runs[chrome] = run_id
        return before != run_id

    def find(self, chrome: str, number: int, target_id: str) -> None:
        """Note the target of a tab: another one when its Chrome was restarted, and still the same tab."""
        before = self._targets.get((chrome, number), target_id)
        self._targets[chrome, number] = target_id
        if before != target_id and before in self.tabs:
            self.tabs[target_id] = self.tabs.pop(before)

    def take(self, tab: "Tab") -> None:
        """Note a tab; where it is one from before, its refs go on from where they were."""
        if (before := self.tabs.get(tab.target_id)) is not None:
            tab.refs.begin_at(before.refs.next)
        self.tabs[tab.target_id] = tab
        self.last = max(self.last, int(tab.id[1:]))
