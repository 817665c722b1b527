"""Going places: navigate, reload, back and forward, and waiting for a document to get somewhere.

Milestones come from lifecycle events of the main frame, keyed by loader, so that a wait never mistakes the
old document for the new one.
"""

from collections.abc import Awaitable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import anyio

from tabwright.browser.network.error_text import explain
from tabwright.browser.page.document_loads import DocumentLoad, DocumentLoads
from tabwright.browser.page.frame import DocumentGone
from tabwright.cdp import CdpError, CdpSession, Params
from tabwright.errors import InvalidArgs, NotFound, PageFailed, TabwrightError, TimedOut
from tabwright.text import format_count

if TYPE_CHECKING:
    import asyncio

    from tabwright.browser.storage.downloads import Download
    from tabwright.browser.tab import Tab

WaitUntil = Literal["commit", "domcontentloaded", "load", "networkidle"]

_MILESTONE: dict[WaitUntil, str] = {
    "commit": "commit",
    "domcontentloaded": "DOMContentLoaded",
    "load": "load",
    "networkidle": "load",
}
# Documents that one wait may pass through, by script or meta refresh, before it counts as a loop.
_MAX_HOPS = 20
# Seconds given to the last document of a loop to arrive.
_LAST_HOP = 2.0
# How often a document is asked for when the page that is left takes it along as it dies.
_TRIES = 3
# Seconds in which Chrome tells of a crash that it has not told of yet.
_CRASH_NEWS = 2.0
# Seconds for Chrome's own page about a failure to be there.
_ERROR_PAGE = 1.0
# Seconds in which Chrome tells of a download that took the place of a document.
_DOWNLOAD_NEWS = 2.0
_OF_THE_GATE = ("net::ERR_TUNNEL_CONNECTION_FAILED", "net::ERR_BLOCKED_BY_CLIENT")


@dataclass(frozen=True, slots=True)
class Navigated:
    """Where a navigation ended."""

    url: str
    status: int | None = None
    status_text: str = ""
    same_document: bool = False
    download: "Download | None" = None


@dataclass(frozen=True, slots=True)
class _State:
    """How things were before a navigation was asked for."""

    started: str
    commits: int
    moves: int
    downloads: int


