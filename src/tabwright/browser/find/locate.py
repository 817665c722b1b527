"""Finds the frame that a selector matches in, waits for changes, and turns faults into errors.

Matching inside one frame is left to locate.js; this module combines the frames of a tab.
"""

import logging
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import anyio

from tabwright.browser.find.approved import changed_since_approval
from tabwright.browser.find.selector import HINT, Step, Target
from tabwright.browser.page.closed_shadow_roots import register_closed_roots
from tabwright.cdp import CdpError, Params
from tabwright.errors import Blocked, InvalidArgs, NotFound, PageFailed, Stale, TabwrightError
from tabwright.text import format_count

if TYPE_CHECKING:
    from tabwright.browser.page.frame import Frame
    from tabwright.browser.tab import Tab

log = logging.getLogger(__name__)

MAX_FRAMES = 500
# Seconds.
_MAX_WAIT = 0.5
# For the page to list similar elements; without an answer, the error does without them.
_CANDIDATES_TIMEOUT = 2.0
# Between two searches for closed shadow roots, and how deep they may be nested.
_SEARCH_INTERVAL = 1.0
_MAX_DEPTH = 4


@dataclass(frozen=True, slots=True)
class Place:
    """The frame to find an element in, and the selector for its scripts."""

    frame: "Frame"
    spec: Step


async def find_place(tab: "Tab", target: Target) -> "Place | Params":
    """Return the one frame that a selector matches in, or the fault if there is none or more than one."""
    if target.ref is not None:
        frame, _ = tab.refs.frame_of(target.ref)
        return Place(frame, target.spec())
    frames = list(tab.frames.chosen.walk())[:MAX_FRAMES]
    if len(frames) == 1:
        return Place(frames[0], target.spec())
    return _choose_frame(target, await call_in_frames(frames, "count", target.spec()))


async def count_matches(tab: "Tab", target: Target) -> int:
    """Return how many elements a selector matches in all frames, visible or not.

    Raises:
        InvalidArgs: the selector is malformed.
    """
    if target.ref is not None:
        frames = [tab.refs.frame_of(target.ref)[0]]
    else:
        frames = list(tab.frames.chosen.walk())[:MAX_FRAMES]
    counts = await call_in_frames(frames, "count", target.spec())
    if not any(count.get("count") for _, count in counts) and await ClosedRootSearch(tab).found_more():
        counts = await call_in_frames(frames, "count", target.spec())
    for _, count in counts:
        if count.get("fault", "gone") != "gone":
            raise await fault_error(tab, target, count)
    return sum(count.get("count", 0) for _, count in counts)


async def call_in_frames(
    frames: "list[Frame]",
    function: str,
    *args: Any,
    hang_timeout: float | None = None,
    wait_for_all: bool = True,
) -> "list[tuple[Frame, Any]]":
    """Call a function in all frames at once; return all answers, or only the first one.

    Frames that are going away are left out.
    """
    answers: dict[str, Any] = {}
    failures: list[Exception] = []

    async def ask(frame: "Frame") -> None:
        try:
            answers[frame.id] = await frame.call(function, *args, hang_timeout=hang_timeout)
        except (CdpError, TabwrightError) as error:
            if frame.parent is None or not isinstance(error, CdpError | Stale | PageFailed):
                failures.append(error)
        if failures or not wait_for_all:
            group.cancel_scope.cancel()

    async with anyio.create_task_group() as group:
        for frame in frames:
            group.start_soon(ask, frame)
    if failures:
        raise failures[0]
    return [(frame, answers[frame.id]) for frame in frames if frame.id in answers]


def _choose_frame(target: Target, counts: "list[tuple[Frame, Params]]") -> "Place | Params":
    for _, count in counts:
        if "fault" in count:
            return count
    total = sum(count["count"] for _, count in counts)
    if target.nth is not None:
        return _nth(target, counts, target.nth if target.nth >= 0 else total + target.nth, total)
    visible = sum(count["visible"] for _, count in counts)
    if visible > 1:
        return {"fault": "several", "count": visible}
    for frame, count in counts:
        if count["visible"] or (not visible and count["count"]):
            return Place(frame, target.spec(nth=count["at"]))
    return {"fault": "none", "count": 0}


def _nth(target: Target, counts: "list[tuple[Frame, Params]]", index: int, total: int) -> "Place | Params":
    for frame, count in counts:
        if 0 <= index < count["count"]:
            return Place(frame, target.spec(nth=index))
        index -= count["count"]
    return {"fault": "none", "count": total}


async def wait_for_change(tab: "Tab", seconds: float) -> None:
    """Wait until something may have changed in any frame of the tab, half a second at most.

    Adding or removing a frame changes the document around it.
    """
    limit = min(seconds, _MAX_WAIT)
    frames = list(tab.frames)[:MAX_FRAMES]
    try:
        await call_in_frames(frames, "nextChange", limit * 1000, hang_timeout=limit + 2, wait_for_all=False)
    except (CdpError, Stale) as gone:
        log.debug("the document is gone: %s", gone)


