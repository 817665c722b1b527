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
from tabwright.browser.input.clipboard import ChromeClipboard
from tabwright.browser.network.gate import Boundary, Gate
from tabwright.browser.ownership import Ownership
from tabwright.browser.process.launch import LaunchOptions, launch_process, restrict_to_proxy
from tabwright.browser.process.memory_limit import MemoryLimit
from tabwright.browser.process.process import BrowserProcess
from tabwright.browser.process.start_failure import MIN_CHROME_VERSION, start_failure
from tabwright.browser.tab import TabId
from tabwright.browser.user_chrome.declared_page import DeclaredPage
from tabwright.browser.user_chrome.tab_ownership import TabMemory
from tabwright.cdp import CdpError, CdpSession, Connection, Params, Transport
from tabwright.cdp.websocket import hide_credentials, open_websocket
from tabwright.errors import BrowserGone, InvalidArgs, Stale, TabwrightError

log = logging.getLogger(__name__)

_ATTACH_TIMEOUT = 10.0
# Seconds for pages, and then for the browser, to close when asked to.
_CLOSE_TIMEOUT = 2.0
# Seconds for pages that existed before us to report their URLs; one with an open dialog does not respond.
_FIRST_PAGES_TIMEOUT = 2.0


@dataclass(frozen=True, slots=True)
class Version:
    """The version of the browser and of its protocol, and its user agent."""

    product: str
    protocol: str
    user_agent: str

    @property
    def major(self) -> int:
        """The first number of the version; 0 if it has none."""
        number = self.product.partition("/")[2].partition(".")[0]
        return int(number) if number.isdigit() else 0

    @property
    def is_headless_shell(self) -> bool:
        """Whether it is a headless shell; a full Chrome is named Chrome, with a window or without."""
        return self.product.startswith("HeadlessChrome/")


def _gone(reason: str) -> BrowserGone:
    return BrowserGone(f"The browser is gone: {reason}.", hint="Call again; a new browser starts.")


