"""How much the processes of a browser have worked: two readings show whether they were busy in between."""

import asyncio
from pathlib import Path
from typing import NamedTuple

from tabwright.cdp import CdpError, CdpSession

# Processor seconds that idle pages use between two readings.
_IDLE_SECONDS = 0.015
# The field of /proc/<pid>/stat that counts major page faults, after the process name.
_MAJOR_FAULTS = 9


class Activity(NamedTuple):
    """Processor seconds that pages used, and how often processes had to wait for the disk."""

    seconds: float
    disk_waits: int

    def is_busy_since(self, earlier: "Activity") -> bool:
        """Whether a page computed, or a process was still being read from disk, since an earlier reading."""
        return self.seconds - earlier.seconds >= _IDLE_SECONDS or self.disk_waits > earlier.disk_waits


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
    return Activity(seconds, sum(_disk_waits(one["id"]) for one in processes if one["id"] not in others))


def _disk_waits(pid: int) -> int:
    """Return how often a process waited for a part of itself from disk; always 0 without /proc (macOS)."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0
    return int(stat.rpartition(")")[2].split()[_MAJOR_FAULTS])
