"""Our own pages, which no caller sees: they are not tabs and send no requests.

Each shows an empty document under the address of a real site, to reach what the site stores.
"""

import base64
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from tabwright.aio import Signal
from tabwright.cdp import CdpSession, Params
from tabwright.errors import PageFailed

if TYPE_CHECKING:
    from tabwright.browser.browser import Browser

_EMPTY = base64.b64encode(b"<!doctype html><title></title>").decode()
_HEADERS = {"content-type": "text/html; charset=utf-8", "cache-control": "no-store"}


class HiddenPages:
    """The hidden pages of one browser."""

    def __init__(self, browser: "Browser", adopt: Callable[[Params], None]) -> None:
        self._browser = browser
        self._adopt = adopt
        self._creating = 0
        # Chrome reports a new page before it says which call created it.
        self._undecided: dict[str, Params] = {}
        self._attached = Signal()

    def take(self, event: Params) -> bool:
        """Return whether a page that is still paused may be hidden; if it is not, it is adopted later."""
        target = event["targetInfo"]
        if not self._creating or "openerId" in target:
            return False
        self._undecided[target["targetId"]] = event
        self._attached.fire()
        return True

    @asynccontextmanager
    async def open(self, where: Params, url: str) -> AsyncIterator[CdpSession]:
        """Show an empty document at an address while the block runs; the caller's deadline bounds it.

        Raises:
            PageFailed: Chrome shows no document there.
        """
        session, target_id = await self._create(where)
        try:
            session.on("Fetch.requestPaused", lambda event: _answer_with_empty_page(session, event))
            session.post("Fetch.enable")
            session.post("Network.enable")
            session.post("Network.setBypassServiceWorker", bypass=True)
            session.post("Runtime.runIfWaitingForDebugger")
            if failure := (await session.send("Page.navigate", url=url)).get("errorText"):
                raise PageFailed(f"{url} did not load: {failure}.", hint="Try again.")
            yield session
        finally:
            self._browser.root.post("Target.closeTarget", targetId=target_id)

    async def _create(self, where: Params) -> tuple[CdpSession, str]:
        root, target_id = self._browser.root, ""
        self._creating += 1
        creating = root.start("Target.createTarget", url="about:blank", hidden=True, background=True, **where)
        try:
            target_id = (await creating)["targetId"]
            await self._attached.until(lambda: target_id in self._undecided)
            event = self._undecided.pop(target_id)
        finally:
            self._creating -= 1
            if not self._creating:
                undecided, self._undecided = self._undecided, {}
                for other in undecided.values():
                    self._adopt(other)
        return self._browser.connection.session(event["sessionId"]), target_id


def _answer_with_empty_page(session: CdpSession, event: Params) -> None:
    session.post(
        "Fetch.fulfillRequest",
        requestId=event["requestId"],
        responseCode=200,
        responseHeaders=[{"name": name, "value": value} for name, value in _HEADERS.items()],
        body=_EMPTY,
    )
