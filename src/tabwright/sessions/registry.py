"""All sessions: made on first use, found by owner and name, closed when unused, brought back when lost."""

import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio
import anyio.abc

from tabwright.aio import background_tasks
from tabwright.browser.ownership import Ownership
from tabwright.browser.saved_state.state import ContextState
from tabwright.browser.storage.downloads import MAX_BYTES, safe_name
from tabwright.browser.supervisor import BrowserSupervisor
from tabwright.errors import BrowserGone, Denied, InvalidArgs, NotFound, TabwrightError
from tabwright.profiles.browsers import Profiles
from tabwright.profiles.profile import OWNER as PROFILE
from tabwright.sessions.autosave import Autosave
from tabwright.sessions.session import DEFAULT, UNNAMED, Session, is_named
from tabwright.sessions.store import Store, StoredSession
from tabwright.sessions.user_browser import Joined, UserBrowser
from tabwright.text import format_count

log = logging.getLogger(__name__)

# Owns what all clients share; no client can be called so.
SHARED = "(shared)"

Key = tuple[str, str]

# Length of the name that the extension stores with a tab.
_MAX_HOLDER = 200


@dataclass(frozen=True)
class Limits:
    """How many sessions there may be, for how long unused, which ones all share, and what each may take."""

    most: int = 10
    idle_seconds: float = 30 * 60
    shared: bool | tuple[str, ...] = False
    download_bytes: int = MAX_BYTES

    def shares(self, name: str) -> bool:
        """Whether the session of that name is one for all clients."""
        return (self.shared and is_named(name)) if isinstance(self.shared, bool) else name in self.shared


