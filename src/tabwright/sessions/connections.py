"""Connected clients: the sessions that each uses, and what happens to them when it disconnects."""

import anyio
import anyio.abc

from tabwright.errors import Denied
from tabwright.sessions.claims import Claims, Key
from tabwright.sessions.limits import Limits
from tabwright.sessions.reconnect import Client, Reconnects, Waiting
from tabwright.sessions.session import Session, close_session
from tabwright.text import format_seconds

_STARTS_EMPTY = "so this one starts empty; a named session would have been kept."


class Connections:
    """Which connections use which of the open `sessions`. An unnamed session waits for its client."""

    def __init__(self, sessions: dict[Key, Session], limits: Limits, group: anyio.abc.TaskGroup) -> None:
        self._sessions = sessions
        self._limits = limits
        self._group = group
        self._claims = Claims()
        self._reconnects = Reconnects(limits.idle_seconds)

    def resume(self, client: Client, connection: str) -> str:
        """Return the name of a connection's unnamed session: one that waits for the client, or a new one."""
        return self._reconnects.session_of(client, connection, self._sessions)

    def claim(self, key: Key, connection: str) -> None:
        """Use a session for a connection, until it disconnects.

        Raises:
            Denied: another connection uses it, or it waits for its client.
        """
        if self._reconnects.is_waiting(key):
            raise others_session(key[1])
        self._claims.take(key, connection)

    def is_in_use(self, session: Session, connection: str) -> bool:
        """Whether another connection uses a session."""
        return self._claims.is_taken((session.owner, session.name), connection)

    def forget(self, key: Key) -> None:
        """Forget a session that was closed."""
        self._claims.drop(key)
        self._reconnects.forget(key)

    async def leave(self, connection: str) -> None:
        """Free the sessions of a connection that closed; its unnamed one waits for the same client."""
        self._claims.release(connection)
        for key, waiting in self._reconnects.disconnect(connection, self._sessions).items():
            # The user's own tabs are given back at once.
            if self._limits.reconnect_seconds > 0 and not self._sessions[key].ownership.of_user:
                self._group.start_soon(self._close_after_wait, key, waiting)
            else:
                await self._close(key, waiting)

    def suspend(self, connection: str, *, replaceable: bool) -> None:
        """Free the named sessions of an HTTP client that has no request open; it may return at any time.

        If it is `replaceable`, because it probably has exited, a new connection of the same client can pick
        up its unnamed session, too.
        """
        self._claims.release(connection, unnamed=replaceable)
        if replaceable and self._limits.reconnect_seconds > 0:
            self._reconnects.disconnect(connection, self._sessions)

    async def make_room(self) -> None:
        """Close the session that has waited longest for its client."""
        if oldest := self._reconnects.oldest():
            await self._close(*oldest, loss=f"Your earlier session made room for another, {_STARTS_EMPTY}")

    def note_expiry(self, session: Session) -> None:
        """Remember that a session was closed because it was idle; a named one is restored."""
        if not session.named:
            idle = format_seconds(self._limits.idle_seconds)
            key = (session.owner, session.name)
            loss = f"Your session expired after {idle} without a call, {_STARTS_EMPTY}"
            self._reconnects.remember_loss(self._reconnects.forget(key) or key, loss)

    def take_loss(self, key: Key) -> str:
        """Return what the first answer of a new session says about the one before it."""
        return self._reconnects.take_loss(key)

    async def _close_after_wait(self, key: Key, waiting: Waiting) -> None:
        await anyio.sleep(self._limits.reconnect_seconds)
        waited = format_seconds(self._limits.reconnect_seconds)
        loss = f"Your earlier session was closed {waited} after its connection ended, {_STARTS_EMPTY}"
        await self._close(key, waiting, loss=loss)

    async def _close(self, key: Key, waiting: Waiting, *, loss: str = "") -> None:
        """Close a session that nobody picked up; if a person has taken it over, it stays open."""
        session = self._sessions.get(key)
        if not self._reconnects.stop_waiting(key, waiting) or session is None or session.taken_over:
            return
        if loss:
            self._reconnects.remember_loss(waiting.client, loss)
        del self._sessions[key]
        await close_session(session, graceful=False)


def others_session(name: str) -> Denied:
    """Return the refusal of an unnamed session that another client uses."""
    return Denied(f"Access denied: session {name} is another client's.", hint="Use a session of your own.")
