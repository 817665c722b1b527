"""Finding the frame that holds a target, waiting for one to come, and saying what is wrong with a target.

What happens inside a frame is locate.js; here the frames of the tab are added up.
"""

import logging
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import anyio

from tabwright.browser.find.selector import HINT, Step, Target
from tabwright.browser.page.closed_shadow_roots import register_closed_roots
from tabwright.cdp import CdpError, Params
from tabwright.errors import Blocked, InvalidArgs, NotFound, PageFailed, Stale, TabwrightError
from tabwright.text import format_count

if TYPE_CHECKING:
    from tabwright.browser.page.frame import Frame
    from tabwright.browser.tab import Tab

log = logging.getLogger(__name__)

MOST_FRAMES = 500
_GLANCE = 0.5
# For a page to name what may have been meant; the error is told without it, too.
_LISTING = 2.0
# Seconds until closed shadow roots are looked for again, and how deep they may lie in each other.
_DEEPER = 1.0
_ROUNDS = 4


@dataclass(frozen=True, slots=True)
class Place:
    """Where to look for a target: one frame, and the spec to give to its scripts."""

    frame: "Frame"
    spec: Step


async def place_of(tab: "Tab", target: Target) -> "Place | Params":
    """Return the one frame that a target is in, or the fault that keeps it from being one."""
    if target.ref is not None:
        frame, _ = tab.refs.frame_of(target.ref)
        return Place(frame, target.spec())
    frames = list(tab.frames.chosen.walk())[:MOST_FRAMES]
    if len(frames) == 1:
        return Place(frames[0], target.spec())
    return _add_up(target, await ask_frames(frames, "count", target.spec()))


async def count_of(tab: "Tab", target: Target) -> int:
    """Return how many elements a target matches in all frames, seen or not.

    Raises:
        InvalidArgs: the target is no target.
    """
    if target.ref is not None:
        frames = [tab.refs.frame_of(target.ref)[0]]
    else:
        frames = list(tab.frames.chosen.walk())[:MOST_FRAMES]
    counts = await ask_frames(frames, "count", target.spec())
    if not any(count.get("count") for _, count in counts) and await Deeper(tab).found():
        counts = await ask_frames(frames, "count", target.spec())
    for _, count in counts:
        if count.get("fault", "gone") != "gone":
            raise await failure(tab, target, count)
    return sum(count.get("count", 0) for _, count in counts)


async def ask_frames(
    frames: "list[Frame]",
    function: str,
    *args: Any,
    hang_timeout: float | None = None,
    all_of_them: bool = True,
) -> "list[tuple[Frame, Any]]":
    """Call a function in all frames at once; return the answers of all, or the first one only.

    A frame that is going away has no answer.
    """
    answers: dict[str, Any] = {}
    failures: list[Exception] = []

    async def ask(frame: "Frame") -> None:
        try:
            answers[frame.id] = await frame.call(function, *args, hang_timeout=hang_timeout)
        except (CdpError, TabwrightError) as error:
            if frame.parent is None or not isinstance(error, CdpError | Stale | PageFailed):
                failures.append(error)
        if failures or not all_of_them:
            group.cancel_scope.cancel()

    async with anyio.create_task_group() as group:
        for frame in frames:
            group.start_soon(ask, frame)
    if failures:
        raise failures[0]
    return [(frame, answers[frame.id]) for frame in frames if frame.id in answers]


def _add_up(target: Target, counts: "list[tuple[Frame, Params]]") -> "Place | Params":
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
    """Wait until something may have changed in some frame of the tab, at most for a glance.

    A frame that comes or goes changes the document around it.
    """
    patience = min(seconds, _GLANCE)
    frames = list(tab.frames)[:MOST_FRAMES]
    try:
        await ask_frames(frames, "nextChange", patience * 1000, hang_timeout=patience + 2, all_of_them=False)
    except (CdpError, Stale) as gone:
        log.debug("the document went away: %s", gone)


