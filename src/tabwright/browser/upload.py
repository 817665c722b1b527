"""Giving files to a file input, shown or hidden, or to the one that a press asks them for."""

import mimetypes
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import anyio

from tabwright.browser.chooser import FileInput, press_for_files
from tabwright.browser.deadline import left_until
from tabwright.browser.ready import How
from tabwright.browser.world import CALL
from tabwright.cdp import CdpError, Params
from tabwright.errors import Blocked, InvalidArgs

if TYPE_CHECKING:
    from tabwright.browser.element import Element
    from tabwright.browser.frame import Frame


async def upload(element: "Element", paths: Sequence[str | Path], *, timeout: float) -> list[str]:
    """Give files to a file input, in place of those it had; return their names as the page sees them.

    What is no file input and stands for none is pressed, and the input that it asks files for is given them.

    Raises:
        InvalidArgs: a file is missing or not of a kind that is accepted, or there are too many, or none is
            asked for.
    """
    files = [_existing(element.tab.readable(str(path))) for path in paths]
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
    ready = await element.ready(How("attached", retarget="files", act="files"), timeout)
    if ready.facts["press"]:
        return await press_for_files(element, ready.frame, timeout=left_until(end))
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
