"""The hang watch: a page whose thread does not answer is stopped, and failing that replaced."""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import anyio

from tabwright.cdp import CdpError, CdpSession
from tabwright.errors import Blocked, PageFailed, TabwrightError

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

log = logging.getLogger(__name__)

# Together under the 3 s in which a stuck page must be dealt with.
PATIENCE = 2.0
_STOP_GRACE = 0.5


class Watch:
    """Watches over the calls to one tab; deals with a session that went silent."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self._rescuing: set[CdpSession] = set()

    @contextmanager
    def over(self, session: CdpSession, patience: float | None = None) -> Iterator[None]:
        """Expect the page to answer within `patience` seconds while the block runs."""
        loop = asyncio.get_running_loop()
        timer = loop.call_later(patience or PATIENCE, self._suspect, session)
        try:
            yield
        finally:
            timer.cancel()

    def _suspect(self, session: CdpSession) -> None:
        if session not in self._rescuing and session.lost is None:
            self._rescuing.add(session)
            self._tab.context.browser.group.start_soon(self._rescue, session)

    async def _rescue(self, session: CdpSession) -> None:
        try:
            if other := self._dialog_elsewhere():
                session.interrupt(other)
            elif await self._stop_script(session):
                log.warning("tab %s: a script held the page and was stopped", self._tab.id)
                session.interrupt(
                    PageFailed(
                        f"A script held the page for over {PATIENCE:.0f} s and was stopped.",
                        hint="The page may be incomplete; take a snapshot to see, or reload it.",
                    )
                )
            else:
                await self._replace_renderer(session)
        except (TabwrightError, CdpError) as error:
            log.debug("tab %s: the rescue ended early: %s", self._tab.id, error)
        finally:
            self._rescuing.discard(session)

    def _dialog_elsewhere(self) -> TabwrightError | None:
        """Tabs of one site may share a thread: a dialog in one silences the others."""
        for tab in self._tab.context.tabs.values():
            if tab is not self._tab and tab.dialogs.open is not None:
                return Blocked(
                    f"Tab {tab.id} shows {tab.dialogs.open}, which holds this page too.", hint="Answer it."
                )
        return None

    async def _stop_script(self, session: CdpSession) -> bool:
        """End the running script; return whether the page answers again."""
        session.post("Runtime.terminateExecution")
        probe = session.start("Runtime.evaluate", expression="1")
        await asyncio.wait([probe], timeout=_STOP_GRACE)
        answered = probe.done()
        probe.cancel()
        return answered

    async def _replace_renderer(self, session: CdpSession) -> None:
        log.warning("tab %s: the page cannot be stopped; its process is replaced", self._tab.id)
        failure = PageFailed(
            "The page was stuck beyond stopping; its process was ended.",
            hint="Reload the page, or navigate elsewhere.",
        )
        self._tab.crash(failure)
        with anyio.move_on_after(_STOP_GRACE):
            await session.send("Page.crash")
