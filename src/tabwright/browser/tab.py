"""A tab: one page target with its frames, and the capabilities it has."""

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NewType, Protocol, TypeVar

import anyio

from tabwright.aio import Signal, deadline
from tabwright.browser.call_permissions import CallPermissions, current_permissions
from tabwright.browser.element import Element
from tabwright.browser.emulation.emulation import Emulation
from tabwright.browser.find.refs import Refs
from tabwright.browser.find.waits import State, Waits
from tabwright.browser.input.keyboard import Keyboard
from tabwright.browser.input.mouse import Mouse
from tabwright.browser.input.scroll import Direction, Scrolled, scroll_page
from tabwright.browser.input.touch import Touch
from tabwright.browser.network.in_flight import InFlightRequests
from tabwright.browser.network.log import NetworkLog
from tabwright.browser.network.throttle import Throttle
from tabwright.browser.page.console import Console
from tabwright.browser.page.dialogs import Dialog, DialogOpened, Dialogs
from tabwright.browser.page.evaluate import evaluate
from tabwright.browser.page.frame import Frame
from tabwright.browser.page.frame_tree import FrameTree
from tabwright.browser.page.hang_watchdog import HangWatchdog
from tabwright.browser.page.isolated_world import WORLD
from tabwright.browser.page.navigation import Navigated, Navigation, WaitUntil
from tabwright.browser.page.popup_blocker import PopupBlocker
from tabwright.browser.page.script_sandbox import Scripts
from tabwright.browser.snapshot.snapshot import Snapshot, take
from tabwright.browser.storage.web_storage import Storage
from tabwright.cdp import CdpSession, Params
from tabwright.errors import NotFound, PageFailed, Stale

if TYPE_CHECKING:
    from tabwright.browser.capture.screenshot import LastScreenshot
    from tabwright.browser.context import Context

log = logging.getLogger(__name__)

TabId = NewType("TabId", str)
T = TypeVar("T")

# What belongs to a tab beside its page: frames of other sites, and workers.
_CHILD_KINDS = ("iframe", "worker")


class Listener(Protocol):
    """A part of the tab that follows events."""

    def attach(self, session: CdpSession) -> None:
        """Subscribe on a new session of the tab, and post what it needs switched on; never waits."""


