"""One Chrome of the user that the extension connects to us: the messages of its link, in and out.

The extension reports only tabs that the user shared or an agent opened. Which session holds which tab is
decided in `tab_ownership`. An extension that other people wrote to the document of the dialect `tabs` has no
messages for the protocol of pages: its link is `document_only`, and declares the tools of its tabs.
"""

import asyncio
import itertools
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import anyio

from tabwright.aio import Signal, background_tasks, deadline
from tabwright.browser.user_chrome.message_fields import read_id, read_text, read_time, read_tools
from tabwright.browser.user_chrome.tab_ownership import ChromeTab, TabOwnership
from tabwright.cdp import CdpError, Params, Transport
from tabwright.cdp.decoding import decode

log = logging.getLogger(__name__)

# Seconds for Chrome to open, close, focus or attach to a tab.
_CALL_TIMEOUT = 15.0
# Seconds without a message after which a link is lost; the extension sends one every 20.
SILENCE_LIMIT = 60.0
FAILED = -32000
# Tabs of one Chrome that are remembered; a broken extension could report any number.
_MAX_TABS = 1_000
# Chrome gives this reason for a tab that closed and for one that went out of reach; which one it was follows.
_CLOSED_OR_UNREACHABLE = "target_closed"

OnAnswer = Callable[[Params], None]


