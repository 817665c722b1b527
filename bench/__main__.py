"""`make bench`: runs both peers in turns and prints what came out."""

import argparse
import json
import sys
from contextlib import AsyncExitStack
from importlib.metadata import version
from pathlib import Path

import anyio

from bench.growth import growth
from bench.measure import Cell
from bench.operations import launch_cell, opened_cells, page_cells
from bench.pages import PAGES
from bench.peer import Page, Peer
from bench.playwright_peer import Playwright
from bench.report import Report
from bench.server import serving
from bench.tabwright_peer import Tabwright
from tabwright.browser.discover import find_browser


def main() -> None:
    """Read the arguments, run, print."""
    parser = argparse.ArgumentParser(prog="bench", description="Tabwright beside Playwright, in one run.")
    parser.add_argument("--json", type=Path, help="write the figures to this file too")
    parser.add_argument("--pages", nargs="*", default=[*PAGES], choices=[*PAGES], help="only these pages")
    parser.add_argument("--no-growth", action="store_true", help="leave out larger and larger pages")
    parser.add_argument("--no-launch", action="store_true", help="leave out launching and contexts")
    args = parser.parse_args()
    report = anyio.run(run, args)
    print(report)
    if args.json:
        args.json.write_text(json.dumps(report.json(), indent=1))


async def run(args: argparse.Namespace) -> Report:
    """Measure everything that was asked for."""
    program = find_browser()
    ours, theirs = Tabwright(program), Playwright(program)
    peers: dict[str, Peer] = {ours.name: ours, theirs.name: theirs}
    cells: list[Cell] = []
    async with AsyncExitStack() as stack:
        site = stack.enter_context(serving())
        if not args.no_launch:
            _say("launch")
            cells.append(await launch_cell(peers))
        browsers = {name: await stack.enter_async_context(peer.launch()) for name, peer in peers.items()}
        pages = {name: opened.page for name, opened in browsers.items()}
        if not args.no_launch:
            cells += [cell async for cell in opened_cells(browsers)]
        sizes = await _measure_pages(pages, site, args.pages, cells)
        _say("growth")
        steps = [] if args.no_growth else [step async for step in growth(pages, site)]
        about = await browsers[ours.name].page.evaluate("navigator.userAgent.match(/Chrome.[\\d.]+/)[0]")
    versions = {name: version(name) for name in peers}
    return Report(about, versions, sizes, cells, steps, ours.name, theirs.name)


async def _measure_pages(
    pages: dict[str, Page], site: str, names: list[str], cells: list[Cell]
) -> dict[str, int]:
    """Add the pages' cells; return how many elements the main document of each page has."""
    sizes = {}
    for name in names:
        _say(name)
        cells += [cell async for cell in page_cells(pages, name, f"{site}/{name}")]
        sizes[name] = await next(iter(pages.values())).evaluate("document.querySelectorAll('*').length")
    return sizes


def _say(stage: str) -> None:
    """The table is the output; what is going on is told beside it."""
    print(f"bench: {stage}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
