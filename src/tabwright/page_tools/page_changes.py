"""Notices when the page of a tab changes, so that its tools are listed again only when needed."""

import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import anyio

from tabwright.browser.find.locate import call_in_frames
from tabwright.browser.page.frame import DocumentGone
from tabwright.browser.tab import Tab
from tabwright.cdp import CdpError
from tabwright.errors import TabwrightError
from tabwright.page_tools.found.frame_query import call_script

log = logging.getLogger(__name__)

# Seconds that a page gets to settle after a change.
SETTLE_TIME = 0.3
# Seconds that one wait for mutations lasts in the page.
_MUTATION_WAIT = 20.0
_LOAD_TIMEOUT = 5.0
_MAX_FRAMES = 30

# Differs once the tab or a frame shows another document, or a source has other tools.
PageState = tuple[Any, ...]


class PageChanges:
    """Tells whether the page of a tab may have changed since its tools were listed.

    `revision` returns a value that differs whenever the sources that do not depend on the DOM have changed.
    """

    def __init__(self, tab: Tab, revision: Callable[[], PageState]) -> None:
        self._tab = tab
        self._revision = revision

    def state(self) -> PageState:
        """Return the current documents and the revision of the sources."""
        frames = ((frame.id, frame.loader_id) for frame in self._tab.frames)
        return (self._tab.url, *self._revision(), *frames)

    async def mutated(self) -> bool:
        """Whether a document may have changed since it was last inspected."""
        if self._tab.declared is not None:
            return False  # its extension reports that, which counts as a revision
        for frame in self._tab.frames:
            try:
                if await call_script(frame, "pageToolsChanged"):
                    return True
            except (CdpError, DocumentGone, TabwrightError):
                self._tab.require_responsive()
                return True
        return False

    async def wait_for_navigation(self, before: PageState) -> None:
        """Wait until the state differs from `before` and the new page has loaded, or the tab is closed."""
        await self._tab.changed.until(lambda: self.state() != before or self._tab.closed.is_set())
        if not self._tab.closed.is_set():
            with suppress(TabwrightError):
                await self._tab.navigation.wait(timeout=_LOAD_TIMEOUT)
            await anyio.sleep(SETTLE_TIME)

    async def wait_for_mutation(self, pause: float) -> None:
        """Wait until a document changes, then `pause` seconds for more changes."""
        if self._tab.declared is not None:
            await anyio.sleep_forever()
        frames = list(self._tab.frames)[:_MAX_FRAMES]
        try:
            while not await self.mutated():
                await call_in_frames(
                    frames,
                    "callIfDefined",
                    "pageToolsNextChange",
                    _MUTATION_WAIT * 1000,
                    hang_timeout=_MUTATION_WAIT + 2,
                    wait_for_all=False,
                )
        except (CdpError, TabwrightError):
            log.debug("tab %s does not answer", self._tab.id)
        await anyio.sleep(pause)