class ExtensionLink:
    """A connected Chrome. The door that authenticated it runs it.

    Args:
        transport: carries the messages of the extension.
        chrome: the id that the extension chose when it was installed.
        name: the user's name for that Chrome.
        changed: fires when the link becomes ready, when a tab changes, and when the link ends.
        expects: whether the session of a name may come back for its tabs.
        document_only: whether the extension knows no messages but those of the document.
        silence_limit: seconds without a message after which the link counts as lost.
    """

    def __init__(
        self,
        transport: Transport,
        chrome: str,
        name: str,
        changed: Signal,
        expects: Callable[[str], bool] = lambda _: False,
        *,
        document_only: bool = False,
        silence_limit: float = SILENCE_LIMIT,
    ) -> None:
        self.chrome = chrome
        self.name = name
        self.document_only = document_only
        self.about: Params = {}
        # Identifies the run of that Chrome: it changes with a restart.
        self.run_id = ""
        self.ownership = TabOwnership(expects, changed.fire)
        # When the user last focused one of its windows, by the clock of this computer.
        self.focused_at = 0.0
        self.changed = changed
        # The tab that the extension last reported as focused.
        self.focused_tab: int | None = None
        # Held while a tab opens: the document's answer does not say which request it answers.
        self.opening = anyio.Lock()
        # What was wrong with the last invalid message of each type.
        self.faults: dict[str, str] = {}
        # When it ended, by anyio's clock, and why: in words, or the extension's own keyword.
        self.ended_at: float | None = None
        self.end_reason = ""
        self._transport = transport
        self._silence_limit = silence_limit
        self._call_ids = itertools.count(1)
        self._calls: dict[str, OnAnswer] = {}
        self._last_message = anyio.current_time()

    def __repr__(self) -> str:
        return f"<ExtensionLink {self.name}>"

    @property
    def ready(self) -> bool:
        """Whether the extension described its Chrome, and sessions can work in it."""
        return bool(self.about) and self.ended_at is None

    async def run(self) -> str:
        """Receive messages until the transport ends; return why it did."""
        reason = "the connection was closed"
        try:
            async with background_tasks() as group:
                group.start_soon(self._watch_silence)
                self.send("connect")
                reason = await self._transport.run(self._receive)
        finally:
            self._end(reason)
        return reason

    async def _watch_silence(self) -> None:
        """Close a transport that has gone silent: the computer slept, or Chrome hangs."""
        while True:
            await anyio.sleep_until(self._last_message + self._silence_limit)
            if anyio.current_time() >= self._last_message + self._silence_limit:
                log.info("%r is silent", self)
                self.end_reason = f"it sent nothing for {self._silence_limit:g} s"
                await self._transport.aclose()
                return

    async def aclose(self) -> None:
        """Close the transport."""
        await self._transport.aclose()

    def release(self, name: str) -> None:
        """Detach from the tabs of a session that does not come back; they stay open."""
        for tab_id in self.ownership.release(name):
            if self.document_only:
                continue  # it is not attached to anything
            self.request("callTool", lambda _: None, tabId=tab_id, toolName="detach", args={})

    async def call(self, kind: str, **fields: Any) -> Params:
        """Send a request and wait for its result.

        Raises:
            CdpError: Chrome or the extension refused it.
            TimedOut: it was not answered in time.
        """
        future: asyncio.Future[Params] = asyncio.get_running_loop().create_future()

        def on_answer(answer: Params) -> None:
            if not future.done():
                future.set_result(answer)

        self.request(kind, on_answer, **fields)
        late = f"The user's Chrome did not answer in {_CALL_TIMEOUT:g} s."
        with deadline(_CALL_TIMEOUT, late, hint="Try again."):
            answer = await future
        if error := answer.get("error"):
            raise CdpError(kind, error["code"], error["message"])
        result: Params = answer["result"]
        return result

    def request(self, kind: str, on_answer: OnAnswer, **fields: Any) -> Callable[[], None]:
        """Send a request; `on_answer` gets the result or the error, also when the link ends first.

        Requests for one tab keep their order. Returns a function that gives up waiting for the answer.

        Raises:
            TypeError: JSON cannot encode a field.
        """
        call_id = str(next(self._call_ids))
        self.send(kind, callId=call_id, **fields)
        self._calls[call_id] = on_answer  # not before it was sent: what JSON cannot encode is never answered

        def give_up() -> None:
            self._calls.pop(call_id, None)

        return give_up

    def send(self, kind: str, **fields: Any) -> None:
        """Send a message that is not answered by a `toolResult`."""
        self._transport.send({"type": kind, **fields})

    def _receive(self, message: Any) -> None:
        self._last_message = anyio.current_time()
        kind = read_text(message.get("type")) if isinstance(message, dict) else ""
        on_message = getattr(self, f"_on_{kind}", None)
        if on_message is None:
            log.warning("%r sent a message of an unknown type: %.200r", self, message)
            return
        try:
            on_message(message)
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            log.warning("%r sent an invalid message (%r): %.200r", self, error, message)
            self.faults[kind] = f"it sent an invalid {kind}"
            self.changed.fire()

    def _on_ping(self, _: Params) -> None:
        self.send("pong")

    def _on_connected(self, message: Params) -> None:
        tabs, browser = message["tabs"], message.get("browser")
        if not isinstance(tabs, list):
            raise ValueError("tabs is not a list")  # noqa: TRY004 - as for every invalid field
        about = browser if isinstance(browser, dict) else {}
        self.about = {name: read_text(about.get(name))[:300] for name in ("name", "version", "userAgent")}
        self.run_id = read_text(message.get("run"))
        self.focused_at = read_time(message.get("focusedAt")) or self.focused_at
        self.ownership.replace_all(self._parse_tab(tab) for tab in tabs[:_MAX_TABS])

    def _parse_tab(self, described: Params) -> ChromeTab:
        """Read a tab; what an extension leaves out stays as it was."""
        before = self.ownership.tabs.get(read_id(described["id"]))
        if not self.document_only:
            return ChromeTab.parse(described, reachable=before is None or before.reachable)
        tools = read_tools(described["tools"]) if "tools" in described else before.tools if before else ()
        holder = before.holder if before else ""
        return replace(ChromeTab.parse(described, reachable=True), reachable=True, tools=tools, holder=holder)

    def _on_disconnected(self, message: Params) -> None:
        self._end(read_text(message.get("reason")) or "it disconnected")

    def _on_tabCreated(self, message: Params) -> None:  # noqa: N802 - the message's own name
        self._store(self._parse_tab(message["tab"]))

    def _on_tabUpdated(self, message: Params) -> None:  # noqa: N802 - the message's own name
        self._store(self._parse_tab(message["tab"]))

    def _store(self, tab: ChromeTab) -> None:
        if tab.id in self.ownership.tabs or len(self.ownership.tabs) < _MAX_TABS:
            self.ownership.update(tab)

    def _on_windowFocused(self, message: Params) -> None:  # noqa: N802 - the message's own name
        self.focused_at = read_time(message["at"]) or self.focused_at
        self.changed.fire()

    def _on_tabFocused(self, message: Params) -> None:  # noqa: N802 - the message's own name
        tab_id = read_id(message["tabId"])
        self._on_toolsChanged(message)
        self.focused_tab = tab_id
        if (holder := self.ownership.holder_of(tab_id)) is not None:
            holder.on_tab_focused(tab_id)
        self.changed.fire()

    def _on_toolsChanged(self, message: Params) -> None:  # noqa: N802 - the message's own name
        if (tab := self.ownership.tabs.get(read_id(message["tabId"]))) is None:
            return
        if self.document_only:
            self.ownership.update(replace(tab, tools=read_tools(message["tools"])))
        else:
            self.ownership.update(replace(tab, reachable=bool(message["tools"])))

    def _on_tabClosed(self, message: Params) -> None:  # noqa: N802 - the message's own name
        reason = "closed" if self.document_only else read_text(message.get("reason")) or "closed"
        self.ownership.close(read_id(message["tabId"]), reason)

    def _on_detached(self, message: Params) -> None:
        tab_id, reason = message["tabId"], str(message["reason"])
        if reason == _CLOSED_OR_UNREACHABLE:
            self.ownership.lose_soon(tab_id)
        else:
            self.ownership.lose(tab_id, reason)

    def _on_toolResult(self, message: Params) -> None:  # noqa: N802 - the message's own name
        on_answer = self._calls.pop(message["callId"], None)
        if on_answer is None:
            return
        if self.document_only:
            on_answer(message)
        elif message.get("error"):
            on_answer({"error": _parse_error(str(message["error"]))})
        else:
            on_answer({"result": message.get("result") or {}})

    def _on_cdpEvent(self, message: Params) -> None:  # noqa: N802 - the message's own name
        if (holder := self.ownership.holder_of(message["tabId"])) is not None:
            holder.on_event(message["tabId"], message)

    def _end(self, reason: str) -> None:
        if self.ended_at is not None:
            return
        self.ended_at = anyio.current_time()
        self.end_reason = self.end_reason or reason
        self.ownership.end(self.end_reason)
        calls, self._calls = self._calls, {}
        for on_answer in calls.values():
            on_answer({"error": {"code": FAILED, "message": self.end_reason}})
        self.changed.fire()


def _parse_error(text: str) -> Params:
    """Read an error: Chrome's own are JSON, the extension's are plain text."""
    try:
        error = decode(text)
        return {"code": int(error["code"]), "message": str(error["message"])}
    except (ValueError, LookupError, TypeError):
        return {"code": FAILED, "message": text}
