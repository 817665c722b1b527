"""Scrolling by pixels, at once, and where it led."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from tabwright.errors import InvalidArgs

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

Direction = Literal["up", "down", "left", "right"]

_WAYS: dict[str, tuple[int, int]] = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


@dataclass(frozen=True, slots=True)
class Scrolled:
    """Where scrolling led: the offset now, how far it moved, and the most it could be."""

    x: float
    y: float
    moved_x: float
    moved_y: float
    most_x: float
    most_y: float


def offset(direction: Direction, pixels: float) -> tuple[float, float]:
    """Return how far to scroll across and down.

    Raises:
        InvalidArgs: there is no such direction, or the distance is no distance.
    """
    if direction not in _WAYS:
        raise InvalidArgs(f"{direction!r} is no direction.", hint="Use up, down, left or right.")
    if not math.isfinite(pixels) or pixels < 0:
        raise InvalidArgs(f"{pixels} is no distance.", hint="Give a number of pixels.")
    across, down = _WAYS[direction]
    return across * pixels, down * pixels


async def scroll_page(tab: "Tab", direction: Direction, pixels: float) -> Scrolled:
    """Scroll the chosen frame's document, or the main scroller of a page that does not scroll as a whole."""
    answer = await tab.frames.chosen.call("scrollPage", *offset(direction, pixels))
    return Scrolled(**answer["scrolled"])
