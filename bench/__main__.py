"""`make bench`: runs the parts and prints the results of each as soon as it is done."""

import argparse
import json
import signal
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import anyio

from bench import engine, page_tools, user_chrome
from bench.mcp import run as mcp
from bench.pages import PAGES
from bench.results.files import write
from bench.results.machine import machine

_NODE_MODULES = Path(".stamps/peers/node_modules")


class Report(Protocol):
    """The results of one part: tables to print, figures for a file."""

    def __str__(self) -> str: ...

    def json(self) -> dict[str, Any]: ...


def main() -> None:
    """Read the arguments, run, print."""
    args = _arguments()
    # However we are stopped, everything that we started must stop too. SIGINT unwinds everything, but a shell
    # starts background jobs with SIGINT ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    figures = {}
    try:
        for name, run in _parts(args):
            report = run()
            print(f"{report}\n", flush=True)
            figures[name] = report.json()
    except KeyboardInterrupt:
        sys.exit(130)
    if args.json:
        args.json.write_text(json.dumps(figures, indent=1))
    if _is_complete(args):
        write({"date": f"{datetime.now(UTC):%Y-%m-%d}", "machine": machine(), **figures})
        print(
            "Written: bench/RESULTS.md, bench/snapshots.svg, bench/results.json and the table of README.md."
        )


def _is_complete(args: argparse.Namespace) -> bool:
    """Whether everything was measured, so that the results can be published."""
    return not (args.only or args.pages or args.no_growth or args.no_launch)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench", description="Compare Tabwright with its peers in one run.")
    parser.add_argument("--json", type=Path, help="write the figures to this file too")
    parser.add_argument(
        "--only", choices=["engine", "mcp", "page_tools", "user_chrome"], help="only this part"
    )
    parser.add_argument("--pages", nargs="*", choices=[*PAGES], help="only these pages")
    group = parser.add_argument_group("engine", "compared with Playwright for Python")
    group.add_argument("--no-growth", action="store_true", help="leave out larger and larger pages")
    group.add_argument("--no-launch", action="store_true", help="leave out launching and contexts")
    group = parser.add_argument_group("mcp", "compared with other MCP servers")
    group.add_argument("--rounds", type=int, default=3, help="rounds of each server; fast calls get more")
    group.add_argument(
        "--node-modules", type=Path, default=_NODE_MODULES, help="where npm installed the servers"
    )
    return parser.parse_args()


def _parts(args: argparse.Namespace) -> Iterator[tuple[str, Callable[[], Report]]]:
    if args.only in {None, "engine"}:
        run = partial(engine.run, launch=not args.no_launch, grow=not args.no_growth)
        yield "engine", lambda: anyio.run(run, args.pages or [*PAGES])
    if args.only in {None, "page_tools"}:
        yield "page_tools", lambda: anyio.run(page_tools.run)
    if args.only in {None, "user_chrome"}:
        yield "user_chrome", lambda: anyio.run(user_chrome.run)
    if args.only in {None, "mcp"}:
        modules = args.node_modules.absolute()
        yield "mcp", lambda: anyio.run(mcp.run, args.pages or [*mcp.PAGES], args.rounds, modules)


if __name__ == "__main__":
    main()
