"""Dragging: with the pointer alone, or as HTML drag and drop when the page begins one."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio

from tabwright.browser.geometry import Point, way
from tabwright.browser.input.dispatch import Answer, await_dispatched, require_ready
from tabwright.browser.page.dialogs import DialogOpened
from tabwright.cdp import Params
from tabwright.errors import TimedOut

if TYPE_CHECKING:
    from tabwright.browser.page.frame import Frame
    from tabwright.browser.tab import Tab

_STEPS = 10
# Chrome tells of a drag right after the page began one.
_TELLING = 2.0
# Further than the few pixels in which a press still counts as a click.
_START = 6


class Drag:
    """One drag in one tab, from press to release. `frame` is the one that the drag begins in."""

    def __init__(self, tab: "Tab", frame: "Frame") -> None:
        self._tab = tab
        self._frame = frame
        self._data: Params | None = None
        self._told = anyio.Event()

    async def run(self, start: Point, find_end: Callable[[], Awaitable[Point]]) -> None:
        """Press at `start`, move to where `find_end` says once the button is held, and let go."""
        mouse = self._tab.mouse
        async with self._intercepting():
            await self._frame.call("watchDrag")
            await mouse.move_to(start, session=self._frame.session)
            await mouse.down()
            try:
                nearby = Point(start.x + _START, start.y + _START)
                await mouse.move_to(nearby, steps=3, session=self._frame.session)
                began = await self._page_began()
                end = await find_end()
                await (self._drop(end) if began else self._pull(end))
            except BaseException:
                mouse.let_go()
                raise

    @asynccontextmanager
    async def _intercepting(self) -> AsyncIterator[None]:
        """Have Chrome hand the drag to us: its own would need a window and a person."""
        await require_ready(self._tab)
        session = self._tab.session
        unsubscribe = session.on("Input.dragIntercepted", self._intercepted)
        await session.send("Input.setInterceptDrags", enabled=True)
        try:
            yield
        finally:
            unsubscribe()
            session.post("Input.setInterceptDrags", enabled=False)

    def _intercepted(self, event: Params) -> None:
        self._data = event["data"]
        self._told.set()

    async def _page_began(self) -> bool:
        try:
            if not self._told.is_set() and not await self._frame.call("dragBegan"):
                return False
            with anyio.fail_after(_TELLING):
                await self._told.wait()
        except DialogOpened:
            return False
        except TimeoutError as error:
            raise TimedOut(
                "The page began a drag that Chrome did not carry on.", hint="Try again."
            ) from error
        return True

    async def _pull(self, end: Point) -> None:
        await self._tab.mouse.move_to(end, steps=_STEPS)
        await self._tab.mouse.up()

    async def _drop(self, end: Point) -> None:
        mouse = self._tab.mouse
        answers = [self._event("dragEnter", mouse.position)]
        answers += [self._event("dragOver", point) for point in way(mouse.position, end, _STEPS)]
        # A frame of another site learns only by an entry of its own that something is above it.
        answers += [self._event(kind, end) for kind in ("dragEnter", "dragOver", "drop")]
        mouse.position = end
        await await_dispatched(self._tab, answers)
        mouse.dropped()
        await self._end()

    async def _end(self) -> None:
        """A drop in a frame of another site ends the drag there only; tell the frame where it began."""
        if self._tab.dialogs.open is not None or self._tab.closed.is_set():
            return
        if not await self._frame.call("dragEnded"):
            nothing = {"items": [], "dragOperationsMask": 0}
            self._frame.session.post("Input.dispatchDragEvent", type="dragCancel", x=0, y=0, data=nothing)

    def _event(self, kind: str, point: Point) -> Answer:
        return self._tab.session.start(
            "Input.dispatchDragEvent",
            type=kind,
            x=point.x,
            y=point.y,
            data=self._data,
            modifiers=self._tab.keyboard.modifiers,
        )
