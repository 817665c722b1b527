"""The wire of one session to tabs of the user's own Chrome: the protocol carried by the extension.

Chrome lets an extension speak to pages, not to the browser. What the engine asks of the browser itself is
answered here, from what the extension tells of tabs; what cannot be is refused in words for the caller.
"""

from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any, ClassVar

import anyio
import anyio.abc
import orjson

from tabwright.aio import background_tasks
from tabwright.browser.user_chrome.limits import REFUSED
from tabwright.browser.user_chrome.link import ExtensionLink
from tabwright.browser.user_chrome.relay_tabs import RelayTabs, session_of
from tabwright.browser.user_chrome.tab_memory import TabMemory
from tabwright.browser.user_chrome.tab_ownership import ChromeTab
from tabwright.cdp import NOT_ALLOWED, CdpError, Params
from tabwright.cdp.transport import Message, Receive
from tabwright.errors import TabwrightError

_UNKNOWN_METHOD, _UNKNOWN_SESSION, _FAILED = -32601, -32001, -32000
_REFUSAL = "the extension does not allow"
_OUT_OF_REACH = (
    "Detached while handling command",
    "Debugger is not attached",
    "Cannot access",
    "The extensions gallery",
)
# What pages tell here, and the browser itself elsewhere.
_OF_THE_BROWSER = {
    "Page.downloadWillBegin": "Browser.downloadWillBegin",
    "Page.downloadProgress": "Browser.downloadProgress",
}

Work = Callable[[], Coroutine[Any, Any, None]]


