"""The processes of one server, found by a marker in their environment."""

import signal
from collections.abc import Iterator
from typing import NamedTuple

import anyio
import psutil

MARK = "TABWRIGHT_BENCH_MARK"
_TERM_TIMEOUT = 10.0
_POLL_INTERVAL = 0.01


class Process(NamedTuple):
    """One process at one moment."""

    handle: psutil.Process
    parent: int
    command: str
    resident: int  # bytes
    cpu: float  # seconds, including reaped children


def memory(mark: str) -> int:
    """Return the resident bytes of all marked processes except the browser's."""
    return sum(process.resident for process in _without_browser(mark))


def cpu(mark: str) -> float:
    """Return the CPU seconds of all marked processes except the browser's."""
    return sum(process.cpu for process in _without_browser(mark))


async def end(mark: str) -> None:
    """Stop all marked processes: with SIGTERM, and after a while with SIGKILL."""
    with anyio.move_on_after(_TERM_TIMEOUT):
        await _end(list(_without_browser(mark)), signal.SIGTERM)
    await _end(list(_marked(mark)), signal.SIGKILL)


async def _end(processes: list[Process], by: signal.Signals) -> None:
    for handle, *_ in processes:
        try:
            handle.send_signal(by)
            # psutil's own wait() would reap a child and take its exit status away from asyncio.
            while handle.is_running() and handle.status() != psutil.STATUS_ZOMBIE:  # noqa: ASYNC110 - nothing portable signals it
                await anyio.sleep(_POLL_INTERVAL)
        except psutil.NoSuchProcess:
            continue  # it exited meanwhile


def _without_browser(mark: str) -> Iterator[Process]:
    """Leave out every process started with a debugging port or pipe, and its descendants."""
    marked = {process.handle.pid: process for process in _marked(mark)}

    def browses(process: Process | None) -> bool:
        return process is not None and (
            "--remote-debugging-p" in process.command or browses(marked.get(process.parent))
        )

    return (process for process in marked.values() if not browses(process))


def _marked(mark: str) -> Iterator[Process]:
    for handle in psutil.process_iter():
        try:
            if handle.environ().get(MARK) == mark:
                yield _read(handle)
        except (psutil.Error, OSError):
            continue  # it exited meanwhile, or belongs to another user


def _read(handle: psutil.Process) -> Process:
    with handle.oneshot():
        used = handle.cpu_times()
        return Process(
            handle,
            handle.ppid(),
            "\0".join(handle.cmdline()),
            handle.memory_info().rss,
            used.user + used.system + used.children_user + used.children_system,
        )
