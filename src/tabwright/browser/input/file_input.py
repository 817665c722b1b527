"""Uploads: sets the files of a file input, also of one that a button opens."""

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

# Seconds; Chrome reports a file chooser at once, but the page may ask its server before it opens one.
_CHOOSER_TIMEOUT = 2.0


@dataclass(frozen=True, slots=True)
class FileInput:
    """A file input that the scripts of its frame hold, and what it accepts."""

    frame: "Frame"
    facts: Params


@dataclass(slots=True)
class _Chooser:
    """What Chrome reports of the file chooser that would have opened."""

    event: Params = field(default_factory=dict)
    opened: anyio.Event = field(default_factory=anyio.Event)

    def on_opened(self, event: Params) -> None:
        self.event = event
        self.opened.set()


async def click_for_files(element: "Element", frame: "Frame", *, timeout: float) -> FileInput:
    """Click an element of a frame and return the file input that it opens a chooser for.

    Raises:
        InvalidArgs: it opens none.
        Blocked: it opens one without a file input.
    """
    tab = element.tab
    async with _intercepting(frame) as chooser:
        await element.click(timeout=timeout)
        tab.dialogs.require_none()
        with anyio.move_on_after(_CHOOSER_TIMEOUT):
            await chooser.opened.wait()
    tab.dialogs.require_none()
    if not chooser.opened.is_set():
        raise InvalidArgs(
            f"{element.label} did not open a file chooser.",
            hint="Check what the click did, then choose the file input or the button that opens it.",
        )
    frame_asking = tab.frames.get(chooser.event["frameId"])
    if frame_asking is None or "backendNodeId" not in chooser.event:
        raise Blocked(
            f"{element.label} opened a file chooser without a file input, which only a user can answer.",
            hint="Find another way to upload, such as a file input.",
        )
    return await _hold(frame_asking, chooser.event["backendNodeId"])


async def _hold(frame: "Frame", node: int) -> FileInput:
    found = await frame.ask("DOM.resolveNode", backendNodeId=node, executionContextId=await frame.world())
    return FileInput(frame, await frame.call("holdFileInput", Handle(found["object"]["objectId"])))


@asynccontextmanager
async def _intercepting(frame: "Frame") -> AsyncIterator[_Chooser]:
    """Let Chrome hand file choosers to us: its own would need a window and a user.

    After a click in a frame, the frames around it may open one too, even from other processes.
    """
    chooser = _Chooser()
    frames = {outer.session: outer for outer in _with_ancestors(frame)}
    unsubscribe: list[Callable[[], None]] = []
    try:
        for session, outer in frames.items():
            unsubscribe.append(session.on("Page.fileChooserOpened", chooser.on_opened))
            await outer.ask("Page.setInterceptFileChooserDialog", enabled=True)
        yield chooser
    finally:
        for session, stop in zip(frames, unsubscribe, strict=False):
            stop()
            session.post("Page.setInterceptFileChooserDialog", enabled=False)


def _with_ancestors(frame: "Frame") -> "list[Frame]":
    frames = [frame]
    while frames[-1].parent is not None:
        frames.append(frames[-1].parent)
    return frames


async def upload(element: "Element", paths: Sequence[str | Path], *, timeout: float) -> list[str]:
    """Set the files of a file input, replacing those it had; return the names that the page sees.

    An element that is not a file input is clicked, and the input that it opens a chooser for is used.

    Raises:
        InvalidArgs: a file is missing or not accepted, there are too many, or no chooser opened.
    """
    files = [require_existing(element.tab.call_permissions.read_file(str(path))) for path in paths]
    target = await _find_input(element, timeout)
    _require_accepted(element, files, target.facts)
    if files:
        await _set_files(target.frame, files)
    else:
        await target.frame.call("clearFiles")
    if element.tab.dialogs.open is not None or element.tab.closed.is_set():
        return [file.name for file in files]
    names: list[str] | None = await target.frame.call("heldFiles")
    return [file.name for file in files] if names is None else names


async def _find_input(element: "Element", timeout: float) -> FileInput:
    end = anyio.current_time() + timeout
    ready = await element.ready(Requirements("attached", retarget="files", operation="files"), timeout)
    if ready.facts["click"]:
        return await click_for_files(element, ready.frame, timeout=seconds_until(end))
    return FileInput(ready.frame, ready.facts)


async def _set_files(frame: "Frame", files: list[Path]) -> None:
    reference = await frame.ask(
        "Runtime.callFunctionOn",
        functionDeclaration=CALL,
        executionContextId=await frame.world(),
        arguments=[{"value": "heldField"}],
    )
    try:
        await frame.session.send(
            "DOM.setFileInputFiles",
            files=[str(file) for file in files],
            objectId=reference["result"]["objectId"],
        )
    except CdpError as error:
        raise Blocked(f"Chrome rejected the files: {error.message}.", hint="Check the paths.") from error


def require_existing(path: Path) -> Path:
    """Return the absolute path of a file that exists."""
    file = path.expanduser().absolute()
    if not file.exists():
        raise InvalidArgs(f"{file} does not exist.", hint="Give the path of a file on this computer.")
    return file


def _require_accepted(element: "Element", files: list[Path], facts: Params) -> None:
    if len(files) > 1 and not facts["multiple"]:
        raise InvalidArgs(f"{element.label} accepts one file, not {len(files)}.", hint="Give one.")
    for file in files:
        if file.is_dir() != facts["folders"]:
            wanted = "a folder" if facts["folders"] else "a file"
            raise InvalidArgs(f"{file} is not {wanted}.", hint=f"{element.label} accepts {wanted}.")
        if not facts["folders"] and not _is_accepted(file, facts["accept"]):
            raise InvalidArgs(
                f"{element.label} does not accept {file.name}.", hint=f"It accepts {facts['accept']}."
            )


def _is_accepted(file: Path, accept: str) -> bool:
    """Whether a file matches what the input accepts: `.pdf`, `image/*`, `text/plain`."""
    kinds = [kind.strip().lower() for kind in accept.split(",") if kind.strip()]
    guessed = mimetypes.guess_type(file.name)[0] or ""
    return not kinds or any(
        file.name.lower().endswith(kind)
        if kind.startswith(".")
        else kind in ("*/*", "*", guessed) or (kind.endswith("/*") and guessed.startswith(kind[:-1]))
        for kind in kinds
    )
