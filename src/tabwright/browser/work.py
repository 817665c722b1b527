"""What the processes of a browser have done so far: who looks twice knows whether they were at work."""

import asyncio
from pathlib import Path
from typing import NamedTuple

from tabwright.cdp import CdpError, CdpSession

# Seconds of the processor that idle pages use between two looks.
_IDLE = 0.015
# Of the fields after the name in /proc/<pid>/stat.
_READ_FROM_DISK = 9


class Work(NamedTuple):
    """Seconds of the processor that all pages used, and how often a process had to wait for the disk."""

    seconds: float
    disk_waits: int

    def since(self, earlier: "Work") -> bool:
        """Whether there was any: a page that computes, or a process whose program is still being read."""
        return self.seconds - earlier.seconds >= _IDLE or self.disk_waits > earlier.disk_waits


async def work_of(root: CdpSession) -> Work:
    """Look at all processes; Chrome does not say which of them is a tab's."""
    try:
        processes = (await root.send("SystemInfo.getProcessInfo"))["processInfo"]
    except CdpError:
        return Work(asyncio.get_running_loop().time(), 0)  # a relay without it: take all to be at work
    seconds = sum(process["cpuTime"] for process in processes if process["type"] == "renderer")
    return Work(seconds, sum(_disk_waits(process["id"]) for process in processes))


def _disk_waits(pid: int) -> int:
    """How often a process wanted a part of itself that was not in memory; 0 where nobody says."""
    try:
        told = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0
    return int(told.rpartition(")")[2].split()[_READ_FROM_DISK])
