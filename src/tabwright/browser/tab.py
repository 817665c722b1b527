"""A tab: one page with its frames, and its capabilities: navigation, input, console, network and others."""

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NewType, Protocol, TypeVar

import anyio

from tabwright.aio import Signal, deadline
from tabwright.browser.call_permissions import CallPermissions, current_permissions
from tabwright.browser.element import Element
from tabwright.browser.emulation.emulation import Emulation
from tabwright.browser.find.refs import Refs
from tabwright.browser.find.waits import Waits
from tabwright.browser.input.keyboard import Keyboard
from tabwright.browser.input.mouse import Mouse
from tabwright.browser.input.scroll import Direction, Scrolled, scroll_page
from tabwright.browser.input.shield import InputShield
from tabwright.browser.input.touch import Touch
from tabwright.browser.network.in_flight import InFlightRequests
from tabwright.browser.network.log import NetworkLog
from tabwright.browser.network.throttle import Throttle
from tabwright.browser.page.announced_windows import AnnouncedWindows
from tabwright.browser.page.console import Console
from tabwright.browser.page.dialogs import Dialog, DialogOpened, Dialogs
from tabwright.browser.page.evaluate import evaluate
from tabwright.browser.page.frame import Frame
from tabwright.browser.page.frame_tree import FrameTree
from tabwright.browser.page.hang_watchdog import HangWatchdog
from tabwright.browser.page.navigation import Navigated, Navigation, WaitUntil
from tabwright.browser.page.popup_blocker import PopupBlocker
from tabwright.browser.page.script_sandbox import Scripts
from tabwright.browser.snapshot.snapshot import Snapshot, read_text, take
from tabwright.browser.storage.web_storage import Storage
from tabwright.browser.user_chrome.declared_page import DeclaredPage
from tabwright.cdp import CdpError, CdpSession, Params
from tabwright.errors import NotFound, PageFailed, Stale

if TYPE_CHECKING:
    from tabwright.browser.capture.screenshot import LastScreenshot
    from tabwright.browser.context import Context

log = logging.getLogger(__name__)

TabId = NewType("TabId", str)
T = TypeVar("T")

# Targets that belong to a tab: frames of other sites, and workers.
_CHILD_KINDS = ("iframe", "worker")
_ACTIVATE_TIMEOUT = 15.0


class Listener(Protocol):
    """A component of the tab that follows events."""

    def attach(self, session: CdpSession) -> None:
        """Subscribe to the events of a new session and post what enables them, without waiting."""


