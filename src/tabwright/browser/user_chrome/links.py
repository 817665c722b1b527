"""The Chromes that the extension connects to us, and the choice among them."""

import logging
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

import anyio

from tabwright.aio import Signal
from tabwright.browser.user_chrome.detach_reasons import disconnect_error
from tabwright.browser.user_chrome.link import SILENCE, ExtensionLink
from tabwright.browser.user_chrome.tab_memory import TabMemory
from tabwright.cdp import Transport
from tabwright.errors import TabwrightError

log = logging.getLogger(__name__)

# Seconds in which an extension comes back by itself: it tries again twice a minute.
_RETURN = 35.0
# Those who used it least lately are not waited for.
_MOST_SEATS = 50


def _nobody() -> Collection[str]:
    return ()


@dataclass(frozen=True)
class _Loss:
    """A link that ended: whose it was, why, and until when it may come back by itself."""

    name: str
    reason: str
    until: float


class ExtensionLinks:
    """All links there are. Doors bring them; sessions join them.

    Args:
        paired: names of the Chromes that may come.
        patience: how long they are waited for after our start, and after their link was lost.
        silence: seconds without a word after which a link counts as lost.
    """

    def __init__(
        self,
        paired: Callable[[], Collection[str]] = _nobody,
        *,
        patience: float = _RETURN,
        silence: float = SILENCE,
    ) -> None:
        self._paired = paired
        self._patience = patience
        self._silence = silence
        self._until = anyio.current_time() + patience
        self._lost: dict[str, _Loss] = {}
        self._links: dict[str, ExtensionLink] = {}
        self._seats: dict[str, TabMemory] = {}
        self._changed = Signal()

    def __iter__(self) -> Iterator[ExtensionLink]:
        return iter(tuple(self._links.values()))

    async def serve(self, wire: Transport, *, chrome: str, name: str) -> str:
        """Be linked with a Chrome that proved who it is, until its wire ends; return why it did.

        A newer link of a Chrome ends the one it had: the worker of its extension was started anew.
        """
        if (before := self._links.pop(chrome, None)) is not None:
            await before.aclose()
        link = ExtensionLink(wire, chrome, name, self._changed, self._expects, silence=self._silence)
        self._links[chrome] = link
        self._lost.pop(chrome, None)
        log.info("%s is connected", name)
        try:
            return await link.run()
        finally:
            if self._links.get(chrome) is link:
                del self._links[chrome]
                self._lost[chrome] = _Loss(name, link.reason, anyio.current_time() + self._patience)
            self._changed.fire()
            log.info("%s is not connected any more", name)

    def seat(self, name: str) -> TabMemory:
        """Return what somebody who works in the user's Chrome has there, kept while they cannot reach it."""
        seat = self._seats[name] = self._seats.pop(name, TabMemory(name))
        for oldest in list(self._seats)[:-_MOST_SEATS]:
            del self._seats[oldest]
        return seat

    def _expects(self, name: str) -> bool:
        return name in self._seats and self._seats[name].expected

    def forget(self, seat: TabMemory) -> None:
        """Keep nothing for somebody who does not come back."""
        self._seats.pop(seat.name, None)
        for link in self:
            link.free(seat.name)

    def find(self, name: str = "") -> ExtensionLink | None:
        """Return the Chrome of that name, else the one that its user had before them last."""
        there = [link for link in self if link.ready and name in ("", link.name)]
        return max(there, key=lambda link: link.attended, default=None)

    def disconnect_error(self, name: str) -> TabwrightError | None:
        """Return why the Chrome of that name left for good, if its user had it leave."""
        reason = next((loss.reason for loss in self._losses() if loss.name == name), None)
        if reason is None:
            return None
        return disconnect_error(reason) or (None if name in self._paired() else disconnect_error("unpaired"))

    async def expect(self, name: str = "", seconds: float | None = None) -> None:
        """Wait for a Chrome so long; without a time, as long as one that is paired may need to come."""
        if seconds is None:
            seconds = self._may_come_until(name) - anyio.current_time()
        with anyio.move_on_after(max(0.0, seconds)):
            await self._changed.until(lambda: self.find(name) is not None)

    def _may_come_until(self, name: str) -> float:
        """Until when one that is paired may come: after our start, or after it was lost without a goodbye."""
        left = {loss.name for loss in self._losses() if disconnect_error(loss.reason) is not None}
        awaited = {one for one in self._paired() if name in ("", one)} - left
        lost = [loss.until for loss in self._losses() if loss.name in awaited]
        return max([*lost, self._until]) if awaited else 0.0

    def _losses(self) -> list[_Loss]:
        """Those that ended, also if their wire does so only now."""
        ending = [link for link in self if link.over]
        until = anyio.current_time() + self._patience
        return [*self._lost.values(), *(_Loss(link.name, link.reason, until) for link in ending)]