class Tab:
    """One tab. Everything that waits takes its own deadline; everything that fails says why."""

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
        self.watchdog = HangWatchdog(self)
        self.refs = Refs(self)
        self.mouse = Mouse(self)
        self.keyboard = Keyboard(self)
        self.touch = Touch(self)
        self.waits = Waits(self)
        self.scripts = Scripts(self)
        self.last_screenshot: LastScreenshot | None = None
        # The document that came in the middle of an act and is watched since: what changed in it is told too.
        self.observed = ""
        self._parts: dict[Callable[[Tab], Any], Any] = {}
        self._crashes: dict[CdpSession, PageFailed] = {}
        self._children: dict[str, CdpSession] = {}
        self._in_pages: tuple[Listener, ...] = (
            self.frames,
            self.dialogs,
            self.navigation,
            self.emulation,
            *((self.popups,) if context.browser.blocks_popups else ()),
        )
        # In force for whatever can send requests, service workers included.
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
        self.dialogs.on_open(self._dialog_opened)
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
        """The frame that holds the tab's document."""
        return self.frames.main

    @property
    def url(self) -> str:
        """The address of the document shown now."""
        return self.main_frame.url

    @property
    def mark(self) -> tuple[int, int]:
        """What is another after every navigation, to a new document or within it."""
        return self.navigation.commits, self.navigation.moves_within

    @property
    def crashed(self) -> bool:
        """Whether the page's process is gone and nothing took its place."""
        return self.session in self._crashes

    @property
    def storage(self) -> Storage:
        """What the origin of the document shown now keeps in the browser."""
        return Storage(self.main_frame)

    def component(self, part: Callable[["Tab"], T]) -> T:
        """Return what a layer above keeps for the tab as long as it lives: made once, of the tab."""
        if part not in self._parts:
            self._parts[part] = part(self)
        kept: T = self._parts[part]
        return kept

    def include(self, part: Listener) -> None:
        """Let a part of a layer above follow all pages and frames of the tab, those to come too."""
        self._in_pages = (*self._in_pages, part)
        for session in {frame.session for frame in self.frames}:
            part.attach(session)

    async def title(self) -> str:
        """Return the document's title."""
        return str(await self.main_frame.call("title"))

    async def goto(self, url: str, *, wait_until: WaitUntil = "load", timeout: float = 30.0) -> Navigated:
        """Navigate; see `Navigation.goto`."""
        return await self.navigation.goto(url, wait_until=wait_until, timeout=timeout)

    async def evaluate(self, script: str, *args: Any, timeout: float = 30.0) -> Any:
        """Run a script in the chosen frame, as far as `scripts` lets it reach; see `evaluation.evaluate`."""
        return await evaluate(self.frames.chosen, script, args, timeout=timeout)

    async def snapshot(self, *, root: str | None = None, whole: bool = False) -> Snapshot:
        """Return what a person sees in the chosen frame, on the `whole` page, or in the element of a ref."""
        return await take(self, root=root, frame=self.main_frame if whole else self.frames.chosen)

    def element(self, target: str) -> Element:
        """Return the element that a target names (`@e7`, CSS, `text=…`); it is looked for when it is used."""
        return Element(self, target)

    async def wait_for(self, target: str, state: State = "visible", *, timeout: float = 30.0) -> None:
        """Wait for an element to be visible, hidden, attached, detached or enabled; see `Waits.element`."""
        await self.waits.element(target, state, timeout=timeout)

    async def scroll(self, direction: Direction, pixels: float = 300) -> Scrolled:
        """Scroll the page; see `scroll.scroll_page`."""
        return await scroll_page(self, direction, pixels)

    async def activate(self) -> None:
        """Bring the tab to the front of its window; through the extension, in place of one of ours only."""
        await self.session.send("Page.bringToFront")

    async def close(self, *, timeout: float = 15.0) -> None:
        """Close the tab, without asking the page."""
        with deadline(timeout, f"Tab {self.id} did not close in {timeout:g} s.", hint="Try again."):
            if not self.closed.is_set():
                await self.dialogs.clear()
                await self.context.keep_one_tab_open(self)
            # Chrome loses a wish to close that meets the arrival of a new document.
            while not self.closed.is_set():
                self.context.browser.root.post("Target.closeTarget", targetId=self.target_id)
                with anyio.move_on_after(0.5):
                    await self.closed.wait()

    def require_responsive(self, session: CdpSession | None = None) -> None:
        """Refuse at once where a call to the page, or to the frame of a `session`, could not be answered.

        Raises:
            NotFound: the tab is closed (BrowserGone: the whole browser is).
            PageFailed: the page crashed.
            DialogOpened: a dialog holds the page.
        """
        if self.session.lost is not None:
            raise self.session.lost
        crash = self._crashes.get(self.session) or self._crashes.get(session or self.session)
        if crash is not None:
            raise crash.with_traceback(None)
        self.dialogs.require_none()

    async def until(self, reached: Callable[[], bool]) -> None:
        """Wait until `reached()`; the caller's deadline bounds it.

        Raises:
            Whatever `require_responsive` raises, as soon as it would.
        """

        def looked() -> bool:
            self.require_responsive()
            return reached()

        with self.watchdog.watch(self.session):
            await self.changed.until(looked)

    def require_origin(self, frame: Frame) -> None:
        """Refuse a frame outside of the origins that the running call is limited to, if it is."""
        permissions = current_permissions()
        if permissions is not None:
            permissions.origin_guard.require(frame)

    def crash(self, session: CdpSession, failure: PageFailed) -> None:
        """Note that the process of the page or a frame is gone: Chrome never answers what was under way."""
        self._crashes[session] = failure
        if session is self.session:
            self._interrupt(failure)
            self.context.changed.fire()
        else:
            session.interrupt(failure)

    def recover(self) -> None:
        """Forget a crash: a new document gets a new process."""
        if self._crashes.pop(self.session, None) is not None:
            self.context.changed.fire()

    def end(self, reason: Exception | None = None) -> None:
        """Note that the tab is gone: closed, or for a `reason` of its own."""
        gone = reason or NotFound(f"Tab {self.id} is closed.", hint="List the tabs, then choose one.")
        for session in (self.session, *self._children.values()):
            session.end(gone)
        self.ready.set()
        self.closed.set()
        self.changed.fire()

    def _adopt(self, session: CdpSession, kind: str) -> None:
        """Take on a session whose target is still paused: subscribe, switch on, then let it run."""
        if kind != "worker":
            for part in self._in_pages:
                part.attach(session)
            session.on("Inspector.targetCrashed", lambda _: self._crashed(session))
            session.on("Inspector.targetReloadedAfterCrash", lambda _: self._reloaded(session))
            session.post("Page.enable")
            session.post(
                "Page.addScriptToEvaluateOnNewDocument",
                source="",  # makes our world; its scripts come with the first call
                worldName=WORLD,
                runImmediately=True,
            )
        for part in self._everywhere:
            part.attach(session)
        session.on("Target.attachedToTarget", self._child_attached)
        session.on("Target.detachedFromTarget", lambda event: self._child_gone(event["sessionId"]))
        session.post("Runtime.enable")
        session.post("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=True, flatten=True)
        if kind == "page":
            session.post("Emulation.setFocusEmulationEnabled", enabled=True)
        running = session.start("Runtime.runIfWaitingForDebugger")
        if kind == "page":
            running.add_done_callback(lambda _: self.ready.set())

    def _child_attached(self, event: Params) -> None:
        target = event["targetInfo"]
        session = self.context.browser.connection.session(event["sessionId"])
        if target["type"] not in _CHILD_KINDS:
            for part in self._on_requests:
                part.attach(session)
            session.post("Runtime.runIfWaitingForDebugger")
            return
        self._children[session.id] = session
        if target["type"] == "iframe":
            self.frames.adopt(target["targetId"], session)
        self._adopt(session, target["type"])

    def _child_gone(self, session_id: str) -> None:
        self._children.pop(session_id, None)
        session = self.context.browser.connection.session(session_id)
        session.end(Stale("The frame went away.", hint="Take a snapshot, then use a ref from it."))
        self.traffic.detach(session)
        self.network.detach(session)
        self.watchdog.forget(session)
        self._crashes.pop(session, None)

    def _crashed(self, session: CdpSession) -> None:
        memory = self.context.browser.memory
        failure = self.watchdog.explain_crash(session)
        if failure is None and memory is not None:
            failure = memory.explain_crash(self.url)
        crashed = PageFailed(f"The page {self.url} crashed.", hint="Reload it, or navigate elsewhere.")
        self.crash(session, failure or crashed)

    def _reloaded(self, session: CdpSession) -> None:
        self._crashes.pop(session, None)
        self.context.changed.fire()

    def _dialog_opened(self, dialog: Dialog) -> None:
        self._interrupt(DialogOpened(dialog))

    def _interrupt(self, reason: Exception) -> None:
        for session in (self.session, *self._children.values()):
            session.interrupt(reason)
        self.changed.fire()
