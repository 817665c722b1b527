"""The resources of a hub and its browser, read from /proc, and whether they grow."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

_MEGABYTE = 1024 * 1024
# Calls after which all caches are full: every kind of page in every session, and screenshots.
WARM = 1_000


@dataclass(frozen=True)
class Figures:
    """The figures of one moment."""

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
    """How much a figure may grow: a share of its value, and at least an absolute amount."""

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


def read_figures(hub: int, *, seconds: float, calls: int, errors: int, temporary: Path) -> Figures:
    """Read the hub's process and all its descendants."""
    links = list(_links(hub))
    browsers = list(_descendants(hub))
    return Figures(
        seconds=seconds,
        calls=calls,
        errors=errors,
        hub_mb=_private_mb(hub),
        files=len(links),
        sockets=sum(link.startswith("socket:") for link in links),
        threads=len(list(Path(f"/proc/{hub}/task").iterdir())),
        processes=len(browsers),
        chrome_mb=sum(map(_private_mb, browsers)),
        folders=len(list(temporary.iterdir())),
    )


def growth(course: list[Figures]) -> dict[str, tuple[float, float]]:
    """Return how much each figure grew in the last two thirds, once warm, and how much it may grow.

    Compared are the minima of the first and of the last third of that time: pending work comes and goes, but
    a leak stays. Empty if fewer than `WARM` calls followed the warm-up: then nothing can be concluded.
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


def _private_mb(pid: int) -> float:
    """Return the memory that a process shares with no other: shared libraries would be counted many times."""
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
    """Yield all descendants of a process."""
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        children = [int(child) for task in tasks for child in (task / "children").read_text().split()]
    except OSError:
        return
    for child in children:
        yield child
        yield from _descendants(child)
