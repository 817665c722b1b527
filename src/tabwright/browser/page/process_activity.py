"""What processes of a browser have done so far: who looks twice knows whether they were at work."""

import asyncio
from pathlib import Path
from typing import NamedTuple

from tabwright.cdp import CdpError, CdpSession

# Seconds of the processor that idle pages use between two looks.
_IDLE = 0.015
# Of the fields after the name in /proc/<pid>/stat.
_READ_FROM_DISK = 9


class Work(NamedTuple):
    """Seconds of the processor that pages used, and how often a process had to wait for the disk."""

    seconds: float
    disk_waits: int

    def since(self, earlier: "Work") -> bool:
        """Whether there was any: a page that computes, or a process whose program is still being read."""
        return self.seconds - earlier.seconds >= _IDLE or self.disk_waits > earlier.disk_waits


async def work_of(root: CdpSession, page: int | None = None) -> Work:
    """Look at the process of a page, and those that all pages need; at all, where the page's is not known."""
    try:
        processes = (await root.send("SystemInfo.getProcessInfo"))["processInfo"]
    except CdpError:
        return Work(asyncio.get_running_loop().time(), 0)  # a relay without it: take all to be at work
    pages = {process["id"]: process["cpuTime"] for process in processes if process["type"] == "renderer"}
    others = pages.keys() - {page} if page in pages else set()
    seconds = sum(seconds for pid, seconds in pages.items() if pid not in others)
    return Work(seconds, sum(_disk_waits(one["id"]) for one in processes if one["id"] not in others))


def _disk_waits(pid: int) -> int:
    """How often a process wanted a part of itself that was not in memory; 0 where nobody says."""
    try:
        told = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0
    return int(told.rpartition(")")[2].split()[_READ_FROM_DISK])
