"""What a session keeps of the user's Chrome while it cannot reach it: what its tabs were called."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab


class Seat:
    """The place of one session: its tabs by target, and the last number that one of them got."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.tabs: dict[str, Tab] = {}
        self.last = 0

    def take(self, tab: "Tab") -> None:
        """Note a tab; where it is one from before, its refs go on from where they were."""
        if (before := self.tabs.get(tab.target_id)) is not None:
            tab.refs.begin_at(before.refs.next)
        self.tabs[tab.target_id] = tab
        self.last = max(self.last, int(tab.id[1:]))