class Deeper:
    """Looks into closed shadow roots for one that seeks and finds nothing, now and then."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self._again = 0.0

    async def found(self) -> bool:
        """Whether there are closed roots that nobody has looked into; from now on they are."""
        if anyio.current_time() < self._again:
            return False
        self._again = anyio.current_time() + _DEEPER
        found = 0
        with suppress(CdpError, Stale):  # between two documents
            for _ in range(_ROUNDS):
                more = await self._register()
                found += more
                if not more:
                    break
        return found > 0

    async def _register(self) -> int:
        frames, found = list(self._tab.frames.chosen.walk())[:MOST_FRAMES], 0
        for frame, suspects in await ask_frames(frames, "suspectHosts"):
            with suppress(CdpError, Stale, PageFailed):  # a frame that is going away
                found += await register_closed_roots(frame) if suspects else 0
        return found


async def failure(tab: "Tab", target: Target, fault: Params) -> TabwrightError:
    """Turn a fault into the error that says what is wrong and what to do."""
    kind = fault["fault"]
    if kind == "none":
        return await _no_match(tab, target, fault["count"])
    if kind == "several":
        return await _several(tab, target, fault["count"])
    return _as_it_is(target, kind, fault)


def _as_it_is(target: Target, kind: str, fault: Params) -> TabwrightError:
    if kind == "malformed":
        return InvalidArgs(f"{fault['why']}.", hint=HINT)
    if kind == "gone":
        return Stale(
            f"{target.text} is not on this page any more.", hint="Take a snapshot, then use a ref from it."
        )
    if kind in _BAD_ARGS:
        fact, hint = _BAD_ARGS[kind]
        return InvalidArgs(fact.format_map(fault), hint=hint.format_map(fault))
    if kind == "optionless":
        options = ", ".join(f'"{option}"' for option in fault["options"]) or "none"
        return NotFound(
            f'{fault["label"]} has no option "{fault["sought"]}".', hint=f"Its options: {options}."
        )
    fact, hint = _STATES[kind]
    return Blocked(fact.format_map(fault), hint=hint)


_BAD_ARGS = {
    "unfit": ("{label} is not a control that takes a value.", "Choose the field itself."),
    "wrong": ("{label} does not take that value.", "Give {form}."),
    "offside": ("That position is outside of {label}.", "It is {width} by {height} pixels."),
    "single": ("{label} takes one option only.", "Give one."),
    "file": ("{label} takes files.", "Give them with upload."),
    "uncheckable": ("{label} cannot be checked.", "Choose a checkbox, a radio button or a switch."),
}
_STATES = {
    "hidden": ("{label} cannot be seen: {why}.", "Open what it is in, or act on something visible."),
    "disabled": ("{label} is disabled.", "Do first what enables it."),
    "covered": ("{label} is covered by {by}.", "Close or move that first."),
    "moving": ("{label} keeps moving.", "Wait until it stands still, or stop the animation."),
    "deaf": ("{label} does not take the pointer.", "Act on the element around it."),
    "outside": ("{label} cannot be scrolled into view.", "Enlarge the viewport, or scroll what it is in."),
    "missed": ("{label} was not hit: {by} was in its place by then.", "Wait until the page is at rest."),
    "long": ("{label} takes no more characters than {most}; {given} would be too many.", "Give fewer."),
    "unfocused": ("{label} cannot be focused.", "Choose an element that takes the keyboard."),
    "lost": ("The press did not arrive at {label}.", "Look at the page before trying again."),
    "readonly": ("{label} is read-only.", "Choose another field."),
}


async def _no_match(tab: "Tab", target: Target, count: int) -> NotFound:
    if count:
        return NotFound(
            f"{target.text} asks for more than there are: {format_count(count, 'element')}.",
            hint="Count from nth=0.",
        )
    listed = await _candidates(tab, target)
    where = f" in frame {tab.frames.chosen_key}" if tab.frames.chosen_key else ""
    return NotFound(
        f"No element matches {target.text}{where}.",
        hint=f"Similar: {listed}." if listed else "Take a snapshot to see what is there.",
    )


async def _several(tab: "Tab", target: Target, count: int) -> InvalidArgs:
    listed = await _candidates(tab, target)
    hint = f"Choose one: {listed}, or add ' >> nth=0'." if listed else "Add ' >> nth=0' to choose one."
    return InvalidArgs(f"{target.text} matches {count} elements.", hint=hint)


async def _candidates(tab: "Tab", target: Target) -> str:
    """List a few elements that the caller may have meant, with refs to use."""
    listed: list[str] = []
    frames = list(tab.frames.chosen.walk())[:20]
    frames = frames if target.ref is None else [tab.refs.frame_of(target.ref)[0]]
    with anyio.move_on_after(_LISTING):
        for frame in frames:
            listed += await _listed(tab, frame, target)
    return ", ".join(listed[:5])


async def _listed(tab: "Tab", frame: "Frame", target: Target) -> list[str]:
    try:
        candidates = await tab.refs.call(frame, "candidates", target.spec())
    except (CdpError, Stale):
        return []
    for _, number in candidates:
        tab.refs.give(frame, number)
    return [f"@e{number} {label}" for label, number in candidates]


async def frame_in(tab: "Tab", target: str) -> "Frame":
    """Return the frame that an element holds.

    Raises:
        InvalidArgs: it holds none.
    """
    element = tab.element(target)
    around, number = await tab.refs.locate(await element.ref())
    for frame in tuple(around.children):
        if number == await tab.refs.call(around, "refOf", await frame.owner()):
            return frame
    raise InvalidArgs(f"{target} is no frame.", hint="List the frames, then choose one.")
