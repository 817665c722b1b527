"""What a hub and its browser take, read from /proc; and whether that grows."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

_MEGABYTE = 1024 * 1024
# Calls after which all that is kept has been filled once: every kind of page in every session, and pictures.
WARM = 1_000


@dataclass(frozen=True)
class Figures:
    """One moment."""

    seconds: float
    calls: int
    errors: int
    hub_mb: float
    files: int
    sockets: int
    threads: int
    processes: int
    chrome_mb: float
    folders: int

    def __str__(self) -> str:
        return (
            f"{self.seconds:6.0f} s  {self.calls:7d} calls  {self.errors:4d} errors"
            f"   hub {self.hub_mb:6.1f} MB  {self.files:4d} files"
            f"  {self.sockets:4d} sockets  {self.threads:3d} threads"
            f"   Chrome {self.processes:3d} processes  {self.chrome_mb:7.1f} MB   {self.folders} folders"
        )


class Bound(NamedTuple):
    """How much a figure may grow: a part of what it is, and at least so much."""

    part: float
    least: float


BOUNDS = {
    "hub_mb": Bound(0.05, 10),
    "files": Bound(0.10, 10),
    "sockets": Bound(0.10, 10),
    "threads": Bound(0.10, 3),
    "processes": Bound(0.10, 3),
    "chrome_mb": Bound(0.10, 100),
    "folders": Bound(0.0, 0),
}


def taken(hub: int, *, seconds: float, calls: int, errors: int, temporary: Path) -> Figures:
    """Look at the hub's process and at all that descend from it."""
    links = list(_links(hub))
    browsers = list(_descendants(hub))
    return Figures(
        seconds=seconds,
        calls=calls,
        errors=errors,
        hub_mb=_own_mb(hub),
        files=len(links),
        sockets=sum(link.startswith("socket:") for link in links),
        threads=len(list(Path(f"/proc/{hub}/task").iterdir())),
        processes=len(browsers),
        chrome_mb=sum(map(_own_mb, browsers)),
        folders=len(list(temporary.iterdir())),
    )


def growth(course: list[Figures]) -> dict[str, tuple[float, float]]:
    """Return how much each figure grew in the last two thirds, once warm, and how much it may grow.

    What is compared is the least that a figure falls back to in the first and in the last third of that time:
    work in hand comes and goes, what leaks stays. Empty when not as many calls again have followed: then
    nothing can be told.
    """
    steady = [moment for moment in course[len(course) // 3 :] if moment.calls >= WARM]
    if not steady or steady[-1].calls - steady[0].calls < WARM:
        return {}
    third = len(steady) // 3
    grown = {}
    for name, bound in BOUNDS.items():
        values = [float(getattr(moment, name)) for moment in steady]
        most = max(bound.least, bound.part * sum(values) / len(values))
        grown[name] = min(values[-third:]) - min(values[:third]), most
    return grown


def _own_mb(pid: int) -> float:
    """Memory that a process shares with nobody: shared libraries would be counted many times."""
    try:
        _, resident, shared, *_ = map(int, Path(f"/proc/{pid}/statm").read_text().split())
    except OSError:
        return 0.0
    return (resident - shared) * os.sysconf("SC_PAGE_SIZE") / _MEGABYTE


def _links(pid: int) -> Iterator[str]:
    for link in Path(f"/proc/{pid}/fd").iterdir():
        try:
            yield str(link.readlink())
        except OSError:
            continue


def _descendants(pid: int) -> Iterator[int]:
    """All processes below one, the ends of others not counted."""
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        children = [int(child) for task in tasks for child in (task / "children").read_text().split()]
    except OSError:
        return
    for child in children:
        yield child
        yield from _descendants(child)
