"""A browser context: a set of tabs with their own cookies and storage."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import anyio

from tabwright.aio import Signal, deadline
from tabwright.browser.call_permissions import ALL, CallPermissions, current_permissions
from tabwright.browser.emulation.permissions import Permissions
from tabwright.browser.input.clipboard import Clipboard
from tabwright.browser.network.gate import Gate, OpenGate
from tabwright.browser.network.interception import ExtraHeaders, Interception
from tabwright.browser.new_tabs import NewTabs
from tabwright.browser.ownership import Ownership
from tabwright.browser.storage.cookies import Cookies
from tabwright.browser.storage.downloads import Downloads
from tabwright.browser.tab import Tab, TabId
from tabwright.browser.user_chrome.detach_reasons import detach_error
from tabwright.cdp import CdpError, CdpSession, Params
from tabwright.errors import Blocked, BrowserGone, Denied, NotFound
from tabwright.text import format_count

if TYPE_CHECKING:
    from tabwright.browser.browser import Browser

log = logging.getLogger(__name__)

# Limits a page that opens windows without end.
MAX_TABS = 100
TIMEOUT = 15.0


class Context:
    """An isolated set of tabs with their own cookies, storage, downloads and permissions."""

    def __init__(self, browser: "Browser", context_id: str | None, gate: Gate | None = None) -> None:
        self.browser = browser
        # None for the browser's default context, which keeps the data of a profile.
        self.id = context_id
        self.gate: Gate = gate or OpenGate()
        self.tabs: dict[TabId, Tab] = {}
        # Open tabs that we cannot use any more, and the reason.
        self.unreachable: dict[TabId, Exception] = {}
        self.downloads = Downloads(self)
        self.headers = ExtraHeaders()
        self.interception = Interception(self.gate)
        self.offline = False
        self.cookies = Cookies(self)
        self.permissions = Permissions(self)
        self.clipboard = Clipboard(self)
        self.new_tabs = NewTabs(self)
        self.max_tabs = MAX_TABS
        self._closing = False
        # Fires when a tab opens, closes, crashes, recovers or is chosen, and when the context ends.
        self.changed = Signal()
        self._ended: Exception | None = None
        self._needs_grant = False
        # Where the user's recipes for page tools are; None where nothing of the user is read.
        self.recipe_folder: Path | None = None

    def require_grants(self) -> None:
        """From now on, refuse whatever needs permissions outside of a call that has them."""
        self._needs_grant = True

    @property
    def in_profile(self) -> bool:
        """Whether it keeps the data of a profile."""
        return self.id is None and self.browser.ownership is Ownership.PROFILE

    @property
    def call_permissions(self) -> CallPermissions:
        """What the running call may do; everything where the engine is used without calls.

        Raises:
            Denied: no call is running.
        """
        permissions = current_permissions()
        if permissions is None and self._needs_grant:
            raise Denied("Only a call may use the tabs of a session.", hint="Run an action.")
        return permissions or ALL

    @property
    def id_params(self) -> Params:
        """The parameters that name this context in a protocol call; none for the default context."""
        return {"browserContextId": self.id} if self.id else {}

    async def new_tab(
        self, url: str = "about:blank", *, background: bool = False, timeout: float = TIMEOUT
    ) -> Tab:
        """Open a tab; with a `url`, navigate there and wait until it has loaded.

        An extension that declares its pages opens the `url` itself; `background` is its choice of focus.
        """
        if len(self.tabs) >= self.max_tabs:
            limit = format_count(self.max_tabs, "tab")
            raise Blocked(f"The limit of {limit} is reached.", hint="Close one first.")
        self.gate.check(url)
        if self.browser.declared_pages is not None:
            return await self._open(timeout, url, background=background)
        tab = await self._open(timeout)
        if url != "about:blank":
            await tab.goto(url)
        return tab

    async def _open(self, timeout: float, url: str = "about:blank", **options: bool) -> Tab:
        # With its own window, a headless tab is always in front; a tab behind another renders no frames.
        # With a visible browser, the first tab creates the window and the next ones are added to it.
        own_window = self.browser.headless or not self.tabs
        creating = self.browser.root.start(
            "Target.createTarget", url=url, newWindow=own_window, **options, **self.id_params
        )
        try:
            with deadline(timeout, f"The browser opened no tab in {timeout:g} s.", hint="Try again."):
                tab = await self._wait_for_target((await asyncio.shield(creating))["targetId"])
                self.new_tabs.mark_known(tab)
                await tab.ready.wait()  # also set when it ends
        except CdpError as error:
            raise NotFound(
                f"The browser opened no tab: {error.message}.", hint="Use another session."
            ) from error
        except BaseException:
            creating.add_done_callback(self._discard)  # its caller is gone
            raise
        if tab.session.lost is not None:
            raise tab.session.lost
        return tab

    def _discard(self, creating: "asyncio.Future[Params]") -> None:
        if not creating.cancelled() and creating.exception() is None:
            self.browser.root.post("Target.closeTarget", targetId=creating.result()["targetId"])

    def tab(self, tab_id: str) -> Tab:
        """Return the open tab with that id."""
        found = self.tabs.get(TabId(tab_id))
        if TabId(tab_id) in self.unreachable:
            raise self.unreachable[TabId(tab_id)].with_traceback(None)
        if found is None:
            known = ", ".join(self.tabs) or "none"
            raise NotFound(f"There is no tab {tab_id}; open tabs: {known}.", hint="Choose one of them.")
        return found

    def rename(self, ids: dict[Tab, TabId]) -> None:
        """Give tabs the ids that they had in an earlier browser."""
        for tab, tab_id in ids.items():
            tab.id = tab_id
            self.browser.reserve_tab_id(tab_id)
        self.tabs = {tab.id: tab for tab in self.tabs.values()}

    @contextmanager
    def expect_tab(self) -> "Iterator[ExpectedTab]":
        """Catch the tab that an action in the `with` block opens; `await expected.wait()` returns it."""
        yield ExpectedTab(self, frozenset(self.tabs))

    async def set_offline(self, offline: bool) -> None:
        """Switch the network of all tabs off or on, future tabs included."""
        self.offline = offline
        for tab in tuple(self.tabs.values()):
            await tab.throttle.apply()

    async def close(self, *, timeout: float = TIMEOUT) -> None:
        """Close the context and all its tabs."""
        with deadline(timeout, f"The browser closed nothing in {timeout:g} s.", hint="Close it again."):
            await self._clear_dialogs()
            if self.id is None:
                await self.close_tabs()
            self.end()
            if self.id is not None:
                await self._dispose(self.id)
        self.browser.forget(self)

    async def close_tabs(self) -> None:
        """Close all tabs without `beforeunload` dialogs; the caller's deadline bounds it."""
        self._closing = True
        await self._clear_dialogs()
        while self.tabs and self.browser.alive:  # repeated for the reason in `Tab.close`
            for tab in self.tabs.values():
                self.browser.root.post("Target.closeTarget", targetId=tab.target_id)
            with anyio.move_on_after(0.5):
                await self.changed.until(lambda: not self.tabs or not self.browser.alive)

    async def keep_one_tab_open(self, tab: Tab) -> None:
        """Before a tab closes: with a profile's last tab, Chrome would delete the session cookies."""
        if self.in_profile and not self._closing and tuple(self.tabs.values()) == (tab,):
            await self.new_tab()

    async def _clear_dialogs(self) -> None:
        for tab in tuple(self.tabs.values()):
            await tab.dialogs.clear()

    async def _dispose(self, context_id: str) -> None:
        try:
            await self.browser.root.send("Target.disposeBrowserContext", browserContextId=context_id)
        except (CdpError, BrowserGone) as error:
            log.debug("context %s was already gone: %s", context_id, error)

    def end(self, reason: Exception | None = None) -> None:
        """Note that all tabs are gone; `reason` is the error for callers, by default that they are closed."""
        self._ended = reason or NotFound("The session is closed.", hint="Use another one.")
        for tab in tuple(self.tabs.values()):
            tab.end(reason)
        self.tabs.clear()
        self.downloads.end()
        self.gate.close()
        self.changed.fire()

    def adopt(self, tab_id: TabId, target: Params, session: CdpSession) -> Tab | None:
        """Add a new page target, which is still paused; None if it is closed as a popup or one too many."""
        opener = next((tab for tab in self.tabs.values() if tab.target_id == target.get("openerId")), None)
        unwanted = opener is not None and opener.popups.take_unwanted()
        if unwanted or not self.new_tabs.admit(opener):
            log.info("tab %s is closed as it opens", tab_id)
            self.new_tabs.note_closed(opener)
            session.post("Fetch.enable")  # so that it loads nothing before it closes
            # Closing it while it is paused would block the thread that it shares with its opener for ever.
            session.post("Runtime.runIfWaitingForDebugger")
            self.browser.root.post("Target.closeTarget", targetId=target["targetId"])
            session.end(NotFound(f"Tab {tab_id} was closed as it opened."))
            return None
        tab = Tab(self, tab_id, target["targetId"], session)
        tab.opener = opener
        tab.declared = (self.browser.declared_pages or {}).get(tab.target_id)
        self.tabs[tab_id] = tab
        self.unreachable.pop(tab_id, None)
        self.changed.fire()
        return tab

    def apply_request_rules(self, session: CdpSession) -> None:
        """Apply the request rules to a shared worker, which is still paused."""
        self.headers.attach(session)
        self.interception.attach(session)

    def drop(self, session_id: str, reason: str = "") -> bool:
        """Note that a tab's target is gone or detached; return whether it was a tab of this context."""
        for tab in tuple(self.tabs.values()):
            if tab.session.id == session_id:
                del self.tabs[tab.id]
                parted = detach_error(tab.id, reason)
                if parted is not None:
                    self.unreachable[tab.id] = parted
                tab.end(parted)
                self.changed.fire()
                return True
        return False

    async def wait_for_tab(self, known: frozenset[TabId]) -> Tab:
        """Wait for a tab that is not among the known ones; the caller's deadline bounds it."""
        tab = await self._wait_for(lambda tab: tab.id not in known)
        await tab.ready.wait()
        return tab

    async def _wait_for_target(self, target_id: str) -> Tab:
        return await self._wait_for(lambda tab: tab.target_id == target_id)

    async def _wait_for(self, matches: Callable[[Tab], bool]) -> Tab:
        """Wait for a tab that matches; the caller's deadline bounds it."""
        found: list[Tab] = []

        def check() -> bool:
            if gone := self.browser.root.lost or self._ended:
                raise gone
            found.extend(tab for tab in self.tabs.values() if matches(tab))
            return bool(found)

        await self.changed.until(check)
        return found[0]


class ExpectedTab:
    """A tab that an action is about to open."""

    def __init__(self, context: Context, known: frozenset[TabId]) -> None:
        self._context = context
        self._known = known

    async def wait(self, *, timeout: float = 10.0) -> Tab:
        """Return the tab once it has opened."""
        hint = "The action was done, but opened no tab; check the page."
        with deadline(timeout, f"No new tab opened in {timeout:g} s.", hint=hint):
            tab = await self._context.wait_for_tab(self._known)
            self._context.new_tabs.mark_known(tab)
            await self._context.new_tabs.wait_for_documents([tab])
            return tab