class Browser:
    """A running browser. Open tabs in `default_context`, or in isolated contexts from `new_context()`."""

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
        # The address of the user's browser; "" for one that we launched.
        self.address = ""
        # Called when the user brings a target to the front; None where the browser does not report that.
        self.focus_callbacks: dict[str, Callable[[], None]] | None = None
        # The pages by target, where an extension declares their tools and nothing else can be done in them.
        self.declared_pages: dict[str, DeclaredPage] | None = None
        self.pid: int | None = None
        self.boundary: Boundary | None = None
        # Whether we block popups: Chrome does so itself, its headless shell does not.
        self.blocks_popups = False
        self.memory: MemoryLimit | None = None
        self.clipboard = ChromeClipboard(self)
        self._contexts: dict[str, Context] = {}
        self._tab_memory = tab_memory
        self._last_tab = tab_memory.last_number if tab_memory is not None else 0
        # Contexts that are being created, and whether one was created that no caller knows.
        self._creating = 0
        self._has_strays = False
        connection.unclaimed = self._on_unclaimed_answer

    @classmethod
    @asynccontextmanager
    async def launch(
        cls, options: LaunchOptions | None = None, boundary: Boundary | None = None
    ) -> "AsyncIterator[Browser]":
        """Launch a browser; it runs as long as the `async with` block.

        With a `boundary`, each new context gets a gate. The default context gets one only with a profile;
        without a profile, it reaches nothing.
        """
        async with (
            _restrict_to_boundary(options or LaunchOptions(), boundary) as (restricted, gate),
            launch_process(restricted) as process,
            cls.over(
                process.transport,
                headless=restricted.headless,
                ownership=Ownership.LAUNCHED if restricted.profile is None else Ownership.PROFILE,
                gate=gate,
            ) as browser,
        ):
            browser.pid = process.pid
            browser.boundary = boundary
            await _start_launched(browser, process, restricted)
            popups = "--disable-popup-blocking" in restricted.args
            browser.blocks_popups = browser.version.is_headless_shell and not popups
            browser.refuse_downloads({})
            browser.memory = MemoryLimit(browser, restricted.page_bytes)
            browser.group.start_soon(browser.memory.run)
            try:
                yield browser
            finally:
                if restricted.profile is not None:
                    await browser.close()

    @classmethod
    @asynccontextmanager
    async def attach(
        cls, address: str, *, headers: dict[str, str] | None = None, gate: Gate | None = None
    ) -> "AsyncIterator[Browser]":
        """Attach to a running browser: by its debugging port (`9222`), an `http://` or a `ws://` address.

        The browser keeps running after the block. A `gate` decides which URLs its default context may open.
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
        """Use the browser at the other end of a transport while the block runs; call `start` first.

        Tabs in `tab_memory` keep their ids; `lost` makes the error of pending calls when the connection ends.
        """
        async with Connection.open(transport, lost=lost) as connection, background_tasks() as group:
            browser = cls(
                connection, group, headless=headless, ownership=ownership, gate=gate, tab_memory=tab_memory
            )
            group.start_soon(browser.end_tabs_on_disconnect)
            yield browser

    @property
    def alive(self) -> bool:
        """Whether the browser is still connected."""
        return not self.connection.lost.is_set()

    @property
    def watched(self) -> bool:
        """Whether its user may be watching: no tab is brought to the front there without need."""
        return self.ownership.of_user and not self.headless

    @property
    def contexts(self) -> tuple[Context, ...]:
        """All contexts, the default one first."""
        return (self.default_context, *self._contexts.values())

    async def wait_until_gone(self) -> None:
        """Wait until the browser has exited or the connection to it has ended."""
        await self.connection.lost.wait()

    async def new_context(
        self,
        *,
        proxy: str | None = None,
        proxy_bypass: str | None = None,
        gate: Gate | None = None,
        timeout: float = TIMEOUT,
    ) -> Context:
        """Create a context with its own cookies and storage, and optionally its own proxy."""
        options: dict[str, Any] = {}
        if gate is None and self.boundary is not None:
            gate = await self.boundary.gate()
        if gate is not None and gate.proxy:
            # By default, Chrome reaches localhost without the proxy.
            options = {"proxyServer": gate.proxy, "proxyBypassList": "<-loopback>"}
        elif proxy:
            options = {"proxyServer": proxy, "proxyBypassList": proxy_bypass or ""}
        creating = self.root.start("Target.createBrowserContext", disposeOnDetach=True, **options)
        self._creating += 1
        try:
            with deadline(timeout, f"The browser created no context in {timeout:g} s.", hint="Try again."):
                created = await asyncio.shield(creating)
        except CdpError as error:
            _close(gate)
            raise InvalidArgs(
                f"The browser created no context: {error.message}.", hint="Check the address of the proxy."
            ) from error
        except BaseException:
            _close(gate)
            creating.add_done_callback(self._discard)  # its caller is gone
            self._has_strays = self._has_strays or not creating.done()
            raise
        finally:
            self._creating -= 1
            if self._has_strays and not self._creating:
                self.group.start_soon(self._dispose_of_strays)
        self.refuse_downloads(created)
        return self._context(created["browserContextId"], gate)

    def refuse_downloads(self, where: Params) -> None:
        """Refuse downloads until a folder is set; a headless shell would drop them silently."""
        self.root.post("Browser.setDownloadBehavior", behavior="deny", eventsEnabled=True, **where)

    def _discard(self, creating: "asyncio.Future[Params]") -> None:
        if not creating.cancelled() and creating.exception() is None:
            context_id = creating.result()["browserContextId"]
            self.root.post("Target.disposeBrowserContext", browserContextId=context_id)

    def _on_unclaimed_answer(self, result: Params) -> None:
        """Notice a context that was created although its caller is gone."""
        if "browserContextId" in result:
            self._has_strays = True
            if not self._creating:
                self.group.start_soon(self._dispose_of_strays)

    async def _dispose_of_strays(self) -> None:
        """Dispose of contexts whose creation was answered after their caller was gone."""
        with suppress(CdpError, TabwrightError):
            existing = await self.root.send("Target.getBrowserContexts")
            if not self.ownership.of_user and not self._creating:  # otherwise after that creation
                self._has_strays = False
                for stray in set(existing["browserContextIds"]) - set(self._contexts):
                    self.root.post("Target.disposeBrowserContext", browserContextId=stray)

    async def end_tabs_on_disconnect(self) -> None:
        """When the connection ends, end every tab."""
        await self.wait_until_gone()
        for context in self.contexts:
            context.end(self.root.lost)

    def forget(self, context: Context) -> None:
        """Drop a closed context."""
        if context.id is not None:
            self._contexts.pop(context.id, None)

    def reserve_tab_id(self, tab_id: TabId) -> None:
        """Do not give the id of a restored tab to a new one."""
        self._last_tab = max(self._last_tab, int(tab_id[1:]))

    async def start(self) -> None:
        """Read the browser's version and attach to its pages."""
        self.root.on("Target.attachedToTarget", self._on_attached)
        self.root.on("Target.detachedFromTarget", self._on_detached)
        self.root.on("Browser.downloadWillBegin", self._on_download_started)
        self.root.on("Browser.downloadProgress", self._on_download_progress)
        version = self.root.start("Browser.getVersion")
        contexts = self.root.start("Target.getBrowserContexts")
        answer = await version
        self.version = Version(answer["product"], answer["protocolVersion"], answer["userAgent"])
        for context_id in (await contexts)["browserContextIds"]:
            self._context(context_id)
        await self.root.send(
            "Target.setAutoAttach",
            autoAttach=True,
            waitForDebuggerOnStart=True,
            flatten=True,
            filter=[{"type": "page"}, {"type": "shared_worker"}, {"exclude": True}],
        )

    async def wait_for_first_pages(self) -> None:
        """Wait briefly until the pages of a browser that we attached to have reported their URLs."""
        with anyio.move_on_after(_FIRST_PAGES_TIMEOUT):
            for tab in tuple(self.default_context.tabs.values()):
                await tab.ready.wait()

    async def close(self) -> None:
        """Ask the browser to exit, so that it writes the files of its profile."""
        with anyio.CancelScope(shield=True), anyio.move_on_after(2 * _CLOSE_TIMEOUT):
            try:
                with anyio.move_on_after(_CLOSE_TIMEOUT):
                    await self.default_context.close_tabs()
                await self.root.send("Browser.close")
            except (CdpError, BrowserGone) as error:
                log.debug("the browser exited before it answered: %s", error)

    def _context(self, context_id: str, gate: Gate | None = None) -> Context:
        if context_id not in self._contexts:
            self._contexts[context_id] = Context(self, context_id, gate)
        return self._contexts[context_id]

    def _context_of(self, target: Params) -> Context:
        return self._contexts.get(target.get("browserContextId", ""), self.default_context)

    def _on_attached(self, event: Params) -> None:
        target, session = event["targetInfo"], self.connection.session(event["sessionId"])
        if target["type"] == "page":
            tab = self._context_of(target).adopt(self._tab_id(target["targetId"]), target, session)
            if self._tab_memory is not None and tab is not None:
                tab.main_frame.url = target["url"]  # it existed before us, and its URL may be read at once
                self._tab_memory.add(tab)
            return
        if target["type"] == "shared_worker":  # it does not belong to a tab
            self._context_of(target).apply_request_rules(session)
        session.post("Runtime.runIfWaitingForDebugger")

    def _tab_id(self, target_id: str) -> TabId:
        if self._tab_memory is not None and (before := self._tab_memory.tabs.get(target_id)) is not None:
            return before.id
        self._last_tab += 1
        return TabId(f"t{self._last_tab}")

    def _on_detached(self, event: Params) -> None:
        reason = event.get("reason", "")
        if self._tab_memory is not None and reason == "closed":
            self._tab_memory.tabs.pop(event["targetId"], None)
        if not any(context.drop(event["sessionId"], reason) for context in self.contexts):
            self.connection.session(event["sessionId"]).end(Stale("The worker is gone."))

    def _on_download_started(self, event: Params) -> None:
        for context in self.contexts:
            if any(tab.frames.get(event["frameId"]) for tab in context.tabs.values()):
                context.downloads.on_start(event)
                return
        self.default_context.downloads.on_start(event)

    def _on_download_progress(self, event: Params) -> None:
        any(context.downloads.on_progress(event) for context in self.contexts)


