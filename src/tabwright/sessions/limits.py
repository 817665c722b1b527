"""Limits of sessions."""

from dataclasses import dataclass

from tabwright.browser.storage.downloads import MAX_BYTES
from tabwright.sessions.session import is_named


@dataclass(frozen=True)
class Limits:
    """Limits of sessions: how many, how long each may be idle, which are shared, download size.

    An unnamed session waits `reconnect_seconds` for its client to connect again.
    """

    max_sessions: int = 10
    idle_seconds: float = 30 * 60
    shared: bool | tuple[str, ...] = False
    download_bytes: int = MAX_BYTES
    reconnect_seconds: float = 60

    def is_shared(self, name: str) -> bool:
        """Whether all clients share the session of that name."""
        return (self.shared and is_named(name)) if isinstance(self.shared, bool) else name in self.shared
