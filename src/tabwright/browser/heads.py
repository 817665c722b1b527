"""Raw request and response heads, cookies included, which Chrome tells apart from the requests themselves.

They come before or after the events that they belong to, and hop by hop where a request is redirected.
"""

from collections import defaultdict, deque
from dataclasses import dataclass, field

from tabwright.browser.exchange import Exchange, packed
from tabwright.cdp import Params

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


class Heads:
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