class ClosedRootSearch:
    """Searches for closed shadow roots when nothing else matches, at intervals."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self._next_search = 0.0

    async def found_more(self) -> bool:
        """Whether there are closed roots that were not searched before; from now on they are."""
        if anyio.current_time() < self._next_search:
            return False
        self._next_search = anyio.current_time() + _SEARCH_INTERVAL
        found = 0
        with suppress(CdpError, Stale):  # the page is navigating
            for _ in range(_MAX_DEPTH):
                more = await self._register()
                found += more
                if not more:
                    break
        return found > 0

    async def _register(self) -> int:
        frames, found = list(self._tab.frames.chosen.walk())[:MAX_FRAMES], 0
        for frame, suspects in await call_in_frames(frames, "suspectHosts"):
            with suppress(CdpError, Stale, PageFailed):  # a frame that is going away
                found += await register_closed_roots(frame) if suspects else 0
        return found


async def fault_error(tab: "Tab", target: Target, fault: Params) -> TabwrightError:
    """Return the error for a fault of a selector or its element."""
    kind = fault["fault"]
    if kind == "none":
        return await _no_match_error(tab, target, fault["count"])
    if kind == "several":
        return await _several_error(tab, target, fault["count"])
    return _state_error(target, kind, fault)


def _state_error(target: Target, kind: str, fault: Params) -> TabwrightError:
    if kind == "malformed":
        return InvalidArgs(f"{fault['why']}.", hint=HINT)
    if kind == "gone":
        return Stale(
            f"{target.text} is not on this page any more.", hint="Take a snapshot, then use a ref from it."
        )
    if kind == "changed":
        return changed_since_approval("target", fault["label"])
    if kind in _BAD_ARGS:
        fact, hint = _BAD_ARGS[kind]
        return InvalidArgs(fact.format_map(fault), hint=hint.format_map(fault))
    if kind == "no_option":
        options = ", ".join(f'"{option}"' for option in fault["options"]) or "none"
        return NotFound(
            f'{fault["label"]} has no option "{fault["wanted"]}".', hint=f"Its options: {options}."
        )
    fact, hint = _STATES[kind]
    return Blocked(fact.format_map(fault), hint=hint)


_BAD_ARGS = {
    "not_a_field": ("{label} is not a form field.", "Choose the field itself."),
    "not_for_secrets": (
        "{label} is not a text field.",
        "Choose one: a secret is typed into text fields only.",
    ),
    "bad_value": ("{label} does not accept that value.", "Give {form}."),
    "position_outside": ("That position is outside of {label}.", "It is {width} by {height} pixels."),
    "one_option": ("{label} accepts only one option.", "Give one."),
    "file_input": ("{label} is a file input.", "Use upload."),
    "not_checkable": ("{label} cannot be checked.", "Choose a checkbox, a radio button or a switch."),
}
_STATES = {
    "removed": ("The page has removed {label}.", "Take a snapshot, then try again."),
    "not_hidden": ("{label} no longer hides what is typed.", "Ask the user if this is the right page."),
    "focus_moved": ("The page moves the focus from {label} to {to}.", "Type it there, if that is right."),
    "misplaced": ("The page moved the text from {label} to another element.", "Check the page."),
    "rejected": ("{label} did not accept it.", "Check what the field requires."),
    "full": ("{label} accepts at most {most} characters.", "Check that it is the right field."),
    "hidden": ("{label} is not visible: {why}.", "Open what contains it, or choose a visible element."),
    "disabled": ("{label} is disabled.", "Enable it first."),
    "covered": ("{label} is covered by {by}.", "Close or move that first."),
    "moving": ("{label} keeps moving.", "Wait until it stops, or stop the animation."),
    "ignores_pointer": ("{label} ignores the pointer.", "Use the element around it."),
    "out_of_view": (
        "{label} cannot be scrolled into view.",
        "Enlarge the viewport.",
    ),
    "missed": ("{label} was not clicked: {by} had taken its place.", "Wait until the page stops moving."),
    "too_long": ("{label} accepts at most {most} characters, not {given}.", "Shorten the text."),
    "not_focusable": ("{label} cannot be focused.", "Choose an element that accepts keyboard input."),
    "no_press": ("The click did not reach {label}.", "Check the page before trying again."),
    "readonly": ("{label} is read-only.", "Click it if it opens a picker, or choose another field."),
}


async def _no_match_error(tab: "Tab", target: Target, count: int) -> NotFound:
    if count:
        return NotFound(
            f"{target.text} is out of range: {format_count(count, 'match')}.",
            hint="Count from nth=0.",
        )
    similar = await _candidates(tab, target)
    where = f" in frame {tab.frames.chosen_key}" if tab.frames.chosen_key else ""
    return NotFound(
        f"No element matches {target.text}{where}.",
        hint=f"Similar: {similar}." if similar else "Take a snapshot to see what is there.",
    )


async def _several_error(tab: "Tab", target: Target, count: int) -> InvalidArgs:
    similar = await _candidates(tab, target)
    hint = f"Choose one: {similar}, or add ' >> nth=0'." if similar else "Add ' >> nth=0' to choose one."
    return InvalidArgs(f"{target.text} matches {count} elements.", hint=hint)


async def _candidates(tab: "Tab", target: Target) -> str:
    """List a few elements that the caller may have meant, with refs."""
    listed: list[str] = []
    frames = list(tab.frames.chosen.walk())[:20]
    frames = frames if target.ref is None else [tab.refs.frame_of(target.ref)[0]]
    with anyio.move_on_after(_CANDIDATES_TIMEOUT):
        for frame in frames:
            listed += await _candidates_in(tab, frame, target)
    return ", ".join(listed[:5])


async def _candidates_in(tab: "Tab", frame: "Frame", target: Target) -> list[str]:
    try:
        candidates = await tab.refs.call(frame, "candidates", target.spec())
    except (CdpError, Stale):
        return []
    for _, number in candidates:
        tab.refs.give(frame, number)
    return [f"@e{number} {label}" for label, number in candidates]


async def frame_of_element(tab: "Tab", target: str) -> "Frame":
    """Return the frame inside an `<iframe>` element.

    Raises:
        InvalidArgs: there is none.
    """
    element = tab.element(target)
    around, number = await tab.refs.locate(await element.ref())
    for frame in tuple(around.children):
        if number == await tab.refs.call(around, "refOf", await frame.owner()):
            return frame
    raise InvalidArgs(f"{target} is not a frame.", hint="List the frames, then choose one.")
