"""A browser context: tabs that share cookies and storage with each other and with nobody else."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import anyio

from tabwright.browser.downloads import Downloads
from tabwright.browser.headers import ExtraHeaders
from tabwright.browser.intercept import Interception
from tabwright.browser.signal import Signal
from tabwright.browser.tab import Tab, TabId
from tabwright.cdp import CdpError, CdpSession, Params
from tabwright.errors import BrowserGone, NotFound, TimedOut

if TYPE_CHECKING:
    from tabwright.browser.browser import Browser

log = logging.getLogger(__name__)

# A page that opens windows without end gets no more than this.
MAX_TABS = 100


class Context:
    """One isolated context. The browser's default one, which keeps a profile's data, has no id."""

    def __init__(self, browser: "Browser", context_id: str | None) -> None:
        self.browser = browser
        self.id = context_id
        self.tabs: dict[TabId, Tab] = {}
        self.downloads = Downloads(self)
        self.headers = ExtraHeaders()
        self.interception = Interception()
        self.offline = False
        self._changed = Signal()

    async def new_tab(self, url: str = "about:blank") -> Tab:
        """Open a tab; with a `url`, go there and wait until it is loaded."""
        where: Params = {"browserContextId": self.id} if self.id else {}
        # In a window of its own, a headless tab is always in front: a tab behind another paints no frames.
        created = await self.browser.root.send(
            "Target.createTarget", url="about:blank", newWindow=self.browser.headless, **where
        )
        tab = await self._attached(created["targetId"])
        await tab.ready.wait()
        if url != "about:blank":
            await tab.goto(url)
        return tab

    def tab(self, tab_id: str) -> Tab:
        """Return the open tab of that id."""
        found = self.tabs.get(TabId(tab_id))
        if found is None:
            known = ", ".join(self.tabs) or "none"
            raise NotFound(f"There is no tab {tab_id}; open tabs: {known}.", hint="Choose one of them.")
        return found

    @contextmanager
    def expect_tab(self) -> "Iterator[ExpectedTab]":
        """Watch for a tab that something in the block opens."""
        yield ExpectedTab(self, frozenset(self.tabs))

    async def set_offline(self, offline: bool) -> None:
        """Take the network away from all tabs, those to come too, or give it back."""
        self.offline = offline
        for tab in tuple(self.tabs.values()):
            await tab.throttle.apply()

    async def close(self) -> None:
        """Close the context and everything in it."""
        for tab in tuple(self.tabs.values()):
            await tab.dialogs.clear()
            tab.end()
        self.tabs.clear()
        self.browser.forget(self)
        if self.id is not None:
            try:
                await self.browser.root.send("Target.disposeBrowserContext", browserContextId=self.id)
            except (CdpError, BrowserGone) as error:
                log.debug("context %s was gone already: %s", self.id, error)

    def adopt(self, tab_id: TabId, target: Params, session: CdpSession) -> None:
        """Take on a new page target, paused at birth."""
        if len(self.tabs) >= MAX_TABS:
            log.warning("a page opened more than %d tabs; the next one is closed", MAX_TABS)
            self.browser.root.post("Target.closeTarget", targetId=target["targetId"])
            return
        tab = Tab(self, tab_id, target["targetId"], session)
        tab.opener = next(
            (other for other in self.tabs.values() if other.target_id == target.get("openerId")), None
        )
        self.tabs[tab_id] = tab
        self._changed.fire()

    def drop(self, session_id: str) -> bool:
        """Note that a tab's target is gone; return whether it was one of ours."""
        for tab in tuple(self.tabs.values()):
            if tab.session.id == session_id:
                del self.tabs[tab.id]
                tab.end()
                self._changed.fire()
                return True
        return False

    async def opened(self, known: frozenset[TabId]) -> Tab:
        """Wait for a tab beyond the known ones."""
        await self._changed.until(lambda: any(tab_id not in known for tab_id in self.tabs))
        tab = next(tab for tab_id, tab in self.tabs.items() if tab_id not in known)
        await tab.ready.wait()
        return tab

    async def _attached(self, target_id: str) -> Tab:
        def find() -> Tab | None:
            return next((tab for tab in self.tabs.values() if tab.target_id == target_id), None)

        await self._changed.until(lambda: find() is not None)
        tab = find()
        assert tab is not None
        return tab


class ExpectedTab:
    """A tab that is going to open."""

    def __init__(self, context: Context, known: frozenset[TabId]) -> None:
        self._context = context
        self._known = known

    async def wait(self, *, timeout: float = 10.0) -> Tab:
        """Return the tab once it is there."""
        try:
            with anyio.fail_after(timeout):
                return await self._context.opened(self._known)
        except TimeoutError as error:
            raise TimedOut(
                f"No new tab opened in {timeout:g} s.", hint="Check that the act opens one."
            ) from error
