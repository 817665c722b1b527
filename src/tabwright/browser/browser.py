"""A running browser: launched by us over a pipe, or attached to over a WebSocket."""

import asyncio
import logging
import urllib.request
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any

import anyio
import anyio.abc
import orjson

from tabwright.aio import background_tasks, deadline
from tabwright.browser.context import TIMEOUT, Context
from tabwright.browser.network.gate import Boundary, Gate
from tabwright.browser.ownership import Ownership
from tabwright.browser.process.launch import LaunchOptions, launch_process, restrict_to_proxy
from tabwright.browser.process.memory_limit import MemoryLimit
from tabwright.browser.process.process import BrowserProcess
from tabwright.browser.tab import TabId
from tabwright.browser.user_chrome.tab_ownership import TabMemory
from tabwright.cdp import CdpError, CdpSession, Connection, Params, Transport
from tabwright.cdp.websocket import open_websocket, shown
from tabwright.errors import BrowserGone, InvalidArgs, Stale, TabwrightError

log = logging.getLogger(__name__)

_ATTACH_TIMEOUT = 10.0
# Seconds for pages, and then for the browser, to leave when they are asked to.
_LEAVING = 2.0
# Seconds for pages that were there before us; one with a dialog open does not answer.
_MEETING = 2.0


@dataclass(frozen=True, slots=True)
class Version:
    """What the browser says it is."""

    product: str
    protocol: str
    user_agent: str

    @property
    def is_headless_shell(self) -> bool:
        """Whether it is a headless shell: the whole Chrome calls itself Chrome, with a window or without."""
        return self.product.startswith("HeadlessChrome/")


def _gone(reason: str) -> BrowserGone:
    return BrowserGone(f"The browser is gone: {reason}.", hint="Call again; a new browser starts.")


