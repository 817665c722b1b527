"""The hang watch: a page whose thread does not answer is stopped, and failing that its process is replaced.

A page may be silent for good reasons: Chrome keeps calls back while a navigation waits for its server, and
laying out a huge document takes its time. Only a script that holds the thread is stopped, and only a process
that neither answers nor works is ended.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import anyio

from tabwright.browser.page.process_activity import work_of
from tabwright.cdp import CdpError, CdpSession, Params
from tabwright.errors import Blocked, PageFailed, TabwrightError

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

log = logging.getLogger(__name__)

_Call = asyncio.Future[Params]

# Silence, two checks with a glance each and the end of the process: together under 3 s.
PATIENCE = 1.5
_CHECK = 0.5
_GLANCE = 0.2
# Seconds of the processor that a script may use after the silence.
_SCRIPT_LIMIT = 0.4
# Checks in a row that find a process idle: one may come between two things it waits for.
_IDLE_CHECKS = 2
# However busy, a page that does not answer for this long is given up.
_WORK_PATIENCE = 20.0
# Where nothing can be stopped or ended, whoever waits is told sooner.
_JOINED_PATIENCE = 8.0
# A page at work on something long may be left all the same after this.
_WAY_PATIENCE = 10.0
_THEIRS = "Its page is the user's to end: work in another tab, or ask them to close or reload it."
# For a process to be gone: one that holds much memory takes its time.
_END = 5.0
# In which a script that runs lets itself be noticed, on a busy computer too. One that is missed holds the
# next document of its site, and then no call of ours reaches it any more.
_MOMENT = 0.25
# A page that answered this lately counts as free without being asked; to ask costs a third of a small call.
_FRESH = 0.02


class HangWatchdog:
    """Watches over the calls to one tab; deals with a session that went silent."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self.stopped = 0
        self._heard: dict[CdpSession, float] = {}
        self._checking: set[CdpSession] = set()
        self._condemned: dict[CdpSession, PageFailed] = {}
        tab.dialogs.on_endless(self._end_asking)

    @contextmanager
    def over(self, session: CdpSession, patience: float | None = None) -> Iterator[None]:
        """Check on the page when the block takes longer than `patience` seconds, and again from then on."""
        with self._alarm(session, patience or PATIENCE, lambda: False):
            yield
        self._heard[session] = asyncio.get_running_loop().time()

    @contextmanager
    def until_reached(self, session: CdpSession) -> Iterator[None]:
        """As `over`, until the page has got to what the block sends first; then it may take its time."""
        if asyncio.get_running_loop().time() - self._heard.get(session, 0.0) < _FRESH:
            yield
        else:
            reached = session.start("Runtime.getIsolateId")
            with self._alarm(session, PATIENCE, reached.done):
                yield
        self._heard[session] = asyncio.get_running_loop().time()

    @contextmanager
    def _alarm(self, session: CdpSession, patience: float, fine: Callable[[], bool]) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        timer: asyncio.TimerHandle

        def ring() -> None:
            nonlocal timer
            if not fine():
                self._suspect(session)
                timer = loop.call_later(PATIENCE, ring)

        timer = loop.call_later(patience, ring)
        try:
            yield
        finally:
            timer.cancel()

    def forget(self, session: CdpSession) -> None:
        """Drop an ended session."""
        self._heard.pop(session, None)

    async def stop_script(self, session: CdpSession) -> None:
        """End the script that holds the page's thread, if one does."""
        if self._awaits_server(session):
            return
        free = session.start("Runtime.evaluate", expression="1")
        if not await _answered(free):
            session.post("Runtime.terminateExecution")
            await _answered(free)
        free.cancel()

    async def held_by_script(self) -> bool:
        """Whether a script seems to hold the page, rather than other work, such as its own picture.

        Of two calls, a script lets only the second be answered; other work lets neither.
        """
        session = self._tab.session
        calls = [session.start("Runtime.getIsolateId"), session.start("Performance.getMetrics")]
        await asyncio.wait(calls, timeout=_MOMENT, return_when=asyncio.FIRST_COMPLETED)
        free, metrics = (call.done() for call in calls)
        for call in calls:
            call.cancel()
        return metrics and not free

    async def make_way(self) -> None:
        """Before a navigation: stop a script that holds the page, for a while.

        It would hold the next document of the same site as well, and there no call of ours reaches it.
        """
        session = self._tab.session
        with suppress(TabwrightError, CdpError), anyio.move_on_after(_WAY_PATIENCE):
            self._tab.require_answering()
            if not self._tab.navigation.under_way:
                with self.over(session):
                    await session.send("Runtime.getIsolateId")

    def verdict(self, session: CdpSession) -> PageFailed | None:
        """Say why we ended the process of a session, if it was us."""
        return self._condemned.pop(session, None)

    def _suspect(self, session: CdpSession) -> None:
        if session not in self._checking and session.lost is None:
            self._checking.add(session)
            self._tab.context.browser.group.start_soon(self._check, session)

    async def _check(self, session: CdpSession) -> None:
        try:
            if other := self._dialog_elsewhere():
                session.interrupt(other)
            elif not self._awaits_server(session):
                await self._look(session)
        except (TabwrightError, CdpError) as error:
            log.debug("tab %s: the check ended early: %s", self._tab.id, error)
        finally:
            self._checking.discard(session)

    async def _look(self, session: CdpSession) -> None:
        free = session.start("Runtime.evaluate", expression="1")
        try:
            joined = bool(self._tab.context.browser.address)
            with anyio.move_on_after(_JOINED_PATIENCE if joined else _WORK_PATIENCE) as limit:
                await self._until_free(session, free)
            if limit.cancelled_caught:
                await self._end_process(session)
        finally:
            free.cancel()

    async def _until_free(self, session: CdpSession, free: _Call) -> None:
        """Give the page time to answer as long as it is at work; stop what is not work.

        What counts is processor time and waiting for the disk, so that a busy computer does not make every
        page look stuck.
        """
        root, idle = self._tab.context.browser.root, 0
        page = self._tab.traffic.process_of(session)
        start = now = await work_of(root, page)
        while not await _answered(free):
            earlier, now = now, await work_of(root, page)
            # Unlike other calls, this one is answered in the middle of a script.
            script_runs = await _answered(session.start("Performance.getMetrics"), within=_GLANCE)
            if free.done() or self._awaits_server(session):
                return
            idle = 0 if script_runs or now.since(earlier) else idle + 1
            if script_runs and now.seconds - start.seconds > _SCRIPT_LIMIT:
                if await _answered(free, within=_GLANCE):
                    return  # it was about to end: to stop it then would hit whatever runs next
                log.warning("tab %s: a script holds the page and is stopped", self._tab.id)
                self.stopped += 1
                start = now
                session.post("Runtime.terminateExecution")
            elif idle == _IDLE_CHECKS:
                await self._end_process(session)
                return

    async def _end_asking(self, session: CdpSession) -> None:
        if self._tab.context.browser.address:
            raise PageFailed("The page opens dialogs without end.", hint=_THEIRS)
        failure = PageFailed(
            "The page opens dialogs without end; its process was ended.", hint="Navigate elsewhere."
        )
        await self._end_process(session, failure)
        self._tab.dialogs.open = None
        raise failure

    async def _end_process(self, session: CdpSession, failure: PageFailed | None = None) -> None:
        if self._tab.context.browser.address:
            session.interrupt(PageFailed(f"Tab {self._tab.id} does not answer.", hint=_THEIRS))
            return
        log.warning("tab %s: the page cannot be stopped; its process is ended", self._tab.id)
        failure = failure or PageFailed(
            "The page was stuck beyond stopping; its process was ended.",
            hint="Reload the page, or navigate elsewhere.",
        )
        ended = anyio.Event()
        unsubscribe = session.on("Inspector.targetCrashed", lambda _: ended.set())
        self._condemned[session] = failure
        session.post("Page.crash")
        with anyio.move_on_after(_END):
            await ended.wait()
        unsubscribe()
        if self.verdict(session):  # nobody told of the end
            self._tab.context.browser.root.post("Target.closeTarget", targetId=self._tab.target_id)
            with anyio.move_on_after(_END):
                await self._tab.closed.wait()
            self._tab.crash(session, failure)

    def _dialog_elsewhere(self) -> TabwrightError | None:
        """Tabs of one site may share a thread: a dialog in one silences the others."""
        for tab in self._tab.context.tabs.values():
            if tab is not self._tab and tab.dialogs.open is not None:
                return Blocked(
                    f"The page waits for the {tab.dialogs.open} of tab {tab.id}.", hint="Answer it."
                )
        return None

    def _awaits_server(self, session: CdpSession) -> bool:
        if session is self._tab.session:
            return self._tab.navigation.awaits_server
        documents = (r for r in self._tab.traffic.in_flight.values() if r.type == "Document")
        frames = (self._tab.frames.get(request.frame_id) for request in documents)
        return any(frame is not None and frame.session is session for frame in frames)


async def _answered(call: _Call, *, within: float = _CHECK) -> bool:
    await asyncio.wait([call], timeout=within)
    return call.done()
