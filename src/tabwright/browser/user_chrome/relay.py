"""The transport of one session to its tabs in the user's own Chrome: the protocol carried by the extension.

Chrome lets an extension speak to pages, not to the browser. Calls to the browser itself are answered here,
from what the extension reports about tabs; those that cannot be answered are refused with a message for the
caller.
"""

import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any, ClassVar

import anyio
import anyio.abc
import orjson

from tabwright.aio import background_tasks
from tabwright.browser.user_chrome.limits import REFUSED
from tabwright.browser.user_chrome.link import FAILED, ExtensionLink
from tabwright.browser.user_chrome.tab_ownership import ChromeTab, TabMemory
from tabwright.cdp import NOT_ALLOWED, CdpError, Params
from tabwright.cdp.transport import Message, Receive
from tabwright.errors import TabwrightError

log = logging.getLogger(__name__)

_UNKNOWN_METHOD, _UNKNOWN_SESSION = -32601, -32001
_REFUSAL = "the extension does not allow"
_OUT_OF_REACH = (
    "Detached while handling command",
    "Debugger is not attached",
    "Cannot access",
    "The extensions gallery",
)
# Events that pages send here, and the browser itself elsewhere.
_BROWSER_EVENTS = {
    "Page.downloadWillBegin": "Browser.downloadWillBegin",
    "Page.downloadProgress": "Browser.downloadProgress",
}

Job = Callable[[], Coroutine[Any, Any, None]]


