"""The Chromes that the extension connects to us, and the choice among them."""

import logging
from collections.abc import Callable, Collection, Iterator

import anyio

from tabwright.aio import Signal
from tabwright.browser.user_chrome.detach_reasons import disconnect_error
from tabwright.browser.user_chrome.link import SILENCE_LIMIT, ExtensionLink
from tabwright.browser.user_chrome.tab_ownership import TabMemory
from tabwright.cdp import Transport
from tabwright.errors import TabwrightError

log = logging.getLogger(__name__)

# Seconds in which an extension reconnects by itself: it tries twice a minute.
_RECONNECT_TIME = 35.0
# The memories of the sessions that used it least recently are dropped.
_MAX_MEMORIES = 50


class ExtensionLinks:
    """All links. The extension door adds them; sessions join them.

    Args:
        paired: names of the Chromes that may connect.
        reconnect_time: how long to wait for them after our start, and after their link was lost.
        silence_limit: seconds without a message after which a link counts as lost.
    """

    def __init__(
        self,
        paired: Callable[[], Collection[str]] = tuple,
        *,
        reconnect_time: float = _RECONNECT_TIME,
        silence_limit: float = SILENCE_LIMIT,
    ) -> None:
        self._paired = paired
        self._reconnect_time = reconnect_time
        self._silence_limit = silence_limit
        self._started_at = anyio.current_time()
        self._links: dict[str, ExtensionLink] = {}
        self._lost: dict[str, ExtensionLink] = {}
        self._memories: dict[str, TabMemory] = {}
        self._changed = Signal()

    def __iter__(self) -> Iterator[ExtensionLink]:
        return iter(tuple(self._links.values()))

    async def serve(
        self, transport: Transport, *, chrome: str, name: str, document_only: bool = False
    ) -> str:
        """Keep a link with an authenticated Chrome until its transport ends; return why it ended.

        A newer link replaces the one that a Chrome had: the extension's worker was restarted.
        """
        if (before := self._links.pop(chrome, None)) is not None:
            await before.aclose()
        link = ExtensionLink(
            transport,
            chrome,
            name,
            self._changed,
            self._expects,
            document_only=document_only,
            silence_limit=self._silence_limit,
        )
        self._links[chrome] = link
        self._lost.pop(chrome, None)
        log.info("Chrome %s connected", name)
        try:
            return await link.run()
        finally:
            if self._links.get(chrome) is link:
                del self._links[chrome]
                self._lost[chrome] = link
            self._changed.fire()
            log.info("Chrome %s disconnected", name)

    def tab_memory(self, name: str) -> TabMemory:
        """Return what a session remembers of its tabs, stored while it has no link."""
        memory = self._memories[name] = self._memories.pop(name, TabMemory(name))
        for oldest in list(self._memories)[:-_MAX_MEMORIES]:
            del self._memories[oldest]
        return memory

    def _expects(self, name: str) -> bool:
        return name in self._memories and self._memories[name].expected

    def forget(self, memory: TabMemory) -> None:
        """Drop everything stored for a session that does not come back."""
        self._memories.pop(memory.name, None)
        for link in self:
            link.release(memory.name)

    def find(self, name: str = "") -> ExtensionLink | None:
        """Return the Chrome of that name; without a name, the one that its user focused last."""
        ready = [link for link in self if link.ready and name in ("", link.name)]
        return max(ready, key=lambda link: link.focused_at, default=None)

    def disconnect_error(self, name: str) -> TabwrightError | None:
        """Return why the Chrome of that name disconnected, if its user made it disconnect."""
        reason = next((link.end_reason for link in self._ended() if link.name == name), None)
        if reason is None:
            return None
        return disconnect_error(reason) or (None if name in self._paired() else disconnect_error("unpaired"))

    async def expect(self, name: str = "", seconds: float | None = None) -> None:
        """Wait that long for a Chrome; by default, as long as a paired one may need to connect."""
        if seconds is None:
            seconds = self._connects_until(name) - anyio.current_time()
        with anyio.move_on_after(max(0.0, seconds)):
            await self._changed.until(lambda: self.find(name) is not None)

    def _connects_until(self, name: str) -> float:
        """Until when a paired Chrome may connect: counted from our start, or from the loss of its link."""
        left = {link.name for link in self._ended() if disconnect_error(link.end_reason) is not None}
        awaited = {one for one in self._paired() if name in ("", one)} - left
        lost_at = [link.ended_at or 0.0 for link in self._ended() if link.name in awaited]
        return max([*lost_at, self._started_at]) + self._reconnect_time if awaited else 0.0

    def _ended(self) -> list[ExtensionLink]:
        """The lost links, and those that said goodbye but whose transport is still open."""
        return [*self._lost.values(), *(link for link in self if link.ended_at is not None)]
