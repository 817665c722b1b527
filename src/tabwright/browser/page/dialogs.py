"""JavaScript dialogs (alert, confirm, prompt, beforeunload): which one is open, and answering it."""

import asyncio
import math
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from tabwright.cdp import CdpError, CdpSession, Params
from tabwright.errors import Blocked, BrowserGone, NotFound, PageFailed
from tabwright.text import quote_line

# More dialogs than this, each within a second of the answer to the last, count as endless.
_MAX_IN_A_ROW = 5
_IN_A_ROW_INTERVAL = 1.0
_MAX_MESSAGE = 500

Kind = Literal["alert", "confirm", "prompt", "beforeunload"]


@dataclass(frozen=True, slots=True)
class Dialog:
    """An open dialog: its kind, its message, and the default text of a prompt."""

    kind: Kind
    message: str
    default: str = ""

    def __str__(self) -> str:
        return f"{'an' if self.kind == 'alert' else 'a'} {name_dialog(self.kind, self.message)}"


def name_dialog(kind: str, message: str) -> str:
    """Name a dialog by its kind and its message, on one line."""
    return f"{kind} dialog {quote_line(message, _MAX_MESSAGE)}" if message else f"{kind} dialog"


class DialogOpened(Blocked):
    """A dialog blocks the page: no call to the page is answered until the dialog is closed."""

    def __init__(self, dialog: Dialog) -> None:
        super().__init__(f"The page shows {dialog}.", hint="Answer it first, with answer_dialog.")
        self.dialog = dialog


class Dialogs:
    """The open dialog of the tab, if any: `open`, `accept()`, `dismiss()`."""

    def __init__(self) -> None:
        self.open: Dialog | None = None
        self.last: Dialog | None = None
        self._session: CdpSession | None = None
        self._callbacks: list[Callable[[Dialog], None]] = []
        self._on_endless: Callable[[CdpSession], Awaitable[None]] | None = None
        self._answered_at = -math.inf
        self._in_a_row = 0

    def attach(self, session: CdpSession) -> None:
        """Follow the dialogs of one session."""
        session.on("Page.javascriptDialogOpening", lambda event: self._on_opening(session, event))
        session.on("Page.javascriptDialogClosed", lambda _: self._on_closed())

    def on_open(self, callback: Callable[[Dialog], None]) -> None:
        """Call back whenever a dialog opens."""
        self._callbacks.append(callback)

    def on_endless(self, callback: Callable[[CdpSession], Awaitable[None]]) -> None:
        """Call back when a page opens dialogs without end: no call of ours can stop its script then."""
        self._on_endless = callback

    def require_none(self) -> None:
        """Require that no dialog is open.

        Raises:
            DialogOpened: one is.
        """
        if self.open is not None:
            raise DialogOpened(self.open)

    async def accept(self, text: str | None = None) -> Dialog:
        """Press OK, with `text` as the answer to a prompt (its default text when not given)."""
        return await self._answer(accept=True, text=text)

    async def dismiss(self) -> Dialog:
        """Press Cancel (on an alert: close it)."""
        return await self._answer(accept=False, text=None)

    async def clear(self) -> None:
        """Dismiss the open dialog, if any: closing a target with a frame's dialog crashes Chromium 156."""
        if self.open is not None:
            with suppress(NotFound, BrowserGone, PageFailed):
                await self._answer(accept=False, text=None)

    async def _answer(self, *, accept: bool, text: str | None) -> Dialog:
        dialog, session = self.open, self._session
        if dialog is None or session is None:
            raise NotFound("No dialog is open.", hint="There is nothing to answer.")
        prompt_text = dialog.default if text is None else text
        try:
            await session.send("Page.handleJavaScriptDialog", accept=accept, promptText=prompt_text)
        except CdpError as error:
            raise NotFound("The dialog closed by itself.", hint="There is nothing to answer.") from error
        self._answered_at = asyncio.get_running_loop().time()
        if self.open is dialog:  # the page may have opened its next one already
            self.open = None
        if self._in_a_row > _MAX_IN_A_ROW and self._on_endless is not None:
            self._in_a_row = 0
            await self._on_endless(session)
        return dialog

    def _on_opening(self, session: CdpSession, event: Params) -> None:
        self.open = self.last = Dialog(event["type"], event["message"], event.get("defaultPrompt") or "")
        self._session = session
        in_a_row = asyncio.get_running_loop().time() - self._answered_at < _IN_A_ROW_INTERVAL
        self._in_a_row = self._in_a_row + 1 if in_a_row else 1
        for callback in self._callbacks:
            callback(self.open)

    def _on_closed(self) -> None:
        self.open = None
