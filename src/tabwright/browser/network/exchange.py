"""One request and its response in the network log, and their raw headers."""

from collections import defaultdict, deque
from dataclasses import dataclass, field
from typing import NewType

import orjson

from tabwright.browser.network.error_text import explain
from tabwright.cdp import CdpSession, Params
from tabwright.text import cut

RequestId = NewType("RequestId", str)
Headers = dict[str, str]

_MAX_URL = 4_000
_MAX_POST_DATA = 20_000
# Requests whose raw headers are matched; older ones have theirs.
_MAX_REQUESTS = 200
_BLOCKED = {
    "csp": "the page's content security policy forbids it",
    "mixed-content": "a secure page must not load insecure content",
    "inspector": "a rule of this session blocked it",
    "origin": "Chrome forbids it for this origin",
    "subresource-filter": "Chrome's filter of intrusive content blocked it",
    "content-type": "the content type is not allowed here",
    "corp-not-same-origin": "the server's cross-origin policy forbids it",
    "corp-not-same-site": "the server's cross-origin policy forbids it",
    "coop-sandboxed-iframe-cannot-navigate-to-coop-page": "the server's opener policy forbids it",
}


@dataclass(slots=True)
class Exchange:
    """A request, and the part of the response that has arrived. Each redirect is a separate exchange."""

    id: RequestId
    method: str
    url: str
    type: str
    started: float
    initiator: str
    status: int | None = None
    status_text: str = ""
    mime: str = ""
    size: int = 0
    duration: float | None = None
    failure: str = ""
    from_cache: bool = False
    from_service_worker: bool = False
    redirected_from: RequestId | None = None
    finished: bool = False
    # For fetching more from Chrome; not shown to callers.
    chrome_id: str = ""
    session: CdpSession | None = None
    frame_id: str = ""
    loader_id: str = ""
    clock: float = 0.0
    length: int = 0
    post_data: str | None = None
    has_post_data: bool = False
    packed_request_headers: bytes = b"{}"
    packed_response_headers: bytes = b"{}"

    def __str__(self) -> str:
        outcome = self.failure or (str(self.status) if self.status else "under way")
        return f"{self.id} {self.method} {self.url} {outcome}"

    @property
    def request_headers(self) -> Headers:
        """The headers that were sent, with cookies if Chrome reports them."""
        headers: Headers = orjson.loads(self.packed_request_headers)
        return headers

    @property
    def response_headers(self) -> Headers:
        """The headers of the response."""
        headers: Headers = orjson.loads(self.packed_response_headers)
        return headers

    @property
    def failed(self) -> bool:
        """Whether it got no response, or an error status."""
        return bool(self.failure) or (self.status is not None and self.status >= 400)

    def matches(self, method: str | None, status: str | None) -> bool:
        """Whether it has a method and a status, such as 200, 4xx or 400-499; None stands for any."""
        return (method is None or self.method == method.upper()) and (
            status is None or self._has_status(status)
        )

    def _has_status(self, wanted: str) -> bool:
        least, _, most = wanted.partition("-")
        if self.status is None:
            return False
        return int(least.replace("x", "0")) <= self.status <= int(most or least.replace("x", "9"))

    def on_response(self, response: Params) -> None:
        """Store status and headers of the response."""
        self.status = response["status"] or None
        self.status_text = response["statusText"]
        self.mime = response["mimeType"]
        # The raw headers, with cookies, may have come before.
        if self.packed_response_headers == b"{}":
            self.packed_response_headers = pack_headers(response["headers"])
        self.from_service_worker = response.get("fromServiceWorker", False)
        self.from_cache |= response.get("fromDiskCache", False) or response.get("fromPrefetchCache", False)

    def on_end(self, clock: float, size: float) -> None:
        """Mark it as finished."""
        self.finished = True
        self.duration = max(clock - self.clock, 0.0)
        self.size = int(size) or self.size

    def on_failure(self, event: Params) -> None:
        """Store why it failed."""
        self.on_end(event["timestamp"], 0)
        if "corsErrorStatus" in event:
            reason = event["corsErrorStatus"]["corsError"]
            self.failure = f"the server does not allow this page to read it (CORS: {reason})"
        elif "blockedReason" in event:
            reason = event["blockedReason"]
            self.failure = _BLOCKED.get(reason, f"Chrome blocked it ({reason})")
        else:
            self.failure = explain(event["errorText"] or "ERR_FAILED")

    def on_page_closed(self) -> None:
        """End a request with its page; Chrome does not always report it."""
        if not self.finished:
            self.finished = True
            self.failure = "the page was closed first"


