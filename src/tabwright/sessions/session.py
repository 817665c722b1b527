"""A session: a browser context, its current tab, and the lock that keeps calls on it in order."""

import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol

import anyio

from tabwright.browser.context import Context
from tabwright.browser.saved_state.restore import Restored, restore
from tabwright.browser.saved_state.state import ContextState
from tabwright.browser.tab import Tab, TabId
from tabwright.errors import Blocked, TabwrightError
from tabwright.sessions.long_outputs import LongOutputs
from tabwright.text import format_count

# The session of a client that named none: it ends with the client, and other clients do not see it.
UNNAMED = "auto-"
# The session of a caller who names none and has no connection that it could end with.
DEFAULT = "default"


class Recorder(Protocol):
    """Records the actions of a session."""

    async def prepare(self, tab: Tab, action: str, args: Mapping[str, Any]) -> Callable[[], None]:
        """Describe the element of an action before it runs; return what records it once it has succeeded."""


class Session:
    """What one client works in. Calls on it queue for `lock`, in order."""

    def __init__(
        self,
        name: str,
        owner: str,
        context: Context,
        past: ContextState | None = None,
        *,
        leave: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """Work in a context; in one that is not ours, `leave` is how to go without closing anything."""
        self.name = name
        self.owner = owner
        self.context = context
        context.require_grants()
        self.lock = anyio.Lock()
        self.used = anyio.current_time()
        self.over = False
        # Whether a person has taken it over: other callers wait until it is handed back.
        self.held = False
        # The last that was seen of it: what it comes back with.
        self.state = past
        self.lost_because = "its browser went away before any of it was kept"
        self._returning = past is not None
        self._failed = False
        self._note = ""
        self._current: TabId | None = None
        self._leave = leave
        self.recorder: Recorder | None = None
        self._outputs = LongOutputs()

    def __repr__(self) -> str:
        return f"<Session {self.name} of {self.owner}>"

    @property
    def named(self) -> bool:
        """Whether a client gave it its name, so that it outlives clients, hubs and browsers."""
        return is_named(self.name)

    @property
    def in_profile(self) -> bool:
        """Whether it works in the browser of a profile, which keeps much of it by itself."""
        return self.context.id is None and not self.joined

    @property
    def joined(self) -> bool:
        """Whether it works in a browser that the user started and keeps."""
        return self._leave is not None

    @property
    def title(self) -> str:
        """What a sentence calls it."""
        return f"Session {self.name}" if self.named else "Your session"

    @property
    def alive(self) -> bool:
        """Whether its browser still runs, and it was not left half restored."""
        return self.context.browser.alive and not self._failed

    @property
    def settled(self) -> bool:
        """Whether it holds what a client sees in it: neither on its way back nor closed."""
        return self.alive and not self._returning and not self.over

    @property
    def tabs(self) -> tuple[Tab, ...]:
        """The open tabs, oldest first."""
        return tuple(self.context.tabs.values())

    @property
    def current(self) -> TabId | None:
        """The tab that calls go to when they name none, if one was chosen."""
        return self._current

    @property
    def next(self) -> Tab | None:
        """The tab that a call which names none goes to: the current one, else the newest."""
        current = self.context.tabs.get(self._current) if self._current else None
        return current or (self.tabs[-1] if self.tabs else None)

    async def tab(self, tab_id: str | None = None) -> Tab:
        """Return the tab of that id, else the current one; a session without tabs gets one."""
        if tab_id is not None:
            return self.context.tab(tab_id)
        if self._current in self.context.away:  # never another one in its place unasked
            return self.context.tab(self._current)
        tab = self.next or await self.context.new_tab()
        if tab.id != self._current:
            self.choose(tab)
        return tab

    def require_free(self) -> None:
        """Refuse while a person has it.

        Raises:
            Blocked: they do.
        """
        if self.held:
            raise Blocked(
                f"A person has taken over {self.title.lower()}.", hint="Wait until they hand it back."
            )

    def choose(self, tab: Tab) -> None:
        """Make a tab the current one."""
        self._current = tab.id
        self.context.new_tabs.mark_known(tab)
        self.context.changed.fire()

    async def come_back(self) -> None:
        """Put back what it held before its browser or hub went away, if it did; the caller has the lock."""
        if not self._returning or self.state is None:
            return
        try:
            restored = await restore(self.context, self.state)
        except BaseException as error:
            self._failed = True  # half of it would be taken for the whole
            if isinstance(error, Exception) and not isinstance(error, TabwrightError):
                self.state, self.lost_because = None, "it could not be put back"
            raise
        self._returning = False
        self.context.new_tabs.mark_known(*self.tabs)
        if restored.active is not None:
            self._current = restored.active.id
        if restored.tabs or restored.troubles or not self.in_profile:
            self._note = _returned(self.title, self.state, restored)

    def tell(self, note: str) -> None:
        """Have the next answer begin with a note."""
        self._note = note

    def told(self) -> str:
        """Return the note that the next answer begins with, once."""
        note, self._note = self._note, ""
        return note

    def keep(self, lines: list[str]) -> str:
        """Keep a long output for reading on; return its name."""
        return self._outputs.keep(lines)

    def kept(self, name: str) -> list[str]:
        """Return a kept output."""
        return self._outputs.lines(name)

    async def close(self) -> None:
        """Close the context and all its tabs; leave one that is not ours as it is."""
        self.over = True
        if self._leave is None:
            await self.context.close()
        else:
            self.context.end()
            await self._leave()


def is_named(name: str) -> bool:
    """Whether a client chose the name."""
    return name != DEFAULT and not name.startswith(UNNAMED)


def ago(moment: float) -> str:
    """Say how long ago a moment was, in one unit."""
    seconds = max(0.0, time.time() - moment)
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds / size:.0f} {unit} ago"
    return f"{seconds:.0f} s ago"


def _returned(title: str, state: ContextState, restored: Restored) -> str:
    tabs = format_count(restored.tabs, "tab")
    return " ".join([f"{title} is back: {tabs}, from {ago(state.taken)}.", *restored.troubles])
