"""Drags with the pointer, as HTML drag and drop if the page starts one."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio

from tabwright.browser.geometry import Point, path
from tabwright.browser.input.dispatch import Answer, await_dispatched, require_ready
from tabwright.browser.page.dialogs import DialogOpened
from tabwright.cdp import CdpSession, Params
from tabwright.errors import TimedOut

if TYPE_CHECKING:
    from tabwright.browser.page.frame import Frame
    from tabwright.browser.tab import Tab

_STEPS = 10
# Seconds; Chrome reports a drag right after the page starts it.
_INTERCEPT_TIMEOUT = 2.0
# Chrome repeats dragover every 50 ms while the pointer rests. Lists that sort themselves ignore events that
# come sooner after they have moved an item.
_RESTS = 3
_REST = 0.05
# Pixels beyond the middle of the target, and back: many lists move an item once the pointer has passed it.
_BEYOND = 3
# Pixels; within a few of them, a press still counts as a click.
_START_DISTANCE = 6


class Drag:
    """One drag, from press to release. `frame` is the one that it starts in."""

    def __init__(self, tab: "Tab", frame: "Frame") -> None:
        self._tab = tab
        self._frame = frame
        self._data: Params | None = None
        self._was_intercepted = anyio.Event()

    async def run(self, start: Point, find_end: Callable[[], Awaitable[Point]]) -> None:
        """Press at `start`, move to the point that `find_end` then returns, and release."""
        mouse = self._tab.mouse
        async with self._intercepting():
            await self._frame.call("watchDrag")
            await mouse.move_to(start, session=self._frame.session)
            await mouse.down()
            try:
                nearby = Point(start.x + _START_DISTANCE, start.y + _START_DISTANCE)
                await mouse.move_to(nearby, steps=3, session=self._frame.session)
                started = await self._page_started_drag()
                end = await find_end()
                await (self._drop(end) if started else self._move_and_release(end))
            except BaseException:
                if self._data is not None:
                    self._cancel(self._tab.session)
                mouse.release_all()
                raise

    @asynccontextmanager
    async def _intercepting(self) -> AsyncIterator[None]:
        """Let Chrome hand the drag to us: its own would need a window and a user."""
        await require_ready(self._tab)
        session = self._tab.session
        unsubscribe = session.on("Input.dragIntercepted", self._on_intercepted)
        await session.send("Input.setInterceptDrags", enabled=True)
        try:
            yield
        finally:
            unsubscribe()
            session.post("Input.setInterceptDrags", enabled=False)

    def _on_intercepted(self, event: Params) -> None:
        self._data = event["data"]
        self._was_intercepted.set()

    async def _page_started_drag(self) -> bool:
        try:
            if not self._was_intercepted.is_set() and not await self._frame.call("hasDragStarted"):
                return False
            with anyio.fail_after(_INTERCEPT_TIMEOUT):
                await self._was_intercepted.wait()
        except DialogOpened:
            return False
        except TimeoutError as error:
            raise TimedOut(
                "The page started a drag that Chrome did not report.", hint="Try again."
            ) from error
        return True

    async def _move_and_release(self, end: Point) -> None:
        mouse = self._tab.mouse
        await mouse.move_to(_beyond(mouse.position, end), steps=_STEPS)
        await mouse.move_to(end)
        await mouse.up()

    async def _drop(self, end: Point) -> None:
        mouse = self._tab.mouse
        answers = [self._event("dragEnter", mouse.position)]
        beyond = _beyond(mouse.position, end)
        answers += [self._event("dragOver", point) for point in path(mouse.position, beyond, _STEPS)]
        # A frame of another site needs its own dragEnter.
        answers.append(self._event("dragEnter", end))
        await await_dispatched(self._tab, answers)
        for _ in range(_RESTS):
            await anyio.sleep(_REST)
            await await_dispatched(self._tab, [self._event("dragOver", end)])
        mouse.position = end
        await await_dispatched(self._tab, [self._event("drop", end)])
        mouse.release_by_drop()
        await self._end()

    async def _end(self) -> None:
        """End the drag where it started: a drop in a frame of another site ends it only in that frame."""
        if self._tab.dialogs.open is not None or self._tab.closed.is_set():
            return
        if not await self._frame.call("hasDragEnded"):
            self._cancel(self._frame.session)

    def _cancel(self, session: CdpSession) -> None:
        nothing = {"items": [], "dragOperationsMask": 0}
        session.post("Input.dispatchDragEvent", type="dragCancel", x=0, y=0, data=nothing)

    def _event(self, kind: str, point: Point) -> Answer:
        return self._tab.session.start(
            "Input.dispatchDragEvent",
            type=kind,
            x=point.x,
            y=point.y,
            data=self._data,
            modifiers=self._tab.keyboard.modifiers,
        )


def _beyond(start: Point, end: Point) -> Point:
    """Return a point a little further than the end, seen from the start."""
    return Point(end.x + _sign(end.x - start.x) * _BEYOND, end.y + _sign(end.y - start.y) * _BEYOND)


def _sign(distance: float) -> int:
    return (distance > _BEYOND) - (distance < -_BEYOND)
