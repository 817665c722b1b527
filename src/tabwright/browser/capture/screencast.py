"""Live images of a tab for people who watch it. Chrome sends images only while someone watches."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tabwright.aio import Signal
from tabwright.cdp import Params

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

_QUALITY = 60
_MAX_SIDE = 1280


@dataclass(frozen=True, slots=True)
class ScreencastFrame:
    """One image: JPEG in base64, and the size of the viewport that it shows, in CSS pixels."""

    number: int
    jpeg: str
    width: float
    height: float


class Screencast:
    """The images of one tab, shared by everyone who watches it; a slow watcher skips to the newest."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self._watchers = 0
        self._latest: ScreencastFrame | None = None
        self._new_frame = Signal()
        self._unsubscribe: Callable[[], None] = lambda: None

    @asynccontextmanager
    async def watch(self) -> "AsyncIterator[Screencast]":
        """Receive images while the block runs."""
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
        self._unsubscribe = self._tab.session.on("Page.screencastFrame", self._on_frame)
        size = {"maxWidth": _MAX_SIDE, "maxHeight": _MAX_SIDE}
        await self._tab.session.send("Page.startScreencast", format="jpeg", quality=_QUALITY, **size)

    def _stop(self) -> None:
        self._unsubscribe()
        self._latest = None
        self._tab.session.post("Page.stopScreencast")

    async def next_frame(self, number: int) -> ScreencastFrame:
        """Wait for an image newer than the one with that number; 0 for any."""
        await self._new_frame.until(lambda: self._latest is not None and self._latest.number > number)
        assert self._latest is not None
        return self._latest

    def _on_frame(self, params: Params) -> None:
        # Chrome sends the next image only after this.
        self._tab.session.post("Page.screencastFrameAck", sessionId=params["sessionId"])
        metadata = params["metadata"]
        number = self._latest.number + 1 if self._latest else 1
        self._latest = ScreencastFrame(
            number, params["data"], metadata["deviceWidth"], metadata["deviceHeight"]
        )
        self._new_frame.fire()
