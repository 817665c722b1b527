"""Points and boxes in the viewport, and the path between two points."""

from dataclasses import dataclass
from typing import NamedTuple


class Point(NamedTuple):
    """A point in the viewport, in CSS pixels."""

    x: float
    y: float


def path(start: Point, end: Point, steps: int) -> list[Point]:
    """Return the points of a straight path, without its start."""
    return [
        Point(start.x + (end.x - start.x) * step / steps, start.y + (end.y - start.y) * step / steps)
        for step in range(1, steps + 1)
    ]


@dataclass(frozen=True, slots=True)
class Box:
    """The box of an element, in CSS pixels of the viewport."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Clip:
    """A rectangle of the page, in CSS pixels from the page's upper left corner."""

    x: float
    y: float
    width: float
    height: float

    def inside(self, other: "Clip") -> bool:
        """Whether it is completely inside `other`, give or take half a pixel for rounding."""
        return (
            self.x >= other.x - 0.5
            and self.y >= other.y - 0.5
            and self.x + self.width <= other.x + other.width + 0.5
            and self.y + self.height <= other.y + other.height + 0.5
        )