class Relay:
    """A transport to the tabs of a link that one session holds.

    Args:
        link: the Chrome that they are in.
        memory: what the session remembers; by its name the extension gives it its tabs again.
    """

    def __init__(self, link: ExtensionLink, memory: TabMemory) -> None:
        self.name = memory.name
        self.last_used = anyio.current_time()
        # What to call when the user brings a tab to the front, by target.
        self.focus_callbacks: dict[str, Callable[[], None]] = {}
        self._link = link
        self._memory = memory
        # The tab of each protocol session: a page's own, and those of its frames and workers.
        self._sessions: dict[str, int] = {}
        self._targets: dict[int, str] = {}
        # Attached tabs that the engine does not know yet.
        self._unannounced: dict[int, Params] = {}
        self._locks: defaultdict[int, anyio.Lock] = defaultdict(anyio.Lock)
        self._job_queue, self._jobs = anyio.create_memory_object_stream[Job](1_000)
        self._receive: Receive = _ignore
        self._end_reason = "we closed it"
        self._ended = anyio.Event()

    def send(self, call: Message) -> None:
        if self._ended.is_set():
            return
        self.last_used = anyio.current_time()
        if "sessionId" in call and call["method"] != "Page.bringToFront":
            self._forward(call)
        else:
            self._queue(partial(self._serve, call))

    async def run(self, receive: Receive) -> str:
        self._receive = receive
        async with background_tasks() as group:
            group.start_soon(self._run_jobs, group)
            await self._ended.wait()
        return self._end_reason

    async def aclose(self) -> None:
        if not self._ended.is_set():
            self._link.ownership.leave(self)
            self._link.release(self.name)
            self.on_link_ended("we closed it")
        self._job_queue.close()
        self._jobs.close()

    def on_tab_offered(self, tab: ChromeTab) -> None:
        """Attach to a tab, and announce it to the engine."""
        self._queue(partial(self._attach, tab.id, tab.opener))

    def on_tab_updated(self, tab: ChromeTab) -> None:
        """Do nothing: the page itself reports its changes."""

    def on_event(self, tab_id: int, message: Params) -> None:
        """Pass on an event of a page or one of its frames."""
        method, params = message["method"], message.get("params", {})
        if method == "Target.attachedToTarget":
            self._sessions[params["sessionId"]] = tab_id
        elif method == "Target.detachedFromTarget":
            self._sessions.pop(params["sessionId"], None)
        if of_browser := _BROWSER_EVENTS.get(method):
            self._emit(of_browser, params)
        self._emit(method, params, message.get("sessionId") or _session_of(tab_id))

    def on_tab_focused(self, tab_id: int) -> None:
        """Call back for a tab that the user brought to the front."""
        if (callback := self.focus_callbacks.get(self._targets.get(tab_id, ""))) is not None:
            callback()

    def on_tab_lost(self, tab_id: int, reason: str) -> None:
        """Report to the engine that a tab is gone, and why."""
        target = self._targets.pop(tab_id, None)
        self._unannounced.pop(tab_id, None)
        self._sessions = {session: of for session, of in self._sessions.items() if of != tab_id}
        if target is not None:
            self.focus_callbacks.pop(target, None)
            detached = {"sessionId": _session_of(tab_id), "targetId": target, "reason": reason}
            self._emit("Target.detachedFromTarget", detached)

    def on_link_ended(self, reason: str) -> None:
        """End with the link."""
        if not self._ended.is_set():
            self._end_reason, self._receive = reason, _ignore
            self._ended.set()

    async def _run_jobs(self, group: anyio.abc.TaskGroup) -> None:
        async for job in self._jobs:
            group.start_soon(job)

    def _queue(self, job: Job) -> None:
        if not self._ended.is_set():
            self._job_queue.send_nowait(job)

    async def _attach(self, tab_id: int, opener: int | None = None) -> None:
        await self._take(tab_id)
        self._announce(tab_id, opener)

    async def _take(self, tab_id: int) -> None:
        """Attach to a tab, unless that is done."""
        async with self._locks[tab_id]:
            if tab_id in self._targets or tab_id in self._unannounced:
                return
            self._link.ownership.reserve(tab_id, self.name)
            try:
                answer = await self._link.call(
                    "callTool", tabId=tab_id, toolName="attach", args={"holder": self.name}
                )
                self._unannounced[tab_id] = target = answer["targetInfo"]
                self._memory.note_target(self._link.chrome, tab_id, target["targetId"])
            except (CdpError, TabwrightError) as error:
                log.info("tab %d of %r cannot be used: %s", tab_id, self._link, error)
                self._link.ownership.let_go(tab_id)

    def _announce(self, tab_id: int, opener: int | None) -> None:
        target = self._unannounced.pop(tab_id, None)
        if target is None:
            return
        self._targets[tab_id] = target["targetId"]
        self._sessions[_session_of(tab_id)] = tab_id
        about = {**target, "type": "page", "openerId": self._targets.get(opener or 0, "")}
        self._emit("Target.attachedToTarget", {"sessionId": _session_of(tab_id), "targetInfo": about})

    def _tab_of(self, target_id: str) -> int:
        for tab_id, target in self._targets.items():
            if target == target_id:
                return tab_id
        raise CdpError("Target", FAILED, "No target with given id found")

    def _forward(self, call: Params) -> None:
        session = call["sessionId"]
        tab_id = self._sessions.get(session)
        if tab_id is None:
            self._fail(call, _UNKNOWN_SESSION, "Session with given id not found.")
            return
        args = {"method": call["method"], "params": protect_nulls(call["method"], call.get("params", {}))}
        if session != _session_of(tab_id):
            args["sessionId"] = session
        on_answer = partial(self._answer, call)
        self._link.request("callTool", on_answer, tabId=tab_id, toolName="cdp", args=args)

    async def _serve(self, call: Params) -> None:
        """Answer a call to the browser."""
        method, params = call["method"], call.get("params", {})
        serve = self.SERVED.get(method)
        if serve is None:
            refusal = REFUSED.get(method)
            code = NOT_ALLOWED if refusal else _UNKNOWN_METHOD
            self._fail(call, code, refusal or f"'{method}' wasn't found")
            return
        try:
            self._answer(call, {"result": await serve(self, {**params, "sessionId": call.get("sessionId")})})
        except CdpError as error:
            self._fail(call, error.code, error.message)
        except TabwrightError as error:
            self._fail(call, FAILED, error.message)

    async def _get_version(self, _: Params) -> Params:
        about = self._link.about
        return {
            "product": f"{about.get('name') or 'Chrome'}/{about.get('version', '')}",
            "protocolVersion": "1.3",
            "userAgent": about.get("userAgent", ""),
        }

    async def _get_contexts(self, _: Params) -> Params:
        return {"browserContextIds": []}

    async def _auto_attach(self, _: Params) -> Params:
        """Attach to all tabs at once, and announce them in their order."""
        if self._link.ended_at is not None:
            self.on_link_ended("it was closed")
            return {}
        tabs = self._link.ownership.join(self)
        async with anyio.create_task_group() as group:
            for tab in tabs:
                group.start_soon(self._take, tab.id)
        for tab in tabs:
            self._announce(tab.id, tab.opener)
        return {}

    async def _open_tab(self, params: Params) -> Params:
        """Open a tab behind the one that the user sees."""
        answer = await self._link.call("openTab", url=params["url"], focus=False, holder=self.name)
        tab = ChromeTab.parse(answer["tab"], reachable=True)
        self._link.ownership.update(tab)
        await self._attach(tab.id)
        if tab.id not in self._targets:
            raise CdpError("openTab", FAILED, "the tab could not be attached to")
        return {"targetId": self._targets[tab.id]}

    async def _close_tab(self, params: Params) -> Params:
        await self._link.call("closeTab", tabId=self._tab_of(params["targetId"]))
        return {"success": True}

    async def _focus_tab(self, params: Params) -> Params:
        await self._link.call("focusTab", tabId=self._tab_of(params["targetId"]))
        return {}

    async def _bring_to_front(self, params: Params) -> Params:
        """Show a tab where another of this session was visible; any other tab that the user sees stays."""
        tab_id = self._sessions.get(params["sessionId"])
        if tab_id is not None and self._link.ownership.is_visible_in_window_of(tab_id, self):
            await self._link.call("focusTab", tabId=tab_id)
        return {}

    def _answer(self, call: Params, answer: Params) -> None:
        if self._ended.is_set():
            return
        message = answer.get("error", {}).get("message", "")
        tab_id = self._sessions.get(call.get("sessionId", ""))
        if message.startswith(_OUT_OF_REACH) and tab_id is not None:
            self._link.ownership.lose_soon(tab_id)
            return  # the end of the tab follows, with its reason
        if message.startswith(_REFUSAL):
            refusal = REFUSED.get(call["method"]) or f"{message[:1].upper()}{message[1:]}."
            answer = {"error": {"code": NOT_ALLOWED, "message": refusal}}
        self._receive({"id": call["id"], **answer})

    def _fail(self, call: Params, code: int, message: str) -> None:
        self._answer(call, {"error": {"code": code, "message": message}})

    def _emit(self, method: str, params: Params, session: str | None = None) -> None:
        event = {"method": method, "params": params}
        self._receive({**event, "sessionId": session} if session else event)

    # Calls to the browser that are answered here.
    SERVED: ClassVar[dict[str, Callable[["Relay", Params], Awaitable[Params]]]] = {
        "Browser.getVersion": _get_version,
        "Target.getBrowserContexts": _get_contexts,
        "Target.setAutoAttach": _auto_attach,
        "Target.createTarget": _open_tab,
        "Target.closeTarget": _close_tab,
        "Target.activateTarget": _focus_tab,
        "Page.bringToFront": _bring_to_front,
    }


def _session_of(tab_id: int) -> str:
    """The id of the session of a tab's page, as the engine knows it."""
    return f"tab-{tab_id}"


def _ignore(_: Any) -> None:
    """Drop a message."""


_PARSE = "function (...given) {{ for (const at of {}) given[at] = JSON.parse(given[at]); return ({}\n)"
_APPLY = ".apply(this, given); }}"


def protect_nulls(method: str, params: Params) -> Params:
    """Send arguments that contain a null as JSON text: chrome.debugger drops nulls from what it passes on."""
    if method != "Runtime.callFunctionOn":
        return params
    arguments = params.get("arguments", [])
    lossy = [at for at, given in enumerate(arguments) if "value" in given and _has_null(given["value"])]
    if not lossy:
        return params
    texts = {at: {"value": orjson.dumps(arguments[at]["value"]).decode()} for at in lossy}
    return {
        **params,
        "functionDeclaration": (_PARSE + _APPLY).format(lossy, params["functionDeclaration"]),
        "arguments": [texts.get(at, given) for at, given in enumerate(arguments)],
    }


def _has_null(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_has_null, value.values()))
    if isinstance(value, list | tuple):
        return any(map(_has_null, value))
    return value is None
