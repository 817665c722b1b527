"""Which session holds which tabs of a linked Chrome, and what a session remembers of them while it is away.

A tab has one holder at most: Chrome lets an extension attach to a tab only once.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

import anyio

from tabwright.browser.user_chrome.message_fields import read_id, read_optional_id, read_text
from tabwright.cdp import Params

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

# Seconds for the extension to report why Chrome ended an attachment.
_REASON_TIMEOUT = 1.0
# Seconds that the tabs of a session whose link was lost are reserved for it.
_RESERVED = 300.0


@dataclass(frozen=True)
class ChromeTab:
    """A tab as the extension describes it."""

    id: int
    title: str
    url: str
    reachable: bool
    holder: str
    opener: int | None
    # Whether it is the visible tab of its window.
    active: bool
    window: int | None
    # What an extension without the protocol declares.
    tools: tuple[Params, ...] = ()

    @classmethod
    def parse(cls, tab: Params, reachable: bool) -> "ChromeTab":
        """Read a description; `reachable` counts where it does not list the tab's tools.

        Raises:
            ValueError: it has no valid id.
        """
        return cls(
            id=read_id(tab["id"]),
            title=read_text(tab.get("title")),
            url=read_text(tab.get("url")),
            reachable=bool(tab["tools"]) if "tools" in tab else reachable,
            holder=read_text(tab.get("holder")),
            opener=read_optional_id(tab.get("opener")),
            active=tab.get("active") is True,
            window=read_optional_id(tab.get("windowId")),
        )


class TabHolder(Protocol):
    """A session that works in tabs of a link, and hears of nothing but its own tabs."""

    name: str
    last_used: float

    def on_tab_offered(self, tab: ChromeTab) -> None:
        """Take a tab: a new one, or one that can be reached again."""

    def on_tab_updated(self, tab: ChromeTab) -> None:
        """Note what a tab of this session shows and offers now."""

    def on_event(self, tab_id: int, message: Params) -> None:
        """Take an event of a tab's page."""

    def on_tab_focused(self, tab_id: int) -> None:
        """Note that the user brought a tab to the front."""

    def on_tab_lost(self, tab_id: int, reason: str) -> None:
        """Note that a tab is closed or out of reach."""

    def on_link_ended(self, reason: str) -> None:
        """Note that the link ended."""


