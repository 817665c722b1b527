"""Pressing what asks for files: the chooser that a person would get is taken over, and its input found."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import anyio

from tabwright.browser.frame import Handle
from tabwright.cdp import Params
from tabwright.errors import Blocked, InvalidArgs

if TYPE_CHECKING:
    from tabwright.browser.element import Element
    from tabwright.browser.frame import Frame

# Chrome tells of a chooser right after the page asked for one; the page may ask its server first.
_ASKING = 2.0


@dataclass(frozen=True, slots=True)
class FileInput:
    """A file input that our world of its frame holds, and what it takes."""

    frame: "Frame"
    facts: Params


@dataclass(slots=True)
class _Chooser:
    """What Chrome tells of the chooser that would have opened."""

    event: Params = field(default_factory=dict)
    opened: anyio.Event = field(default_factory=anyio.Event)

    def take(self, event: Params) -> None:
        self.event = event
        self.opened.set()


async def press_for_files(element: "Element", frame: "Frame", *, timeout: float) -> FileInput:
    """Press an element of that frame and return the file input that it asks files for.

    Raises:
        InvalidArgs: it asked for none.
        Blocked: it asked in a way that has no input.
    """
    tab = element.tab
    async with _intercepting(frame) as chooser:
        await element.click(timeout=timeout)
        tab.dialogs.require_none()
        with anyio.move_on_after(_ASKING):
            await chooser.opened.wait()
    tab.dialogs.require_none()
    if not chooser.opened.is_set():
        raise InvalidArgs(
            f"Pressing {element.label} asked for no files.",
            hint="Look at what the press did, then name the file input or what asks for files.",
        )
    asking = tab.frames.get(chooser.event["frameId"])
    if asking is None or "backendNodeId" not in chooser.event:
        raise Blocked(
            f"{element.label} asked for files without a file input, which only a person can answer.",
            hint="Look for another way to give them, such as a file input.",
        )
    return await _held(asking, chooser.event["backendNodeId"])


async def _held(frame: "Frame", node: int) -> FileInput:
    found = await frame.ask("DOM.resolveNode", backendNodeId=node, executionContextId=await frame.world())
    return FileInput(frame, await frame.call("holdFileInput", Handle(found["object"]["objectId"])))


@asynccontextmanager
async def _intercepting(frame: "Frame") -> AsyncIterator[_Chooser]:
    """Have Chrome hand choosers to us: its own would need a window and a person.

    A press in a frame lets the frames around it ask too, and they may live in other processes.
    """
    chooser = _Chooser()
    askers = {around.session: around for around in _outwards(frame)}
    unsubscribe: list[Callable[[], None]] = []
    try:
        for session, asker in askers.items():
            unsubscribe.append(session.on("Page.fileChooserOpened", chooser.take))
            await asker.ask("Page.setInterceptFileChooserDialog", enabled=True)
        yield chooser
    finally:
        for session, leave in zip(askers, unsubscribe, strict=False):
            leave()
            session.post("Page.setInterceptFileChooserDialog", enabled=False)


def _outwards(frame: "Frame") -> "list[Frame]":
    frames = [frame]
    while frames[-1].parent is not None:
        frames.append(frames[-1].parent)
    return frames
