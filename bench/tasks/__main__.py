"""Runs the oracles on every task, and prints for each server what was reached, and what it took."""

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import anyio

from bench.corpora.site import serve_folder
from bench.tasks.oracles import ORACLES
from bench.tasks.run import SERVERS, Episode, run_server
from bench.tasks.summary import print_summary

_PAGES = Path(__file__).parents[2] / ".stamps/tasks/miniwob/html"


def main() -> None:
    """Read the arguments, run, print."""
    parser = argparse.ArgumentParser(prog="bench.tasks", description=__doc__)
    parser.add_argument("--only", nargs="*", choices=[*ORACLES], help="only these tasks", metavar="TASK")
    parser.add_argument("--server", nargs="*", choices=[*SERVERS], default=["tabwright"], metavar="SERVER")
    parser.add_argument("--seeds", type=int, default=3, help="episodes of each task")
    parser.add_argument("--log", type=Path, help="write every call and answer to this file")
    parser.add_argument("--json", type=Path, help="write the figures of every episode to this file")
    args = parser.parse_args()
    if not _PAGES.is_dir():
        parser.error(f"{_PAGES} is missing: run `make tasks`.")
    seeds = [f"seed {number}" for number in range(1, args.seeds + 1)]
    episodes = anyio.run(_run, args.server, sorted(args.only or ORACLES), seeds)
    if args.log:
        args.log.write_text("\n".join(f"=== {each.title}\n{each.log}\n" for each in episodes))
    if args.json:
        figures = [
            {name: value for name, value in asdict(each).items() if name != "log"} for each in episodes
        ]
        args.json.write_text(json.dumps(figures, indent=1) + "\n")
    print_summary(episodes)


async def _run(servers: Sequence[str], tasks: Sequence[str], seeds: Sequence[str]) -> list[Episode]:
    episodes: list[Episode] = []
    with serve_folder(_PAGES, scripts=True) as site:
        for server in servers:
            episodes += await run_server(server, site, tasks, seeds)
    return episodes


if __name__ == "__main__":
    main()
