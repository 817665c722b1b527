"""The clipboard of a context: what its pages copy, what a caller writes, and what its pages paste.

Headless Chrome has one clipboard for all contexts, so what one session copies could be pasted by another. A
context therefore has its own. Pages report what they copy (clipboard.js), and just before a key pastes, the
contents are put into Chrome's clipboard, for one context at a time.
"""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio

from tabwright.aio import deadline
from tabwright.browser.page.isolated_world import script
from tabwright.cdp import CdpSession, Params
from tabwright.errors import Blocked
from tabwright.urls import origin_of

if TYPE_CHECKING:
    from tabwright.browser.browser import Browser
    from tabwright.browser.context import Context
    from tabwright.browser.tab import Tab

# Removed from the page's world before any script of the page runs.
_BINDING = "__tabwrightClipboard"
_MAX_CHARACTERS = 1_000_000
_TIMEOUT = 15.0
_TYPES = ("text/plain", "text/html")


class Clipboard:
    """The clipboard of one context: text by MIME type."""

    def __init__(self, context: "Context") -> None:
        self._context = context
        self._contents: dict[str, str] = {}

    @property
    def is_own(self) -> bool:
        """Whether the context has its own clipboard: a Chrome with windows uses that of the computer."""
        browser = self._context.browser
        return browser.headless and not browser.ownership.of_user

    def read(self, mime_type: str = "text/plain") -> str:
        """Return what was copied or written last; "" if it has no such text.

        Raises:
            Blocked: the clipboard belongs to the user of the computer.
        """
        self._require_own()
        return self._contents.get(mime_type, "")

    def write(self, text: str, *, html: str = "") -> None:
        """Replace the contents: plain text, and the same as HTML if given.

        Raises:
            Blocked: the clipboard belongs to the user of the computer.
        """
        self._require_own()
        self._contents = {"text/plain": text} | ({"text/html": html} if html else {})

    def attach(self, session: CdpSession) -> None:
        """Follow what the documents of a session copy, and let them read if they may."""
        if not self.is_own:
            return
        session.on("Runtime.bindingCalled", lambda event: self._on_call(session, event))
        session.post("Runtime.addBinding", name=_BINDING)
        session.post(
            "Page.addScriptToEvaluateOnNewDocument",
            source=script("standalone/clipboard.js"),
            runImmediately=True,
        )

    @asynccontextmanager
    async def in_chrome(self) -> AsyncIterator[None]:
        """Keep the contents in Chrome's clipboard while the block runs, for a key that pastes."""
        if not self.is_own:
            yield
            return
        chrome = self._context.browser.clipboard
        async with chrome.lock:
            await chrome.put(self._contents)
            yield

    def _require_own(self) -> None:
        if not self.is_own:
            raise Blocked(
                "The clipboard of a Chrome with windows is that of the computer, which belongs to the user.",
                hint="Type the text, or use a headless session.",
            )

    def _on_call(self, session: CdpSession, event: Params) -> None:
        if event["name"] != _BINDING:
            return
        what, _, text = event["payload"].partition(" ")
        if what == "read":
            self._reply(session, event["executionContextId"], text)
        elif isinstance(copied := json.loads(text), dict):
            self._contents = {
                kind: str(copied[kind])[:_MAX_CHARACTERS] for kind in _TYPES if copied.get(kind)
            }

    def _reply(self, session: CdpSession, world: int, name: str) -> None:
        """Give the contents to a document that asks for them, or null if it may not read them."""
        contents = self._contents if self._may_read(session, world) else None
        expression = f"globalThis[{json.dumps(name)}]?.({json.dumps(contents)})"
        session.post("Runtime.evaluate", expression=expression, contextId=world)

    def _may_read(self, session: CdpSession, world: int) -> bool:
        """Whether the caller allowed it: a page could change what its own scripts find out."""
        urls = [
            frame.url
            for tab in self._context.tabs.values()
            for frame in tab.frames
            if frame.session is session and world in frame.contexts.values()
        ]
        return bool(urls) and self._context.permissions.is_granted("clipboard-read", origin_of(urls[0]))


class ChromeClipboard:
    """The one clipboard of a headless Chrome, filled by a page that no session sees."""

    def __init__(self, browser: "Browser") -> None:
        self._browser = browser
        self._tab: Tab | None = None
        # Held from filling the clipboard until the key that pastes has been handled.
        self.lock = anyio.Lock()

    async def put(self, contents: dict[str, str]) -> None:
        """Replace what is in Chrome's clipboard."""
        with deadline(_TIMEOUT, "Chrome's clipboard could not be filled.", hint="Type the text instead."):
            if self._tab is None or self._tab.closed.is_set() or self._tab.crashed:
                self._tab = await (await self._browser.new_context()).new_tab()
            await self._tab.session.send(
                "Runtime.evaluate",
                expression=f"{script('standalone/put_clipboard.js')}\nputClipboard({json.dumps(contents)})",
                userGesture=True,  # without one, a page may not copy
            )
