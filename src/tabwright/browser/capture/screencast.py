"""A tab as it changes, picture by picture, for people who watch. Costs nothing while nobody does."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tabwright.aio import Signal
from tabwright.cdp import Params

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

_QUALITY = 60
_MOST_SIDE = 1280


@dataclass(frozen=True, slots=True)
class Still:
    """One picture: JPEG in base64, and the size of the viewport that it shows, in CSS pixels."""

    number: int
    jpeg: str
    width: float
    height: float


class Screencast:
    """The pictures of one tab, shared by all who watch it; whoever is slow sees the newest."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self._watchers = 0
        self._latest: Still | None = None
        self._news = Signal()
        self._forget: Callable[[], None] = lambda: None

    @asynccontextmanager
    async def watched(self) -> "AsyncIterator[Screencast]":
        """Take pictures while the block runs."""
        self._watchers += 1
        try:
            if self._watchers == 1:
                await self._start()
            yield self
        finally:
            self._watchers -= 1
            if self._watchers == 0:
                self._stop()

    async def _start(self) -> None:
        self._forget = self._tab.session.on("Page.screencastFrame", self._take)
        size = {"maxWidth": _MOST_SIDE, "maxHeight": _MOST_SIDE}
        await self._tab.session.send("Page.startScreencast", format="jpeg", quality=_QUALITY, **size)

    def _stop(self) -> None:
        self._forget()
        self._latest = None
        self._tab.session.post("Page.stopScreencast")

    async def after(self, number: int) -> Still:
        """Wait for a picture newer than the one of that number; 0 for any."""
        await self._news.until(lambda: self._latest is not None and self._latest.number > number)
        assert self._latest is not None
        return self._latest

    def _take(self, params: Params) -> None:
        # Chrome sends the next one only after this.
        self._tab.session.post("Page.screencastFrameAck", sessionId=params["sessionId"])
        about = params["metadata"]
        number = self._latest.number + 1 if self._latest else 1
        self._latest = Still(number, params["data"], about["deviceWidth"], about["deviceHeight"])
        self._news.fire()


def screencast_of(tab: "Tab") -> Screencast:
    """Return the screencast of a tab, made when it is first asked for."""
    return tab.component(Screencast)
