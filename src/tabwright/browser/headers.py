"""Extra headers for every request of a context, whoever it goes to."""

from tabwright.browser.rule import check_headers
from tabwright.browser.sessions import Sessions
from tabwright.cdp import CdpSession


class ExtraHeaders:
    """Headers that all tabs, frames and workers of one context send with everything."""

    def __init__(self) -> None:
        self._sessions = Sessions()
        self._headers: dict[str, str] = {}

    @property
    def current(self) -> dict[str, str]:
        """What is sent now."""
        return dict(self._headers)

    def attach(self, session: CdpSession) -> None:
        """Have a new session's target send them from its first request on."""
        self._sessions.add(session)
        if self._headers:
            session.post("Network.setExtraHTTPHeaders", headers=self._headers)

    async def set(self, headers: dict[str, str]) -> None:
        """Send exactly these from now on; none sends none."""
        check_headers(headers)
        self._headers = dict(headers)
        await self._sessions.send("Network.setExtraHTTPHeaders", headers=self._headers)