class TabOwnership:
    """The tabs of one link that the extension reports, and their holders.

    Args:
        expects: whether the holder of a name may come back for its tabs.
        changed: called whenever a tab changes.
    """

    def __init__(self, expects: Callable[[str], bool], changed: Callable[[], None]) -> None:
        self.tabs: dict[int, ChromeTab] = {}
        self._expects = expects
        self._changed = changed
        self._holders: list[TabHolder] = []
        self._held: dict[int, TabHolder] = {}
        # Tabs that Chrome detached from, until the extension reports the reason.
        self._unexplained: set[int] = set()

    def holder_of(self, tab_id: int) -> TabHolder | None:
        """Return the holder of a tab."""
        return self._held.get(tab_id)

    def join(self, holder: TabHolder) -> list[ChromeTab]:
        """Add a holder; return the tabs that it gets: its own from before, and those without a holder."""
        self._holders.append(holder)
        tabs = [tab for tab in self.tabs.values() if self._next_holder(tab) is holder]
        self._held |= {tab.id: holder for tab in tabs}
        return tabs

    def leave(self, holder: TabHolder) -> None:
        """Remove a holder; its tabs stay reserved for its name."""
        if holder in self._holders:
            self._holders.remove(holder)
        self._held = {tab_id: by for tab_id, by in self._held.items() if by is not holder}

    def release(self, name: str) -> list[int]:
        """Stop reserving tabs for a name; return them."""
        released = [tab for tab in self.tabs.values() if tab.holder == name]
        self.tabs |= {tab.id: replace(tab, holder="") for tab in released}
        return [tab.id for tab in released]

    def end(self, reason: str) -> None:
        """Drop all tabs and holders: the link ended."""
        for holder in self._holders:
            holder.on_link_ended(reason)
        self._holders.clear()
        self._held.clear()
        self.tabs.clear()

    def let_go(self, tab_id: int) -> None:
        """Leave a tab that could not be attached to without a holder until it changes."""
        self._held.pop(tab_id, None)

    def reserve(self, tab_id: int, name: str) -> None:
        """Reserve a tab for the session that attaches to it."""
        self._unexplained.discard(tab_id)
        if (tab := self.tabs.get(tab_id)) is not None:
            self.tabs[tab_id] = replace(tab, holder=name)

    def is_visible_in_window_of(self, tab_id: int, holder: TabHolder) -> bool:
        """Whether the window of a tab shows a tab of that holder."""
        window = self.tabs[tab_id].window if tab_id in self.tabs else None
        return any(
            tab.active and tab.window == window and self._held.get(tab.id) is holder
            for tab in self.tabs.values()
        )

    def replace_all(self, tabs: Iterable[ChromeTab]) -> None:
        """Store the whole list of tabs; those not in it are closed."""
        known, self.tabs = self.tabs, {tab.id: tab for tab in tabs}
        for closed in known.keys() - self.tabs.keys():
            self.lose(closed, "closed")
        for tab in tuple(self.tabs.values()):
            self._report(tab)
        self._changed()

    def update(self, tab: ChromeTab) -> None:
        """Store a new tab, or a tab that changed."""
        self.tabs[tab.id] = tab
        self._lose_unexplained(tab.id)
        if tab.reachable:
            self._report(tab)
        else:
            self.lose(tab.id, "unreachable")
        self._changed()

    def close(self, tab_id: int, reason: str) -> None:
        """Remove a tab that was closed or is not shared any more."""
        self._unexplained.discard(tab_id)
        self.tabs.pop(tab_id, None)
        self.lose(tab_id, reason)
        self._changed()

    def lose_soon(self, tab_id: int) -> None:
        """Take a tab that Chrome detached from its holder, unless the extension soon reports why."""
        if tab_id not in self._unexplained:
            self._unexplained.add(tab_id)
            asyncio.get_running_loop().call_later(_REASON_TIMEOUT, self._lose_unexplained, tab_id)

    def _lose_unexplained(self, tab_id: int) -> None:
        if tab_id in self._unexplained:
            self._unexplained.discard(tab_id)
            self.lose(tab_id, "unreachable")

    def lose(self, tab_id: int, reason: str) -> None:
        """Take a tab from its holder."""
        if (holder := self._held.pop(tab_id, None)) is not None:
            holder.on_tab_lost(tab_id, reason)

    def _report(self, tab: ChromeTab) -> None:
        """Report a tab to its holder; one without a holder gets one."""
        if (holder := self._held.get(tab.id)) is not None:
            holder.on_tab_updated(tab)
        elif (holder := self._next_holder(tab)) is not None:
            self._held[tab.id] = holder
            holder.on_tab_offered(tab)

    def _next_holder(self, tab: ChromeTab) -> TabHolder | None:
        """Choose who gets a tab: its holder from before, the holder of its opener, or the last one active."""
        if tab.id in self._held or not tab.reachable or not self._holders:
            return None
        for holder in self._holders:
            if holder.name == tab.holder:
                return holder
        if self._expects(tab.holder):
            return None
        of_opener = self._held.get(tab.opener) if tab.opener is not None else None
        return of_opener or max(self._holders, key=lambda holder: holder.last_used)


class TabMemory:
    """What one session remembers of its tabs in the user's Chrome, across links and restarts."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.tabs: dict[str, Tab] = {}
        self.last_number = 0
        # The target of each tab, by the Chrome and the extension's id of the tab.
        self._targets: dict[tuple[str, int], str] = {}
        self._runs: dict[str, str] = {}
        # When the session lost its link; None while it has one.
        self._disconnected_at: float | None = None

    @contextmanager
    def connected(self) -> Iterator[None]:
        """Count as connected while the block runs, and as expected back for a while after it."""
        self._disconnected_at = None
        try:
            yield
        finally:
            self._disconnected_at = anyio.current_time()

    @property
    def expected(self) -> bool:
        """Whether the session is connected, or may come back for its tabs."""
        return self._disconnected_at is None or anyio.current_time() - self._disconnected_at < _RESERVED

    def note_run(self, chrome: str, run_id: str) -> bool:
        """Note which run of a Chrome the session works in; return whether it worked in an earlier one."""
        before = self._runs.get(chrome, run_id)
        self._runs[chrome] = run_id
        return before != run_id

    def note_target(self, chrome: str, tab_id: int, target_id: str) -> None:
        """Note the target of a tab; after a restart of its Chrome the same tab has another one."""
        before = self._targets.get((chrome, tab_id), target_id)
        self._targets[chrome, tab_id] = target_id
        if before != target_id and before in self.tabs:
            self.tabs[target_id] = self.tabs.pop(before)

    def add(self, tab: "Tab") -> None:
        """Remember a tab; one that was known before goes on with its ref numbers."""
        if (before := self.tabs.get(tab.target_id)) is not None:
            tab.refs.begin_at(before.refs.next)
        self.tabs[tab.target_id] = tab
        self.last_number = max(self.last_number, int(tab.id[1:]))
