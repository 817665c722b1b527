"""The engine part: runs Tabwright's engine and Playwright for Python in turns, in this process."""

import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from importlib.metadata import version

from bench.fidelity import fidelities
from bench.floor import MinimalTab
from bench.growth import Step, growth
from bench.measure import Cell
from bench.operations import browser_cells, launch_cell, page_cells
from bench.peer import Opened, Page, Peer
from bench.playwright_peer import Playwright
from bench.progress import report_progress
from bench.report import Report
from bench.server import serve_pages
from bench.tabwright_peer import Tabwright
from tabwright.browser.process.launch import LaunchOptions, choose_executable


async def run(pages: list[str], *, launch: bool, grow: bool) -> Report:
    """Measure everything that the arguments ask for."""
    busy = os.getloadavg()[0] / (os.cpu_count() or 1)
    browser = choose_executable(LaunchOptions())
    ours, theirs = Tabwright(browser), Playwright(browser)
    peers: dict[str, Peer] = {ours.name: ours, theirs.name: theirs}
    cells: list[Cell] = []
    async with AsyncExitStack() as stack:
        site = stack.enter_context(serve_pages())
        if launch:
            report_progress("launch")
            cells.append(await launch_cell(peers))
        browsers = {name: await stack.enter_async_context(peer.launch()) for name, peer in peers.items()}
        version_text = await browsers[ours.name].page.evaluate(
            "navigator.userAgent.match(/Chrome.[\\d.]+/)[0]"
        )
        if launch:
            cells += [cell async for cell in browser_cells(browsers)]
        bare = await stack.enter_async_context(MinimalTab.open(browser))
        all_pages = _Pages(browsers, bare, site, failures=(ours.failures, theirs.failures))
        sizes = await all_pages.measure(pages, cells)
        steps = await all_pages.grow() if grow else []
        report_progress("fidelity")
        fidelity = await fidelities(ours, site, sizes)
    versions = {name: version(name) for name in peers}
    return Report(version_text, versions, sizes, cells, steps, fidelity, busy, ours.name, theirs.name)


class _Pages:
    """Measures the pages, each in its own contexts; a page on which a peer fails is reported and left out."""

    def __init__(
        self,
        browsers: dict[str, Opened],
        bare: MinimalTab,
        site: str,
        *,
        failures: tuple[type[Exception], ...],
    ) -> None:
        self._browsers = browsers
        self._bare = bare
        self._site = site
        self._failures = failures

    async def measure(self, names: list[str], cells: list[Cell]) -> dict[str, int]:
        """Add the pages' cells; return how many elements the main document of each page has."""
        sizes = {}
        for name in names:
            report_progress(name)
            try:
                async with self._open() as pages:
                    url = f"{self._site}/{name}"
                    measured = [cell async for cell in page_cells(pages, self._bare, name, url)]
                    sizes[name] = await _elements(pages)
            except self._failures as failure:
                report_progress(f"{name} is left out: {failure}")
            else:
                cells += measured
        return sizes

    async def grow(self) -> list[Step]:
        """Measure larger and larger pages until one fails."""
        report_progress("growth")
        steps = []
        try:
            async with self._open() as pages:
                async for step in growth(pages, self._site):
                    steps.append(step)  # noqa: PERF401 - keeps the steps before a failure
        except self._failures as failure:
            report_progress(f"growth ends early: {failure}")
        return steps

    @asynccontextmanager
    async def _open(self) -> AsyncIterator[dict[str, Page]]:
        async with AsyncExitStack() as stack:
            yield {
                name: await stack.enter_async_context(opened.new_context())
                for name, opened in self._browsers.items()
            }


async def _elements(pages: dict[str, Page]) -> int:
    page = next(iter(pages.values()))
    return int(await page.evaluate("document.querySelectorAll('*').length"))
