"""The requests of a tab that are in flight: the basis of "network idle" and of settling after an action."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import anyio

from tabwright.cdp import CdpSession, Params
from tabwright.text import format_count

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

# Streams that stay open by design do not count.
_STREAMS = {"EventSource", "WebSocket"}


# Chrome's types of what a document is made of; "request" for the others.
_NOUNS = {
    "Document": "frame",
    "Font": "font",
    "Image": "image",
    "Media": "media file",
    "Script": "script",
    "Stylesheet": "stylesheet",
}
# The documents' own parts first: what scripts ask for seldom keeps a page from loading.
_OTHER = "request"
_MAX_LISTED = 3
_MAX_HOST = 100


@dataclass(frozen=True, slots=True)
class Request:
    """A request in flight."""

    url: str
    type: str
    frame_id: str
    loader_id: str
    session: CdpSession
    number: int


class InFlightRequests:
    """The requests in flight in one tab, over all its sessions."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self.in_flight: dict[str, Request] = {}
        self.started = 0
        # Streams opened, and messages sent over sockets: their answers are not requests.
        self.streamed = 0

    def attach(self, session: CdpSession) -> None:
        """Follow the requests of one session."""
        session.on("Network.requestWillBeSent", lambda event: self._on_request(session, event))
        session.on("Network.loadingFinished", lambda event: self._on_end(event["requestId"]))
        session.on("Network.loadingFailed", lambda event: self._on_end(event["requestId"]))
        session.on("Network.webSocketCreated", lambda _: self._on_stream())
        session.on("Network.webSocketFrameSent", lambda _: self._on_stream())
        session.on("Page.frameNavigated", lambda event: self._on_navigated(event["frame"]))
        session.on(
            "Page.frameDetached",
            lambda event: self._drop(lambda request: request.frame_id == event["frameId"]),
        )
        session.post("Network.enable", maxTotalBufferSize=64_000_000, maxResourceBufferSize=16_000_000)

    def detach(self, session: CdpSession) -> None:
        """Drop the requests of an ended session."""
        self._drop(lambda request: request.session is session)

    async def idle(self, quiet: float = 0.5) -> None:
        """Return once no request has been in flight for `quiet` seconds; the caller sets the deadline."""
        while True:
            await self._tab.until(lambda: not self.in_flight)
            if await self._quiet_for(quiet):
                return

    async def _quiet_for(self, seconds: float) -> bool:
        started = self.started
        with anyio.move_on_after(seconds) as quiet:
            await self._tab.until(lambda: self.started != started)
        return quiet.cancelled_caught

    async def wait_for_end(self, after: int) -> None:
        """Return once no request that started after number `after` is in flight."""
        await self._tab.until(lambda: not any(request.number > after for request in self.in_flight.values()))

    def describe(self) -> str:
        """Return what is in flight, by kind and host: 2 images of cdn.example, 1 script of example.com."""
        groups = Counter(
            (_NOUNS.get(request.type, _OTHER), urlsplit(request.url).netloc.rpartition("@")[2][:_MAX_HOST])
            for request in self.in_flight.values()
        )
        listed = sorted(groups.items(), key=lambda group: (group[0][0] == _OTHER, -group[1]))
        texts = [
            format_count(number, noun) + (f" of {host}" if host else "") for (noun, host), number in listed
        ]
        rest = sum(number for _, number in listed[_MAX_LISTED:])
        return ", ".join(texts[:_MAX_LISTED]) + (f" and {rest} more" if rest else "")

    def process_of(self, session: CdpSession) -> int | None:
        """Return the process of a session's page, if the id of a request in flight contains it.

        Chrome starts the ids of a page's requests with its process: 4711.3; that of a document is different.
        """
        for key, request in self.in_flight.items():
            process, dot, _ = key.partition(".")
            if dot and process.isdecimal() and request.session is session:
                return int(process)
        return None

    def _on_request(self, session: CdpSession, event: Params) -> None:
        if event.get("type") in _STREAMS:
            self._on_stream()
            return
        if event["request"]["url"].startswith("data:"):
            return
        self.started += 1
        self.in_flight[event["requestId"]] = Request(
            url=event["request"]["url"],
            type=event.get("type", "Other"),
            frame_id=event.get("frameId", ""),
            loader_id=event["loaderId"],
            session=session,
            number=self.started,
        )
        self._tab.changed.fire()

    def _on_stream(self) -> None:
        self.streamed += 1

    def _on_end(self, request_id: str) -> None:
        if self.in_flight.pop(request_id, None) is not None:
            self._tab.changed.fire()

    def _on_navigated(self, frame: Params) -> None:
        """Drop the old document's requests: they do not always end with an event."""
        self._drop(lambda request: request.frame_id == frame["id"] and request.loader_id != frame["loaderId"])

    def _drop(self, gone: Callable[[Request], bool]) -> None:
        remaining = {key: request for key, request in self.in_flight.items() if not gone(request)}
        if len(remaining) != len(self.in_flight):
            self.in_flight = remaining
            self._tab.changed.fire()
