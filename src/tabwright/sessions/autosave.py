"""Captures what sessions hold after calls: in memory for all of them, in the store for the named ones."""

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

# Lets the page settle, and the next call start first.
_DELAY = 0.1
# At least this long between two captures of one session.
_INTERVAL = 1.0
# For the last capture of all sessions when the hub exits.
_LAST_CAPTURE_TIMEOUT = 4.0


class Autosave:
    """Captures sessions in the background after calls on them."""

    def __init__(self, group: anyio.abc.TaskGroup, store: Store | None) -> None:
        self._group = group
        self._store = store
        self._changed: set[Session] = set()
        self._watched: set[Session] = set()

    def schedule(self, session: Session) -> None:
        """Capture a session soon; the user's own browser is never captured."""
        if session.ownership.of_user:
            return
        self._changed.add(session)
        if session not in self._watched:
            self._watched.add(session)
            self._group.start_soon(self._capture_changes, session)

    async def save(self, session: Session) -> None:
        """Capture a session now, and store it if it is a named one."""
        if not session.settled or session.ownership.of_user:
            return
        try:
            state = await capture(session.context, before=session.state, active=session.current)
        except (TabwrightError, CdpError) as error:
            log.debug("%r was not captured: %s", session, error)
            return
        if session.settled:
            session.remember(state)
            if self._store is not None and session.named:
                await self._store.put(session.owner, session.name, state)

    async def load(self, owner: str, name: str) -> tuple[ContextState | None, str]:
        """Return what is stored of a session, or a note that it cannot be used.

        Raises:
            Blocked: the store cannot be read.
        """
        if self._store is None or not is_named(name):
            return None, ""
        stored = await self._store.get(owner, name)
        if stored is None:
            return None, ""
        try:
            return ContextState.parse(orjson.loads(stored)), ""
        except (ValueError, TypeError, LookupError) as error:
            aside = await self._store.set_aside(owner, name)
            log.warning("the saved state of session %s cannot be used, now %s: %s", name, aside, error)
            return (
                None,
                f"The saved state of session {name} cannot be used. It is now {aside}; {name} starts empty.",
            )

    async def all(self) -> tuple[StoredSession, ...]:
        """Return everything in the store."""
        return await self._store.all() if self._store is not None else ()

    async def forget(self, owner: str, name: str) -> bool:
        """Delete a session from the store; return whether it was there."""
        if self._store is None or not is_named(name):
            return False
        return await self._store.forget(owner, name)

    async def save_without_tabs(self, session: Session) -> None:
        """Capture the session of a profile that is being closed: logins stay, tabs do not."""
        await self.save(session)
        session.mark_closed()
        if self._store is not None and session.state is not None:
            left = replace(session.state, tabs=[], active=None)
            await self._store.put(session.owner, session.name, left)

    async def finish(self, sessions: tuple[Session, ...]) -> None:
        """Capture the named sessions a last time, also when we are cancelled."""
        with anyio.CancelScope(shield=True):
            with anyio.move_on_after(_LAST_CAPTURE_TIMEOUT):
                async with anyio.create_task_group() as group:
                    for session in sessions:
                        if session.named:
                            group.start_soon(self.save, session)
            if self._store is not None:
                await self._store.close()

    async def _capture_changes(self, session: Session) -> None:
        try:
            while session in self._changed and not session.closed:
                await anyio.sleep(_DELAY)
                with anyio.move_on_after(_INTERVAL):
                    async with session.lock:  # between two calls, if there is such a moment
                        pass
                self._changed.discard(session)
                try:
                    await self.save(session)
                except Exception:  # a failed capture must not end the hub
                    log.exception("%r could not be captured", session)
                await anyio.sleep(_INTERVAL)
        finally:
            self._watched.discard(session)
            self._changed.discard(session)
