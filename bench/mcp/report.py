"""The tables of the MCP part, and the same figures as JSON."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bench.mcp.peers import OURS
from bench.mcp.rows import Kind, Row
from bench.measure import p50, p95
from bench.table import align_columns

_TITLES: dict[Kind, str] = {
    "ms": "milliseconds, p50/p95",
    "CPU ms": "CPU milliseconds, p50/p95",  # less affected by a busy computer
    "tokens": "tokens (characters/4)",
    "calls": "calls",
    "kB": "kilobytes",
    "MB": "memory, all processes but the browser's",
}


_UNITS: dict[Kind, float] = {"kB": 1e3, "MB": 1e6}


@dataclass(frozen=True)
class Report:
    """All results of one run."""

    browser: str
    versions: dict[str, str]
    rows: Sequence[Row]
    failures: dict[str, str]
    rounds: int
    load: tuple[float, float]  # one minute's average, before and after

    def __str__(self) -> str:
        tables = ("\n".join(self._table(kind)) for kind in _TITLES)
        left_out = "\n".join(f"{what}: {why}" for what, why in self.failures.items())
        return "\n\n".join(part for part in (self._head(), *tables, left_out) if part)

    def json(self) -> dict[str, Any]:
        """Every figure of the tables, in seconds, tokens, calls and bytes."""
        return {
            "browser": self.browser,
            "versions": self.versions,
            "rounds": self.rounds,
            "load": self.load,
            "rows": [_row_json(row) for row in self.rows],
            "failures": self.failures,
        }

    def _head(self) -> str:
        versions = ", ".join(f"{name} {version}" for name, version in self.versions.items())
        before, after = self.load
        return (
            f"Through MCP with {self.browser}: {versions}.\n"
            f"{self.rounds} rounds; load {before:.1f} before, {after:.1f} after; n is the number of samples. "
            "x is ours to theirs, lower is better; aims are ours, then x in the order of the columns."
        )

    def _table(self, kind: Kind) -> Iterator[str]:
        rows = [row for row in self.rows if row.kind == kind]
        if not rows:
            return iter(())
        others = [peer for peer in self.versions if peer != OURS]
        head = [_TITLES[kind], "n", OURS, *(word for peer in others for word in (peer, "x")), "aim", ""]
        return align_columns([head, *(self._cells(row, others) for row in rows)])

    def _cells(self, row: Row, others: Sequence[str]) -> list[str]:
        turns = min(map(len, row.samples.values()), default=0)
        cells = [row.name, str(turns), _figure(row, OURS)]
        for peer in others:
            cells += [_figure(row, peer), _part(row.ratio(peer))]
        return [*cells, _aim(row, others), _verdict(row)]


def _figure(row: Row, peer: str) -> str:
    if peer not in row.samples:
        return "-"
    samples = row.samples[peer]
    if row.kind in {"ms", "CPU ms"}:
        return f"{1000 * p50(samples):.1f}/{1000 * p95(samples):.1f}"
    return f"{p50(samples) / _UNITS.get(row.kind, 1):.{1 if row.kind in _UNITS else 0}f}"


def _part(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.{2 if ratio >= 0.1 else 3}f}"


def _aim(row: Row, others: Sequence[str]) -> str:
    parts = [row.aim.parts.get(peer) for peer in others]
    words = [f"{part:g}" if part else "-" for part in parts] if any(parts) else []
    if row.aim.most is not None:
        scale = {"ms": 1000.0, "MB": 1e-6}.get(row.kind, 1.0)
        words.insert(0, f"{row.aim.most * scale:g};" if words else f"{row.aim.most * scale:g}")
    return " ".join(words)


def _verdict(row: Row) -> str:
    missed = row.missed()
    if missed is None:
        return ""
    return f"missed: {', '.join(missed)}" if missed else "met"


def _row_json(row: Row) -> dict[str, Any]:
    figures = {
        peer: {"p50": p50(samples), "p95": p95(samples), "samples": len(samples), "ratio": row.ratio(peer)}
        for peer, samples in row.samples.items()
    }
    missed = row.missed()
    aims = {"most": row.aim.most, "parts": dict(row.aim.parts), "missed": missed}
    return {"name": row.name, "kind": row.kind, "peers": figures, "aim": None if missed is None else aims}