class Sessions:
    """The sessions of all owners over one browser."""

    def __init__(
        self,
        supervisor: BrowserSupervisor,
        limits: Limits,
        group: anyio.abc.TaskGroup,
        store: Store | None = None,
        *,
        downloads: Path | None = None,
        profiles: Profiles | None = None,
        users: UserBrowser | None = None,
        recipes: Path | None = None,
    ) -> None:
        self.profiles = profiles
        self._users = users
        self._supervisor = supervisor
        self._limits = limits
        self._sessions: dict[Key, Session] = {}
        # One for all sessions in the common browser, and one for each profile, whose browser may be slow.
        self._making: dict[str, anyio.Lock] = defaultdict(anyio.Lock)
        self._being_made = 0
        self._autosave = Autosave(group, store)
        self._downloads = downloads
        self._recipes = recipes

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        supervisor: BrowserSupervisor,
        limits: Limits | None = None,
        store: Store | None = None,
        downloads: Path | None = None,
        profiles: Profiles | None = None,
        *,
        users: UserBrowser | None = None,
        recipes: Path | None = None,
    ) -> "AsyncIterator[Sessions]":
        """Hold sessions while the block runs; what was named is written to the store as it changes.

        Each owner's downloads go to a folder of its own in `downloads`; without one, they are refused.
        Sessions that have the name of one of the `profiles` work in its browser; any may join the `users`.
        """
        async with background_tasks() as group:
            sessions = cls(
                supervisor,
                limits or Limits(),
                group,
                store,
                downloads=downloads,
                profiles=profiles,
                users=users,
                recipes=recipes,
            )
            group.start_soon(sessions.expire)
            try:
                yield sessions
            finally:
                await sessions._autosave.finish(tuple(sessions))

    def of(self, owner: str, own: str | None = None, *, trusted: bool = False) -> tuple[Session, ...]:
        """The living sessions that an owner may use; of the unnamed ones only the caller's `own`.

        Those of profiles are the user's: for whoever is `trusted` to act for the user.
        """
        return tuple(
            session
            for (of, name), session in self._sessions.items()
            if (of in (owner, SHARED) or (trusted and of.startswith(PROFILE)))
            and (name == own or not name.startswith(UNNAMED))
        )

    async def kept(self, owner: str, *, trusted: bool = False) -> tuple[StoredSession, ...]:
        """The sessions that an owner may use and that are not open now, but come back when they are used."""
        return tuple(
            kept
            for kept in await self._autosave.all()
            if (kept.owner, kept.name) not in self._sessions and self._may_use(kept, owner, trusted=trusted)
        )

    def _may_use(self, kept: StoredSession, owner: str, *, trusted: bool) -> bool:
        if kept.owner.startswith(PROFILE):
            return trusted and bool(kept.tabs)  # without tabs, there is only what its logins need
        return kept.owner == (SHARED if self._limits.shares(kept.name) else owner)

    def __iter__(self) -> Iterator[Session]:
        return iter(tuple(self._sessions.values()))

    @property
    def browser_running(self) -> bool:
        """Whether there is a browser now."""
        return self._supervisor.running

    async def get(self, owner: str, name: str | None = None, *, trusted: bool = False) -> Session:
        """Return the owner's session of that name, made or brought back if there is none.

        Raises:
            Denied: it is another client's, or there are too many.
        """
        key = self._key(owner, name or DEFAULT, trusted=trusted)
        session = self._sessions.get(key)
        if session is not None and session.ownership.of_user and not session.alive:
            await self._expect(session.context.browser.address)
        if session is None or not session.alive:
            async with self._making_of(key):  # a session at hand waits for no other one that is being made
                session = self._sessions.get(key)
                if session is None or not session.alive:
                    session = await self._make(key, session)
        session.touch()
        return session

    def find(self, owner: str, name: str | None = None, *, trusted: bool = False) -> Session | None:
        """Return the owner's session of that name if it is open; none is made."""
        wanted = name or DEFAULT
        if trusted and (PROFILE + wanted, wanted) in self._sessions:
            return self._sessions[PROFILE + wanted, wanted]
        return self._sessions.get((SHARED if self._limits.shares(wanted) else owner, wanted))

    async def join(self, owner: str, name: str | None = None, address: str = "") -> Session | None:
        """Return a session of that name in the browser that the user keeps; None when none is found.

        Raises:
            Denied: it is another client's, or there are too many.
            BrowserGone: none is at the `address`, if one is named.
        """
        key = self._key(owner, name or DEFAULT)
        lost = self._sessions.get(key)
        before = lost.context.browser.address if lost is not None and not address else ""
        await self._expect(address or before)
        async with self._making_of(key):
            lost = self._sessions.get(key)
            if lost is not None:
                lost.require_free()
            self._require_room(lost)
            joined = await self._joined(key, address, before)
            if lost is not None and (joined is not None or lost.ownership.of_user):
                del self._sessions[key]
                await _end(lost, graceful=False)
            return self._in_joined(key, joined, lost) if joined is not None else None

    async def _expect(self, address: str) -> None:
        if self._users is not None:  # while nothing is held: others need not wait for the user's Chrome
            await self._users.expect(address)

    async def _joined(self, key: Key, address: str, before: str = "") -> Joined | None:
        """Join the browser at an address, else the one from before, else any."""
        if self._users is None:
            return None
        holder = " ".join(key)[:_MAX_HOLDER]
        if not address and self._users.there(before):
            address = before
        return await (self._users.join_at(address, holder) if address else self._users.join(holder))

    def _in_joined(self, key: Key, joined: Joined, lost: Session | None) -> Session:
        owner, name = key
        context = joined.browser.default_context
        session = Session(name, owner, context, recipes=self._recipes, disconnect=joined.leave)
        if lost is not None and lost.taken_over:
            session.take_over()
        if lost is not None and lost.current in session.context.tabs:
            session.choose(session.context.tab(lost.current))
        if joined.restarted:
            session.add_note(
                f"The user's Chrome was restarted and is back: {format_count(len(session.tabs), 'tab')}."
            )
        self._sessions[key] = session
        return session

    async def _rejoined(self, key: Key, lost: Session) -> Session:
        """Go on in the user's Chrome whose connection was lost, if it is back."""
        del self._sessions[key]
        await _end(lost, graceful=False)
        address = lost.context.browser.address
        back = self._users is not None and self._users.there(address)
        joined = await self._joined(key, address) if back else None
        if joined is None:
            raise self._disconnect_error(address) or BrowserGone(
                "The browser that you had joined is gone.",
                hint="connect_browser joins it again; any other call works in a browser of our own.",
            )
        session = self._in_joined(key, joined, lost)
        if not joined.restarted:
            tabs = format_count(len(session.tabs), "tab")
            session.add_note(f"The connection to the user's Chrome was interrupted and is back: {tabs}.")
        return session

    def _disconnect_error(self, address: str) -> TabwrightError | None:
        return self._users.disconnect_error(address) if self._users is not None else None

    def touch(self, session: Session) -> None:
        """Note the end of a call on a session: it is not idle, and what it holds may have changed."""
        session.touch()
        self._autosave.schedule(session)

    async def close(self, owner: str, name: str, *, graceful: bool = True, trusted: bool = False) -> None:
        """Close the owner's session of that name for good: after the calls it has, or at once.

        Raises:
            NotFound: there is none, neither open nor kept.
            Blocked: a person has taken it over.
        """
        key = self._key(owner, name, trusted=trusted)
        if key in self._sessions:
            self._sessions[key].require_free()
        if key[0].startswith(PROFILE):
            await self._close_profile(key, graceful=graceful)
            return
        session = self._sessions.pop(key, None)
        if session is not None:
            session.mark_closed()
        known = await self._autosave.forget(*key)
        if session is not None:
            await _end(session, graceful=graceful)
        elif not known:
            names = ", ".join(session.name for session in self.of(owner)) or "none"
            raise NotFound(f"There is no session {name}; yours: {names}.", hint="Choose one of them.")

    async def _close_profile(self, key: Key, *, graceful: bool) -> None:
        """Close the session of a profile and its browser; what logins need is kept."""
        async with self._making_of(key):  # one that is being made has a browser soon
            session = self._sessions.pop(key, None)
            if session is not None:
                await self._retire(session, graceful=graceful, keep_tabs=False)
            elif self.profiles is not None and self.profiles.running(key[1]) is not None:
                await self.profiles.end(key[1])  # whoever wanted it went away before it had a session
            else:
                raise NotFound(
                    f"The browser of profile {key[1]} does not run.", hint="There is nothing to end."
                )

    async def launch(self, owner: str, profile_id: str) -> Session:
        """Return the session of a profile with its browser running, and a tab open in it.

        Raises:
            NotFound: there is no such profile.
        """
        if self.profiles is None or profile_id not in self.profiles:
            raise NotFound(f"There is no profile {profile_id}.", hint="List the profiles, then choose one.")
        session = await self.get(owner, profile_id, trusted=True)
        async with session.lock:
            await session.restore()
            await session.tab()
        self.touch(session)
        return session

    async def forget_profile(self, profile_id: str) -> None:
        """Forget what is kept of a profile that is no more."""
        await self._autosave.forget(PROFILE + profile_id, profile_id)

    async def leave(self, name: str) -> None:
        """Close the unnamed session of a client that went away; one that a person has, once it is unused."""
        for key, session in tuple(self._sessions.items()):
            if session.name == name and not session.taken_over:
                del self._sessions[key]
                await _end(session, graceful=False)

    async def expire(self) -> None:
        """Close sessions that were not used for too long, for as long as we run; nothing kept is lost."""
        while True:
            await anyio.sleep(min(30.0, self._limits.idle_seconds / 2))
            for key, session in tuple(self._sessions.items()):
                if self._idle(session):
                    await self._autosave.save(session)
                    if self._idle(session) and self._sessions.get(key) is session:
                        del self._sessions[key]
                        await self._retire(session, graceful=False)

    def _idle(self, session: Session) -> bool:
        return session.idle_seconds > self._limits.idle_seconds and not session.lock.locked()

    async def _retire(self, session: Session, *, graceful: bool, keep_tabs: bool = True) -> None:
        """Close a session that nobody finds any more, and with a profile's its browser."""
        if self.profiles is None or session.ownership is not Ownership.PROFILE:
            await _end(session, graceful=graceful)
            return
        self.profiles.release(session.name)
        try:
            if graceful:
                async with session.lock:
                    pass
            if not keep_tabs:
                await self._autosave.save_without_tabs(session)
        finally:
            with anyio.CancelScope(shield=True):
                await _end(session, graceful=False)
                await self.profiles.end(session.name)

    def _making_of(self, key: Key) -> anyio.Lock:
        return self._making[key[0] if key[0].startswith(PROFILE) else ""]

    def _key(self, owner: str, name: str, *, trusted: bool = False) -> Key:
        if self.profiles is not None and is_named(name) and name in self.profiles:
            if not trusted:
                raise Denied(
                    f"Access denied: {name} is a profile, which belongs to the user of this computer.",
                    hint="Use another name for your session, or ask for a token with the scope admin.",
                )
            return PROFILE + name, name
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
        self._require_room(lost)
        if lost is not None and lost.ownership.of_user:
            return await self._rejoined(key, lost)
        self._being_made += 1
        try:
            return await self._made(key, lost)
        finally:
            self._being_made -= 1

    def _require_room(self, lost: Session | None) -> None:
        if len(self._sessions) + self._being_made - (lost is not None) >= self._limits.most:
            raise Denied(
                f"No more than {format_count(self._limits.most, 'session')} may be open.",
                hint="Close one, or raise sessions.maxConcurrent.",
            )

    async def _made(self, key: Key, lost: Session | None) -> Session:
        past, note = await self._past(key, lost)
        owner, name = key
        in_profile = self.profiles if owner.startswith(PROFILE) else None
        browser = await (in_profile.browser(name) if in_profile else self._supervisor.browser())
        with anyio.CancelScope(shield=True):  # a context that nobody knows would stay until the browser ends
            context = browser.default_context if in_profile else await browser.new_context()
            session = Session(name, owner, context, past, recipes=self._recipes)
            try:
                await self._save_downloads(session)
            except BaseException:
                await self._retire(session, graceful=False)
                raise
            self._sessions[key] = session
            if lost is not None:
                if lost.taken_over:
                    session.take_over()
                await _end(lost, graceful=False)
        session.add_note(note)
        return session

    async def _save_downloads(self, session: Session) -> None:
        """Let a session download; a disk that takes nothing is no reason not to work."""
        downloads = session.context.downloads
        downloads.max_bytes = self._limits.download_bytes
        if self._downloads is None:
            return
        try:
            await downloads.save_to(self._downloads / safe_name(session.owner))
        except InvalidArgs as error:
            log.warning("downloads are refused: %s", error)

    async def _past(self, key: Key, lost: Session | None) -> tuple[ContextState | None, str]:
        """Return what a session held when it was lost, or what is to be said when nothing is left of it."""
        past, note = await self._autosave.past(*key) if lost is None else (lost.state, "")
        if past is not None and self.profiles is not None and key[0].startswith(PROFILE):
            return self.profiles.beyond_folder(key[1], past), note
        if lost is not None and past is None:
            note = f"{lost.title} was lost: {lost.lost_because}. It starts empty."
        return past, note


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
