"""One request and its response as the network log keeps them."""

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
_BLOCKED = {
    "csp": "the page's content security policy forbids it",
    "mixed-content": "a secure page may not load insecure content",
    "inspector": "it was blocked by a rule of this session",
    "origin": "Chrome forbids it for this origin",
    "subresource-filter": "Chrome's filter of intrusive content blocked it",
    "content-type": "the content has a type that may not be used so",
    "corp-not-same-origin": "the server's cross-origin policy forbids it",
    "corp-not-same-site": "the server's cross-origin policy forbids it",
    "coop-sandboxed-iframe-cannot-navigate-to-coop-page": "the server's opener policy forbids it",
}


@dataclass(slots=True)
class Exchange:
    """A request, and the response as far as it came. A redirect is an exchange of its own."""

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
    # How to ask Chrome for more, and what asking needs; not part of what a reader is shown.
    chrome_id: str = ""
    session: CdpSession | None = None
    frame_id: str = ""
    loader_id: str = ""
    clock: float = 0.0
    length: int = 0
    post_data: str | None = None
    has_post_data: bool = False
    request_head: bytes = b"{}"
    response_head: bytes = b"{}"

    def __str__(self) -> str:
        outcome = self.failure or (str(self.status) if self.status else "under way")
        return f"{self.id} {self.method} {self.url} {outcome}"

    @property
    def request_headers(self) -> Headers:
        """What was sent, with cookies where Chrome tells them."""
        headers: Headers = orjson.loads(self.request_head)
        return headers

    @property
    def response_headers(self) -> Headers:
        """What came back."""
        headers: Headers = orjson.loads(self.response_head)
        return headers

    @property
    def failed(self) -> bool:
        """Whether it brought no answer, or one that says no."""
        return bool(self.failure) or (self.status is not None and self.status >= 400)

    def answered(self, response: Params) -> None:
        """Note the response's head."""
        self.status = response["status"] or None
        self.status_text = response["statusText"]
        self.mime = response["mimeType"]
        # The raw head, cookies included, may have come before.
        if self.response_head == b"{}":
            self.response_head = packed(response["headers"])
        self.from_service_worker = response.get("fromServiceWorker", False)
        self.from_cache |= response.get("fromDiskCache", False) or response.get("fromPrefetchCache", False)

    def ended(self, clock: float, size: float) -> None:
        """Note that nothing more comes."""
        self.finished = True
        self.duration = max(clock - self.clock, 0.0)
        self.size = int(size) or self.size

    def broke(self, event: Params) -> None:
        """Note why it brought nothing."""
        self.ended(event["timestamp"], 0)
        if "corsErrorStatus" in event:
            reason = event["corsErrorStatus"]["corsError"]
            self.failure = f"the server does not allow this page to read it (CORS: {reason})"
        elif "blockedReason" in event:
            reason = event["blockedReason"]
            self.failure = _BLOCKED.get(reason, f"Chrome blocked it ({reason})")
        else:
            self.failure = explain(event["errorText"] or "ERR_FAILED")

    def abandoned(self) -> None:
        """Note that whoever asked is gone; Chrome does not always say."""
        if not self.finished:
            self.finished = True
            self.failure = "the page went away first"


def begun(request_id: RequestId, event: Params, session: CdpSession) -> Exchange:
    """Make the exchange that a `requestWillBeSent` event tells of."""
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
        request_head=packed(request["headers"]),
    )


def packed(headers: Params) -> bytes:
    """Return a head as it is kept. A copy: what orjson gives out holds on to a buffer of 4 KB."""
    return bytes(memoryview(orjson.dumps(headers)))


def describe_initiator(initiator: Params) -> str:
    """Say what made the request: `script https://a.example/app.js:12`, `parser https://a.example/`."""
    frames = initiator.get("stack", {}).get("callFrames", ())
    if frames:
        return cut(f"{initiator['type']} {frames[0]['url']}:{frames[0]['lineNumber'] + 1}", 500)
    if "url" not in initiator:
        return str(initiator["type"])
    line = f":{int(initiator['lineNumber']) + 1}" if "lineNumber" in initiator else ""
    return cut(f"{initiator['type']} {initiator['url']}{line}", 500)


_KEPT = 200


@dataclass(slots=True)
class _Hops:
    """The hops of one of Chrome's request ids, and the heads that came for them, both in order."""

    exchanges: list[Exchange] = field(default_factory=list)
    sent: list[bytes] = field(default_factory=list)
    received: list[bytes] = field(default_factory=list)

    def match(self) -> None:
        for exchange, head in zip(self.exchanges, self.sent, strict=False):
            exchange.request_head = head
        for exchange, head in zip(self.exchanges, self.received, strict=False):
            exchange.response_head = head


class RawHeaders:
    """Brings heads and exchanges together for the requests of late."""

    def __init__(self) -> None:
        self._by_id: defaultdict[str, _Hops] = defaultdict(_Hops)
        self._order: deque[str] = deque()

    def hop(self, exchange: Exchange, event: Params) -> None:
        """A request, or the next hop of one, was sent."""
        hops = self._hops(exchange.chrome_id)
        if "redirectResponse" in event and not event["redirectHasExtraInfo"] and hops.exchanges:
            hops.exchanges.pop()  # a redirect out of the cache has no raw heads
        hops.exchanges.append(exchange)
        hops.match()

    def sent(self, event: Params) -> None:
        """What was really sent."""
        hops = self._hops(event["requestId"])
        hops.sent.append(packed(event["headers"]))
        hops.match()

    def received(self, event: Params) -> None:
        """What really came back."""
        hops = self._hops(event["requestId"])
        hops.received.append(packed(event["headers"]))
        hops.match()

    def _hops(self, chrome_id: str) -> _Hops:
        if chrome_id not in self._by_id:
            self._order.append(chrome_id)
            if len(self._order) > _KEPT:
                self._by_id.pop(self._order.popleft(), None)
        return self._by_id[chrome_id]
