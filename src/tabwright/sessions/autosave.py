"""Keeps what sessions hold: seen after calls, in memory for all of them, in the store for the named ones."""

import logging
from dataclasses import replace

import anyio
import anyio.abc
import orjson

from tabwright.browser.saved_state.capture import capture
from tabwright.browser.saved_state.state import ContextState
from tabwright.cdp import CdpError
from tabwright.errors import TabwrightError
from tabwright.sessions.session import Session, is_named
from tabwright.sessions.store import Store, StoredSession

log = logging.getLogger(__name__)

# A moment for the page to settle, and for the next call to begin first.
_SOON = 0.1
# Most often that one session is looked at.
_EVERY = 1.0
# Seconds for the last look at all sessions of a hub that ends.
_LAST_LOOK = 4.0


class Autosave:
    """Looks at sessions that were worked in, beside the calls on them."""

    def __init__(self, group: anyio.abc.TaskGroup, store: Store | None) -> None:
        self._group = group
        self._store = store
        self._changed: set[Session] = set()
        self._watched: set[Session] = set()

    def changed(self, session: Session) -> None:
        """Look at a session soon; the user's own browser is nothing to look into."""
        if session.joined:
            return
        self._changed.add(session)
        if session not in self._watched:
            self._watched.add(session)
            self._group.start_soon(self._look, session)

    async def save(self, session: Session) -> None:
        """Look at a session now, and write down what it holds if it is a named one."""
        if not session.settled or session.joined:
            return
        try:
            state = await capture(session.context, before=session.state, active=session.current)
        except (TabwrightError, CdpError) as error:
            log.debug("%r was not looked at: %s", session, error)
            return
        if session.settled:
            session.state = state
            if self._store is not None and session.named:
                await self._store.put(session.owner, session.name, state)

    async def past(self, owner: str, name: str) -> tuple[ContextState | None, str]:
        """Return what is kept of a session, or what is to be said when it cannot be read."""
        if self._store is None or not is_named(name):
            return None, ""
        kept = await self._store.get(owner, name)
        if kept is None:
            return None, ""
        try:
            return ContextState.parse(orjson.loads(kept)), ""
        except (ValueError, TypeError, LookupError) as error:
            log.warning("what is kept of session %s cannot be read: %s", name, error)
            await self._store.forget(owner, name)
            return None, f"Session {name} was lost: what was kept of it cannot be read. It starts empty."

    async def all(self) -> tuple[StoredSession, ...]:
        """Everything that is in the store."""
        return await self._store.all() if self._store is not None else ()

    async def forget(self, owner: str, name: str) -> bool:
        """Forget a session for good; return whether anything was kept of it."""
        if self._store is None or not is_named(name):
            return False
        return await self._store.forget(owner, name)

    async def part(self, session: Session) -> None:
        """Look a last time at a profile's session that is closed: what logins need stays, tabs do not."""
        await self.save(session)
        session.over = True
        if self._store is not None and session.state is not None:
            left = replace(session.state, tabs=[], active=None)
            await self._store.put(session.owner, session.name, left)

    async def end(self, sessions: tuple[Session, ...]) -> None:
        """Look at the named sessions a last time, whatever ends us."""
        with anyio.CancelScope(shield=True):
            with anyio.move_on_after(_LAST_LOOK):
                async with anyio.create_task_group() as group:
                    for session in sessions:
                        if session.named:
                            group.start_soon(self.save, session)
            if self._store is not None:
                await self._store.close()

    async def _look(self, session: Session) -> None:
        try:
            while session in self._changed and not session.over:
                await anyio.sleep(_SOON)
                with anyio.move_on_after(_EVERY):
                    async with session.lock:  # between two calls, if there is such a moment
                        pass
                self._changed.discard(session)
                try:
                    await self.save(session)
                except Exception:  # a look that fails must not end the hub
                    log.exception("%r could not be looked at", session)
                await anyio.sleep(_EVERY)
        finally:
            self._watched.discard(session)
            self._changed.discard(session)
