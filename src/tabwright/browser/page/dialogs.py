"""JavaScript dialogs (alert, confirm, prompt, beforeunload) as a state that can be read and answered."""

import asyncio
import math
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from tabwright.cdp import CdpError, CdpSession, Params
from tabwright.errors import Blocked, BrowserGone, NotFound, PageFailed
from tabwright.text import quote_line

# Dialogs that may follow, each at once upon the answer to the one before, until the page counts as stuck.
_MOST_IN_A_ROW = 5
_AT_ONCE = 1.0
_LONGEST_MESSAGE = 500

Kind = Literal["alert", "confirm", "prompt", "beforeunload"]


@dataclass(frozen=True, slots=True)
class Dialog:
    """An open dialog: what the page asks."""

    kind: Kind
    message: str
    default: str = ""

    def __str__(self) -> str:
        return f"{'an' if self.kind == 'alert' else 'a'} {named(self.kind, self.message)}"


def named(kind: str, message: str) -> str:
    """Name a dialog by its kind and what it says, on one line."""
    return f"{kind} dialog {quote_line(message, _LONGEST_MESSAGE)}" if message else f"{kind} dialog"


class DialogOpened(Blocked):
    """A dialog holds the page's thread: no call to the page is answered until it is closed."""

    def __init__(self, dialog: Dialog) -> None:
        super().__init__(f"The page shows {dialog}.", hint="Answer it first, with answer_dialog.")
        self.dialog = dialog


class Dialogs:
    """The dialog of one tab, if one is open."""

    def __init__(self) -> None:
        self.open: Dialog | None = None
        self.last: Dialog | None = None
        self._session: CdpSession | None = None
        self._watchers: list[Callable[[Dialog], None]] = []
        self._endless: Callable[[CdpSession], Awaitable[None]] | None = None
        self._answered = -math.inf
        self._in_a_row = 0

    def attach(self, session: CdpSession) -> None:
        """Follow the dialogs of one session."""
        session.on("Page.javascriptDialogOpening", lambda event: self._opening(session, event))
        session.on("Page.javascriptDialogClosed", lambda _: self._closed())

    def on_open(self, callback: Callable[[Dialog], None]) -> None:
        """Call back whenever a dialog opens."""
        self._watchers.append(callback)

    def on_endless(self, callback: Callable[[CdpSession], Awaitable[None]]) -> None:
        """Have a page ended whose script opens dialogs without end: while it does, nothing can stop it."""
        self._endless = callback

    def require_none(self) -> None:
        """Refuse while a dialog is open.

        Raises:
            DialogOpened: naming the dialog.
        """
        if self.open is not None:
            raise DialogOpened(self.open)

    async def accept(self, text: str | None = None) -> Dialog:
        """Press OK, with `text` in the field of a prompt (its default when not given)."""
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
        self._answered = asyncio.get_running_loop().time()
        if self.open is dialog:  # the page may have opened its next one already
            self.open = None
        if self._in_a_row > _MOST_IN_A_ROW and self._endless is not None:
            self._in_a_row = 0
            await self._endless(session)
        return dialog

    def _opening(self, session: CdpSession, event: Params) -> None:
        self.open = self.last = Dialog(event["type"], event["message"], event.get("defaultPrompt") or "")
        self._session = session
        at_once = asyncio.get_running_loop().time() - self._answered < _AT_ONCE
        self._in_a_row = self._in_a_row + 1 if at_once else 1
        for callback in self._watchers:
            callback(self.open)

    def _closed(self) -> None:
        self.open = None
