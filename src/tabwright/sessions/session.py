"""A session: a browser context, its current tab, and the lock that queues its calls."""

import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

import anyio

from tabwright.browser.context import Context
from tabwright.browser.ownership import Ownership
from tabwright.browser.saved_state.restore import Restored, restore
from tabwright.browser.saved_state.state import ContextState
from tabwright.browser.tab import Tab, TabId
from tabwright.errors import Blocked, TabwrightError
from tabwright.sessions.long_outputs import LongOutputs
from tabwright.text import format_count

log = logging.getLogger(__name__)

# Prefix of unnamed sessions: each is closed when its client disconnects, and no other client sees it.
UNNAMED = "auto-"
# The session of a caller that names none and has no connection, so that nothing closes it.
DEFAULT = "default"


class Recorder(Protocol):
    """Records the actions of a session."""

    async def prepare(self, tab: Tab, action: str, args: Mapping[str, Any]) -> Callable[[], None]:
        """Inspect the target of an action that is about to run; return what to call once it has run."""


class Session:
    """The browser context of one client. Calls wait for `lock` in order."""

    def __init__(
        self,
        name: str,
        owner: str,
        context: Context,
        saved: ContextState | None = None,
        *,
        recipes: Path | None = None,
        disconnect: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """Work in a context.

        Args:
            name: what its owner calls it.
            owner: the caller that may use it.
            context: closed with the session, unless it belongs to the user's own browser.
            saved: the state to restore before the first call.
            recipes: the folder of the user's recipes for page tools.
            disconnect: disconnects from the user's own browser without closing anything.
        """
        self.name = name
        self.owner = owner
        self.context = context
        context.require_grants()
        context.recipe_folder = recipes
        self.lock = anyio.Lock()
        self._last_used = anyio.current_time()
        self._closed = False
        self._taken_over = False
        self._state = saved
        self._lost_because = "its browser exited before any of it was saved"
        self._restoring = saved is not None
        self._failed = False
        self._note = ""
        self._current: TabId | None = None
        self._disconnect = disconnect
        self._recorder: Recorder | None = None
        self._outputs = LongOutputs()

    def __repr__(self) -> str:
        return f"<Session {self.name} of {self.owner}>"

    @property
    def named(self) -> bool:
        """Whether a client chose its name, so that it is stored and outlives clients, hubs and browsers."""
        return is_named(self.name)

    @property
    def ownership(self) -> Ownership:
        """Whose browser it works in."""
        return self.context.browser.ownership

    @property
    def title(self) -> str:
        """Its name in a sentence."""
        return f"Session {self.name}" if self.named else "Your session"

    @property
    def alive(self) -> bool:
        """Whether its browser runs, and restoring it did not fail."""
        return self.context.browser.alive and not self._failed

    @property
    def closed(self) -> bool:
        """Whether it was closed, or is about to be."""
        return self._closed

    @property
    def settled(self) -> bool:
        """Whether it can be saved: it is neither being restored nor closed."""
        return self.alive and not self._restoring and not self._closed

    @property
    def taken_over(self) -> bool:
        """Whether a person has taken it over, so that other callers wait until it is handed back."""
        return self._taken_over

    @property
    def state(self) -> ContextState | None:
        """The state that was last captured; it is restored from this."""
        return self._state

    @property
    def lost_because(self) -> str:
        """Why there is no state to restore it from, if there is none."""
        return self._lost_because

    @property
    def recorder(self) -> Recorder | None:
        """What records its actions, if anything does."""
        return self._recorder

    @property
    def tabs(self) -> tuple[Tab, ...]:
        """The open tabs, oldest first."""
        return tuple(self.context.tabs.values())

    @property
    def current(self) -> TabId | None:
        """The tab for calls that name none, if one was chosen."""
        return self._current

    @property
    def next(self) -> Tab | None:
        """The tab for a call that names none: the current one, else the newest."""
        current = self.context.tabs.get(self._current) if self._current else None
        return current or (self.tabs[-1] if self.tabs else None)

    @property
    def idle_seconds(self) -> float:
        """How long ago it was last used."""
        return anyio.current_time() - self._last_used

    def touch(self, seconds_ago: float = 0.0) -> None:
        """Reset its idle time."""
        self._last_used = anyio.current_time() - seconds_ago

    async def tab(self, tab_id: str | None = None) -> Tab:
        """Return the tab of that id, else the current one; a session without tabs gets one."""
        if tab_id is not None:
            return self.context.tab(tab_id)
        if self._current in self.context.unreachable:  # do not switch to another tab unasked
            return self.context.tab(self._current)
        tab = self.next or await self.context.new_tab()
        if tab.id != self._current:
            self.choose(tab)
        return tab

    def take_over(self) -> None:
        """Keep other callers out until `hand_back`."""
        self._taken_over = True

    def hand_back(self) -> None:
        """Let other callers in again."""
        self._taken_over = False

    def require_free(self) -> None:
        """Refuse while a person has taken it over.

        Raises:
            Blocked: a person has.
        """
        if self._taken_over:
            raise Blocked(
                f"A person has taken over {self.title.lower()}.", hint="Wait until they hand it back."
            )

    def choose(self, tab: Tab) -> None:
        """Make a tab the current one."""
        self._current = tab.id
        self.context.new_tabs.mark_known(tab)
        self.context.changed.fire()

    def record_with(self, recorder: Recorder) -> None:
        """Let a recorder see all actions from now on."""
        self._recorder = recorder

    def stop_recording(self) -> None:
        """Drop the recorder."""
        self._recorder = None

    def remember(self, state: ContextState) -> None:
        """Store a captured state, to restore it from."""
        self._state = state

    async def restore(self) -> None:
        """Restore it after its browser or hub exited, if that is needed; the caller holds the lock."""
        if not self._restoring or self._state is None:
            return
        try:
            restored = await restore(self.context, self._state)
        except BaseException as error:
            self._failed = True  # a partly restored session must not be used
            if isinstance(error, Exception) and not isinstance(error, TabwrightError):
                self._state, self._lost_because = None, "it could not be restored"
            raise
        self._restoring = False
        self.context.new_tabs.mark_known(*self.tabs)
        if restored.active is not None:
            self._current = restored.active.id
        if restored.tabs or restored.troubles or self.ownership is not Ownership.PROFILE:
            self._note = _describe_restored(self.title, self._state, restored)

    def add_note(self, note: str) -> None:
        """Begin the next answer with a note."""
        self._note = note

    def take_note(self) -> str:
        """Return the note that the next answer begins with, once."""
        note, self._note = self._note, ""
        return note

    def store_output(self, lines: list[str]) -> str:
        """Store a long output for `more` and `find`; return its name."""
        return self._outputs.store(lines)

    def output(self, name: str) -> list[str]:
        """Return a stored output."""
        return self._outputs.lines(name)

    def mark_closed(self) -> None:
        """Mark it as closing, so that it is not captured again."""
        self._closed = True

    async def close(self) -> None:
        """Close the context and all its tabs; disconnect from the user's browser instead."""
        self._closed = True
        if self._disconnect is None:
            await self.context.close()
        else:
            self.context.end()
            await self._disconnect()


async def close_session(session: Session, *, graceful: bool) -> None:
    """Close a session that was removed from the registry; log it if its browser does not answer."""
    try:
        if graceful:
            async with session.lock:  # wait for the calls in the queue
                pass
    finally:
        with anyio.CancelScope(shield=True):
            try:
                await session.close()
            except TabwrightError as error:
                log.warning("%r was not closed: %s", session, error)


def is_named(name: str) -> bool:
    """Whether a client chose the name."""
    return name != DEFAULT and not name.startswith(UNNAMED)


def describe_age(moment: float) -> str:
    """Return how long ago a moment was, in one unit: `3 min ago`."""
    seconds = max(0.0, time.time() - moment)
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds / size:.0f} {unit} ago"
    return f"{seconds:.0f} s ago"


def _describe_restored(title: str, state: ContextState, restored: Restored) -> str:
    tabs = format_count(restored.tabs, "tab")
    return " ".join([f"{title} is back: {tabs}, from {describe_age(state.taken)}.", *restored.troubles])
