"""Timing peers in turns, and statistics of the samples."""

import math
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from itertools import cycle, permutations
from statistics import geometric_mean, median, quantiles
from time import perf_counter

# A clock does its action once and returns the seconds it took.
Clock = Callable[[], Awaitable[float]]
Samples = dict[str, list[float]]


def time_call(action: Callable[[], Awaitable[object]]) -> Clock:
    """Time the whole call."""

    async def clock() -> float:
        begin = perf_counter()
        await action()
        return perf_counter() - begin

    return clock


def time_after(prepare: Callable[[], Awaitable[object]], action: Callable[[], Awaitable[object]]) -> Clock:
    """Time the call, but not its preparation."""
    timed = time_call(action)

    async def clock() -> float:
        await prepare()
        return await timed()

    return clock


def time_opening(resource: Callable[[], AbstractAsyncContextManager[object]]) -> Clock:
    """Time the opening of a resource; closing it is not counted."""

    async def clock() -> float:
        begin = perf_counter()
        async with resource():
            return perf_counter() - begin

    return clock


async def interleave(clocks: Mapping[str, Clock], *, repeat: int, seconds: float, least: int = 3) -> Samples:
    """Run the clocks in turns, in a different order each time; the first turn warms up and is not counted.

    Ends after `repeat` turns, or after `seconds` once there are `least` turns.
    """
    samples: Samples = {name: [] for name in clocks}
    orders = _orders(tuple(clocks))
    begin = perf_counter()
    for turn in range(repeat + 1):
        for name in next(orders):
            taken = await clocks[name]()
            if turn:
                samples[name].append(taken)
        if turn >= least and perf_counter() - begin > seconds:
            break
    return samples


def _orders(names: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield orders of the peers for ever, so that no peer runs twice in a row.

    A page renders after an action, and the next action on the same page would wait for that.
    """
    last = ""
    for order in cycle(permutations(names)):
        if order[0] != last or len(names) == 1:
            yield order
            last = order[-1]


def p50(samples: Sequence[float]) -> float:
    """The median."""
    return median(samples)


def p95(samples: Sequence[float]) -> float:
    """The 95th percentile; with few samples, almost the maximum."""
    if len(samples) < 2:
        return median(samples)
    return quantiles(samples, n=20, method="inclusive")[-1]


@dataclass(frozen=True)
class Cell:
    """One operation on one page, by both peers."""

    operation: str
    page: str
    samples: Samples
    cut: tuple[str, ...] = ()  # peers whose snapshot did not reach the end of the page

    def ratio(self, ours: str, theirs: str) -> float:
        """Our median divided by theirs."""
        return p50(self.samples[ours]) / p50(self.samples[theirs])


def mean_ratio(cells: Sequence[Cell], ours: str, theirs: str) -> float:
    """The geometric mean of the pages' ratios, so that no slow page outweighs the others."""
    return geometric_mean(cell.ratio(ours, theirs) for cell in cells)


def exponent(sizes: Sequence[float], values: Sequence[float]) -> float:
    """The slope of a line through the logarithms: 1 is linear growth, 2 quadratic."""
    xs, ys = [math.log(size) for size in sizes], [math.log(value) for value in values]
    x_mean, y_mean = sum(xs) / len(xs), sum(ys) / len(ys)
    covariance = sum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys, strict=True))
    return covariance / sum((x - x_mean) ** 2 for x in xs)
