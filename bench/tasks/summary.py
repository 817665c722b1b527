"""The figures of all episodes: one line for each task, and one for each server."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from statistics import mean

from bench.table import align_columns
from bench.tasks.run import Episode

_HEAD = ["", "reached", "calls", "tokens", "first snapshot", "snapshots after an action"]


def print_summary(episodes: Sequence[Episode]) -> None:
    """Print the tables, and every failure."""
    for server, own in groupby(episodes, lambda each: each.server):
        all_own = list(own)
        rows = [[server, *_HEAD[1:]]]
        for task, each in groupby(all_own, lambda each: each.task):
            rows.append([task, *_figures(list(each))])
        rows.append(["all", *_figures(all_own)])
        print("\n".join(align_columns(rows)), end="\n\n")
        for failed in all_own:
            if not failed.reached:
                print(f"  failed: {failed.title}")


def _figures(episodes: Sequence[Episode]) -> list[str]:
    reached = sum(each.reached for each in episodes)
    return [
        f"{reached}/{len(episodes)}",
        *(f"{_mean(values):.2f}" for values in ((each.calls for each in episodes),)),
        *(f"{_mean(values):.0f}" for values in ((e.tokens for e in episodes), (e.first for e in episodes))),
        f"{_mean(each.looks_after for each in episodes):.2f}",
    ]


def _mean(values: Iterable[float]) -> float:
    return mean(values)
