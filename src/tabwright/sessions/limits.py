"""Limits of sessions."""

from dataclasses import dataclass

from tabwright.browser.storage.downloads import MAX_BYTES
from tabwright.sessions.session import is_named


@dataclass(frozen=True)
class Limits:
    """Limits of sessions: how many, how long each may be idle, which are shared, download size."""

    max_sessions: int = 10
    idle_seconds: float = 30 * 60
    shared: bool | tuple[str, ...] = False
    download_bytes: int = MAX_BYTES

    def is_shared(self, name: str) -> bool:
        """Whether all clients share the session of that name."""
        return (self.shared and is_named(name)) if isinstance(self.shared, bool) else name in self.shared
