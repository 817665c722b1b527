"""The processes of one server, wherever they went: each carries a mark in its environment."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import anyio

MARK = "TABWRIGHT_BENCH_MARK"
_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICKS = os.sysconf("SC_CLK_TCK")
_PATIENCE = 10.0


class Process(NamedTuple):
    """What /proc says of one process."""

    pid: int
    parent: int
    command: bytes
    resident: int  # bytes
    cpu: float  # seconds, with those of children that ended


def memory(mark: str) -> int:
    """Return the resident bytes of all marked processes but the browser's."""
    return sum(process.resident for process in _without_browser(mark))


def cpu(mark: str) -> float:
    """Return the seconds that all marked processes but the browser's were computing."""
    return sum(process.cpu for process in _without_browser(mark))


async def end(mark: str) -> None:
    """End all marked processes: in order as long as they do it in time, then by force."""
    with anyio.move_on_after(_PATIENCE):
        await _end(list(_without_browser(mark)), signal.SIGTERM)
    await _end(list(_marked(mark)), signal.SIGKILL)


async def _end(processes: list[Process], by: signal.Signals) -> None:
    for process in processes:
        try:
            handle = os.pidfd_open(process.pid)
        except ProcessLookupError:
            continue
        try:
            signal.pidfd_send_signal(handle, by)
            await anyio.wait_readable(handle)
        except ProcessLookupError:
            pass  # it ended by itself meanwhile
        finally:
            os.close(handle)


def _without_browser(mark: str) -> Iterator[Process]:
    """Leave out whatever was told to open a debugging port or pipe, and all it started."""
    marked = {process.pid: process for process in _marked(mark)}

    def browses(process: Process | None) -> bool:
        return process is not None and (
            b"--remote-debugging-p" in process.command or browses(marked.get(process.parent))
        )

    return (process for process in marked.values() if not browses(process))


def _marked(mark: str) -> Iterator[Process]:
    wanted = f"{MARK}={mark}".encode()
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            if wanted in (folder / "environ").read_bytes().split(b"\0"):
                yield _read(folder)
        except OSError:
            continue  # it ended while we looked, or is somebody else's


def _read(folder: Path) -> Process:
    _, parent, *fields = (folder / "stat").read_text().rpartition(") ")[2].split()
    computing = sum(int(ticks) for ticks in fields[9:13]) / _TICKS
    resident = int((folder / "statm").read_text().split()[1]) * _PAGE
    return Process(int(folder.name), int(parent), (folder / "cmdline").read_bytes(), resident, computing)
