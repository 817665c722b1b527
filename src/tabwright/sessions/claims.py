"""Which connection uses which session, so that no second client of the same name gets into it."""

from tabwright.errors import Denied
from tabwright.sessions.session import is_named
from tabwright.text import quote

Key = tuple[str, str]


class Claims:
    """The sessions that connected clients use. A session belongs to its owner's name, and outlives them."""

    def __init__(self) -> None:
        self._holders: dict[Key, str] = {}

    def take(self, key: Key, connection: str) -> None:
        """Claim a session for a connection; callers without one (the shell, REST) only check.

        Raises:
            Denied: another connection uses it.
        """
        if self.is_taken(key, connection):
            owner, name = key
            client = owner.partition(":")[2] or owner
            raise Denied(
                f"Session {quote(name)} is in use by another {client} client.",
                hint="Use another name, or share it in the settings (sessions.allow_shared).",
            )
        if connection:
            self._holders[key] = connection

    def is_taken(self, key: Key, connection: str) -> bool:
        """Whether another connection uses a session."""
        return self._holders.get(key, connection) != connection

    def drop(self, key: Key) -> None:
        """Forget the claim on a session that was closed."""
        self._holders.pop(key, None)

    def release(self, connection: str, *, unnamed: bool = True) -> None:
        """Free the sessions of a connection: all, or only the named ones."""
        self._holders = {
            key: holder
            for key, holder in self._holders.items()
            if holder != connection or not (unnamed or is_named(key[1]))
        }
