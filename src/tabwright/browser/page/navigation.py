"""Navigating a tab: going to a URL, reloading, back and forward.

What a navigation leads to is awaited in `navigation_result`.
"""

from collections.abc import Awaitable
from typing import TYPE_CHECKING

import anyio

from tabwright.browser.page.document_loads import DocumentLoads
from tabwright.browser.page.frame import DocumentGone
from tabwright.browser.page.navigation_result import Navigated, NavigationResult, WaitUntil
from tabwright.cdp import CdpError, CdpSession, Params
from tabwright.errors import InvalidArgs, NotFound, PageFailed, TabwrightError

if TYPE_CHECKING:
    import asyncio

    from tabwright.browser.tab import Tab

__all__ = ["Navigated", "Navigation", "WaitUntil"]

# How often a navigation is sent when the old page crashes and takes it along.
_MAX_ATTEMPTS = 3
# Seconds in which Chrome reports a crash.
_CRASH_REPORT_TIMEOUT = 2.0


class Navigation:
    """Navigates the tab: `goto`, `reload`, `back`, `forward`, and waits for pages to load.

    Without `wait_until`, they wait for `load`, but not long for images, scripts and others once the content
    of the document is there; `Navigated.still_loading` names what is missing. It does so too if the document
    is usable and does not reach an explicit `load` or `networkidle` in time: the navigation has succeeded.
    """

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self._loads = DocumentLoads(tab)
        self._result = NavigationResult(tab, self._loads)

    def attach(self, session: CdpSession) -> None:
        """Follow the main frame, which only the page's own session reports."""
        if session is self._tab.session:
            self._loads.attach(session)

    @property
    def commits(self) -> int:
        """How many documents the tab has shown."""
        return self._loads.commits

    @property
    def moves_within(self) -> int:
        """How often the URL changed within a document."""
        return self._loads.moves_within

    @property
    def under_way(self) -> bool:
        """Whether a navigation to a new document has started and neither committed nor failed."""
        return self._loads.under_way

    @property
    def awaits_server(self) -> bool:
        """Whether the navigation under way has sent its request and has no response yet."""
        return self._loads.awaits_server

    @property
    def loaded(self) -> bool:
        """Whether the document has loaded and no navigation is under way."""
        return not self.under_way and "load" in self._loads.current.reached

    @property
    def status(self) -> tuple[int | None, str]:
        """HTTP status of the document, as number and text."""
        load = self._loads.current
        return load.status, load.status_text

    def describe_missing(self) -> str:
        """Return what the page is still loading: 1 image of cdn.example; "" if it has loaded."""
        return "" if self.loaded else self._result.describe_missing()

    async def goto(
        self, url: str, *, wait_until: WaitUntil | None = None, timeout: float = 30.0
    ) -> Navigated:
        """Navigate to `url` and wait until its document reaches `wait_until`."""
        self._require_url(url)
        downloads = self._tab.context.downloads
        known, moves = len(downloads), self.moves_within
        with self._result.time_limit(timeout, wait_until) as limit:
            answer = await self._navigate(url)
            if answer.get("isDownload"):
                return Navigated(self._tab.url, download=await downloads.wait_for_start(after=known))
            if "errorText" in answer:
                return await self._result.without_document(url, answer)
            if "loaderId" not in answer:
                await self._tab.until(lambda: self.moves_within > moves)
                return Navigated(self._tab.url, same_document=True)
            # The answer may come before the event that the document has committed.
            load = self._loads.get(answer["loaderId"])
            await self._tab.until(lambda: load.committed or bool(load.error))
            if self._loads.was_cancelled(answer["loaderId"]):
                return await self._result.without_document(url, {**answer, "errorText": load.error})
            return await self._result.wait_for_document(wait_until, limit)

    async def start(self, url: str, *, timeout: float = 30.0) -> None:
        """Start a navigation and wait neither for its server nor for its document.

        Raises:
            InvalidArgs: Chrome does not accept the URL.
        """
        self._require_url(url)
        latest_id, moves = self._loads.latest_id, self.moves_within
        with self._result.time_limit(timeout, "commit"):
            await self._leave_page()
            answer = self._tab.session.start("Page.navigate", url=url)
            answer.add_done_callback(self._on_answer)
            await self._tab.until(
                lambda: answer.done() or self._loads.latest_id != latest_id or self.moves_within > moves
            )
            if answer.done() and "errorText" in (result := await _require_accepted(url, answer)):
                await self._result.without_document(url, result)

    async def reload(
        self, *, wait_until: WaitUntil | None = None, timeout: float = 30.0, ignore_cache: bool = False
    ) -> Navigated:
        """Load the current document again."""
        with self._result.time_limit(timeout, wait_until) as limit:
            await self._free_page()
            before = self._result.state()
            await self._tab.session.send("Page.reload", ignoreCache=ignore_cache)
            return await self._result.wait(before, wait_until, limit)

    async def back(self, *, wait_until: WaitUntil | None = None, timeout: float = 30.0) -> Navigated:
        """Go one entry back in the tab's history."""
        return await self._travel(-1, wait_until, timeout)

    async def forward(self, *, wait_until: WaitUntil | None = None, timeout: float = 30.0) -> Navigated:
        """Go one entry forward in the tab's history."""
        return await self._travel(+1, wait_until, timeout)

    async def wait(self, wait_until: WaitUntil | None = None, *, timeout: float = 30.0) -> Navigated:
        """Wait until the current document, or the one under way, reaches `wait_until`.

        Raises:
            TimedOut: it did not; without `wait_until`, a usable document suffices.
        """
        with self._result.time_limit(timeout, wait_until) as limit:
            return await self._result.wait_for_document(wait_until, None if wait_until else limit)

    async def next(
        self, *, after: int, wait_until: WaitUntil | None = None, timeout: float = 30.0
    ) -> Navigated:
        """Wait for a navigation beyond commit number `after`, which was read before the action."""
        with self._result.time_limit(timeout, wait_until) as limit:
            before = self._result.state(commits=after, may_have_started=True)
            return await self._result.wait(before, wait_until, limit)

    async def stop(self) -> None:
        """Stop loading."""
        await self._result.stop_loading()

    def _on_answer(self, answer: "asyncio.Future[Params]") -> None:
        if not answer.cancelled():
            answer.exception()  # the caller may be gone; asyncio logs an exception that nobody reads
        self._tab.changed.fire()

    def _require_url(self, url: str) -> None:
        if not url.strip() or any(ord(char) < 0x20 for char in url):
            raise InvalidArgs(
                f"{url!r} is not a URL.", hint="Give a full address, such as https://example.com/."
            )
        self._tab.context.gate.check(url)

    async def _navigate(self, url: str) -> Params:
        """Send the navigation, again if the old page crashes and takes it along."""
        await self._leave_page()
        for _ in range(_MAX_ATTEMPTS - 1):
            answer = await self._send_navigate(url)
            if not await self._died_with_old_page(answer):
                return answer
            await self._free_page()
        return await self._send_navigate(url)

    async def _send_navigate(self, url: str) -> Params:
        return await _require_accepted(url, self._tab.session.start("Page.navigate", url=url))

    async def _leave_page(self) -> None:
        """Get the old page ready to be left; it may still be rendering."""
        await self._tab.ready.wait()  # Chrome loses a page that navigates before it has our first calls
        if self.under_way or await self._tab.watchdog.is_blocked_by_script():
            await self._free_page()
        self._tab.recover()

    async def _free_page(self) -> None:
        await self._tab.watchdog.free_page()
        self._tab.recover()

    async def _died_with_old_page(self, answer: Params) -> bool:
        """Whether the process of the old page crashed, and the navigation with it."""
        failed, downloads = answer.get("errorText"), answer.get("isDownload")
        if failed == "net::ERR_ABORTED" and not downloads:
            return await self._has_crashed()
        if "loaderId" not in answer or failed or downloads:
            return False
        return not await self._commits(answer["loaderId"])

    async def _has_crashed(self) -> bool:
        """Whether the page crashed; Chrome may report that after the calls that it broke off."""
        try:
            with anyio.move_on_after(_CRASH_REPORT_TIMEOUT):
                await self._tab.main_frame.ask("Runtime.getIsolateId")
        except PageFailed:
            return True
        except (TabwrightError, CdpError, DocumentGone):
            return False
        return False

    async def _commits(self, loader_id: str) -> bool:
        """Whether the tab shows a requested document, or continues to yet another one."""
        load = self._loads.get(loader_id)
        try:
            await self._tab.until(lambda: load.committed or bool(load.error))
        except PageFailed:
            if load.committed:
                raise
            return False  # the old page crashed, or hung so long that it was killed
        return not self._loads.was_cancelled(loader_id)

    async def _travel(self, step: int, wait_until: WaitUntil | None, timeout: float) -> Navigated:
        with self._result.time_limit(timeout, wait_until) as limit:
            await self._free_page()
            history = await self._tab.session.send("Page.getNavigationHistory")
            index = history["currentIndex"] + step
            if not 0 <= index < len(history["entries"]):
                direction = "back" if step < 0 else "forward"
                raise NotFound(f"There is no page to go {direction} to.", hint="Navigate to a URL instead.")
            before, entry = self._result.state(), history["entries"][index]
            await self._tab.session.send("Page.navigateToHistoryEntry", entryId=entry["id"])
            return await self._result.wait(before, wait_until, limit, within=True)


async def _require_accepted(url: str, answer: Awaitable[Params]) -> Params:
    """Return Chrome's answer; raise InvalidArgs if it does not accept the URL."""
    try:
        return await answer
    except CdpError as error:
        raise InvalidArgs(
            f"Chrome cannot navigate to {url!r}: {error.message}.",
            hint="Give a full address, such as https://example.com/.",
        ) from error
