"""Uploads: files for a file input, also for one that a button opens."""

import mimetypes
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import anyio

from tabwright.aio import seconds_until
from tabwright.browser.find.actionability import Requirements
from tabwright.browser.page.frame import Handle
from tabwright.browser.page.isolated_world import CALL
from tabwright.cdp import CdpError, Params
from tabwright.errors import Blocked, InvalidArgs

if TYPE_CHECKING:
    from tabwright.browser.element import Element
    from tabwright.browser.page.frame import Frame

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


async def upload(element: "Element", paths: Sequence[str | Path], *, timeout: float) -> list[str]:
    """Give files to a file input, in place of those it had; return their names as the page sees them.

    What is no file input and stands for none is pressed, and the input that it asks files for is given them.

    Raises:
        InvalidArgs: a file is missing or not of a kind that is accepted, or there are too many, or none is
            asked for.
    """
    files = [_existing(element.tab.call_permissions.read_file(str(path))) for path in paths]
    taker = await _taker(element, timeout)
    _require_fit(element, files, taker.facts)
    if files:
        await _set_files(taker.frame, files)
    else:
        await taker.frame.call("clearFiles")
    if element.tab.dialogs.open is not None or element.tab.closed.is_set():
        return [file.name for file in files]
    names: list[str] | None = await taker.frame.call("heldFiles")
    return [file.name for file in files] if names is None else names


async def _taker(element: "Element", timeout: float) -> FileInput:
    end = anyio.current_time() + timeout
    ready = await element.ready(Requirements("attached", retarget="files", act="files"), timeout)
    if ready.facts["press"]:
        return await press_for_files(element, ready.frame, timeout=seconds_until(end))
    return FileInput(ready.frame, ready.facts)


async def _set_files(frame: "Frame", files: list[Path]) -> None:
    held = await frame.ask(
        "Runtime.callFunctionOn",
        functionDeclaration=CALL,
        executionContextId=await frame.world(),
        arguments=[{"value": "heldField"}],
    )
    try:
        await frame.session.send(
            "DOM.setFileInputFiles",
            files=[str(file) for file in files],
            objectId=held["result"]["objectId"],
        )
    except CdpError as error:
        raise Blocked(f"Chrome did not take the files: {error.message}.", hint="Check the paths.") from error


def _existing(path: Path) -> Path:
    file = path.expanduser().absolute()
    if not file.exists():
        raise InvalidArgs(f"There is no file {file}.", hint="Give the path of a file on this computer.")
    return file


def _require_fit(element: "Element", files: list[Path], facts: Params) -> None:
    if len(files) > 1 and not facts["multiple"]:
        raise InvalidArgs(f"{element.label} takes one file only; {len(files)} were given.", hint="Give one.")
    for file in files:
        if file.is_dir() != facts["folders"]:
            wanted = "a folder" if facts["folders"] else "a file"
            raise InvalidArgs(f"{file} is not {wanted}.", hint=f"{element.label} takes {wanted}.")
        if not facts["folders"] and not _accepted(file, facts["accept"]):
            raise InvalidArgs(
                f"{element.label} does not take {file.name}.", hint=f"It accepts {facts['accept']}."
            )


def _accepted(file: Path, accept: str) -> bool:
    """Whether a file is of a kind that the input asks for: `.pdf`, `image/*`, `text/plain`."""
    kinds = [kind.strip().lower() for kind in accept.split(",") if kind.strip()]
    guessed = mimetypes.guess_type(file.name)[0] or ""
    return not kinds or any(
        file.name.lower().endswith(kind)
        if kind.startswith(".")
        else kind in ("*/*", "*", guessed) or (kind.endswith("/*") and guessed.startswith(kind[:-1]))
        for kind in kinds
    )
