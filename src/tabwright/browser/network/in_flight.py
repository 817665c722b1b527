"""Requests of a tab that are under way: what "network idle" and the settling after an act stand on."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import anyio

from tabwright.cdp import CdpSession, Params

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

# Streams that stay open by design never keep a page from being idle.
_ENDLESS = {"EventSource", "WebSocket"}


@dataclass(frozen=True, slots=True)
class Request:
    """A request under way."""

    url: str
    type: str
    frame_id: str
    loader_id: str
    session: CdpSession
    number: int


class InFlightRequests:
    """The requests under way in one tab, over all its sessions."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self.under_way: dict[str, Request] = {}
        self.begun = 0

    def attach(self, session: CdpSession) -> None:
        """Follow the requests of one session."""
        session.on("Network.requestWillBeSent", lambda event: self._sent(session, event))
        session.on("Network.loadingFinished", lambda event: self._ended(event["requestId"]))
        session.on("Network.loadingFailed", lambda event: self._ended(event["requestId"]))
        session.on("Page.frameNavigated", lambda event: self._navigated(event["frame"]))
        session.on(
            "Page.frameDetached",
            lambda event: self._drop(lambda request: request.frame_id == event["frameId"]),
        )
        session.post("Network.enable", maxTotalBufferSize=64_000_000, maxResourceBufferSize=16_000_000)

    def detach(self, session: CdpSession) -> None:
        """Forget what an ended session had under way."""
        self._drop(lambda request: request.session is session)

    async def idle(self, quiet: float = 0.5) -> None:
        """Return once no request has been under way for `quiet` seconds; the caller's deadline bounds it."""
        while True:
            await self._tab.until(lambda: not self.under_way)
            if await self._quiet_for(quiet):
                return

    async def _quiet_for(self, seconds: float) -> bool:
        begun = self.begun
        with anyio.move_on_after(seconds) as quiet:
            await self._tab.until(lambda: self.begun != begun)
        return quiet.cancelled_caught

    async def finished(self, after: int) -> None:
        """Return once no request begun after number `after` is under way."""
        await self._tab.until(lambda: not any(request.number > after for request in self.under_way.values()))

    def process_of(self, session: CdpSession) -> int | None:
        """Return the process that a session's page is in, as far as a request under way tells it.

        Chrome numbers what a page asks for by the page's process: 4711.3; a document has another number.
        """
        for key, request in self.under_way.items():
            process, dot, _ = key.partition(".")
            if dot and process.isdecimal() and request.session is session:
                return int(process)
        return None

    def _sent(self, session: CdpSession, event: Params) -> None:
        if event.get("type") in _ENDLESS or event["request"]["url"].startswith("data:"):
            return
        self.begun += 1
        self.under_way[event["requestId"]] = Request(
            url=event["request"]["url"],
            type=event.get("type", "Other"),
            frame_id=event.get("frameId", ""),
            loader_id=event["loaderId"],
            session=session,
            number=self.begun,
        )
        self._tab.changed.fire()

    def _ended(self, request_id: str) -> None:
        if self.under_way.pop(request_id, None) is not None:
            self._tab.changed.fire()

    def _navigated(self, frame: Params) -> None:
        """The old document's requests ended with it, not always with an event."""
        self._drop(lambda request: request.frame_id == frame["id"] and request.loader_id != frame["loaderId"])

    def _drop(self, gone: Callable[[Request], bool]) -> None:
        kept = {key: request for key, request in self.under_way.items() if not gone(request)}
        if len(kept) != len(self.under_way):
            self.under_way = kept
            self._tab.changed.fire()
