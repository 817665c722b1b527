"""The network log of a tab: its last requests, their headers, and their bodies while Chrome has them."""

import itertools
import time
from collections import deque
from typing import TYPE_CHECKING

from tabwright.browser.network.bodies import MAX_BODY, Body, request_body, response_body
from tabwright.browser.network.error_text import explain
from tabwright.browser.network.exchange import (
    Exchange,
    RawHeaders,
    RequestId,
    describe_initiator,
    pack_headers,
    parse_request,
)
from tabwright.cdp import CdpSession, Params
from tabwright.errors import NotFound
from tabwright.text import cut
from tabwright.urls import UrlGlob

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

MAX_EXCHANGES = 1_000


class NetworkLog:
    """The last requests of the tab, its frames and its workers, with their responses."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self._exchanges: deque[Exchange] = deque()
        self._numbers = itertools.count(1)
        # The last exchange of each of Chrome's ids; redirects share one.
        self._current: dict[str, Exchange] = {}
        self._raw_headers = RawHeaders()
        self.count = 0

    def attach(self, session: CdpSession) -> None:
        """Follow the requests of one session; `InFlightRequests` enables the domain."""
        session.on("Network.requestWillBeSent", lambda event: self._on_request(session, event))
        session.on("Network.requestServedFromCache", self._on_cached)
        session.on("Network.responseReceived", lambda event: self._on_response(session, event))
        session.on("Network.dataReceived", self._on_data)
        session.on("Network.loadingFinished", lambda event: self._on_finished(session, event))
        session.on("Network.loadingFailed", self._on_failed)
        session.on("Network.requestWillBeSentExtraInfo", self._raw_headers.on_sent)
        session.on("Network.responseReceivedExtraInfo", self._raw_headers.on_received)
        session.on("Page.frameNavigated", lambda event: self._on_navigated(event["frame"]))
        session.on("Network.webSocketCreated", lambda event: self._on_socket(session, event))
        session.on("Network.webSocketHandshakeResponseReceived", self._on_socket_opened)
        session.on("Network.webSocketFrameError", self._on_socket_failed)
        session.on("Network.webSocketClosed", self._on_socket_closed)

    def detach(self, session: CdpSession) -> None:
        """End the requests of a frame or worker whose session ended."""
        for exchange in self._exchanges:
            if exchange.session is session:
                exchange.on_page_closed()
        self._tab.changed.fire()

    def exchanges(
        self,
        *,
        pattern: str | None = None,
        type: str | None = None,  # noqa: A002 - the usual name for it
        failed: bool | None = None,
        since: int = 0,
    ) -> list[Exchange]:
        """Return the logged exchanges that match, oldest first: those after number `since` (12 is `r12`)."""
        wanted = UrlGlob(pattern) if pattern is not None else None
        return [
            exchange
            for exchange in self._exchanges
            if int(exchange.id[1:]) > since
            and (wanted is None or wanted.matches(exchange.url))
            and (type is None or exchange.type.casefold() == type.casefold())
            and failed in (None, exchange.failed)
        ]

    def get(self, request_id: str) -> Exchange:
        """Return the exchange with that id, such as `r12`."""
        for exchange in self._exchanges:
            if exchange.id == request_id:
                return exchange
        raise NotFound(f"Unknown request {request_id}.", hint="List the requests, then choose one.")

    def clear(self) -> None:
        """Remove all exchanges; numbers continue."""
        self._exchanges.clear()
        self._current.clear()

    async def body(self, request_id: str, *, limit: int = MAX_BODY) -> Body:
        """Return a response's body, cut at `limit` characters or bytes."""
        return await response_body(self.get(request_id), limit)

    async def post_data(self, request_id: str, *, limit: int = MAX_BODY) -> Body:
        """Return a request's body, cut at `limit` characters."""
        return await request_body(self.get(request_id), limit)

    def _add(self, exchange: Exchange) -> None:
        self._exchanges.append(exchange)
        self._current[exchange.chrome_id] = exchange
        if len(self._exchanges) > MAX_EXCHANGES:
            oldest = self._exchanges.popleft()
            if self._current.get(oldest.chrome_id) is oldest:
                del self._current[oldest.chrome_id]

    def _next_id(self) -> RequestId:
        self.count = next(self._numbers)
        return RequestId(f"r{self.count}")

    def _on_request(self, session: CdpSession, event: Params) -> None:
        if event["request"]["url"].startswith("data:"):
            return  # it is not a network request
        exchange = parse_request(self._next_id(), event, session)
        before = self._current.get(event["requestId"])
        if before is not None and "redirectResponse" in event:
            response = event["redirectResponse"]
            before.on_response(response)
            before.on_end(event["timestamp"], response["encodedDataLength"])
            exchange.redirected_from = before.id
        self._add(exchange)
        self._raw_headers.add(exchange, event)

    def _on_navigated(self, frame: Params) -> None:
        for exchange in self._exchanges:
            if exchange.frame_id == frame["id"] and exchange.loader_id != frame["loaderId"]:
                exchange.on_page_closed()
        self._tab.changed.fire()

    def _on_response(self, session: CdpSession, event: Params) -> None:
        if (exchange := self._current.get(event["requestId"])) is not None:
            exchange.type = event["type"]
            # A frame or worker with its own session reports its document there.
            exchange.session = session
            exchange.on_response(event["response"])

    def _on_data(self, event: Params) -> None:
        if (exchange := self._current.get(event["requestId"])) is not None:
            exchange.length += event["dataLength"]
            exchange.size += event["encodedDataLength"]

    def _on_finished(self, session: CdpSession, event: Params) -> None:
        if (exchange := self._current.get(event["requestId"])) is not None:
            exchange.session = session
            exchange.on_end(event["timestamp"], event["encodedDataLength"])
            self._tab.changed.fire()

    def _on_failed(self, event: Params) -> None:
        if (exchange := self._current.get(event["requestId"])) is not None:
            exchange.on_failure(event)
            self._tab.changed.fire()

    def _on_cached(self, event: Params) -> None:
        if (exchange := self._current.get(event["requestId"])) is not None:
            exchange.from_cache = True

    def _on_socket(self, session: CdpSession, event: Params) -> None:
        self._add(
            Exchange(
                id=self._next_id(),
                method="GET",
                url=cut(event["url"], 4_000),
                type="WebSocket",
                started=time.time(),  # Chrome does not report it
                initiator=describe_initiator(event.get("initiator", {"type": "other"})),
                chrome_id=event["requestId"],
                session=session,
            )
        )

    def _on_socket_opened(self, event: Params) -> None:
        if (exchange := self._current.get(event["requestId"])) is not None:
            exchange.status = event["response"]["status"]
            exchange.status_text = event["response"]["statusText"]
            exchange.clock = event["timestamp"]
            exchange.packed_response_headers = pack_headers(event["response"]["headers"])

    def _on_socket_failed(self, event: Params) -> None:
        if (exchange := self._current.get(event["requestId"])) is not None:
            message = event["errorMessage"]
            exchange.failure = explain(message.rpartition(": ")[2]) if "net::" in message else cut(message)

    def _on_socket_closed(self, event: Params) -> None:
        if (exchange := self._current.get(event["requestId"])) is not None:
            exchange.on_end(event["timestamp"] if exchange.clock else 0.0, 0)
            self._tab.changed.fire()
