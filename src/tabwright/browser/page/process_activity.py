"""How much the processes of a browser have worked: two readings show whether they were busy in between."""

import asyncio
from pathlib import Path
from typing import NamedTuple

from tabwright.cdp import CdpError, CdpSession

# Processor seconds that idle pages use between two readings.
_IDLE_SECONDS = 0.015
# Fields of /proc/<pid>/stat after the process name: the state of the main thread, and major page faults.
_STATE, _MAJOR_FAULTS = 0, 9


class Activity(NamedTuple):
    """Processor seconds that pages used, and how often processes had to wait for the disk.

    `ready`: a page is about to compute; on a busy computer it may get no processor between two readings.
    """

    seconds: float
    disk_waits: int
    ready: bool = False

    def is_busy_since(self, earlier: "Activity") -> bool:
        """Whether a page computed, or a process was still being read from disk, since an earlier reading."""
        computed = self.seconds - earlier.seconds >= _IDLE_SECONDS
        return computed or self.ready or self.disk_waits > earlier.disk_waits


async def read_activity(root: CdpSession, page: int | None = None) -> Activity:
    """Read the activity of a page's process and of those that all pages need; of all, if it is not known."""
    try:
        processes = (await root.send("SystemInfo.getProcessInfo"))["processInfo"]
    except CdpError:
        # The extension's relay does not have it: a value that always grows counts as busy.
        return Activity(asyncio.get_running_loop().time(), 0)
    pages = {process["id"]: process["cpuTime"] for process in processes if process["type"] == "renderer"}
    others = pages.keys() - {page} if page in pages else set()
    seconds = sum(seconds for pid, seconds in pages.items() if pid not in others)
    stats = {one["id"]: _stat(one["id"]) for one in processes if one["id"] not in others}
    ready = any(stats[pid][_STATE] == "R" for pid in pages.keys() - others)
    return Activity(seconds, sum(int(stat[_MAJOR_FAULTS]) for stat in stats.values()), ready)


def _stat(pid: int) -> list[str]:
    """Return what Linux counts of a process; zeros without /proc (macOS)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ["0"] * (_MAJOR_FAULTS + 1)
