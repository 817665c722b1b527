"""Waiting for what a navigation leads to: a document, a move within one, a download, no content or an error.

`navigation` starts navigations. The facts come from `document_loads`, keyed by loader id, so that a wait
never takes the old document for the new one.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import anyio

from tabwright.browser.network.error_text import explain
from tabwright.browser.page.document_loads import DocumentLoad, DocumentLoads
from tabwright.browser.page.frame import DocumentGone
from tabwright.cdp import CdpError, Params
from tabwright.errors import PageFailed, TabwrightError, TimedOut

if TYPE_CHECKING:
    from tabwright.browser.storage.downloads import Download
    from tabwright.browser.tab import Tab

WaitUntil = Literal["commit", "domcontentloaded", "load", "networkidle"]

_MILESTONES: dict[WaitUntil, str] = {
    "commit": "commit",
    "domcontentloaded": "DOMContentLoaded",
    "load": "load",
    "networkidle": "load",
}
# Seconds for images, scripts and others once the content of the document is there.
_PATIENCE = 5.0
# Seconds for the page to say whether its content is there.
_QUESTION_TIMEOUT = 1.0
# Documents that one wait may pass through, by script or meta refresh, before it counts as a loop.
_MAX_REDIRECTS = 20
# Seconds for the last document of a loop to commit.
_LOOP_END_TIMEOUT = 2.0
# Seconds for Chrome's own error page to commit.
_ERROR_PAGE_TIMEOUT = 1.0
# Seconds in which Chrome reports a download that replaced a document.
_DOWNLOAD_TIMEOUT = 2.0
_NO_CONTENT = (204, 205)
_ABORTED = "net::ERR_ABORTED"
_GATE_ERRORS = ("net::ERR_TUNNEL_CONNECTION_FAILED", "net::ERR_BLOCKED_BY_CLIENT")
_GATE_STATUSES = (403, 502)


@dataclass(frozen=True, slots=True)
class Navigated:
    """Where a navigation ended: the URL, and the HTTP status, a move within the document, or a download."""

    url: str
    status: int | None = None
    status_text: str = ""
    same_document: bool = False
    download: "Download | None" = None
    # What was not waited for: 1 image of cdn.example.
    still_loading: str = ""


@dataclass(frozen=True, slots=True)
class NavigationState:
    """The counters of a tab before a navigation, to recognise what comes after."""

    latest_id: str
    commits: int
    moves_within: int
    downloads: int


class NavigationResult:
    """Waits for the result of a navigation of one tab; callers bound each wait with `time_limit`."""

    def __init__(self, tab: "Tab", loads: DocumentLoads) -> None:
        self._tab = tab
        self._loads = loads

    def state(self, *, commits: int | None = None, may_have_started: bool = False) -> NavigationState:
        """Return the counters now, before a navigation that may have started already."""
        return NavigationState(
            "" if may_have_started and self._loads.under_way else self._loads.latest_id,
            self._loads.commits if commits is None else commits,
            self._loads.moves_within,
            len(self._tab.context.downloads),
        )

    async def wait(
        self,
        before: NavigationState,
        wait_until: WaitUntil | None,
        limit: anyio.CancelScope,
        *,
        within: bool = False,
    ) -> Navigated:
        """Wait for the result of a navigation after `before`; `within`: it may stay in the document."""
        loads = self._loads
        while True:
            await self._tab.until(
                lambda: (
                    loads.commits > before.commits
                    or (within and loads.moves_within > before.moves_within)
                    or self._was_aborted(before)
                )
            )
            if loads.commits > before.commits:
                return await self.wait_for_document(wait_until, limit)
            if not self._was_aborted(before):
                load = loads.current
                return Navigated(self._tab.url, load.status, load.status_text, same_document=True)
            result = await self._result_without_document(before)
            if result is not None:
                return result

    async def wait_for_document(
        self, wait_until: WaitUntil | None, limit: anyio.CancelScope | None = None
    ) -> Navigated:
        """Wait until the current document reaches a milestone; scripts may lead to another one first.

        With the caller's `limit`, a usable document suffices when the time is over.
        """
        last_allowed = self._loads.commits + _MAX_REDIRECTS
        if limit is None:
            await self._reach(wait_until or "load", last_allowed)
            return self._navigated()
        end, limit.deadline = limit.deadline, math.inf  # the last question to the page comes after it
        while True:
            with anyio.move_on_at(end if wait_until else min(end, self._end_of_patience())) as waiting:
                await self._reach(wait_until or "load", last_allowed)
            if not waiting.cancelled_caught:
                return self._navigated()
            usable, over = await self._is_usable(), anyio.current_time() >= end
            if usable and (over or anyio.current_time() >= self._end_of_patience()):
                return replace(self._navigated(), still_loading=self.describe_missing())
            if over:
                limit.deadline = end  # it has passed, so the wait ends
                await anyio.sleep_forever()

    async def _reach(self, wait_until: WaitUntil, last_allowed: int) -> None:
        """Wait for a milestone, and for at most the document number `last_allowed`."""
        loads, milestone = self._loads, _MILESTONES[wait_until]
        await self._tab.until(
            lambda: (
                loads.commits > last_allowed or (not loads.under_way and milestone in loads.current.reached)
            )
        )
        if loads.commits > last_allowed:
            await self._break_loop()
            raise PageFailed(
                f"{self._tab.url} keeps redirecting to another page.", hint="The site is in a redirect loop."
            )
        if wait_until == "networkidle" and not loads.current.error:
            await self._tab.traffic.idle()

    def _navigated(self) -> Navigated:
        load = self._loads.current
        self._require_allowed(load)
        if load.error and load.status is None:
            raise _load_failed(self._tab.url, load.error)
        return Navigated(self._tab.url, load.status, load.status_text)

    def _end_of_patience(self) -> float:
        """When a document that is usable is no longer waited for; or, if it is not, when to check again."""
        usable_since = None if self._loads.under_way else self._loads.current.usable_since
        return (anyio.current_time() if usable_since is None else usable_since) + _PATIENCE

    async def _is_usable(self) -> bool:
        """Whether the tab shows a document with all its content; deferred scripts may hold up the events."""
        load = self._loads.current
        if load.usable_since is None and not self._loads.under_way:
            with suppress(CdpError, DocumentGone), anyio.move_on_after(_QUESTION_TIMEOUT):
                if await self._tab.main_frame.call_here("isParsed"):
                    load.mark_usable()
        return not self._loads.under_way and self._loads.current.usable_since is not None

    async def without_document(self, url: str, answer: Params) -> Navigated:
        """Return the result of a navigation that showed nothing because its server sent no content.

        Raises:
            PageFailed: it failed.
            Denied: the gate of the tab's context refused it.
        """
        error = answer["errorText"]
        load = self._loads.get(answer["loaderId"]) if "loaderId" in answer else DocumentLoad()
        if error in _GATE_ERRORS:
            await self._tab.until(lambda: load.committed)  # then the tab's URL is the refused one
            self._require_allowed(load)
        if error == _ABORTED and load.status in _NO_CONTENT:
            return Navigated(self._tab.url, load.status, load.status_text)
        if "loaderId" in answer and error != _ABORTED:
            # Chrome is about to show its error page: the next call should not see the page before it.
            with suppress(TabwrightError), anyio.move_on_after(_ERROR_PAGE_TIMEOUT):
                await self._tab.until(lambda: load.committed)
        raise _load_failed(url, error)

    @contextmanager
    def time_limit(self, timeout: float, wait_until: WaitUntil | None) -> Iterator[anyio.CancelScope]:
        """Fail the block after `timeout` seconds with how far the page got; stop a navigation under way."""
        self._tab.dialogs.require_none()  # it would block the navigation
        try:
            with anyio.fail_after(timeout) as limit:
                yield limit
        except TimeoutError as error:
            progress = self._describe_progress()
            if self._loads.under_way:
                self._tab.session.post("Page.stopLoading")
            raise TimedOut(
                f"The page did not reach {wait_until or 'load'} in {timeout:.3g} s: {progress}.",
                hint="Allow more time, or wait for an earlier state.",
            ) from error

    async def stop_loading(self) -> None:
        """Stop loading."""
        with suppress(CdpError):  # between two documents there is nothing to stop
            await self._tab.session.send("Page.stopLoading")

    def _was_aborted(self, before: NavigationState) -> bool:
        """Whether the last navigation started after `before` and was aborted without a document."""
        load = self._loads.latest
        return self._loads.latest_id != before.latest_id and load.error == _ABORTED and not load.committed

    async def _result_without_document(self, before: NavigationState) -> Navigated | None:
        """Return the result of an aborted navigation; None when another navigation replaced it."""
        loader_id = self._loads.latest_id
        load = self._loads.get(loader_id)
        if load.status not in _NO_CONTENT:
            with anyio.move_on_after(_DOWNLOAD_TIMEOUT):
                download = await self._tab.context.downloads.wait_for_start(after=before.downloads)
                return Navigated(self._tab.url, download=download)
        if self._loads.latest_id != loader_id or self._loads.commits > before.commits:
            return None
        return await self.without_document(self._tab.url, {"loaderId": loader_id, "errorText": load.error})

    def _require_allowed(self, load: DocumentLoad) -> None:
        """Raise the gate's error if it stopped this document: it refuses tunnels and answers plain HTTP."""
        if load.error in _GATE_ERRORS or load.status in _GATE_STATUSES:
            failure = self._tab.context.gate.failure(self._tab.url)
            if failure is not None:
                raise failure

    async def _break_loop(self) -> None:
        """End a chain of redirects: a document without scripts does not continue it."""
        session = self._tab.session
        await session.send("Emulation.setScriptExecutionDisabled", value=True)
        try:
            await self.stop_loading()
            with anyio.move_on_after(_LOOP_END_TIMEOUT):
                await self._tab.until(lambda: not self._loads.under_way)
        finally:
            session.post("Emulation.setScriptExecutionDisabled", value=False)

    def _describe_progress(self) -> str:
        if self._loads.under_way:
            status = self._loads.latest.status
            return (
                f"the server answered {status}, but the page has received nothing of the document"
                if status
                else "the server has not answered"
            )
        first = next((f" ({request.url[:200]})" for request in self._tab.traffic.in_flight.values()), "")
        if self._loads.current.usable_since is not None:
            return f"still loading {self.describe_missing()}{first}"
        if self._tab.main_frame.loader_id in self._tab.traffic.in_flight:
            return f"the document of {self._tab.url} is still being received"
        missing = f"{self.describe_missing()}{first}"
        return f"the document of {self._tab.url} is not usable yet: it waits for {missing}"

    def describe_missing(self) -> str:
        """Return what the page is still loading: 1 image of cdn.example, 2 scripts of example.com."""
        if self._loads.under_way:
            return "the document"
        return self._tab.traffic.describe() or "its scripts"


def _load_failed(url: str, error: str) -> PageFailed:
    return PageFailed(
        f"{url} could not be loaded: {explain(error)}.", hint="Check the address, then try again."
    )
