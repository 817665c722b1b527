"""Processes that tests kill or wait for: the hub, the browser, and its process group.

Waiting means polling. Nothing portable waits for a process that is not a child, and reaping one that is would
take its exit status away from asyncio.
"""

import os
import signal
from collections.abc import Callable

import anyio
import psutil

_INTERVAL = 0.01


def members(group: int) -> list[int]:
    """Return the running processes of a process group."""
    return [pid for pid in psutil.pids() if _group(pid) == group and _runs(pid)]


def children(pid: int) -> list[int]:
    """Return the direct children of a process, zombies included."""
    return [child.pid for child in psutil.Process(pid).children()]


def resident_bytes(pid: int) -> int:
    """Return the resident memory of a process."""
    return int(psutil.Process(pid).memory_info().rss)


async def kill_and_wait(pid: int, how: signal.Signals) -> None:
    """Send a signal to a process and wait until it has exited."""
    process = psutil.Process(pid)
    process.send_signal(how)
    await wait_for_exit(process)


async def wait_for_exit(process: psutil.Process) -> None:
    """Return once the process has exited, whether or not its parent has reaped it."""
    await _poll(lambda: not is_running(process), timeout=20)


async def wait_for_group_exit(group: int) -> None:
    """Return once no process of the group runs."""
    await _poll(lambda: not members(group), timeout=60)


def is_running(process: psutil.Process) -> bool:
    """Whether the process runs; a zombie does not, and neither does another process with the same pid.

    A killed process whose main thread is a zombie still holds its sockets until its last thread has exited.
    """
    try:
        zombie = process.status() == psutil.STATUS_ZOMBIE and process.num_threads() <= 1
        return process.is_running() and not zombie
    except psutil.NoSuchProcess:
        return False


async def _poll(condition: Callable[[], bool], *, timeout: float) -> None:
    with anyio.fail_after(timeout):
        while not condition():  # noqa: ASYNC110 - see the top of the module
            await anyio.sleep(_INTERVAL)


def _group(pid: int) -> int | None:
    try:
        return os.getpgid(pid)
    except OSError:
        return None  # it exited meanwhile, or belongs to another user


def _runs(pid: int) -> bool:
    try:
        return is_running(psutil.Process(pid))
    except psutil.NoSuchProcess:
        return False