def parse_request(request_id: RequestId, event: Params, session: CdpSession) -> Exchange:
    """Make the exchange of a `requestWillBeSent` event."""
    request = event["request"]
    post_data = request.get("postData")
    return Exchange(
        id=request_id,
        method=request["method"],
        url=cut(request["url"] + request.get("urlFragment", ""), _MAX_URL),
        type=event.get("type", "Other"),
        started=event["wallTime"],
        initiator=describe_initiator(event["initiator"]),
        chrome_id=event["requestId"],
        session=session,
        frame_id=event.get("frameId", ""),
        loader_id=event["loaderId"],
        clock=event["timestamp"],
        post_data=post_data if post_data and len(post_data) <= _MAX_POST_DATA else None,
        has_post_data=request.get("hasPostData", False),
        packed_request_headers=pack_headers(request["headers"]),
    )


def pack_headers(headers: Params) -> bytes:
    """Return headers as they are stored: a copy, as the bytes from orjson hold a buffer of 4 KB."""
    return bytes(memoryview(orjson.dumps(headers)))


def describe_initiator(initiator: Params) -> str:
    """Return what made the request: `script https://a.example/app.js:12`, `parser https://a.example/`."""
    frames = initiator.get("stack", {}).get("callFrames", ())
    if frames:
        return cut(f"{initiator['type']} {frames[0]['url']}:{frames[0]['lineNumber'] + 1}", 500)
    if "url" not in initiator:
        return str(initiator["type"])
    line = f":{int(initiator['lineNumber']) + 1}" if "lineNumber" in initiator else ""
    return cut(f"{initiator['type']} {initiator['url']}{line}", 500)


@dataclass(slots=True)
class _Hops:
    """The exchanges of one of Chrome's request ids, and their raw headers, both in order."""

    exchanges: list[Exchange] = field(default_factory=list)
    sent: list[bytes] = field(default_factory=list)
    received: list[bytes] = field(default_factory=list)

    def match(self) -> None:
        for exchange, headers in zip(self.exchanges, self.sent, strict=False):
            exchange.packed_request_headers = headers
        for exchange, headers in zip(self.exchanges, self.received, strict=False):
            exchange.packed_response_headers = headers


class RawHeaders:
    """Matches raw headers to the exchanges of recent requests: they arrive as separate events."""

    def __init__(self) -> None:
        self._by_id: defaultdict[str, _Hops] = defaultdict(_Hops)
        self._order: deque[str] = deque()

    def add(self, exchange: Exchange, event: Params) -> None:
        """Add a request, or the next redirect of one."""
        hops = self._hops(exchange.chrome_id)
        if "redirectResponse" in event and not event["redirectHasExtraInfo"] and hops.exchanges:
            hops.exchanges.pop()  # a redirect from the cache has no raw headers
        hops.exchanges.append(exchange)
        hops.match()

    def on_sent(self, event: Params) -> None:
        """Store the headers that were really sent."""
        hops = self._hops(event["requestId"])
        hops.sent.append(pack_headers(event["headers"]))
        hops.match()

    def on_received(self, event: Params) -> None:
        """Store the headers that were really received."""
        hops = self._hops(event["requestId"])
        hops.received.append(pack_headers(event["headers"]))
        hops.match()

    def _hops(self, chrome_id: str) -> _Hops:
        if chrome_id not in self._by_id:
            self._order.append(chrome_id)
            if len(self._order) > _MAX_REQUESTS:
                self._by_id.pop(self._order.popleft(), None)
        return self._by_id[chrome_id]
