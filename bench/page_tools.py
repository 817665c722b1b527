"""The page-tools part: how well the tools found on the corpus match the expected ones, and how fast."""

import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from bench.measure import p50, p95
from bench.progress import report_progress
from bench.table import align_columns
from tabwright.actions import CATALOG
from tabwright.artifacts import Artifacts
from tabwright.browser.supervisor import BrowserSupervisor
from tabwright.call import Answer, Call
from tabwright.errors import TabwrightError
from tabwright.policy.callers.principal import Principal
from tabwright.runner import Runner
from tabwright.sessions.registry import Sessions
from tests.calls import Do
from tests.page_tools.corpus import NAMES, load, mount
from tests.page_tools.corpus_page import CorpusPage
from tests.page_tools.scoring import Count, Score, score
from tests.web import Web, serve_web

_ROUNDS = 5
_SHARE = 0.95
_SECONDS = 0.05
_BUSY = 0.3


@dataclass(frozen=True)
class Report:
    """How well the lists match the corpus, and how long each took, page by page."""

    score: Score
    samples: dict[str, list[float]]
    failures: dict[str, str]
    busy: float  # load per core before the run

    def __str__(self) -> str:
        return "\n\n".join("\n".join(part) for part in (self._head(), self._shares(), self._times()))

    def json(self) -> dict[str, Any]:
        """Every figure of the tables, in seconds."""
        return {
            "busy": self.busy,
            "shares": {what: [count.precision, count.recall] for what, count in self._counts()},
            "p50": p50(self._all()),
            "p95": p95(self._all()),
            "pages": {name: p50(samples) for name, samples in self.samples.items()},
            "faults": self.score.faults,
        }

    def _head(self) -> list[str]:
        lines = [f"Page tools on {len(NAMES)} pages, compared with a list made by hand."]
        if self.busy > _BUSY:
            lines.append(f"The computer was busy before the run ({self.busy:.1f} per core): times are rough.")
        return [*lines, *(f"{name} could not be listed: {why}" for name, why in self.failures.items())]

    def _shares(self) -> list[str]:
        rows = [["", "precision", "recall", "right", "expected", "offered", "aim", ""]]
        for what, count in self._counts():
            met = min(count.precision, count.recall) >= _SHARE
            figures = [f"{count.precision:.3f}", f"{count.recall:.3f}"]
            numbers = [str(count.right), str(count.expected), str(count.offered)]
            rows.append([what, *figures, *numbers, f"{_SHARE:.2f}", "met" if met else "missed"])
        return list(align_columns(rows))

    def _times(self) -> list[str]:
        slowest = max(self.samples, key=lambda name: p50(self.samples[name]))
        met = p95(self._all()) <= _SECONDS
        rows = [
            ["list_page_tools, ms", "p50", "p95", "slowest page", "aim of p95", ""],
            [
                "first list of a page",
                _ms(p50(self._all())),
                _ms(p95(self._all())),
                f"{_ms(p50(self.samples[slowest]))} {slowest}",
                _ms(_SECONDS),
                "met" if met else "missed",
            ],
        ]
        return list(align_columns(rows))

    def _counts(self) -> Iterator[tuple[str, Count]]:
        yield "tools", self.score.tools
        yield "parameters", self.score.parameters
        yield "types", self.score.types

    def _all(self) -> list[float]:
        return [sample for samples in self.samples.values() for sample in samples]


async def run() -> Report:
    """Score every state of every page once, and time the first list after several loads."""
    busy = os.getloadavg()[0] / (os.cpu_count() or 1)
    report = Report(Score(), {}, {}, busy)
    async with serve_web() as web, _runner() as do:
        for name in NAMES:
            report_progress(name)
            try:
                await _measure(do, web, name, report)
            except TabwrightError as failure:
                report.failures[name] = str(failure)
                report.score.add(score(load(name).states[0], []))
    return report


async def _measure(do: Do, web: Web, name: str, report: Report) -> None:
    page, found = load(name), Score()
    corpus_page = CorpusPage(do, page, mount(web, name))
    for state in page.states:
        try:
            await corpus_page.reach(state)
        except AssertionError:  # the tool that leads there is missing, which its own state counts
            continue
        found.add(score(state, await corpus_page.list_tools()))
    report.samples[name] = [await _time_list(do, mount(web, name)) for _ in range(_ROUNDS)]
    found.faults = [f"{name}: {fault}" for fault in found.faults]
    report.score.add(found)


async def _time_list(do: Do, url: str) -> float:
    await do("navigate", url=url)
    begin = perf_counter()
    await do("list_page_tools")
    return perf_counter() - begin


@asynccontextmanager
async def _runner() -> AsyncIterator[Do]:
    async with BrowserSupervisor.open() as supervisor, Sessions.open(supervisor) as sessions:
        runner = Runner(CATALOG, sessions, Artifacts())

        async def do(action: str, **args: Any) -> Answer:
            return await runner.run(Call(action=action, args=args, principal=Principal("local:bench")))

        yield do
        for session in sessions:
            await session.close()


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:.1f}"
