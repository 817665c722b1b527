"""Places in the viewport, and the way between two of them."""

from typing import NamedTuple


class Point(NamedTuple):
    """A place in the viewport, in CSS pixels."""

    x: float
    y: float


def way(start: Point, end: Point, steps: int) -> list[Point]:
    """Return the points of a straight way, without its start."""
    return [
        Point(start.x + (end.x - start.x) * step / steps, start.y + (end.y - start.y) * step / steps)
        for step in range(1, steps + 1)
    ]