class Navigation:
    """The main frame's way from document to document."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self._loaders = DocumentLoads(tab)
        self.commits = 0
        self.moves_within = 0

    def attach(self, session: CdpSession) -> None:
        """Follow the main frame; only the page's own session tells of it."""
        if session is not self._tab.session:
            return
        self._loaders.attach(session)
        session.on("Page.frameNavigated", self._committed)
        session.on("Page.navigatedWithinDocument", self._moved_within)
        session.post("Page.setLifecycleEventsEnabled", enabled=True)

    @property
    def under_way(self) -> bool:
        """Whether a navigation to a new document has begun and is neither committed nor given up."""
        if not self._loaders.started:
            return False
        loader = self._loaders.last
        return not loader.error and not loader.arrived

    @property
    def loaded(self) -> bool:
        """Whether the document shown now has loaded, and no other one is on its way."""
        return not self.under_way and "load" in self._loaders.current.reached

    @property
    def awaits_server(self) -> bool:
        """Whether the navigation under way has asked its server and got no answer yet."""
        loader = self._loaders.last
        asked = self._loaders.started in self._tab.traffic.in_flight
        return self.under_way and asked and loader.status is None

    @property
    def status(self) -> tuple[int | None, str]:
        """HTTP status and its words of the document shown now."""
        loader = self._loaders.current
        return loader.status, loader.status_text

    async def goto(self, url: str, *, wait_until: WaitUntil = "load", timeout: float = 30.0) -> Navigated:
        """Navigate to `url` and wait until its document got as far as `wait_until`."""
        self._require_address(url)
        downloads = self._tab.context.downloads
        known, moves = len(downloads), self.moves_within
        with self._deadline(timeout, wait_until):
            answer = await self._set_out(url)
            if answer.get("isDownload"):
                return Navigated(self._tab.url, download=await downloads.wait_for_start(after=known))
            if "errorText" in answer:
                return await self._not_shown(url, answer)
            if "loaderId" not in answer:
                await self._tab.until(lambda: self.moves_within > moves)
                return Navigated(self._tab.url, same_document=True)
            # The answer may come before the news that the document arrived.
            loader = self._loaders.of(answer["loaderId"])
            await self._tab.until(lambda: loader.arrived or bool(loader.error))
            if self._is_lost(answer["loaderId"]):
                return await self._not_shown(url, {**answer, "errorText": loader.error})
            return await self._arrive(wait_until)

    async def set_out(self, url: str, *, timeout: float = 30.0) -> None:
        """Begin a navigation and wait for nothing of it: neither its server nor its document.

        Raises:
            InvalidArgs: Chrome takes the address for none.
        """
        self._require_address(url)
        started, moves = self._loaders.started, self.moves_within
        with self._deadline(timeout, "commit"):
            await self._tab.ready.wait()
            if self.under_way or await self._tab.watch.held_by_script():
                await self._make_way()
            self._tab.recover()
            answer = self._tab.session.start("Page.navigate", url=url)
            answer.add_done_callback(self._answered)
            await self._tab.until(
                lambda: answer.done() or self._loaders.started != started or self.moves_within > moves
            )
            if answer.done() and "errorText" in (told := await _navigable(url, answer)):
                await self._not_shown(url, told)

    async def reload(
        self, *, wait_until: WaitUntil = "load", timeout: float = 30.0, ignore_cache: bool = False
    ) -> Navigated:
        """Load the current document again."""
        with self._deadline(timeout, wait_until):
            await self._make_way()
            before = self._state()
            await self._tab.session.send("Page.reload", ignoreCache=ignore_cache)
            return await self._come_of(before, wait_until)

    async def back(self, *, wait_until: WaitUntil = "load", timeout: float = 30.0) -> Navigated:
        """Go one entry back in the tab's history."""
        return await self._travel(-1, wait_until, timeout)

    async def forward(self, *, wait_until: WaitUntil = "load", timeout: float = 30.0) -> Navigated:
        """Go one entry forward in the tab's history."""
        return await self._travel(+1, wait_until, timeout)

    async def wait(self, wait_until: WaitUntil = "load", *, timeout: float = 30.0) -> Navigated:
        """Wait until the current document, or the one on its way, got as far as `wait_until`."""
        with self._deadline(timeout, wait_until):
            return await self._arrive(wait_until)

    async def next(self, *, after: int, wait_until: WaitUntil = "load", timeout: float = 30.0) -> Navigated:
        """Wait for a navigation beyond commit number `after`, taken before the act that starts it."""
        with self._deadline(timeout, wait_until):
            return await self._come_of(self._state(commits=after, counts_this=True), wait_until)

    async def stop(self) -> None:
        """Stop loading."""
        with suppress(CdpError):  # between two documents there is nothing to stop
            await self._tab.session.send("Page.stopLoading")

    def _answered(self, answer: "asyncio.Future[Params]") -> None:
        """Wake who waits for an answer, or for something else that came before it."""
        if not answer.cancelled():
            answer.exception()  # nobody may be left to hear it
        self._tab.changed.fire()

    def _require_address(self, url: str) -> None:
        if not url.strip() or any(ord(char) < 0x20 for char in url):
            raise InvalidArgs(
                f"{url!r} is not a URL.", hint="Give a whole address, such as https://example.com/."
            )
        self._tab.context.gate.check(url)

    async def _set_out(self, url: str) -> Params:
        """Ask for a document, while the page that is there may still be at work on its picture."""
        await self._tab.ready.wait()  # Chrome loses a page that leaves before it has heard what we want of it
        if self.under_way or await self._tab.watch.held_by_script():
            await self._make_way()
        self._tab.recover()
        for _ in range(_TRIES - 1):
            answer = await self._navigate(url)
            if not await self._died_under(answer):
                return answer
            await self._make_way()
        return await self._navigate(url)

    async def _died_under(self, answer: Params) -> bool:
        """Whether the process of the page that is left died, and the navigation with it."""
        failed, kept = answer.get("errorText"), answer.get("isDownload")
        if failed == "net::ERR_ABORTED" and not kept:
            return await self._page_died()
        return (
            "loaderId" in answer and not failed and not kept and not await self._commits(answer["loaderId"])
        )

    async def _page_died(self) -> bool:
        """Whether the page crashed, as may be told only after what it broke off."""
        try:
            with anyio.move_on_after(_CRASH_NEWS):
                await self._tab.main_frame.ask("Runtime.getIsolateId")
        except PageFailed:
            return True
        except (TabwrightError, CdpError, DocumentGone):
            return False
        return False

    async def _commits(self, loader_id: str) -> bool:
        """Whether the page takes over a document that was asked for, or goes on to yet another."""
        loader = self._loaders.of(loader_id)
        try:
            await self._tab.until(lambda: loader.arrived or bool(loader.error))
        except PageFailed:
            if loader.arrived:
                raise
            return False  # the page that is left crashed, or took so long to go that it was ended
        return not self._is_lost(loader_id)

    def _is_lost(self, loader_id: str) -> bool:
        """Whether a document was called off, and by nothing that took its place."""
        loader = self._loaders.of(loader_id)
        return bool(loader.error) and not loader.arrived and self._loaders.started == loader_id

    async def _make_way(self) -> None:
        await self._tab.watch.make_way()
        self._tab.recover()

    async def _navigate(self, url: str) -> Params:
        return await _navigable(url, self._tab.session.start("Page.navigate", url=url))

    async def _not_shown(self, url: str, answer: Params) -> Navigated:
        """The server answered with nothing to show (204), or the navigation failed."""
        loader = self._loaders.of(answer["loaderId"]) if "loaderId" in answer else DocumentLoad()
        if answer["errorText"] in _OF_THE_GATE:
            await self._tab.until(lambda: loader.arrived)  # the tab then knows where it was led
            self._require_open_way(loader)
        if answer["errorText"] == "net::ERR_ABORTED" and loader.status in (204, 205):
            return Navigated(self._tab.url, loader.status, loader.status_text)
        if "loaderId" in answer and answer["errorText"] != "net::ERR_ABORTED":
            # Chrome's own page about it is on its way: whoever looks next should not see the one before.
            with suppress(TabwrightError), anyio.move_on_after(_ERROR_PAGE):
                await self._tab.until(lambda: loader.arrived)
        raise PageFailed(
            f"{url} could not be loaded: {explain(answer['errorText'])}.",
            hint="Check the address, then try again.",
        )

    async def _travel(self, step: int, wait_until: WaitUntil, timeout: float) -> Navigated:
        with self._deadline(timeout, wait_until):
            await self._make_way()
            history = await self._tab.session.send("Page.getNavigationHistory")
            index = history["currentIndex"] + step
            if not 0 <= index < len(history["entries"]):
                way = "back" if step < 0 else "forward"
                raise NotFound(f"There is no page to go {way} to.", hint="Navigate to a URL instead.")
            before, entry = self._state(), history["entries"][index]
            await self._tab.session.send("Page.navigateToHistoryEntry", entryId=entry["id"])
            return await self._come_of(before, wait_until, within=True)

    def _state(self, *, commits: int | None = None, counts_this: bool = False) -> _State:
        """Note how things are before a navigation; `counts_this` when it may have begun already."""
        started = "" if counts_this and self.under_way else self._loaders.started
        downloads = len(self._tab.context.downloads)
        return _State(started, self.commits if commits is None else commits, self.moves_within, downloads)

    async def _come_of(self, before: _State, wait_until: WaitUntil, *, within: bool = False) -> Navigated:
        """Wait for what comes of a navigation: a document, a move within one, or nothing to show."""
        while True:
            await self._tab.until(
                lambda: (
                    self.commits > before.commits
                    or (within and self.moves_within > before.moves)
                    or self._called_off(before)
                )
            )
            if self.commits > before.commits:
                return await self._arrive(wait_until)
            if not self._called_off(before):
                return Navigated(self._tab.url, *self.status, same_document=True)
            shown = await self._instead(before)
            if shown is not None:
                return shown

    def _called_off(self, before: _State) -> bool:
        """Whether the last navigation is later than `before` and brought no document."""
        loader = self._loaders.last
        later = self._loaders.started != before.started
        return later and loader.error == "net::ERR_ABORTED" and not loader.arrived

    async def _instead(self, before: _State) -> Navigated | None:
        """Say what came in the place of a document; None when another navigation did."""
        loader_id, downloads = self._loaders.started, self._tab.context.downloads
        loader = self._loaders.of(loader_id)
        if loader.status not in (204, 205):
            with anyio.move_on_after(_DOWNLOAD_NEWS):
                download = await downloads.wait_for_start(after=before.downloads)
                return Navigated(self._tab.url, download=download)
        if self._loaders.started != loader_id or self.commits > before.commits:
            return None
        return await self._not_shown(self._tab.url, {"loaderId": loader_id, "errorText": loader.error})

    async def _arrive(self, wait_until: WaitUntil) -> Navigated:
        """Wait for the milestone of whatever document is current: scripts may lead on to another."""
        milestone, hops = _MILESTONE[wait_until], self.commits
        await self._tab.until(
            lambda: (
                self.commits > hops + _MAX_HOPS
                or (not self.under_way and milestone in self._loaders.current.reached)
            )
        )
        if self.commits > hops + _MAX_HOPS:
            await self._break_loop()
            raise PageFailed(
                f"{self._tab.url} keeps sending the browser on.", hint="The site is in a redirect loop."
            )
        loader = self._loaders.current
        self._require_open_way(loader)
        if loader.error and loader.status is None:
            raise PageFailed(
                f"{self._tab.url} could not be loaded: {explain(loader.error)}.",
                hint="Check the address, then try again.",
            )
        if wait_until == "networkidle":
            await self._tab.traffic.idle()
        return Navigated(self._tab.url, loader.status, loader.status_text)

    def _require_open_way(self, loader: DocumentLoad) -> None:
        """Tell what the gate did to a document: it refuses tunnels, and answers in a plain server's place."""
        if loader.error in _OF_THE_GATE or loader.status in (403, 502):
            failure = self._tab.context.gate.failure(self._tab.url)
            if failure is not None:
                raise failure

    async def _break_loop(self) -> None:
        """End a chain of documents: one whose scripts do not run sends nobody on."""
        session = self._tab.session
        await session.send("Emulation.setScriptExecutionDisabled", value=True)
        try:
            await self.stop()
            with anyio.move_on_after(_LAST_HOP):
                await self._tab.until(lambda: not self.under_way)
        finally:
            session.post("Emulation.setScriptExecutionDisabled", value=False)

    @contextmanager
    def _deadline(self, timeout: float, wait_until: WaitUntil) -> Iterator[None]:
        self._tab.dialogs.require_none()  # it would hold up whatever comes next
        try:
            with anyio.fail_after(timeout):
                yield
        except TimeoutError as error:
            progress = self._progress()
            if self.under_way:
                self._tab.session.post("Page.stopLoading")
            raise TimedOut(
                f"The page did not reach {wait_until} in {timeout:g} s: {progress}.",
                hint="Allow more time, or wait for an earlier state.",
            ) from error

    def _progress(self) -> str:
        if self.under_way:
            loader = self._loaders.last
            return (
                f"the server answered {loader.status}, but nothing of it has reached the page"
                if loader.status
                else "the server has not answered"
            )
        if "DOMContentLoaded" not in self._loaders.current.reached:
            return f"the document of {self._tab.url} is still being received"
        waiting = list(self._tab.traffic.in_flight.values())
        if not waiting:
            return "the document is there, and its scripts are still at work"
        requests = format_count(len(waiting), "request")
        return f"the document is there, with {requests} under way, the first to {waiting[0].url[:200]}"

    def _committed(self, event: Params) -> None:
        frame = event["frame"]
        if "parentId" in frame:
            return
        self.commits += 1
        loader = self._loaders.of(frame["loaderId"])
        loader.reached.add("commit")
        if event.get("type") == "BackForwardCacheRestore":
            loader.reached |= {"DOMContentLoaded", "load"}
        self._tab.changed.fire()

    def _moved_within(self, event: Params) -> None:
        if event["frameId"] == self._tab.main_frame.id:
            self.moves_within += 1
            self._tab.changed.fire()


async def _navigable(url: str, answer: Awaitable[Params]) -> Params:
    try:
        return await answer
    except CdpError as error:
        raise InvalidArgs(
            f"Chrome cannot navigate to {url!r}: {error.message}.",
            hint="Give a whole address, such as https://example.com/.",
        ) from error
