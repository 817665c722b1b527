"""Scrolls by pixels, without animation, and reports the position reached."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from tabwright.errors import InvalidArgs

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

Direction = Literal["up", "down", "left", "right"]

_VECTORS: dict[str, tuple[int, int]] = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


@dataclass(frozen=True, slots=True)
class Scrolled:
    """The scroll position reached, how far it moved, and the maximum."""

    x: float
    y: float
    moved_x: float
    moved_y: float
    most_x: float
    most_y: float


def offset(direction: Direction, pixels: float) -> tuple[float, float]:
    """Return how far to scroll to the right and down.

    Raises:
        InvalidArgs: the direction or the distance is invalid.
    """
    if direction not in _VECTORS:
        raise InvalidArgs(f"{direction!r} is not a direction.", hint="Use up, down, left or right.")
    if not math.isfinite(pixels) or pixels < 0:
        raise InvalidArgs(f"{pixels} is not a distance.", hint="Give a number of pixels.")
    across, down = _VECTORS[direction]
    return across * pixels, down * pixels


async def scroll_page(tab: "Tab", direction: Direction, pixels: float) -> Scrolled:
    """Scroll the document of the chosen frame, or its main scroller if the document does not scroll."""
    answer = await tab.frames.chosen.call("scrollPage", *offset(direction, pixels))
    return Scrolled(**answer["scrolled"])
