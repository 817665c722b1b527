"""The memory watch: a page whose process takes too much of the computer's memory is ended.

Chrome itself bounds only what scripts keep in their heap; documents, buffers and pictures are beyond that.
"""

import logging
import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import anyio

from tabwright.cdp import CdpError
from tabwright.errors import PageFailed, TabwrightError

if TYPE_CHECKING:
    from tabwright.browser.browser import Browser

log = logging.getLogger(__name__)

_EVERY = 2.0
# Within which Chrome tells that a process that was ended is gone, and then all pages of it are told.
_NEWS = 10.0
_ALL_PAGES = 0.05


class MemoryWatch:
    """Looks now and then at what the pages of our own browser take; without /proc, it sees nothing."""

    def __init__(self, browser: "Browser", most_bytes: int) -> None:
        self._browser = browser
        self._most_bytes = most_bytes
        self._ended = -_NEWS
        self._untold = 0
        self._telling = -_ALL_PAGES

    async def run(self) -> None:
        """Watch for as long as the browser runs."""
        while _own_bytes(os.getpid()):
            await anyio.sleep(_EVERY)
            if any(context.tabs for context in self._browser.contexts):
                with suppress(TabwrightError, CdpError):
                    await self._look()

    def verdict(self, url: str) -> PageFailed | None:
        """Say why a page crashed a moment ago, if it was us."""
        now = anyio.current_time()
        if now - self._telling > _ALL_PAGES:
            if not self._untold or now - self._ended > _NEWS:
                return None
            self._untold -= 1
            self._telling = now
        most = self._most_bytes // (1024 * 1024)
        return PageFailed(
            f"The page {url} took more than {most} MB of memory; its process was ended.",
            hint="Navigate elsewhere, or raise maxPageMb.",
        )

    async def _look(self) -> None:
        processes = await self._browser.root.send("SystemInfo.getProcessInfo")
        for process in processes["processInfo"]:
            if process["type"] == "renderer" and _own_bytes(process["id"]) > self._most_bytes:
                log.warning("process %d takes too much memory and is ended", process["id"])
                self._end(process["id"])

    def _end(self, pid: int) -> None:
        if anyio.current_time() - self._ended > _NEWS:
            self._untold = 0  # of those before, nothing was told: they held no page
        self._ended = anyio.current_time()
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
            self._untold += 1


def _own_bytes(pid: int) -> int:
    """Memory that a process shares with nobody."""
    try:
        _, resident, shared, *_ = map(int, Path(f"/proc/{pid}/statm").read_text().split())
    except OSError:
        return 0  # it ended while we looked
    return (resident - shared) * os.sysconf("SC_PAGE_SIZE")