class Browser:
    """Contexts over one connection; every page target is taken on at its birth."""

    def __init__(
        self,
        connection: Connection,
        group: anyio.abc.TaskGroup,
        *,
        headless: bool,
        ownership: Ownership,
        gate: Gate | None = None,
        tab_memory: TabMemory | None = None,
    ) -> None:
        self.connection = connection
        self.root: CdpSession = connection.root
        self.group = group
        self.headless = headless
        self.version = Version("", "", "")
        self.default_context = Context(self, None, gate)
        self.ownership = ownership
        # Where the user's browser is reached; "" for one of our own.
        self.address = ""
        # What to call when the user brings a target to the front; None where the browser does not tell it.
        self.focus_callbacks: dict[str, Callable[[], None]] | None = None
        self.pid: int | None = None
        self.boundary: Boundary | None = None
        # Whether we keep pages from opening windows; Chrome does so itself, its headless shell does not.
        self.blocks_popups = False
        self.memory: MemoryLimit | None = None
        self._contexts: dict[str, Context] = {}
        self._tab_memory = tab_memory
        self._last_tab = tab_memory.last_number if tab_memory is not None else 0
        self._making = 0
        self._strays = False
        connection.unclaimed = self._unclaimed

    @classmethod
    @asynccontextmanager
    async def launch(
        cls, options: LaunchOptions | None = None, boundary: Boundary | None = None
    ) -> "AsyncIterator[Browser]":
        """Run a browser of our own while the block runs, its contexts behind a `boundary` if given.

        The default context has a gate where it has a profile to work in; otherwise it reaches nothing.
        """
        async with (
            _bounded(options or LaunchOptions(), boundary) as (bounded, gate),
            launch_process(bounded) as process,
            cls.over(
                process.transport,
                headless=bounded.headless,
                ownership=Ownership.LAUNCHED if bounded.profile is None else Ownership.PROFILE,
                gate=gate,
            ) as browser,
        ):
            browser.pid = process.pid
            browser.boundary = boundary
            await _start_launched(browser, process, bounded)
            popups = "--disable-popup-blocking" in bounded.args
            browser.blocks_popups = browser.version.is_headless_shell and not popups
            browser.refuse_downloads({})
            browser.memory = MemoryLimit(browser, bounded.page_bytes)
            browser.group.start_soon(browser.memory.run)
            try:
                yield browser
            finally:
                if bounded.profile is not None:
                    await browser.leave()

    @classmethod
    @asynccontextmanager
    async def attach(
        cls, address: str, *, headers: dict[str, str] | None = None, gate: Gate | None = None
    ) -> "AsyncIterator[Browser]":
        """Join a running browser at a port (`9222`), an `http://` or a `ws://` address.

        The browser goes on when we leave. A `gate` judges where callers go in its default context.
        """
        url = await _websocket_url(address)
        async with (
            open_websocket(url, headers) as transport,
            cls.over(transport, headless=False, ownership=Ownership.ATTACHED, gate=gate) as browser,
        ):
            browser.address = address
            await _start_attached(browser, address)
            yield browser

    @classmethod
    @asynccontextmanager
    async def over(
        cls,
        transport: Transport,
        *,
        headless: bool,
        ownership: Ownership,
        gate: Gate | None = None,
        tab_memory: TabMemory | None = None,
        lost: Callable[[str], Exception] = _gone,
    ) -> "AsyncIterator[Browser]":
        """Speak with the browser at the other end of a wire while the block runs; `start` comes first.

        Tabs in `tab_memory` keep their ids; `lost` makes the error of calls when the wire ends.
        """
        async with Connection.open(transport, lost=lost) as connection, background_tasks() as group:
            browser = cls(
                connection, group, headless=headless, ownership=ownership, gate=gate, tab_memory=tab_memory
            )
            group.start_soon(browser.end_tabs_on_disconnect)
            yield browser

    @property
    def alive(self) -> bool:
        """Whether the connection still stands."""
        return not self.connection.lost.is_set()

    @property
    def watched(self) -> bool:
        """Whether its user may be looking at it: nothing comes to the front there unasked."""
        return self.ownership.of_user and not self.headless

    @property
    def contexts(self) -> tuple[Context, ...]:
        """All contexts, the default one first."""
        return (self.default_context, *self._contexts.values())

    async def wait_until_gone(self) -> None:
        """Wait until the browser or the connection to it has ended."""
        await self.connection.lost.wait()

    async def new_context(
        self,
        *,
        proxy: str | None = None,
        proxy_bypass: str | None = None,
        gate: Gate | None = None,
        timeout: float = TIMEOUT,
    ) -> Context:
        """Make an isolated context, with a proxy of its own if wanted, or a gate on its way out."""
        options: dict[str, Any] = {}
        if gate is None and self.boundary is not None:
            gate = await self.boundary.gate()
        if gate is not None and gate.proxy:
            # Chrome goes past a proxy to this computer unless it is told not to.
            options = {"proxyServer": gate.proxy, "proxyBypassList": "<-loopback>"}
        elif proxy:
            options = {"proxyServer": proxy, "proxyBypassList": proxy_bypass or ""}
        making = self.root.start("Target.createBrowserContext", disposeOnDetach=True, **options)
        self._making += 1
        try:
            with deadline(timeout, f"The browser made no context in {timeout:g} s.", hint="Try again."):
                made = await asyncio.shield(making)
        except CdpError as error:
            _close(gate)
            raise InvalidArgs(
                f"The browser made no context: {error.message}.", hint="Check the address of the proxy."
            ) from error
        except BaseException:
            _close(gate)
            making.add_done_callback(self._discard)  # whoever wanted the context has gone
            self._strays = self._strays or not making.done()
            raise
        finally:
            self._making -= 1
            if self._strays and not self._making:
                self.group.start_soon(self._tidy)
        self.refuse_downloads(made)
        return self._context(made["browserContextId"], gate)

    def refuse_downloads(self, where: Params) -> None:
        """Refuse them until a folder is chosen; a headless shell would drop them and say nothing."""
        self.root.post("Browser.setDownloadBehavior", behavior="deny", eventsEnabled=True, **where)

    def _discard(self, making: "asyncio.Future[Params]") -> None:
        if not making.cancelled() and making.exception() is None:
            made = making.result()["browserContextId"]
            self.root.post("Target.disposeBrowserContext", browserContextId=made)

    def _unclaimed(self, result: Params) -> None:
        """Notice a context that was made although nobody waits for it."""
        if "browserContextId" in result:
            self._strays = True
            if not self._making:
                self.group.start_soon(self._tidy)

    async def _tidy(self) -> None:
        """Dispose of contexts of our own browser that nobody knows, for the news of them was lost."""
        with suppress(CdpError, TabwrightError):
            there = await self.root.send("Target.getBrowserContexts")
            if not self.ownership.of_user and not self._making:  # else after that one is made
                self._strays = False
                for stray in set(there["browserContextIds"]) - set(self._contexts):
                    self.root.post("Target.disposeBrowserContext", browserContextId=stray)

    async def end_tabs_on_disconnect(self) -> None:
        """Once the connection ends, end every tab with it."""
        await self.wait_until_gone()
        for context in self.contexts:
            context.end(self.root.lost)

    def forget(self, context: Context) -> None:
        """Drop a closed context."""
        if context.id is not None:
            self._contexts.pop(context.id, None)

    def reserve_tab_id(self, tab_id: TabId) -> None:
        """Give the id of a tab that came back to no later one."""
        self._last_tab = max(self._last_tab, int(tab_id[1:]))

    async def start(self) -> None:
        """Learn what the browser is and take on its pages."""
        self.root.on("Target.attachedToTarget", self._attached)
        self.root.on("Target.detachedFromTarget", self._detached)
        self.root.on("Browser.downloadWillBegin", self._download_begins)
        self.root.on("Browser.downloadProgress", self._download_progress)
        version = self.root.start("Browser.getVersion")
        contexts = self.root.start("Target.getBrowserContexts")
        about = await version
        self.version = Version(about["product"], about["protocolVersion"], about["userAgent"])
        for context_id in (await contexts)["browserContextIds"]:
            self._context(context_id)
        await self.root.send(
            "Target.setAutoAttach",
            autoAttach=True,
            waitForDebuggerOnStart=True,
            flatten=True,
            filter=[{"type": "page"}, {"type": "shared_worker"}, {"exclude": True}],
        )

    async def meet(self) -> None:
        """Wait a moment for the pages of a browser that was joined to tell where they are."""
        with anyio.move_on_after(_MEETING):
            for tab in tuple(self.default_context.tabs.values()):
                await tab.ready.wait()

    async def leave(self) -> None:
        """Ask the browser to end, so that a profile's files are written."""
        with anyio.CancelScope(shield=True), anyio.move_on_after(2 * _LEAVING):
            try:
                with anyio.move_on_after(_LEAVING):
                    await self.default_context.close_tabs()
                await self.root.send("Browser.close")
            except (CdpError, BrowserGone) as error:
                log.debug("the browser left before its answer: %s", error)

    def _context(self, context_id: str, gate: Gate | None = None) -> Context:
        if context_id not in self._contexts:
            self._contexts[context_id] = Context(self, context_id, gate)
        return self._contexts[context_id]

    def _context_of(self, target: Params) -> Context:
        return self._contexts.get(target.get("browserContextId", ""), self.default_context)

    def _attached(self, event: Params) -> None:
        target, session = event["targetInfo"], self.connection.session(event["sessionId"])
        if target["type"] == "page":
            tab = self._context_of(target).adopt(self._tab_id(target["targetId"]), target, session)
            if self._tab_memory is not None and tab is not None:
                tab.main_frame.url = target["url"]  # it was there before us, and may be asked at once
                self._tab_memory.add(tab)
            return
        if target["type"] == "shared_worker":  # it belongs to no tab
            self._context_of(target).apply_request_rules(session)
        session.post("Runtime.runIfWaitingForDebugger")

    def _tab_id(self, target_id: str) -> TabId:
        if self._tab_memory is not None and (before := self._tab_memory.tabs.get(target_id)) is not None:
            return before.id
        self._last_tab += 1
        return TabId(f"t{self._last_tab}")

    def _detached(self, event: Params) -> None:
        reason = event.get("reason", "")
        if self._tab_memory is not None and reason == "closed":
            self._tab_memory.tabs.pop(event["targetId"], None)
        if not any(context.drop(event["sessionId"], reason) for context in self.contexts):
            self.connection.session(event["sessionId"]).end(Stale("The worker went away."))

    def _download_begins(self, event: Params) -> None:
        for context in self.contexts:
            if any(tab.frames.get(event["frameId"]) for tab in context.tabs.values()):
                context.downloads.on_start(event)
                return
        self.default_context.downloads.on_start(event)

    def _download_progress(self, event: Params) -> None:
        any(context.downloads.on_progress(event) for context in self.contexts)


