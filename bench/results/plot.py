"""A plot of the growth of snapshots: time and tokens against the size of the page, for every server."""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from xml.sax.saxutils import escape

Point = tuple[float, float]
Scale = Callable[[float], float]

_GROWN = re.compile(r"snapshot, (\d+) elements")
_COLOURS = ("#0b7a75", "#d1495b", "#8d6a9f", "#c77f00")
_WIDTH, _HEIGHT = 880, 380
_TOP, _BOTTOM, _LEFT, _PANEL, _GAP = 60, 310, 62, 340, 100
_ABOUT = 'role="img" aria-label="Time and tokens of a snapshot against the size of the page"'
_STYLE = """<style>
text { font: 12px system-ui, sans-serif; fill: #333 }
.title { font-weight: 600 }
.grid { stroke: #8884 }
rect { fill: #fff }
@media (prefers-color-scheme: dark) { text { fill: #ddd } rect { fill: #16181c } }
</style>"""


def plot(rows: Sequence[dict[str, Any]]) -> str:
    """Return the plot as SVG: two panels with logarithmic axes."""
    panels = (("ms", 1000.0, "milliseconds"), ("tokens", 1.0, "tokens (characters / 4)"))
    drawn: list[str] = []
    peers: list[str] = []
    for index, (kind, scale, title) in enumerate(panels):
        lines = _series(rows, kind, scale)
        peers = list(lines)
        drawn += _panel(lines, _LEFT + index * (_PANEL + _GAP), title)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" {_ABOUT}>',
            _STYLE,
            f'<rect width="{_WIDTH}" height="{_HEIGHT}"/>',
            *_legend(peers),
            *drawn,
            "</svg>\n",
        ]
    )


def _series(rows: Sequence[dict[str, Any]], kind: str, scale: float) -> dict[str, list[Point]]:
    """Return the points of each server, the smallest page first."""
    lines: dict[str, list[Point]] = {}
    for row in rows:
        if row["kind"] == kind and (found := _GROWN.fullmatch(row["name"])):
            for peer, figures in row["peers"].items():
                lines.setdefault(peer, []).append((float(found[1]), figures["p50"] * scale))
    return {peer: sorted(points) for peer, points in lines.items()}


def _panel(lines: dict[str, list[Point]], left: float, title: str) -> Iterator[str]:
    points = [point for line in lines.values() for point in line]
    if not points:
        return
    x = _logarithmic([px for px, _ in points], left, left + _PANEL)
    y = _logarithmic([py for _, py in points], _BOTTOM, _TOP)
    yield f'<text class="title" x="{left}" y="{_TOP - 14}">{escape(title)}</text>'
    for value in _decades([py for _, py in points]):
        yield f'<path class="grid" d="M{left} {y(value):.1f}h{_PANEL}"/>'
        yield f'<text x="{left - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{value:,g}</text>'
    for value in sorted({px for px, _ in points}):
        yield f'<text x="{x(value):.1f}" y="{_BOTTOM + 18}" text-anchor="middle">{value:,.0f}</text>'
    yield f'<text x="{left + _PANEL / 2}" y="{_BOTTOM + 40}" text-anchor="middle">elements of the page</text>'
    for line, colour in zip(lines.values(), _COLOURS, strict=False):
        path = " ".join(f"{x(px):.1f},{y(py):.1f}" for px, py in line)
        yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
        yield from (f'<circle cx="{x(px):.1f}" cy="{y(py):.1f}" r="3" fill="{colour}"/>' for px, py in line)


def _legend(peers: Sequence[str]) -> Iterator[str]:
    left = float(_LEFT)
    for peer, colour in zip(peers, _COLOURS, strict=False):
        yield f'<circle cx="{left}" cy="20" r="5" fill="{colour}"/>'
        yield f'<text x="{left + 10}" y="24">{escape(peer)}</text>'
        left += 40 + 7 * len(peer)


def _logarithmic(values: Sequence[float], start: float, end: float) -> Scale:
    low, high = math.log10(min(values)), math.log10(max(values))
    low, high = (low, high) if high > low else (low - 1, high + 1)
    return lambda value: start + (end - start) * (math.log10(value) - low) / (high - low)


def _decades(values: Sequence[float]) -> Iterator[float]:
    """Yield the powers of ten between the smallest and the largest value."""
    for power in range(math.ceil(math.log10(min(values))), math.floor(math.log10(max(values))) + 1):
        yield 10.0**power
