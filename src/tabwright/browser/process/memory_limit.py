"""The memory limit of pages: a page whose process uses too much memory is killed.

Chrome itself limits only the script heap; documents, buffers and images are not counted there. The memory is
read from /proc, so the limit has no effect on macOS.
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

_CHECK_INTERVAL = 2.0
# Chrome reports the crash of a killed process within the first, and that of all its pages within the second.
_CRASH_REPORT_TIMEOUT = 10.0
_SAME_PROCESS_WINDOW = 0.05


class MemoryLimit:
    """Checks the memory of the pages of a browser that we launched, every few seconds."""

    def __init__(self, browser: "Browser", max_bytes: int) -> None:
        self._browser = browser
        self._max_bytes = max_bytes
        self._killed_at = -_CRASH_REPORT_TIMEOUT
        self._unreported = 0
        self._reported_at = -_SAME_PROCESS_WINDOW

    async def run(self) -> None:
        """Check for as long as the browser runs; return at once where there is no /proc."""
        while _private_bytes(os.getpid()):
            await anyio.sleep(_CHECK_INTERVAL)
            if any(context.tabs for context in self._browser.contexts):
                with suppress(TabwrightError, CdpError):
                    await self._check()

    def explain_crash(self, url: str) -> PageFailed | None:
        """Return the error for a page that has just crashed, if we killed it; else None."""
        now = anyio.current_time()
        if now - self._reported_at > _SAME_PROCESS_WINDOW:
            if not self._unreported or now - self._killed_at > _CRASH_REPORT_TIMEOUT:
                return None
            self._unreported -= 1
            self._reported_at = now
        limit = self._max_bytes // (1024 * 1024)
        return PageFailed(
            f"The page {url} used more than {limit} MB of memory, so its process was killed.",
            hint="Navigate elsewhere, or raise the setting max_page_mb.",
        )

    async def _check(self) -> None:
        processes = await self._browser.root.send("SystemInfo.getProcessInfo")
        for process in processes["processInfo"]:
            if process["type"] == "renderer" and _private_bytes(process["id"]) > self._max_bytes:
                log.warning("process %d uses too much memory and is killed", process["id"])
                self._kill(process["id"])

    def _kill(self, pid: int) -> None:
        if anyio.current_time() - self._killed_at > _CRASH_REPORT_TIMEOUT:
            self._unreported = 0  # processes killed before had no page, so nothing was reported
        self._killed_at = anyio.current_time()
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
            self._unreported += 1


def _private_bytes(pid: int) -> int:
    """Return the memory that a process shares with no other; 0 if it has exited or there is no /proc."""
    try:
        _, resident, shared, *_ = map(int, Path(f"/proc/{pid}/statm").read_text().split())
    except OSError:
        return 0
    return (resident - shared) * os.sysconf("SC_PAGE_SIZE")
