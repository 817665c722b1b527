"""All sessions: made on first use, found by owner and name, closed when unused, brought back when lost."""

import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio
import anyio.abc

from tabwright.browser.downloads import MOST_BYTES, safe_name
from tabwright.browser.keeper import Keeper
from tabwright.browser.state import ContextState
from tabwright.cdp.tasks import tasks_beside
from tabwright.errors import Denied, InvalidArgs, NotFound, TabwrightError
from tabwright.sessions.keeping import Keeping
from tabwright.sessions.session import DEFAULT, UNNAMED, Session, is_named
from tabwright.sessions.store import Kept, Store

log = logging.getLogger(__name__)

# Owns what all clients share; no client can be called so.
SHARED = "(shared)"

Key = tuple[str, str]


@dataclass(frozen=True)
class Limits:
    """How many sessions there may be, for how long unused, which ones all share, and what each may take."""

    most: int = 10
    idle_seconds: float = 30 * 60
    shared: bool | tuple[str, ...] = False
    download_bytes: int = MOST_BYTES

    def shares(self, name: str) -> bool:
        """Whether the session of that name is one for all clients."""
        return (self.shared and is_named(name)) if isinstance(self.shared, bool) else name in self.shared


class Sessions:
    """The sessions of all owners over one browser."""

    def __init__(
        self,
        keeper: Keeper,
        limits: Limits,
        group: anyio.abc.TaskGroup,
        store: Store | None = None,
        downloads: Path | None = None,
    ) -> None:
        self._keeper = keeper
        self._limits = limits
        self._sessions: dict[Key, Session] = {}
        self._making = anyio.Lock()
        self._keeping = Keeping(group, store)
        self._downloads = downloads

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        keeper: Keeper,
        limits: Limits | None = None,
        store: Store | None = None,
        downloads: Path | None = None,
    ) -> "AsyncIterator[Sessions]":
        """Hold sessions while the block runs; what was named is written to the store as it changes.

        Each owner's downloads go to a folder of its own in `downloads`; without one, they are refused.
        """
        async with tasks_beside() as group:
            sessions = cls(keeper, limits or Limits(), group, store, downloads)
            group.start_soon(sessions.expire)
            try:
                yield sessions
            finally:
                await sessions._keeping.end(tuple(sessions))

    def of(self, owner: str, own: str | None = None) -> tuple[Session, ...]:
        """The living sessions that an owner may use; of the unnamed ones only the caller's `own`."""
        return tuple(
            session
            for (of, name), session in self._sessions.items()
            if of in (owner, SHARED) and (name == own or not name.startswith(UNNAMED))
        )

    async def kept(self, owner: str) -> tuple[Kept, ...]:
        """The sessions that an owner may use and that are not open now, but come back when they are used."""
        return tuple(
            kept
            for kept in await self._keeping.all()
            if kept.owner == self._key(owner, kept.name)[0] and (kept.owner, kept.name) not in self._sessions
        )

    def __iter__(self) -> Iterator[Session]:
        return iter(tuple(self._sessions.values()))

    @property
    def browser_running(self) -> bool:
        """Whether there is a browser now."""
        return self._keeper.running

    async def get(self, owner: str, name: str | None = None) -> Session:
        """Return the owner's session of that name, made or brought back if there is none.

        Raises:
            Denied: it is another client's, or there are too many.
        """
        key = self._key(owner, name or DEFAULT)
        session = self._sessions.get(key)
        if session is None or not session.alive:
            async with self._making:  # a session at hand waits for no other one that is being made
                session = self._sessions.get(key)
                if session is None or not session.alive:
                    session = await self._make(key, session)
        session.used = anyio.current_time()
        return session

    def worked(self, session: Session) -> None:
        """Note the end of a call on a session: it is not idle, and what it holds may have changed."""
        session.used = anyio.current_time()
        self._keeping.changed(session)

    async def close(self, owner: str, name: str, *, graceful: bool = True) -> None:
        """Close the owner's session of that name for good: after the calls it has, or at once.

        Raises:
            NotFound: there is none, neither open nor kept.
        """
        key = self._key(owner, name)
        session = self._sessions.pop(key, None)
        if session is not None:
            session.over = True
        known = await self._keeping.forget(*key)
        if session is not None:
            await _end(session, graceful=graceful)
        elif not known:
            names = ", ".join(session.name for session in self.of(owner)) or "none"
            raise NotFound(f"There is no session {name}; yours: {names}.", hint="Choose one of them.")

    async def leave(self, name: str) -> None:
        """Close the unnamed session of a client that went away."""
        for key, session in tuple(self._sessions.items()):
            if session.name == name:
                del self._sessions[key]
                await _end(session, graceful=False)

    async def expire(self) -> None:
        """Close sessions that were not used for too long, for as long as we run; nothing kept is lost."""
        while True:
            await anyio.sleep(min(30.0, self._limits.idle_seconds / 2))
            for key, session in tuple(self._sessions.items()):
                if self._idle(session):
                    await self._keeping.save(session)
                    if self._idle(session) and self._sessions.get(key) is session:
                        del self._sessions[key]
                        await _end(session, graceful=False)

    def _idle(self, session: Session) -> bool:
        unused = anyio.current_time() - session.used
        return unused > self._limits.idle_seconds and not session.lock.locked()

    def _key(self, owner: str, name: str) -> Key:
        if self._limits.shares(name):
            return SHARED, name
        key = (owner, name)
        if name.startswith(UNNAMED) and key not in self._sessions and self._is_known(name):
            raise Denied(
                f"Access denied: session {name} is another client's.", hint="Use a session of your own."
            )
        return key

    def _is_known(self, name: str) -> bool:
        return any(name == known for _, known in self._sessions)

    async def _make(self, key: Key, lost: Session | None) -> Session:
        if len(self._sessions) - (lost is not None) >= self._limits.most:
            raise Denied(
                f"{self._limits.most} sessions are open, which is the limit.",
                hint="Close one, or raise sessions.maxConcurrent.",
            )
        past, note = await self._past(key, lost)
        browser = await self._keeper.browser()
        owner, name = key
        with anyio.CancelScope(shield=True):  # a context that nobody knows would stay until the browser ends
            session = Session(name, owner, await browser.new_context(), past)
            try:
                await self._save_downloads(session)
            except BaseException:
                await _end(session, graceful=False)
                raise
            self._sessions[key] = session
            if lost is not None:
                await _end(lost, graceful=False)
        session.tell(note)
        return session

    async def _save_downloads(self, session: Session) -> None:
        """Let a session download; a disk that takes nothing is no reason not to work."""
        downloads = session.context.downloads
        downloads.most_bytes = self._limits.download_bytes
        if self._downloads is None:
            return
        try:
            await downloads.save_to(self._downloads / safe_name(session.owner))
        except InvalidArgs as error:
            log.warning("downloads are refused: %s", error)

    async def _past(self, key: Key, lost: Session | None) -> tuple[ContextState | None, str]:
        """Return what a session held when it was lost, or what is to be said when nothing is left of it."""
        if lost is None:
            return await self._keeping.past(*key)
        if lost.state is None:
            return None, f"{lost.title} was lost: {lost.lost_because}. It starts empty."
        return lost.state, ""


async def _end(session: Session, *, graceful: bool) -> None:
    """Close a session that nobody finds any more; a browser that does not answer is no reason to fail."""
    try:
        if graceful:
            async with session.lock:  # after the calls that wait already
                pass
    finally:
        with anyio.CancelScope(shield=True):
            try:
                await session.close()
            except TabwrightError as error:
                log.warning("%r was not closed: %s", session, error)
