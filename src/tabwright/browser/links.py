"""The Chromes that the extension connects to us, and the choice among them."""

import logging
from collections.abc import Callable, Collection, Iterator

import anyio

from tabwright.browser.link import Link
from tabwright.browser.seat import Seat
from tabwright.browser.signal import Signal
from tabwright.cdp import Transport

log = logging.getLogger(__name__)

# Seconds in which an extension comes back by itself: it tries again twice a minute.
_RETURN = 35.0
# Those who used it least lately are not waited for.
_MOST_SEATS = 50


def _nobody() -> Collection[str]:
    return ()


class Links:
    """All links there are. Doors bring them; sessions join them.

    Args:
        paired: names of the Chromes that may come.
        patience: how long after our start they are waited for.
    """

    def __init__(self, paired: Callable[[], Collection[str]] = _nobody, *, patience: float = _RETURN) -> None:
        self._paired = paired
        self._until = anyio.current_time() + patience
        self._links: dict[str, Link] = {}
        self._seats: dict[str, Seat] = {}
        self._changed = Signal()

    def __iter__(self) -> Iterator[Link]:
        return iter(tuple(self._links.values()))

    async def serve(self, wire: Transport, *, chrome: str, name: str) -> str:
        """Be linked with a Chrome that proved who it is, until its wire ends; return why it did.

        A newer link of a Chrome ends the one it had: the worker of its extension was started anew.
        """
        if (before := self._links.pop(chrome, None)) is not None:
            await before.aclose()
        link = self._links[chrome] = Link(wire, chrome, name, self._changed, self._expects)
        log.info("%s is connected", name)
        try:
            return await link.run()
        finally:
            if self._links.get(chrome) is link:
                del self._links[chrome]
            self._changed.fire()
            log.info("%s is not connected any more", name)

    def seat(self, name: str) -> Seat:
        """Return what somebody who works in the user's Chrome has there, kept while they cannot reach it."""
        seat = self._seats[name] = self._seats.pop(name, Seat(name))
        for oldest in list(self._seats)[:-_MOST_SEATS]:
            del self._seats[oldest]
        return seat

    def _expects(self, name: str) -> bool:
        return name in self._seats and self._seats[name].expected

    def forget(self, seat: Seat) -> None:
        """Keep nothing for somebody who does not come back."""
        self._seats.pop(seat.name, None)
        for link in self:
            link.free(seat.name)

    def find(self, name: str = "") -> Link | None:
        """Return the Chrome of that name, else the one that its user had before them last."""
        there = [link for link in self if link.ready and name in ("", link.name)]
        return max(there, key=lambda link: link.attended, default=None)

    async def expect(self, name: str = "", seconds: float | None = None) -> None:
        """Wait for a Chrome so long; without a time, as long as one that is paired may need at our start."""
        if seconds is None:
            paired = self._paired()
            seconds = self._until - anyio.current_time() if (name in paired or (paired and not name)) else 0
        with anyio.move_on_after(max(0.0, seconds)):
            await self._changed.until(lambda: self.find(name) is not None)
