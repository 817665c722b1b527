"""The network log of a tab: its last requests, their heads, and their bodies while Chrome has them."""

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
    begun,
    describe_initiator,
    packed,
)
from tabwright.cdp import CdpSession, Params
from tabwright.errors import NotFound
from tabwright.text import cut
from tabwright.urls import UrlGlob

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

KEPT = 1_000


class NetworkLog:
    """The last exchanges of one tab, over all its frames and workers."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self._kept: deque[Exchange] = deque()
        self._numbers = itertools.count(1)
        # The last hop of each of Chrome's ids; redirects share one.
        self._current: dict[str, Exchange] = {}
        self._heads = RawHeaders()
        self.count = 0

    def attach(self, session: CdpSession) -> None:
        """Follow the requests of one session; `InFlightRequests` has the domain switched on."""
        session.on("Network.requestWillBeSent", lambda event: self._sent(session, event))
        session.on("Network.requestServedFromCache", self._from_cache)
        session.on("Network.responseReceived", lambda event: self._answered(session, event))
        session.on("Network.dataReceived", self._received)
        session.on("Network.loadingFinished", lambda event: self._finished(session, event))
        session.on("Network.loadingFailed", self._failed)
        session.on("Network.requestWillBeSentExtraInfo", self._heads.sent)
        session.on("Network.responseReceivedExtraInfo", self._heads.received)
        session.on("Page.frameNavigated", lambda event: self._navigated(event["frame"]))
        session.on("Network.webSocketCreated", lambda event: self._socket(session, event))
        session.on("Network.webSocketHandshakeResponseReceived", self._socket_opened)
        session.on("Network.webSocketFrameError", self._socket_failed)
        session.on("Network.webSocketClosed", self._socket_closed)

    def detach(self, session: CdpSession) -> None:
        """Note that a frame's or worker's session ended, and its requests with it."""
        for exchange in self._kept:
            if exchange.session is session:
                exchange.abandoned()
        self._tab.changed.fire()

    def exchanges(
        self,
        *,
        pattern: str | None = None,
        type: str | None = None,  # noqa: A002 - the protocol's and everyone's word for it
        failed: bool | None = None,
        since: int = 0,
    ) -> list[Exchange]:
        """Return the kept exchanges that fit, oldest first; `since` is an earlier `count`."""
        wanted = UrlGlob(pattern) if pattern is not None else None
        return [
            exchange
            for exchange in self._kept
            if int(exchange.id[1:]) > since
            and (wanted is None or wanted.matches(exchange.url))
            and (type is None or exchange.type.casefold() == type.casefold())
            and failed in (None, exchange.failed)
        ]

    def get(self, request_id: str) -> Exchange:
        """Return the exchange of that id, such as `r12`."""
        for exchange in self._kept:
            if exchange.id == request_id:
                return exchange
        raise NotFound(
            f"There is no request {request_id} in the log.", hint="List the requests, then choose one."
        )

    def clear(self) -> None:
        """Forget all exchanges; numbers go on."""
        self._kept.clear()
        self._current.clear()

    async def body(self, request_id: str, *, limit: int = MAX_BODY) -> Body:
        """Return a response's body; see `response_body`."""
        return await response_body(self.get(request_id), limit)

    async def post_data(self, request_id: str, *, limit: int = MAX_BODY) -> Body:
        """Return what a request sent; see `request_body`."""
        return await request_body(self.get(request_id), limit)

    def _keep(self, exchange: Exchange) -> None:
        self._kept.append(exchange)
        self._current[exchange.chrome_id] = exchange
        if len(self._kept) > KEPT:
            oldest = self._kept.popleft()
            if self._current.get(oldest.chrome_id) is oldest:
                del self._current[oldest.chrome_id]

    def _next_id(self) -> RequestId:
        self.count = next(self._numbers)
        return RequestId(f"r{self.count}")

    def _sent(self, session: CdpSession, event: Params) -> None:
        if event["request"]["url"].startswith("data:"):
            return  # nothing travels
        exchange = begun(self._next_id(), event, session)
        before = self._current.get(event["requestId"])
        if before is not None and "redirectResponse" in event:
            response = event["redirectResponse"]
            before.answered(response)
            before.ended(event["timestamp"], response["encodedDataLength"])
            exchange.redirected_from = before.id
        self._keep(exchange)
        self._heads.hop(exchange, event)

    def _navigated(self, frame: Params) -> None:
        for exchange in self._kept:
            if exchange.frame_id == frame["id"] and exchange.loader_id != frame["loaderId"]:
                exchange.abandoned()
        self._tab.changed.fire()

    def _answered(self, session: CdpSession, event: Params) -> None:
        if (exchange := self._current.get(event["requestId"])) is not None:
            exchange.type = event["type"]
            # A frame or worker with a session of its own tells of its document there.
            exchange.session = session
            exchange.answered(event["response"])

    def _received(self, event: Params) -> None:
        if (exchange := self._current.get(event["requestId"])) is not None:
            exchange.length += event["dataLength"]
            exchange.size += event["encodedDataLength"]

    def _finished(self, session: CdpSession, event: Params) -> None:
        if (exchange := self._current.get(event["requestId"])) is not None:
            exchange.session = session
            exchange.ended(event["timestamp"], event["encodedDataLength"])
            self._tab.changed.fire()

    def _failed(self, event: Params) -> None:
        if (exchange := self._current.get(event["requestId"])) is not None:
            exchange.broke(event)
            self._tab.changed.fire()

    def _from_cache(self, event: Params) -> None:
        if (exchange := self._current.get(event["requestId"])) is not None:
            exchange.from_cache = True

    def _socket(self, session: CdpSession, event: Params) -> None:
        self._keep(
            Exchange(
                id=self._next_id(),
                method="GET",
                url=cut(event["url"], 4_000),
                type="WebSocket",
                started=time.time(),  # Chrome does not say
                initiator=describe_initiator(event.get("initiator", {"type": "other"})),
                chrome_id=event["requestId"],
                session=session,
            )
        )

    def _socket_opened(self, event: Params) -> None:
        if (exchange := self._current.get(event["requestId"])) is not None:
            exchange.status = event["response"]["status"]
            exchange.status_text = event["response"]["statusText"]
            exchange.clock = event["timestamp"]
            exchange.response_head = packed(event["response"]["headers"])

    def _socket_failed(self, event: Params) -> None:
        if (exchange := self._current.get(event["requestId"])) is not None:
            message = event["errorMessage"]
            exchange.failure = explain(message.rpartition(": ")[2]) if "net::" in message else cut(message)

    def _socket_closed(self, event: Params) -> None:
        if (exchange := self._current.get(event["requestId"])) is not None:
            exchange.ended(event["timestamp"] if exchange.clock else 0.0, 0)
            self._tab.changed.fire()