@asynccontextmanager
async def _bounded(
    options: LaunchOptions, boundary: Boundary | None
) -> AsyncIterator[tuple[LaunchOptions, Gate | None]]:
    """Close a browser in behind a boundary, if there is one."""
    if boundary is None or options.profile is None:
        yield options if boundary is None else restrict_to_proxy(options, boundary.closed), None
        return
    gate = await boundary.gate()
    try:
        yield restrict_to_proxy(options, gate.proxy) if gate.proxy else options, gate
    finally:
        gate.close()


def _close(gate: Gate | None) -> None:
    if gate is not None:
        gate.close()


async def _start_launched(browser: Browser, process: BrowserProcess, options: LaunchOptions) -> None:
    try:
        with anyio.fail_after(options.start_timeout):
            await browser.start()
    except (TimeoutError, BrowserGone) as error:
        output = await process.last_output()
        raise BrowserGone(
            f"The browser did not start. Its last output: {output[-500:] or 'none'}",
            hint="Start it by hand to see why, or set TABWRIGHT_BROWSER to another one.",
        ) from error


async def _start_attached(browser: Browser, address: str) -> None:
    try:
        with anyio.fail_after(_ATTACH_TIMEOUT):
            await browser.start()
            await browser.meet()
            browser.headless = "HeadlessChrome" in browser.version.user_agent
    except (TimeoutError, CdpError) as error:
        raise BrowserGone(
            f"What answers at {shown(address)} does not act like a browser.", hint="Check the address."
        ) from error


async def _websocket_url(address: str) -> str:
    if address.startswith(("ws://", "wss://")):
        return address
    url = f"http://127.0.0.1:{address}" if address.isdigit() else address.rstrip("/")
    if not url.startswith(("http://", "https://")):
        raise InvalidArgs(
            f"{shown(address)!r} is no debugging address.", hint="Give a port, an http:// or a ws:// address."
        )
    return await anyio.to_thread.run_sync(_ask_for_websocket, f"{url}/json/version")


def _ask_for_websocket(url: str) -> str:
    # A proxy for the web is not for reaching a browser.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url, timeout=_ATTACH_TIMEOUT) as answer:
            return str(orjson.loads(answer.read())["webSocketDebuggerUrl"])
    except (OSError, ValueError, LookupError, TypeError, HTTPException) as error:
        raise BrowserGone(
            f"No browser answers at {shown(url)}.", hint="Check that it runs with --remote-debugging-port."
        ) from error
