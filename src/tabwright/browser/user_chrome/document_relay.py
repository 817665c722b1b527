"""The transport of one session to tabs of an extension that knows only the messages of the document.

The engine speaks the protocol; such an extension does not. Its tabs are announced like any others. Opening,
focusing and closing them become its messages, and what it reports becomes events. Calls to a page are refused
with a message for the caller; its tools are reached through `pages`.
"""

import logging
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any, ClassVar

import anyio
import anyio.abc

from tabwright.aio import background_tasks
from tabwright.browser.user_chrome.declared_page import REFUSAL, DeclaredPage
from tabwright.browser.user_chrome.limits import REFUSED
from tabwright.browser.user_chrome.link import FAILED, ExtensionLink
from tabwright.browser.user_chrome.tab_ownership import ChromeTab, TabMemory
from tabwright.cdp import NOT_ALLOWED, CdpError, Params
from tabwright.cdp.transport import Message, Receive

log = logging.getLogger(__name__)

# Seconds for the extension to open or focus a tab; the engine's own deadlines are shorter.
_CALL_TIMEOUT = 20.0
# Seconds for it to report the tools of a tab that it has opened; later ones are listed when they come.
_TOOLS_TIMEOUT = 5.0

Job = Callable[[], Coroutine[Any, Any, None]]


