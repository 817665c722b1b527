"""The hang watchdog: it stops a script that blocks a page, and kills a page's process that does not respond.

A page may be silent for good reasons: Chrome holds calls back while a navigation waits for its server, and
the layout of a huge document takes time. So only a script that blocks the page's thread is stopped, and only
a process that neither responds nor works is killed.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import anyio

from tabwright.browser.page.process_activity import read_activity
from tabwright.cdp import CdpError, CdpSession, Params
from tabwright.errors import Blocked, PageFailed, TabwrightError

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

log = logging.getLogger(__name__)

_Call = asyncio.Future[Params]

# The silence, two checks with a short probe each and the kill take less than 3 s together.
HANG_TIMEOUT = 1.5
_CHECK_INTERVAL = 0.5
_PROBE_TIMEOUT = 0.2
# Processor seconds that a script may use after the silence.
_MAX_SCRIPT_SECONDS = 0.4
# Checks in a row that find a process idle: a single one may fall between two things that it waits for.
_MAX_IDLE_CHECKS = 2
# However busy it is, a page that does not respond for this long is killed.
_WORK_TIMEOUT = 20.0
# In the user's own browser nothing is killed, so the caller gets its error sooner.
_ATTACHED_TIMEOUT = 8.0
# After this, a page is left even if it still works on something long.
_LEAVE_TIMEOUT = 10.0
_USERS_PAGE_HINT = "The page belongs to the user: use another tab, or ask them to close or reload it."
# For a process to exit: one with much memory takes a while.
_KILL_TIMEOUT = 5.0
# In which a running script shows itself, even on a busy computer. One that is missed blocks the next document
# of its site too, and then none of our calls reaches it.
_SCRIPT_PROBE_TIMEOUT = 0.25
# A page that responded this recently is not probed; a probe costs a third of a small call.
_RECENT = 0.02


class HangWatchdog:
    """Watches the calls to one tab and deals with a session that stops responding."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self.stopped_scripts = 0
        self._responded_at: dict[CdpSession, float] = {}
        self._checking: set[CdpSession] = set()
        self._killed: dict[CdpSession, PageFailed] = {}
        tab.dialogs.on_endless(self._on_endless_dialogs)

    @contextmanager
    def watch(self, session: CdpSession, hang_timeout: float | None = None) -> Iterator[None]:
        """Check on the page when the block takes longer than `hang_timeout` seconds, and then repeatedly."""
        with self._timer(session, hang_timeout or HANG_TIMEOUT, lambda: False):
            yield
        self._responded_at[session] = asyncio.get_running_loop().time()

    @contextmanager
    def watch_until_reached(self, session: CdpSession) -> Iterator[None]:
        """Like `watch`, until the page has received the first call of the block; that may run for long."""
        if asyncio.get_running_loop().time() - self._responded_at.get(session, 0.0) < _RECENT:
            yield
        else:
            reached = session.start("Runtime.getIsolateId")
            with self._timer(session, HANG_TIMEOUT, reached.done):
                yield
        self._responded_at[session] = asyncio.get_running_loop().time()

    @contextmanager
    def _timer(self, session: CdpSession, seconds: float, is_fine: Callable[[], bool]) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        timer: asyncio.TimerHandle

        def on_timer() -> None:
            nonlocal timer
            if not is_fine():
                self._start_check(session)
                timer = loop.call_later(HANG_TIMEOUT, on_timer)

        timer = loop.call_later(seconds, on_timer)
        try:
            yield
        finally:
            timer.cancel()

    def forget(self, session: CdpSession) -> None:
        """Drop an ended session."""
        self._responded_at.pop(session, None)

    async def stop_script(self, session: CdpSession) -> bool:
        """Stop the script that blocks the page's thread; return False if there is none."""
        if self._awaits_server(session):
            return False
        free = session.start("Runtime.evaluate", expression="1")
        if blocked := not await _is_answered(free):
            session.post("Runtime.terminateExecution")
            await _is_answered(free)
        free.cancel()
        return blocked

    async def is_blocked_by_script(self) -> bool:
        """Whether a script seems to block the page, rather than other work such as rendering.

        A running script lets only the second of these calls be answered; other work lets neither.
        """
        session = self._tab.session
        calls = [session.start("Runtime.getIsolateId"), session.start("Performance.getMetrics")]
        await asyncio.wait(calls, timeout=_SCRIPT_PROBE_TIMEOUT, return_when=asyncio.FIRST_COMPLETED)
        free, metrics = (call.done() for call in calls)
        for call in calls:
            call.cancel()
        return metrics and not free

    async def free_page(self) -> None:
        """Before a navigation, stop a script that blocks the page; give up after a while.

        It would block the next document of the same site too, and there none of our calls reaches it.
        """
        session = self._tab.session
        with suppress(TabwrightError, CdpError), anyio.move_on_after(_LEAVE_TIMEOUT):
            self._tab.require_responsive()
            if not self._tab.navigation.under_way:
                with self.watch(session):
                    await session.send("Runtime.getIsolateId")

    def explain_crash(self, session: CdpSession) -> PageFailed | None:
        """Return the error for a session whose process has just crashed, if we killed it; else None."""
        return self._killed.pop(session, None)

    def _start_check(self, session: CdpSession) -> None:
        if session not in self._checking and session.lost is None:
            self._checking.add(session)
            self._tab.context.browser.group.start_soon(self._check, session)

    async def _check(self, session: CdpSession) -> None:
        try:
            if blocked := self._find_blocking_dialog():
                session.interrupt(blocked)
            elif not self._awaits_server(session):
                await self._check_response(session)
        except (TabwrightError, CdpError) as error:
            log.debug("tab %s: the check ended early: %s", self._tab.id, error)
        finally:
            self._checking.discard(session)

    async def _check_response(self, session: CdpSession) -> None:
        free = session.start("Runtime.evaluate", expression="1")
        attached = self._tab.context.browser.ownership.of_user
        try:
            with anyio.move_on_after(_ATTACHED_TIMEOUT if attached else _WORK_TIMEOUT) as limit:
                await self._wait_until_free(session, free)
            if limit.cancelled_caught:
                await self._kill_process(session)
        finally:
            free.cancel()

    async def _wait_until_free(self, session: CdpSession, free: _Call) -> None:
        """Wait for the page to respond as long as it works; stop a script, kill an idle process.

        Processor time and disk waits count, so that a busy computer does not make every page look hung.
        """
        root, idle_checks = self._tab.context.browser.root, 0
        page = self._tab.traffic.process_of(session)
        start = now = await read_activity(root, page)
        while not await _is_answered(free):
            earlier, now = now, await read_activity(root, page)
            # Unlike other calls, this one is answered while a script runs.
            metrics = session.start("Performance.getMetrics")
            script_runs = await _is_answered(metrics, within=_PROBE_TIMEOUT)
            if free.done() or self._awaits_server(session):
                return
            idle_checks = 0 if script_runs or now.is_busy_since(earlier) else idle_checks + 1
            if script_runs and now.seconds - start.seconds > _MAX_SCRIPT_SECONDS:
                if await _is_answered(free, within=_PROBE_TIMEOUT):
                    return  # it was about to end: stopping now would hit the next script
                log.warning("tab %s: a script blocks the page and is stopped", self._tab.id)
                self.stopped_scripts += 1
                start = now
                session.post("Runtime.terminateExecution")
            elif idle_checks == _MAX_IDLE_CHECKS:
                await self._kill_process(session)
                return

    async def _on_endless_dialogs(self, session: CdpSession) -> None:
        if self._tab.context.browser.ownership.of_user:
            raise PageFailed("The page opens dialogs without end.", hint=_USERS_PAGE_HINT)
        failure = PageFailed(
            "The page opens dialogs without end, so its process was killed.", hint="Navigate elsewhere."
        )
        await self._kill_process(session, failure)
        self._tab.dialogs.open = None
        raise failure

    async def _kill_process(self, session: CdpSession, failure: PageFailed | None = None) -> None:
        if self._tab.context.browser.ownership.of_user:
            session.interrupt(PageFailed(f"Tab {self._tab.id} does not respond.", hint=_USERS_PAGE_HINT))
            return
        log.warning("tab %s: the page cannot be interrupted; its process is killed", self._tab.id)
        failure = failure or PageFailed(
            "The page hung and could not be interrupted, so its process was killed.",
            hint="Reload the page, or navigate elsewhere.",
        )
        crashed = anyio.Event()
        unsubscribe = session.on("Inspector.targetCrashed", lambda _: crashed.set())
        self._killed[session] = failure
        session.post("Page.crash")
        with anyio.move_on_after(_KILL_TIMEOUT):
            await crashed.wait()
        unsubscribe()
        if self.explain_crash(session):  # Chrome did not report the crash
            self._tab.context.browser.root.post("Target.closeTarget", targetId=self._tab.target_id)
            with anyio.move_on_after(_KILL_TIMEOUT):
                await self._tab.closed.wait()
            self._tab.crash(session, failure)

    def _find_blocking_dialog(self) -> TabwrightError | None:
        """Tabs of one site may share a thread: a dialog in one blocks the others."""
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


async def _is_answered(call: _Call, *, within: float = _CHECK_INTERVAL) -> bool:
    await asyncio.wait([call], timeout=within)
    return call.done()
