"""Limits the calls per second of each caller, with a token bucket for each."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from tabwright.errors import Denied

_MAX_CALLERS = 10_000


@dataclass(slots=True)
class _Bucket:
    calls: float
    seen: float


class TooFast(Denied):
    """Too many calls; the caller may try again in `seconds`."""

    def __init__(self, message: str, *, hint: str, seconds: float) -> None:
        super().__init__(message, hint=hint)
        self.seconds = seconds


class RateLimit:
    """Lets each caller make `burst` calls at once and `per_second` in the long run."""

    def __init__(self, per_second: float, burst: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_second = per_second
        self._burst = burst
        self._clock = clock
        self._buckets: dict[str, _Bucket] = {}

    def take(self, who: str) -> None:
        """Count one call.

        Raises:
            TooFast: with the time to wait in its hint.
        """
        now = self._clock()
        bucket = self._buckets.pop(who, None) or _Bucket(self._burst, now)
        bucket.calls = min(self._burst, bucket.calls + (now - bucket.seen) * self._per_second)
        bucket.seen = now
        self._buckets[who] = bucket  # moved to the end, so that the least recently used is dropped
        if len(self._buckets) > _MAX_CALLERS:
            del self._buckets[next(iter(self._buckets))]
        if bucket.calls < 1:
            wait = (1 - bucket.calls) / self._per_second
            raise TooFast(
                f"{who} makes more calls than {self._per_second:g} a second.",
                hint=f"Try again in {wait:.1f} s.",
                seconds=wait,
            )
        bucket.calls -= 1