class DocumentRelay:
    """A transport to the tabs of a link that one session holds.

    Args:
        link: the Chrome that they are in.
        memory: what the session remembers. Chrome's ids of tabs do not survive a restart, and such an
            extension does not report one, so tabs get new ids with every link.
    """

    def __init__(self, link: ExtensionLink, memory: TabMemory) -> None:
        self.name = memory.name
        self.last_used = anyio.current_time()
        # What to call when the user brings a tab to the front, by target.
        self.focus_callbacks: dict[str, Callable[[], None]] = {}
        # The pages of its tabs, by target.
        self.pages: dict[str, DeclaredPage] = {}
        self._link = link
        self._tabs: dict[str, ChromeTab] = {}
        self._documents = 0
        self._closing: set[int] = set()
        self._job_queue, self._jobs = anyio.create_memory_object_stream[Job](1_000)
        self._receive: Receive = _ignore
        self._end_reason = "we closed it"
        self._ended = anyio.Event()
        memory.tabs.clear()

    def send(self, call: Message) -> None:
        if not self._ended.is_set():
            self.last_used = anyio.current_time()
            self._job_queue.send_nowait(partial(self._serve, call))

    async def run(self, receive: Receive) -> str:
        self._receive = receive
        async with background_tasks() as group:
            group.start_soon(self._run_jobs, group)
            await self._ended.wait()
        return self._end_reason

    async def _run_jobs(self, group: anyio.abc.TaskGroup) -> None:
        async for job in self._jobs:
            group.start_soon(job)

    async def aclose(self) -> None:
        if not self._ended.is_set():
            self._link.ownership.leave(self)
            self._link.release(self.name)
            self.on_link_ended("we closed it")
        self._job_queue.close()
        self._jobs.close()

    def on_tab_offered(self, tab: ChromeTab) -> None:
        """Announce a tab to the engine."""
        self._link.ownership.reserve(tab.id, self.name)
        target = _target_of(tab.id)
        self._tabs[target] = tab
        self.pages[target] = DeclaredPage(self._link, tab)
        opener = _target_of(tab.opener) if tab.opener is not None else ""
        about = {"targetId": target, "type": "page", "title": tab.title, "url": tab.url, "openerId": opener}
        self._emit("Target.attachedToTarget", {"sessionId": target, "targetInfo": about})
        self._report_document(target, tab)

    def on_tab_updated(self, tab: ChromeTab) -> None:
        """Report another document of a tab to the engine, and its title and tools to the page."""
        target = _target_of(tab.id)
        before, self._tabs[target] = self._tabs[target], tab
        if tab.url != before.url:
            self._report_document(target, tab)
        self.pages[target].update(tab)

    def on_event(self, tab_id: int, message: Params) -> None:
        """Ignore it: the document has no such message."""

    def on_tab_focused(self, tab_id: int) -> None:
        """Call back for a tab that the user brought to the front."""
        if (callback := self.focus_callbacks.get(_target_of(tab_id))) is not None:
            callback()

    def on_tab_lost(self, tab_id: int, reason: str) -> None:
        """Report to the engine that a tab is gone."""
        target = _target_of(tab_id)
        self._closing.discard(tab_id)
        self.focus_callbacks.pop(target, None)
        self._tabs.pop(target, None)
        self.pages.pop(target, None)
        detached = {"sessionId": target, "targetId": target, "reason": reason}
        self._emit("Target.detachedFromTarget", detached)

    def on_link_ended(self, reason: str) -> None:
        """End with the link."""
        if not self._ended.is_set():
            self._end_reason, self._receive = reason, _ignore
            self._ended.set()

    def _report_document(self, target: str, tab: ChromeTab) -> None:
        """Report a document as loaded: the extension does not say how far it is."""
        self._documents += 1
        loader = f"document-{self._documents}"
        frame = {"id": target, "loaderId": loader, "url": tab.url}
        self._emit("Page.frameNavigated", {"frame": frame}, target)
        for name in ("DOMContentLoaded", "load"):
            milestone = {"frameId": target, "loaderId": loader, "name": name}
            self._emit("Page.lifecycleEvent", milestone, target)

    async def _serve(self, call: Params) -> None:
        method, params = call["method"], call.get("params", {})
        serve = self.SERVED.get(method)
        if serve is None or ("sessionId" in call) != (method in _OF_PAGE):
            self._answer(call, error={"code": NOT_ALLOWED, "message": REFUSED.get(method, REFUSAL)})
            return
        try:
            self._answer(call, result=await serve(self, {**params, "sessionId": call.get("sessionId")}))
        except CdpError as error:
            self._answer(call, error={"code": error.code, "message": error.message})

    async def _get_version(self, _: Params) -> Params:
        about = self._link.about
        product = f"{about.get('name') or 'Chrome'}/{about.get('version', '')}"
        return {"product": product, "protocolVersion": "1.3", "userAgent": about.get("userAgent", "")}

    async def _get_contexts(self, _: Params) -> Params:
        return {"browserContextIds": []}

    async def _join(self, _: Params) -> Params:
        """Announce all tabs."""
        if self._link.ended_at is not None:
            self.on_link_ended("it was closed")
            return {}
        for tab in self._link.ownership.join(self):
            self.on_tab_offered(tab)
        return {}

    async def _open_tab(self, params: Params) -> Params:
        """Open a tab; the extension answers with the next tab that it reports as created."""
        async with self._link.opening:
            known = frozenset(self._link.ownership.tabs)
            self._link.send("openTab", url=params["url"], focus=not params["background"])
            await self._until("tabCreated", lambda: bool(self._link.ownership.tabs.keys() - known))
            new = [tab for tab_id, tab in self._link.ownership.tabs.items() if tab_id not in known]
        tab = min(new, key=lambda tab: tab.url != params["url"])  # the user may open one at the same time
        if self._link.ownership.holder_of(tab.id) is not self:
            raise CdpError("openTab", FAILED, "another session took the tab")
        if not params["background"]:
            with anyio.move_on_after(_TOOLS_TIMEOUT):
                await self._link.changed.until(lambda: self._link.focused_tab == tab.id)
        return {"targetId": _target_of(tab.id)}

    async def _close_tab(self, params: Params) -> Params:
        tab_id = self._tab_of(params["targetId"])
        if tab_id not in self._closing:
            self._closing.add(tab_id)
            self._link.send("closeTab", tabId=tab_id)
        return {"success": True}

    async def _focus_tab(self, params: Params) -> Params:
        """Focus a tab, and wait for the extension to report that and the tab's tools."""
        tab_id = self._tab_of(params.get("targetId") or params["sessionId"])
        self._link.send("focusTab", tabId=tab_id)
        await self._until("tabFocused", lambda: self._link.focused_tab == tab_id)
        return {}

    def _tab_of(self, target: str) -> int:
        if target not in self._tabs:
            raise CdpError("Target", FAILED, "No target with given id found")
        return self._tabs[target].id

    async def _until(self, kind: str, reached: Callable[[], bool]) -> None:
        """Wait for what a message of that kind reports."""
        faults = self._link.faults
        faults.pop(kind, None)
        with anyio.move_on_after(_CALL_TIMEOUT):
            await self._link.changed.until(lambda: reached() or kind in faults)
        if not reached():
            fault = faults.get(kind, f"it sent no {kind} in {_CALL_TIMEOUT:g} s")
            raise CdpError(kind, FAILED, f"the extension failed: {fault}")

    def _answer(self, call: Params, **outcome: Params) -> None:
        if not self._ended.is_set():
            self._receive({"id": call["id"], **outcome})

    def _emit(self, method: str, params: Params, session: str | None = None) -> None:
        event = {"method": method, "params": params}
        self._receive({**event, "sessionId": session} if session else event)

    # Calls that are answered here.
    SERVED: ClassVar[dict[str, Callable[["DocumentRelay", Params], Awaitable[Params]]]] = {
        "Browser.getVersion": _get_version,
        "Target.getBrowserContexts": _get_contexts,
        "Target.setAutoAttach": _join,
        "Target.createTarget": _open_tab,
        "Target.closeTarget": _close_tab,
        "Target.activateTarget": _focus_tab,
        "Page.bringToFront": _focus_tab,
    }


# Those of them that are calls to a page.
_OF_PAGE = frozenset({"Page.bringToFront"})


def _target_of(tab_id: int) -> str:
    """The id of a tab's target and of its session, as the engine knows it."""
    return f"tab-{tab_id}"


def _ignore(_: Any) -> None:
    """Drop a message."""
