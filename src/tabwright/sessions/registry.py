"""All sessions: created on first use, found by owner and name, closed when idle, restored when lost."""

import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import anyio.abc

from tabwright.aio import background_tasks
from tabwright.browser.ownership import Ownership
from tabwright.browser.saved_state.state import ContextState
from tabwright.browser.storage.downloads import safe_name
from tabwright.browser.supervisor import BrowserSupervisor
from tabwright.errors import BrowserGone, Denied, InvalidArgs, NotFound, TabwrightError
from tabwright.profiles.browsers import Profiles
from tabwright.profiles.profile import OWNER as PROFILE
from tabwright.sessions.autosave import Autosave
from tabwright.sessions.claims import Key
from tabwright.sessions.connections import Connections, others_session
from tabwright.sessions.limits import Limits
from tabwright.sessions.session import DEFAULT, UNNAMED, Session, close_session, is_named
from tabwright.sessions.store import Store, StoredSession
from tabwright.sessions.user_browser import JoinedBrowser, UserBrowser
from tabwright.text import format_count

log = logging.getLogger(__name__)

# The owner of shared sessions; no client can have this name.
SHARED = "(shared)"

# Length of the name that the extension stores with a tab.
_MAX_HOLDER = 200


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
        self.connections = Connections(self._sessions, limits, group)
        # One for all sessions in the shared browser, and one per profile, whose browser may start slowly.
        self._creation_locks: dict[str, anyio.Lock] = defaultdict(anyio.Lock)
        self._being_created = 0
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
        """Keep sessions open while the block runs; named ones are saved to the store when they change.

        Each owner's downloads are saved to its own folder in `downloads`; without one, they are refused.
        A session with the name of one of the `profiles` works in its browser; any may join the `users`.
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
            group.start_soon(sessions.close_idle_sessions)
            try:
                yield sessions
            finally:
                await sessions._autosave.finish(tuple(sessions))

    def visible_to(self, owner: str, own: str | None = None, *, trusted: bool = False) -> tuple[Session, ...]:
        """Return the open sessions that an owner may use; of the unnamed ones only the caller's `own`.

        Sessions of profiles belong to the user, so only `trusted` callers may use them.
        """
        return tuple(
            session
            for (session_owner, name), session in self._sessions.items()
            if (session_owner in (owner, SHARED) or (trusted and session_owner.startswith(PROFILE)))
            and (name == own or not name.startswith(UNNAMED))
        )

    async def list_stored(self, owner: str, *, trusted: bool = False) -> tuple[StoredSession, ...]:
        """Return the stored sessions that an owner may use and that are not open; using one restores it."""
        return tuple(
            stored
            for stored in await self._autosave.all()
            if (stored.owner, stored.name) not in self._sessions
            and self._may_use(stored, owner, trusted=trusted)
        )

    def _may_use(self, stored: StoredSession, owner: str, *, trusted: bool) -> bool:
        if stored.owner.startswith(PROFILE):
            return trusted and bool(stored.tabs)  # without tabs, only its logins are stored
        return stored.owner == (SHARED if self._limits.is_shared(stored.name) else owner)

    def __iter__(self) -> Iterator[Session]:
        return iter(tuple(self._sessions.values()))

    @property
    def browser_running(self) -> bool:
        """Whether the shared browser runs."""
        return self._supervisor.running

    async def get(self, owner: str, name: str | None = None, *, trusted: bool = False) -> Session:
        """Return the owner's session of that name; create or restore it if it is not open.

        Raises:
            Denied: it belongs to another client, or too many are open.
        """
        key = self._key(owner, name or DEFAULT, trusted=trusted)
        session = self._sessions.get(key)
        if session is not None and session.ownership.of_user and not session.alive:
            await self._wait_for_chrome(session.context.browser.address)
        if session is None or not session.alive:
            async with self._creation_lock(key):  # only for a new session: an open one does not wait
                session = self._sessions.get(key)
                if session is None or not session.alive:
                    session = await self._create_or_rejoin(key, session)
        session.touch()
        return session

    def claim(self, owner: str, name: str | None, connection: str, *, trusted: bool = False) -> None:
        """Use a session for a connection, until `leave`; sessions that are shared or of a profile are free.

        Raises:
            Denied: it belongs to another client, or another connection of the same client uses it.
        """
        key = self._key(owner, name or DEFAULT, trusted=trusted)
        if key[0] == owner:
            self.connections.claim(key, connection)

    def find(self, owner: str, name: str | None = None, *, trusted: bool = False) -> Session | None:
        """Return the owner's session of that name if it is open."""
        wanted = name or DEFAULT
        if trusted and (PROFILE + wanted, wanted) in self._sessions:
            return self._sessions[PROFILE + wanted, wanted]
        return self._sessions.get((SHARED if self._limits.is_shared(wanted) else owner, wanted))

    async def join(self, owner: str, name: str | None = None, address: str = "") -> Session | None:
        """Return a session of that name in the user's own browser; None if no browser was found.

        Raises:
            Denied: it belongs to another client, or too many are open.
            BrowserGone: an `address` was given, and no browser answers there.
        """
        key = self._key(owner, name or DEFAULT)
        lost = self._sessions.get(key)
        before = lost.context.browser.address if lost is not None and not address else ""
        await self._wait_for_chrome(address or before)
        async with self._creation_lock(key):
            lost = self._sessions.get(key)
            if lost is not None:
                lost.require_free()
            await self._make_room(lost)
            joined = await self._join_user_browser(key, address, before)
            if lost is not None and (joined is not None or lost.ownership.of_user):
                del self._sessions[key]
                await close_session(lost, graceful=False)
            return self._add_joined(key, joined, lost) if joined is not None else None

    async def _wait_for_chrome(self, address: str) -> None:
        if self._users is not None:  # without a lock, so that other sessions do not wait, too
            await self._users.expect(address)

    async def _join_user_browser(self, key: Key, address: str, before: str = "") -> JoinedBrowser | None:
        """Join the browser at `address`, else the one joined before, else any."""
        if self._users is None:
            return None
        holder = " ".join(key)[:_MAX_HOLDER]
        if not address and self._users.is_connected(before):
            address = before
        return await (self._users.join_at(address, holder) if address else self._users.join(holder))

    def _add_joined(self, key: Key, joined: JoinedBrowser, lost: Session | None) -> Session:
        owner, name = key
        context = joined.browser.default_context
        session = Session(name, owner, context, recipes=self._recipes, disconnect=joined.disconnect)
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

    async def _rejoin(self, key: Key, lost: Session) -> Session:
        """Rejoin the user's Chrome whose connection was lost, if it is connected again."""
        del self._sessions[key]
        await close_session(lost, graceful=False)
        address = lost.context.browser.address
        back = self._users is not None and self._users.is_connected(address)
        joined = await self._join_user_browser(key, address) if back else None
        if joined is None:
            raise self._disconnect_error(address) or BrowserGone(
                "The browser that you had joined is gone.",
                hint="connect_browser joins it again; any other call uses Tabwright's own browser.",
            )
        session = self._add_joined(key, joined, lost)
        if not joined.restarted:
            tabs = format_count(len(session.tabs), "tab")
            session.add_note(f"The connection to the user's Chrome was interrupted and is back: {tabs}.")
        return session

    def _disconnect_error(self, address: str) -> TabwrightError | None:
        return self._users.disconnect_error(address) if self._users is not None else None

    def touch(self, session: Session) -> None:
        """Record the end of a call on a session: reset its idle time, and save it soon."""
        session.touch()
        self._autosave.schedule(session)

    async def close(self, owner: str, name: str, *, graceful: bool = True, trusted: bool = False) -> None:
        """Close the owner's session of that name and delete what is stored: after its calls, or at once.

        Raises:
            NotFound: it is neither open nor stored.
            Blocked: a person has taken it over, or what is stored cannot be deleted.
        """
        key = self._key(owner, name, trusted=trusted)
        if key in self._sessions:
            self._sessions[key].require_free()
        if key[0].startswith(PROFILE):
            await self._close_profile(key, graceful=graceful)
            return
        session = self._sessions.pop(key, None)
        self.connections.forget(key)
        if session is not None:
            session.mark_closed()
        try:
            known = await self._autosave.forget(*key)
        finally:
            if session is not None:
                await close_session(session, graceful=graceful)
        if session is None and not known:
            names = ", ".join(session.name for session in self.visible_to(owner)) or "none"
            raise NotFound(f"There is no session {name}; yours: {names}.", hint="Choose one of them.")

    async def _close_profile(self, key: Key, *, graceful: bool) -> None:
        """Close the session of a profile and its browser; its logins stay stored."""
        async with self._creation_lock(key):  # wait for a browser that is starting
            session = self._sessions.pop(key, None)
            if session is not None:
                await self._retire(session, graceful=graceful, keep_tabs=False)
            elif self.profiles is not None and self.profiles.running(key[1]) is not None:
                await self.profiles.end(key[1])  # its caller was cancelled before it had a session
            else:
                raise NotFound(
                    f"The browser of profile {key[1]} is not running.", hint="There is nothing to close."
                )

    async def launch(self, owner: str, profile_id: str) -> Session:
        """Start the browser of a profile; return its session, with a tab open.

        Raises:
            NotFound: there is no such profile.
        """
        self.require_profile(profile_id, trusted=True)
        session = await self.get(owner, profile_id, trusted=True)
        async with session.lock:
            await session.restore()
            await session.tab()
        self.touch(session)
        return session

    def require_profile(self, profile_id: str, *, trusted: bool) -> None:
        """Refuse an id that names no profile: a session of that name would have another identity.

        Raises:
            NotFound: there is no such profile.
            Denied: the caller may not use profiles, whether it exists or not.
        """
        if not trusted:
            raise Denied(
                f"Access denied: profiles such as {profile_id} belong to the user of this computer.",
                hint=f"Use {DEFAULT}, which is your own session, or ask for a token with the scope admin.",
            )
        if self.profiles is None:
            raise NotFound("Profiles are not available.", hint=f"Use {DEFAULT}, which is your own session.")
        if profile_id not in self.profiles:
            raise self.profiles.file.unknown(profile_id)

    async def forget_profile(self, profile_id: str) -> None:
        """Delete what is stored of a profile that was deleted."""
        await self._autosave.forget(PROFILE + profile_id, profile_id)

    async def close_idle_sessions(self) -> None:
        """Save and close idle sessions, until cancelled."""
        while True:
            await anyio.sleep(min(30.0, self._limits.idle_seconds / 2))
            for key, session in tuple(self._sessions.items()):
                if self._is_idle(session):
                    await self._autosave.save(session)
                    if self._is_idle(session) and self._sessions.get(key) is session:
                        del self._sessions[key]
                        self.connections.note_expiry(session)
                        await self._retire(session, graceful=False)

    def _is_idle(self, session: Session) -> bool:
        return session.idle_seconds > self._limits.idle_seconds and not session.lock.locked()

    async def _retire(self, session: Session, *, graceful: bool, keep_tabs: bool = True) -> None:
        """Close a session that was removed from the registry; for a profile, also its browser."""
        if self.profiles is None or session.ownership is not Ownership.PROFILE:
            await close_session(session, graceful=graceful)
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
                await close_session(session, graceful=False)
                await self.profiles.end(session.name)

    def _creation_lock(self, key: Key) -> anyio.Lock:
        return self._creation_locks[key[0] if key[0].startswith(PROFILE) else ""]

    def _key(self, owner: str, name: str, *, trusted: bool = False) -> Key:
        if self.profiles is not None and is_named(name) and name in self.profiles:
            if not trusted:
                raise Denied(
                    f"Access denied: {name} is a profile, which belongs to the user of this computer.",
                    hint="Use another name for your session, or ask for a token with the scope admin.",
                )
            return PROFILE + name, name
        if self._limits.is_shared(name):
            return SHARED, name
        key = (owner, name)
        if name.startswith(UNNAMED) and key not in self._sessions and self._is_known(name):
            raise others_session(name)
        return key

    def _is_known(self, name: str) -> bool:
        return any(name == known for _, known in self._sessions)

    async def _create_or_rejoin(self, key: Key, lost: Session | None) -> Session:
        await self._make_room(lost)
        if lost is not None and lost.ownership.of_user:
            return await self._rejoin(key, lost)
        self._being_created += 1
        try:
            return await self._create(key, lost)
        finally:
            self._being_created -= 1

    async def _make_room(self, lost: Session | None) -> None:
        if self._is_full(lost):
            await self.connections.make_room()
        if self._is_full(lost):
            raise Denied(
                f"No more than {format_count(self._limits.max_sessions, 'session')} may be open.",
                hint="Close one, or raise sessions.maxConcurrent.",
            )

    def _is_full(self, lost: Session | None) -> bool:
        return len(self._sessions) + self._being_created - (lost is not None) >= self._limits.max_sessions

    async def _create(self, key: Key, lost: Session | None) -> Session:
        saved, note = await self._find_saved_state(key, lost)
        owner, name = key
        in_profile = self.profiles if owner.startswith(PROFILE) else None
        browser = await (in_profile.browser(name) if in_profile else self._supervisor.browser())
        with anyio.CancelScope(shield=True):  # an unregistered context would stay until the browser exits
            context = browser.default_context if in_profile else await browser.new_context()
            session = Session(name, owner, context, saved, recipes=self._recipes)
            try:
                await self._set_download_folder(session)
            except BaseException:
                await self._retire(session, graceful=False)
                raise
            self._sessions[key] = session
            if lost is not None:
                if lost.taken_over:
                    session.take_over()
                await close_session(lost, graceful=False)
        session.add_note(note)
        return session

    async def _set_download_folder(self, session: Session) -> None:
        """Set the download folder of a session; if it is not writable, downloads are refused."""
        downloads = session.context.downloads
        downloads.max_bytes = self._limits.download_bytes
        if self._downloads is None:
            return
        try:
            await downloads.save_to(self._downloads / safe_name(session.owner))
        except InvalidArgs as error:
            log.warning("downloads are refused: %s", error)

    async def _find_saved_state(self, key: Key, lost: Session | None) -> tuple[ContextState | None, str]:
        """Return the saved state of a session, and a note for its next answer if there is none."""
        saved, note = await self._autosave.load(*key) if lost is None else (lost.state, "")
        if saved is not None and self.profiles is not None and key[0].startswith(PROFILE):
            return self.profiles.beyond_folder(key[1], saved), note
        if lost is not None and saved is None:
            note = f"{lost.title} was lost: {lost.lost_because}. It starts empty."
        return saved, note or self.connections.take_loss(key)