@asynccontextmanager
async def _restrict_to_boundary(
    options: LaunchOptions, boundary: Boundary | None
) -> AsyncIterator[tuple[LaunchOptions, Gate | None]]:
    """Return the options and the default context's gate for a browser behind a boundary, if there is one."""
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
        raise start_failure(await process.last_output()) from error
    if browser.version.major < MIN_CHROME_VERSION:
        raise BrowserGone(
            f"{browser.version.product} is too old: Tabwright needs version {MIN_CHROME_VERSION}.",
            hint="Update it, or run `tabwright install-browser`, or set TABWRIGHT_BROWSER to a newer one.",
        )


async def _start_attached(browser: Browser, address: str) -> None:
    try:
        with anyio.fail_after(_ATTACH_TIMEOUT):
            await browser.start()
            await browser.wait_for_first_pages()
            browser.headless = "HeadlessChrome" in browser.version.user_agent
    except (TimeoutError, CdpError) as error:
        raise BrowserGone(
            f"{hide_credentials(address)} does not behave like a browser.", hint="Check the address."
        ) from error


async def _websocket_url(address: str) -> str:
    if address.startswith(("ws://", "wss://")):
        return address
    url = f"http://127.0.0.1:{address}" if address.isdigit() else address.rstrip("/")
    if not url.startswith(("http://", "https://")):
        raise InvalidArgs(
            f"Invalid debugging address {hide_credentials(address)!r}.",
            hint="Give a port, an http:// or a ws:// address.",
        )
    return await anyio.to_thread.run_sync(_read_websocket_url, f"{url}/json/version")


def _read_websocket_url(url: str) -> str:
    # Without the proxy of the environment: the browser is local.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url, timeout=_ATTACH_TIMEOUT) as response:
            return str(orjson.loads(response.read())["webSocketDebuggerUrl"])
    except (OSError, ValueError, LookupError, TypeError, HTTPException) as error:
        raise BrowserGone(
            f"No browser answers at {hide_credentials(url)}.",
            hint="Check that it runs with --remote-debugging-port.",
        ) from error
