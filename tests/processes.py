"""Ends of processes, and what is left of a browser: its process group, seen through /proc."""

import os
import signal
from pathlib import Path

import anyio


def members(group: int) -> list[int]:
    """The processes of a group that still run."""
    return [int(folder.name) for folder in Path("/proc").iterdir() if _runs_in(folder, group)]


async def ended(pid: int, how: signal.Signals) -> None:
    """End a process and wait until it is gone."""
    handle = os.pidfd_open(pid)
    os.kill(pid, how)
    with anyio.fail_after(20):
        await anyio.wait_readable(handle)
    os.close(handle)


async def all_gone(group: int) -> None:
    """Return once no process of the group runs."""
    with anyio.fail_after(60):
        while running := members(group):
            await _ended(running[0])


def _runs_in(folder: Path, group: int) -> bool:
    if not folder.name.isdigit():
        return False
    try:
        state, _, its_group, *_ = (folder / "stat").read_text().rpartition(") ")[2].split()
    except OSError:
        return False  # it ended while we looked
    return int(its_group) == group and state != "Z"


async def _ended(pid: int) -> None:
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        await anyio.wait_readable(handle)
    finally:
        os.close(handle)
