"""Drops files or data onto an element, as a user does who drags them from another window."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tabwright.browser.find.actionability import Ready, Requirements
from tabwright.browser.input.dispatch import Answer, await_dispatched, require_ready, require_ready_for_text
from tabwright.browser.input.file_input import require_existing
from tabwright.cdp import Params
from tabwright.errors import Blocked, InvalidArgs

if TYPE_CHECKING:
    from tabwright.browser.element import Element

# Bits of `dragOperationsMask`: files are copied; text may be copied or moved.
_COPY = 1
_COPY_OR_MOVE = 1 | 16


async def drop_files(element: "Element", paths: Sequence[str | Path], *, timeout: float) -> list[str]:
    """Drop files onto an element; return their names.

    Raises:
        InvalidArgs: a file is missing, or is a folder.
        Blocked: the page does not accept the drop.
    """
    files = [require_existing(element.tab.call_permissions.read_file(str(path))) for path in paths]
    for file in files:
        if file.is_dir():
            raise InvalidArgs(f"{file} is a folder.", hint="Give the files in it.")
    data = {"items": [], "files": [str(file) for file in files], "dragOperationsMask": _COPY}
    await require_ready(element.tab)
    await _drop(element, data, timeout)
    return [file.name for file in files]


async def drop_text(element: "Element", text: str, mime_type: str, *, timeout: float) -> None:
    """Drop data of one MIME type onto an element: `text/plain`, `text/html`, `text/uri-list` or another.

    Raises:
        Blocked: the page does not accept the drop.
    """
    await require_ready_for_text(element.tab)
    items = [{"mimeType": mime_type, "data": text}]
    await _drop(element, {"items": items, "dragOperationsMask": _COPY_OR_MOVE}, timeout)


async def _drop(element: "Element", data: Params, timeout: float) -> None:
    tab = element.tab
    ready = await element.ready(Requirements("pointer", enabled=False), timeout)
    await ready.frame.call("watchDrop")
    # A frame of another site needs its own dragEnter. A page may first show a place to drop files on.
    for kinds in (("dragEnter", "dragOver"), ("dragEnter", "dragOver", "drop")):
        events = [_event(element, kind, ready, data) for kind in kinds]
        await await_dispatched(tab, events, session=ready.frame.session)
    if tab.dialogs.open is not None or tab.closed.is_set():
        return
    if not await ready.frame.call("hasDropped"):
        tab.session.post("Input.dispatchDragEvent", type="dragCancel", x=0, y=0, data=data)
        raise Blocked(
            f"{element.label} does not accept the drop.", hint="Choose the element that says so, or upload."
        )


def _event(element: "Element", kind: str, ready: Ready, data: Params) -> Answer:
    return element.tab.session.start(
        "Input.dispatchDragEvent",
        type=kind,
        x=ready.point.x,
        y=ready.point.y,
        data=data,
        modifiers=element.tab.keyboard.modifiers,
    )