class Relay:
    """A transport to the tabs that one session holds of a link.

    Args:
        link: the Chrome that they are in.
        seat: what the session keeps; the extension knows it by its name, so that it gets its tabs again.
    """

    def __init__(self, link: ExtensionLink, seat: TabMemory) -> None:
        self.name = seat.name
        self.used = anyio.current_time()
        self._link = link
        self._tabs = RelayTabs(link, seat, self._tell)
        self._to_do, self._done = anyio.create_memory_object_stream[Work](1_000)
        self._receive: Receive = _nowhere
        self._reason = "we left it"
        self._over = anyio.Event()

    def send(self, call: Message) -> None:
        if self._over.is_set():
            return
        self.used = anyio.current_time()
        if "sessionId" in call and call["method"] != "Page.bringToFront":
            self._forward(call)
        else:
            self._later(partial(self._serve, call))

    async def run(self, receive: Receive) -> str:
        self._receive = receive
        async with background_tasks() as group:
            group.start_soon(self._work, group)
            await self._over.wait()
        return self._reason

    async def aclose(self) -> None:
        if not self._over.is_set():
            self._link.leave(self)
            self._finish("we left it")
        self._to_do.close()
        self._done.close()

    @property
    def fronted(self) -> dict[str, Callable[[], None]]:
        """What to call when the user brings one of the tabs to the front, by target."""
        return self._tabs.fronted

    def offer(self, tab: ChromeTab) -> None:
        """Attach to a tab, and tell the engine of it."""
        self._later(partial(self._tabs.attach, tab.id, tab.opener))

    def event(self, tab_id: int, message: Params) -> None:
        """Hand on an event of a page or one of its frames."""
        method, params = message["method"], message.get("params", {})
        if method == "Target.attachedToTarget":
            self._tabs.sessions[params["sessionId"]] = tab_id
        elif method == "Target.detachedFromTarget":
            self._tabs.sessions.pop(params["sessionId"], None)
        if told := _OF_THE_BROWSER.get(method):
            self._tell(told, params)
        self._tell(method, params, message.get("sessionId") or session_of(tab_id))

    def attend(self, tab_id: int) -> None:
        """Tell that the user brought a tab to the front."""
        self._tabs.attend(tab_id)

    def lose(self, tab_id: int, reason: str) -> None:
        """Tell the engine that a tab is gone, and why."""
        self._tabs.lose(tab_id, reason)

    def end(self, reason: str) -> None:
        """Note that the link is lost."""
        self._finish(reason)

    def _finish(self, reason: str) -> None:
        if not self._over.is_set():
            self._reason, self._receive = reason, _nowhere
            self._over.set()

    async def _work(self, group: anyio.abc.TaskGroup) -> None:
        async for do in self._done:
            group.start_soon(do)

    def _later(self, do: Work) -> None:
        if not self._over.is_set():
            self._to_do.send_nowait(do)

    def _forward(self, call: Params) -> None:
        session = call["sessionId"]
        tab_id = self._tabs.sessions.get(session)
        if tab_id is None:
            self._fail(call, _UNKNOWN_SESSION, "Session with given id not found.")
            return
        args = {"method": call["method"], "params": carried(call["method"], call.get("params", {}))}
        if session != session_of(tab_id):
            args["sessionId"] = session
        self._link.send(tab_id, args, partial(self._answer, call))

    async def _serve(self, call: Params) -> None:
        """Answer what is asked of the browser."""
        method, params = call["method"], call.get("params", {})
        serve = self.SERVED.get(method)
        if serve is None:
            words = REFUSED.get(method)
            self._fail(call, NOT_ALLOWED if words else _UNKNOWN_METHOD, words or f"'{method}' wasn't found")
            return
        try:
            self._answer(call, {"result": await serve(self, {**params, "sessionId": call.get("sessionId")})})
        except CdpError as error:
            self._fail(call, error.code, error.message)
        except TabwrightError as error:
            self._fail(call, _FAILED, error.message)

    async def _version(self, _: Params) -> Params:
        about = self._link.about
        return {
            "product": f"{about.get('name', 'Chrome')}/{about.get('version', '')}",
            "protocolVersion": "1.3",
            "userAgent": about.get("userAgent", ""),
        }

    async def _contexts(self, _: Params) -> Params:
        return {"browserContextIds": []}

    async def _begin(self, _: Params) -> Params:
        await self._tabs.begin(self._link.join(self))
        return {}

    async def _open(self, params: Params) -> Params:
        return {"targetId": await self._tabs.open(params["url"])}

    async def _close(self, params: Params) -> Params:
        await self._link.call("closeTab", tabId=self._tabs.of_target(params["targetId"]))
        return {"success": True}

    async def _focus(self, params: Params) -> Params:
        await self._link.call("focusTab", tabId=self._tabs.of_target(params["targetId"]))
        return {}

    async def _come_forward(self, params: Params) -> Params:
        """Show a tab in place of another of this session; what else the user looks at stays in front."""
        tab_id = self._tabs.sessions.get(params["sessionId"])
        if tab_id is not None and self._link.holding.shows(self, tab_id):
            await self._link.call("focusTab", tabId=tab_id)
        return {}

    def _answer(self, call: Params, answer: Params) -> None:
        if self._over.is_set():
            return
        error = answer.get("error", {"message": ""})
        tab_id = self._tabs.sessions.get(call.get("sessionId", ""))
        if error["message"].startswith(_OUT_OF_REACH) and tab_id is not None:
            self._link.holding.doubt(tab_id)
            return  # the end of the tab is on its way, with a reason
        if error["message"].startswith(_REFUSAL):
            words = REFUSED.get(call["method"]) or f"{error['message'][:1].upper()}{error['message'][1:]}."
            answer = {"error": {"code": NOT_ALLOWED, "message": words}}
        self._say({"id": call["id"], **_in_session(call.get("sessionId")), **answer})

    def _fail(self, call: Params, code: int, message: str) -> None:
        self._answer(call, {"error": {"code": code, "message": message}})

    def _tell(self, method: str, params: Params, session: str | None = None) -> None:
        self._say({"method": method, "params": params, **_in_session(session)})

    def _say(self, message: Params) -> None:
        self._receive(message)

    # What is asked of the browser, and answered here.
    SERVED: ClassVar[dict[str, Callable[["Relay", Params], Awaitable[Params]]]] = {
        "Browser.getVersion": _version,
        "Target.getBrowserContexts": _contexts,
        "Target.setAutoAttach": _begin,
        "Target.createTarget": _open,
        "Target.closeTarget": _close,
        "Target.activateTarget": _focus,
        "Page.bringToFront": _come_forward,
    }


def _in_session(session: str | None) -> Params:
    return {"sessionId": session} if session else {}


def _nowhere(_: Any) -> None:
    """Nobody listens."""


_PARSING = "function (...given) {{ for (const at of {}) given[at] = JSON.parse(given[at]); return ({}\n)"
_APPLIED = ".apply(this, given); }}"


def carried(method: str, params: Params) -> Params:
    """Return the parameters of a call such that all of them arrive: values that hold a null as JSON text."""
    if method != "Runtime.callFunctionOn":
        return params
    arguments = params.get("arguments", [])
    lossy = [at for at, given in enumerate(arguments) if "value" in given and _has_null(given["value"])]
    if not lossy:
        return params
    texts = {at: {"value": orjson.dumps(arguments[at]["value"]).decode()} for at in lossy}
    return {
        **params,
        "functionDeclaration": (_PARSING + _APPLIED).format(lossy, params["functionDeclaration"]),
        "arguments": [texts.get(at, given) for at, given in enumerate(arguments)],
    }


def _has_null(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_has_null, value.values()))
    if isinstance(value, list | tuple):
        return any(map(_has_null, value))
    return value is None