class Tab:
    """A tab of the browser. Methods that wait take a `timeout`; failures raise a `TabwrightError`."""

    # Set where an extension declares the tools of the page, and nothing else can be done in it.
    declared: DeclaredPage | None = None

    def __init__(self, context: "Context", tab_id: TabId, target_id: str, session: CdpSession) -> None:
        self.context = context
        self.id = tab_id
        self.target_id = target_id
        self.session = session
        self.opener: Tab | None = None
        self.ready = anyio.Event()
        self.closed = anyio.Event()
        self.changed = Signal()
        self.frames = FrameTree(self, target_id, session)
        self.dialogs = Dialogs()
        self.navigation = Navigation(self)
        self.traffic = InFlightRequests(self)
        self.network = NetworkLog(self)
        self.console = Console(self)
        self.throttle = Throttle(context)
        self.emulation = Emulation(self)
        self.popups = PopupBlocker()
        self.windows = AnnouncedWindows()
        self.watchdog = HangWatchdog(self)
        self.refs = Refs(self)
        self.mouse = Mouse(self)
        self.keyboard = Keyboard(self)
        self.touch = Touch(self)
        self.shield = InputShield(self)
        self.waits = Waits(self)
        self.scripts = Scripts()
        self.last_screenshot: LastScreenshot | None = None
        # The loader id of a document that committed during an action and is observed since.
        self.observed_document = ""
        self._components: dict[Callable[[Tab], Any], Any] = {}
        self._crashes: dict[CdpSession, PageFailed] = {}
        self._children: dict[str, CdpSession] = {}
        # The sessions of the workers that run.
        self.workers: set[str] = set()
        self._in_pages: tuple[Listener, ...] = (
            self.frames,
            self.dialogs,
            self.navigation,
            self.emulation,
            self.windows,
            self.shield,
            context.clipboard,
            *((self.popups,) if context.browser.blocks_popups else ()),
        )
        # These apply to everything that sends requests, service workers included.
        self._on_requests: tuple[Listener, ...] = (
            self.throttle,
            context.headers,
            context.interception,
        )
        self._everywhere: tuple[Listener, ...] = (
            self.traffic,
            self.network,
            self.console,
            *self._on_requests,
        )
        self.dialogs.on_open(self._on_dialog_opened)
        self._adopt(session, "page")

    def __repr__(self) -> str:
        return f"<Tab {self.id} {self.url}>"

    @property
    def call_permissions(self) -> CallPermissions:
        """What the running call may do here.

        Raises:
            Denied: no call is running, and the tab belongs to a session.
        """
        return self.context.call_permissions

    @property
    def main_frame(self) -> Frame:
        """The frame of the tab's document."""
        return self.frames.main

    @property
    def url(self) -> str:
        """The URL of the current document."""
        return self.main_frame.url

    @property
    def page_version(self) -> tuple[int, int]:
        """A value that changes with every navigation, to a new document or within it."""
        return self.navigation.commits, self.navigation.moves_within

    @property
    def crashed(self) -> bool:
        """Whether the page has crashed and was not reloaded."""
        return self.session in self._crashes

    @property
    def storage(self) -> Storage:
        """The storage of the page's origin: `local`, `session` and `databases`."""
        return Storage(self.main_frame)

    def component(self, kind: Callable[["Tab"], T]) -> T:
        """Return a higher layer's component for this tab, created at the first use and kept with the tab."""
        if kind not in self._components:
            self._components[kind] = kind(self)
        component: T = self._components[kind]
        return component

    def include(self, part: Listener) -> None:
        """Attach a higher layer's component to all pages and frames of the tab, future ones included."""
        self._in_pages = (*self._in_pages, part)
        for session in {frame.session for frame in self.frames}:
            part.attach(session)

    async def title(self) -> str:
        """Return the document's title."""
        if self.declared is not None:
            return self.declared.title
        return str(await self.main_frame.call("title"))

    async def goto(
        self, url: str, *, wait_until: WaitUntil | None = None, timeout: float = 30.0
    ) -> Navigated:
        """Navigate to a URL and wait until the document reaches `wait_until`; see `Navigation`."""
        return await self.navigation.goto(url, wait_until=wait_until, timeout=timeout)

    async def evaluate(self, script: str, *args: Any, timeout: float = 30.0) -> Any:
        """Run JavaScript, an expression or statements with `return`, and return its JSON value."""
        return await evaluate(self.frames.chosen, script, args, timeout=timeout)

    async def snapshot(
        self,
        *,
        root: str | None = None,
        whole: bool = False,
        everything: bool = False,
        records: bool = False,
        start: bool = False,
    ) -> Snapshot:
        """Return the page as a person sees it, a tree: the chosen frame, the `whole` page or an element.

        With `everything`, every visible element has a ref. For reading `records`, repeated cards are list
        items, and their parts have fields. With `start`, only the beginning of a large page is read.
        """
        root = await self.element(root).ref() if root is not None else None
        frame = self.main_frame if whole else self.frames.chosen
        return await take(self, root=root, frame=frame, everything=everything, records=records, start=start)

    async def read_text(self, *, root: str | None = None) -> Snapshot:
        """Return the article of the chosen frame, else its whole text, or the text inside a ref."""
        return await read_text(self, self.frames.chosen, root=root)

    def element(self, target: str) -> Element:
        """Return an element by ref (`@e7`), CSS or text (`text=…`); it is looked up when used."""
        return Element(self, target)

    async def scroll(self, direction: Direction, pixels: float = 300) -> Scrolled:
        """Scroll the page."""
        return await scroll_page(self, direction, pixels)

    async def activate(self) -> None:
        """Bring the tab to the front of its window.

        Raises:
            PageFailed: the browser refused it.
        """
        late = f"Tab {self.id} did not come to the front in {_ACTIVATE_TIMEOUT:g} s."
        try:
            with deadline(_ACTIVATE_TIMEOUT, late, hint="Try again."):
                await self.session.send("Page.bringToFront")
        except CdpError as error:
            raise PageFailed(
                f"Tab {self.id} did not come to the front: {error.message}.", hint="Use another tab."
            ) from error

    async def close(self, *, timeout: float = 15.0) -> None:
        """Close the tab without a `beforeunload` dialog."""
        with deadline(timeout, f"Tab {self.id} did not close in {timeout:g} s.", hint="Try again."):
            if not self.closed.is_set():
                await self.dialogs.clear()
                await self.context.keep_one_tab_open(self)
            # Chrome ignores a request to close that comes while a new document commits.
            while not self.closed.is_set():
                self.context.browser.root.post("Target.closeTarget", targetId=self.target_id)
                with anyio.move_on_after(0.5):
                    await self.closed.wait()

    def require_responsive(self, session: CdpSession | None = None) -> None:
        """Raise at once if the page, or the frame of a `session`, cannot respond to a call.

        Raises:
            NotFound: the tab is closed (BrowserGone: the browser is gone).
            PageFailed: the page crashed.
            DialogOpened: a dialog blocks the page.
        """
        if self.session.lost is not None:
            raise self.session.lost
        crash = self._crashes.get(self.session) or self._crashes.get(session or self.session)
        if crash is not None:
            raise crash.with_traceback(None)
        self.dialogs.require_none()

    async def until(self, reached: Callable[[], bool]) -> None:
        """Wait until `reached()`; the caller's deadline bounds it. Raises like `require_responsive`."""

        def check() -> bool:
            self.require_responsive()
            return reached()

        with self.watchdog.watch(self.session):
            await self.changed.until(check)

    def require_origin(self, frame: Frame) -> None:
        """Refuse a frame outside of the origins that the running call is limited to, if it is."""
        permissions = current_permissions()
        if permissions is not None:
            permissions.origin_guard.require(frame)

    def crash(self, session: CdpSession, failure: PageFailed) -> None:
        """Note that the process of the page or a frame has crashed: Chrome never answers pending calls."""
        self._crashes[session] = failure
        if session is self.session:
            self._interrupt(failure)
            self.context.changed.fire()
        else:
            session.interrupt(failure)

    def recover(self) -> None:
        """Forget a crash: the next document gets a new process."""
        if self._crashes.pop(self.session, None) is not None:
            self.context.changed.fire()

    def end(self, reason: Exception | None = None) -> None:
        """Note that the tab is gone; `reason` is the error for its callers, by default that it closed."""
        gone = reason or NotFound(f"Tab {self.id} is closed.", hint="List the tabs, then choose one.")
        for session in (self.session, *self._children.values()):
            session.end(gone)
        self.ready.set()
        self.closed.set()
        self.changed.fire()

    def _adopt(self, session: CdpSession, kind: str) -> None:
        """Add a session whose target is still paused: subscribe, enable events, then let it run."""
        if kind != "worker":
            for part in self._in_pages:
                part.attach(session)
            session.on("Inspector.targetCrashed", lambda _: self._on_crashed(session))
            session.on("Inspector.targetReloadedAfterCrash", lambda _: self._on_reloaded(session))
            session.post("Page.enable")
        for part in self._everywhere:
            part.attach(session)
        session.on("Target.attachedToTarget", self._on_child_attached)
        session.on("Target.detachedFromTarget", lambda event: self._on_child_detached(event["sessionId"]))
        session.post("Runtime.enable")
        session.post("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=True, flatten=True)
        if kind == "page":
            session.post("Emulation.setFocusEmulationEnabled", enabled=True)
        running = session.start("Runtime.runIfWaitingForDebugger")
        if kind == "page":
            running.add_done_callback(lambda _: self.ready.set())

    def _on_child_attached(self, event: Params) -> None:
        target = event["targetInfo"]
        session = self.context.browser.connection.session(event["sessionId"])
        if target["type"] not in _CHILD_KINDS:
            for part in self._on_requests:
                part.attach(session)
            session.post("Runtime.runIfWaitingForDebugger")
            return
        self._children[session.id] = session
        if target["type"] == "worker":
            self.workers.add(session.id)
        if target["type"] == "iframe":
            self.frames.adopt(target["targetId"], session)
        self._adopt(session, target["type"])

    def _on_child_detached(self, session_id: str) -> None:
        self._children.pop(session_id, None)
        self.workers.discard(session_id)
        session = self.context.browser.connection.session(session_id)
        session.end(Stale("The frame is gone.", hint="Take a snapshot, then use a ref from it."))
        self.traffic.detach(session)
        self.network.detach(session)
        self.watchdog.forget(session)
        self._crashes.pop(session, None)

    def _on_crashed(self, session: CdpSession) -> None:
        memory = self.context.browser.memory
        failure = self.watchdog.explain_crash(session)
        if failure is None and memory is not None:
            failure = memory.explain_crash(self.url)
        crashed = PageFailed(f"The page {self.url} crashed.", hint="Reload it, or navigate elsewhere.")
        self.crash(session, failure or crashed)

    def _on_reloaded(self, session: CdpSession) -> None:
        self._crashes.pop(session, None)
        self.context.changed.fire()

    def _on_dialog_opened(self, dialog: Dialog) -> None:
        self._interrupt(DialogOpened(dialog))

    def _interrupt(self, reason: Exception) -> None:
        for session in (self.session, *self._children.values()):
            session.interrupt(reason)
        self.changed.fire()
