"""The live protocol sessions that a setting applies to."""

from collections.abc import Iterator
from typing import Any

from tabwright.cdp import CdpError, CdpSession
from tabwright.errors import TabwrightError


class SessionSet:
    """Sessions in the order they were added, without the ended ones."""

    def __init__(self) -> None:
        self._sessions: list[CdpSession] = []

    def __iter__(self) -> Iterator[CdpSession]:
        self._sessions = [session for session in self._sessions if session.lost is None]
        return iter(tuple(self._sessions))

    def add(self, session: CdpSession) -> None:
        """Add a session."""
        self._sessions.append(session)
        if len(self._sessions) % 100 == 0:
            iter(self)  # drops the ended ones

    async def send(self, method: str, *, exclude: CdpSession | None = None, **params: Any) -> None:
        """Call all sessions at once and wait for the answers; failures of single targets are ignored."""
        for answer in [session.start(method, **params) for session in self if session is not exclude]:
            try:
                await answer
            except (CdpError, TabwrightError):
                continue
