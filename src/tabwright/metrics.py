"""Counts and durations of calls, in the Prometheus format."""

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest


class Metrics:
    """The metrics of one runner."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._calls = Counter(
            "tabwright_calls", "Calls by action and outcome.", ("action", "outcome"), registry=self._registry
        )
        self._seconds = Histogram(
            "tabwright_call_seconds", "Duration of calls.", ("action",), registry=self._registry
        )

    def count(self, action: str, outcome: str, seconds: float) -> None:
        """Count one call."""
        self._calls.labels(action, outcome).inc()
        self._seconds.labels(action).observe(seconds)

    def text(self) -> bytes:
        """Return all metrics in the Prometheus text format."""
        return generate_latest(self._registry)
