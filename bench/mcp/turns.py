"""Runs the servers in turns; one that fails is left out of that row, and the reason is recorded."""

import math
from collections.abc import Mapping

from bench.mcp.client import ServerFailed
from bench.measure import Clock, Samples, interleave


class Turns:
    """Runs clocks in turns for a number of rounds, and records failures."""

    def __init__(self, rounds: int) -> None:
        self.rounds = rounds
        self.failures: dict[str, str] = {}

    async def take(self, row: str, clocks: Mapping[str, Clock], *, seconds: float, times: int = 1) -> Samples:
        """Run the clocks in turns, `times` per round."""
        clocks = {peer: self._without_failures(f"{peer}: {row}", clock) for peer, clock in clocks.items()}
        samples = await interleave(clocks, repeat=self.rounds * times, seconds=seconds, least=2)
        return {peer: taken for peer, taken in samples.items() if not any(map(math.isnan, taken))}

    def _without_failures(self, what: str, clock: Clock) -> Clock:
        async def run() -> float:
            if what in self.failures:
                return math.nan
            try:
                return await clock()
            except ServerFailed as failure:
                self.failures[what] = str(failure)
                return math.nan

        return run
