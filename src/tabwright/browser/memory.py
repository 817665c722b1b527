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
# Within which the pages of a process that was ended are told to have crashed.
_NEWS = 10.0


class MemoryWatch:
    """Looks now and then at what the pages of our own browser take; without /proc, it sees nothing."""

    def __init__(self, browser: "Browser", most_bytes: int) -> None:
        self._browser = browser
        self._most_bytes = most_bytes
        self._ended = -_NEWS

    async def run(self) -> None:
        """Watch for as long as the browser runs."""
        while _own_bytes(os.getpid()):
            await anyio.sleep(_EVERY)
            if any(context.tabs for context in self._browser.contexts):
                with suppress(TabwrightError, CdpError):
                    await self._look()

    def verdict(self, url: str) -> PageFailed | None:
        """Say why a page crashed a moment ago, if it was us."""
        if anyio.current_time() - self._ended > _NEWS:
            return None
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
                self._ended = anyio.current_time()
                with suppress(ProcessLookupError):
                    os.kill(process["id"], signal.SIGKILL)


def _own_bytes(pid: int) -> int:
    """Memory that a process shares with nobody."""
    try:
        _, resident, shared, *_ = map(int, Path(f"/proc/{pid}/statm").read_text().split())
    except OSError:
        return 0  # it ended while we looked
    return (resident - shared) * os.sysconf("SC_PAGE_SIZE")
