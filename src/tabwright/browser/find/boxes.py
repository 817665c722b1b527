"""Finds the boxes of elements with refs in the viewport of the tab, those inside frames included."""

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from tabwright.browser.geometry import Box
from tabwright.browser.page.frame import DocumentGone, Frame
from tabwright.cdp import CdpError
from tabwright.errors import NotFound, Stale

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

_UNIT = 1000.0


async def boxes_of(tab: "Tab", refs: Iterable[str]) -> dict[str, Box]:
    """Return the box of every visible element; elements that are gone or covered are left out."""
    by_frame: dict[Frame, list[int]] = defaultdict(list)
    for ref in refs:
        try:
            frame, number = tab.refs.frame_of(ref)
        except (NotFound, Stale):
            continue
        by_frame[frame].append(number)
    boxes: dict[str, Box] = {}
    for frame, numbers in by_frame.items():
        try:
            boxes.update(await _in_frame(frame, numbers))
        except (DocumentGone, CdpError, Stale):
            continue  # the frame is going away, and its elements with it
    return boxes


async def _in_frame(frame: Frame, numbers: list[int]) -> dict[str, Box]:
    found = await frame.call("boxesOf", numbers)
    left, top, across, down = 0.0, 0.0, 1.0, 1.0
    if frame.parent is not None and found:
        left, top, width, height = await _unit_box(frame)
        across, down = width / _UNIT, height / _UNIT
    return {
        f"@e{number}": Box(left + x * across, top + y * down, width * across, height * down)
        for number, x, y, width, height in found
    }


async def _unit_box(frame: Frame) -> tuple[float, float, float, float]:
    """Return where a square of the frame's own pixels is in the viewport of the tab."""
    box = [0.0, 0.0, _UNIT, _UNIT]
    while frame.parent is not None:
        box = await frame.parent.call("boxThroughFrame", await frame.owner(), box)
        frame = frame.parent
    return box[0], box[1], box[2], box[3]
