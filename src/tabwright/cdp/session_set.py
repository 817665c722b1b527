"""The live protocol sessions that a setting must reach."""

from collections.abc import Iterator
from typing import Any

from tabwright.cdp import CdpError, CdpSession
from tabwright.errors import TabwrightError


class SessionSet:
    """Sessions, in the order in which they were born; ended ones drop out."""

    def __init__(self) -> None:
        self._known: list[CdpSession] = []

    def __iter__(self) -> Iterator[CdpSession]:
        self._known = [session for session in self._known if session.lost is None]
        return iter(tuple(self._known))

    def add(self, session: CdpSession) -> None:
        """Take on a new one."""
        self._known.append(session)
        if len(self._known) % 100 == 0:
            iter(self)  # drops the ended ones of a long life

    async def send(self, method: str, *, besides: CdpSession | None = None, **params: Any) -> None:
        """Call all of them at once and wait for all answers; what a target cannot do or is gone is let be."""
        for answer in [session.start(method, **params) for session in self if session is not besides]:
            try:
                await answer
            except (CdpError, TabwrightError):
                continue
