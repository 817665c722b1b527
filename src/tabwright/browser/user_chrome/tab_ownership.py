"""Who holds which tabs of a linked Chrome: one session each, for Chrome lets an extension attach once."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Protocol

from tabwright.cdp import Params

# Seconds in which it is told what became of a tab that Chrome would not let us speak to.
_NEWS = 1.0


@dataclass(frozen=True)
class ChromeTab:
    """A tab as the extension tells of it."""

    id: int
    title: str
    url: str
    reachable: bool
    holder: str
    opener: int | None
    # Whether it is the one that is seen of its window.
    active: bool
    window: int | None

    @classmethod
    def told(cls, tab: Params, reachable: bool) -> "ChromeTab":
        """Read what was told; what it does not say of its tools, `reachable` does."""
        return cls(
            id=int(tab["id"]),
            title=str(tab.get("title", "")),
            url=str(tab.get("url", "")),
            reachable=bool(tab["tools"]) if "tools" in tab else reachable,
            holder=str(tab.get("holder") or ""),
            opener=tab.get("opener"),
            active=bool(tab.get("active")),
            window=tab.get("windowId"),
        )


class TabUser(Protocol):
    """Whoever works in tabs of a link; it is told of them, and of nothing else."""

    name: str
    used: float

    def offer(self, tab: ChromeTab) -> None:
        """Take a tab that is to be had: a new one, or one that can be reached again."""

    def event(self, tab_id: int, message: Params) -> None:
        """Take an event of a tab's page."""

    def attend(self, tab_id: int) -> None:
        """Note that the user brought a tab to the front."""

    def lose(self, tab_id: int, reason: str) -> None:
        """Note that a tab is gone, or out of reach."""

    def end(self, reason: str) -> None:
        """Note that the link ended."""


class TabOwnership:
    """The tabs that the extension tells of, and their holders.

    Args:
        expects: whether the holder of a name may come back for its tabs.
        changed: is called whenever the tabs are others.
    """

    def __init__(self, expects: Callable[[str], bool], changed: Callable[[], None]) -> None:
        self.tabs: dict[int, ChromeTab] = {}
        self._expects = expects
        self._changed = changed
        self._holders: list[TabUser] = []
        self._held: dict[int, TabUser] = {}
        # Tabs that are out of reach, until it is told what became of them.
        self._between: set[int] = set()

    def of(self, tab_id: int) -> TabUser | None:
        """Who holds a tab."""
        return self._held.get(tab_id)

    def join(self, holder: TabUser) -> list[ChromeTab]:
        """Let somebody work here; return the tabs that it gets: its own of before, and what nobody holds."""
        self._holders.append(holder)
        gets = [tab for tab in self.tabs.values() if self._due(tab) is holder]
        self._held |= {tab.id: holder for tab in gets}
        return gets

    def leave(self, holder: TabUser) -> None:
        """Have somebody hold nothing any more."""
        if holder in self._holders:
            self._holders.remove(holder)
        self._held = {tab_id: by for tab_id, by in self._held.items() if by is not holder}

    def freed(self, name: str) -> list[int]:
        """Forget whose some tabs were; return them."""
        freed = [tab for tab in self.tabs.values() if tab.holder == name]
        self.tabs |= {tab.id: replace(tab, holder="") for tab in freed}
        return [tab.id for tab in freed]

    def end(self, reason: str) -> None:
        """Have nobody hold anything: the link is lost."""
        for holder in self._holders:
            holder.end(reason)
        self._holders.clear()
        self._held.clear()
        self.tabs.clear()

    def let_go(self, tab_id: int) -> None:
        """Have nobody hold a tab that could not be attached to; it is offered again when it changes."""
        self._held.pop(tab_id, None)

    def taken(self, tab_id: int, name: str) -> None:
        """Note that a tab is being attached to in somebody's name."""
        self._between.discard(tab_id)
        if (tab := self.tabs.get(tab_id)) is not None:
            self.tabs[tab_id] = replace(tab, holder=name)

    def shows(self, holder: TabUser, beside: int) -> bool:
        """Whether the window of a tab shows one that a holder has."""
        window = self.tabs[beside].window if beside in self.tabs else None
        return any(
            tab.active and tab.window == window and self._held.get(tab.id) is holder
            for tab in self.tabs.values()
        )

    def begin(self, tabs: Iterable[ChromeTab]) -> None:
        """Note all tabs there are; others are gone."""
        known, self.tabs = self.tabs, {tab.id: tab for tab in tabs}
        for gone in known.keys() - self.tabs.keys():
            self.lose(gone, "closed")
        for tab in tuple(self.tabs.values()):
            self._assign(tab)
        self._changed()

    def know(self, tab: ChromeTab) -> None:
        """Note a tab, or what became of it."""
        self.tabs[tab.id] = tab
        self._settle(tab.id)
        if tab.reachable:
            self._assign(tab)
        else:
            self.lose(tab.id, "unreachable")
        self._changed()

    def close(self, tab_id: int, reason: str) -> None:
        """Note that a tab is not there any more for us."""
        self._between.discard(tab_id)
        self.tabs.pop(tab_id, None)
        self.lose(tab_id, reason)
        self._changed()

    def doubt(self, tab_id: int) -> None:
        """Give up a tab that Chrome would not let us speak to, unless something else is told of it soon."""
        if tab_id not in self._between:
            self._between.add(tab_id)
            asyncio.get_running_loop().call_later(_NEWS, self._settle, tab_id)

    def _settle(self, tab_id: int) -> None:
        if tab_id in self._between:
            self._between.discard(tab_id)
            self.lose(tab_id, "unreachable")

    def lose(self, tab_id: int, reason: str) -> None:
        """Take a tab from its holder, who is told why."""
        if (holder := self._held.pop(tab_id, None)) is not None:
            holder.lose(tab_id, reason)

    def _assign(self, tab: ChromeTab) -> None:
        """Give a tab that nobody holds to whom it is due."""
        if (holder := self._due(tab)) is not None:
            self._held[tab.id] = holder
            holder.offer(tab)

    def _due(self, tab: ChromeTab) -> TabUser | None:
        """Who gets a tab: whoever had it, whose page opened it, or worked here last."""
        if tab.id in self._held or not tab.reachable or not self._holders:
            return None
        for holder in self._holders:
            if holder.name == tab.holder:
                return holder
        if self._expects(tab.holder):
            return None
        of_opener = self._held.get(tab.opener) if tab.opener is not None else None
        return of_opener or max(self._holders, key=lambda holder: holder.used)
