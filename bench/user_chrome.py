"""The user's-Chrome part: calls through the extension, in turns with the same calls in a launched Chrome."""

import os
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.measure import Cell, Clock, interleave, p50, p95, time_call
from bench.pages import PUT
from bench.progress import report_progress
from bench.server import serve_pages
from bench.table import align_columns
from tabwright.app import running
from tabwright.call import Answer, Call
from tabwright.policy.callers.principal import Principal
from tabwright.settings import SecuritySettings, Settings
from tests.extension.linked import run_linked_hub
from tests.extension.person import launch_user_chrome

USER, LAUNCHED = "user's Chrome", "launched Chrome"
_REPEAT = 30
_SECONDS = 8

Do = Callable[..., Awaitable[Answer]]

# Each is a whole call through the runner, with its checks and its effect report.
_CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "read a text": ("get_text", {"target": "#basket"}),
    "snapshot": ("snapshot", {}),
    "click, page changes": ("click", {"target": f"text={PUT}"}),
    "fill": ("fill", {"target": "#field", "value": "Leave it at the door."}),
    "screenshot": ("screenshot", {}),
}


@dataclass(frozen=True)
class Report:
    """The times of each call in both Chromes."""

    cells: list[Cell]
    busy: float  # load per core before the run

    def __str__(self) -> str:
        rows = [["in the user's Chrome, ms", f"{USER} p50", "p95", f"{LAUNCHED} p50", "p95", "x"]]
        rows += [
            [cell.operation, *_times(cell, USER), *_times(cell, LAUNCHED), _ratio(cell)]
            for cell in self.cells
        ]
        return "\n".join(align_columns(rows))

    def json(self) -> dict[str, Any]:
        """Medians in seconds, and their ratio."""
        return {
            "busy": self.busy,
            "rows": [
                {
                    "name": cell.operation,
                    "user": p50(cell.samples[USER]),
                    "launched": p50(cell.samples[LAUNCHED]),
                    "ratio": cell.ratio(USER, LAUNCHED),
                }
                for cell in self.cells
            ],
        }


async def run() -> Report:
    """Measure every call in both Chromes in turns."""
    busy = os.getloadavg()[0] / (os.cpu_count() or 1)
    with serve_pages() as site, TemporaryDirectory() as folder:
        url = f"{site}/basket"
        async with _in_user_chrome(Path(folder), url) as user, _in_launched_chrome(url) as launched:
            cells = [await _measure(name, {USER: user, LAUNCHED: launched}) for name in _CALLS]
    return Report(cells, busy)


async def _measure(name: str, chromes: Mapping[str, Do]) -> Cell:
    report_progress(f"user's Chrome: {name}")
    action, args = _CALLS[name]
    clocks = {chrome: _clock(do, action, args) for chrome, do in chromes.items()}
    return Cell(name, "-", await interleave(clocks, repeat=_REPEAT, seconds=_SECONDS))


def _clock(do: Do, action: str, args: dict[str, Any]) -> Clock:
    return time_call(lambda: do(action, **args))


@asynccontextmanager
async def _in_user_chrome(folder: Path, url: str) -> AsyncIterator[Do]:
    async with launch_user_chrome() as person, run_linked_hub(person, folder) as hub:
        await hub.share(person, url)
        await hub.do("connect_browser")
        yield hub.do


@asynccontextmanager
async def _in_launched_chrome(url: str) -> AsyncIterator[Do]:
    # The extension needs a whole Chrome, so the other one is not the headless shell either.
    settings = Settings(security=SecuritySettings(block_eval=False), headless_shell=False)
    async with running(settings) as runner:

        async def do(action: str, **args: Any) -> Answer:
            return await runner.run(Call(action=action, args=args, principal=Principal("local:bench")))

        await do("navigate", url=url)
        yield do


def _times(cell: Cell, chrome: str) -> tuple[str, str]:
    samples = cell.samples[chrome]
    return f"{1000 * p50(samples):.1f}", f"{1000 * p95(samples):.1f}"


def _ratio(cell: Cell) -> str:
    return f"{cell.ratio(USER, LAUNCHED):.2f}"
