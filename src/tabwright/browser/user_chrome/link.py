"""One Chrome of the user that the extension connects to us: the messages of its link, in and out.

The extension reports only tabs that the user shared or an agent opened. Which session holds which tab is
decided in `tab_ownership`.
"""

import asyncio
import itertools
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import anyio

from tabwright.aio import Signal, background_tasks, deadline
from tabwright.browser.user_chrome.tab_ownership import ChromeTab, TabOwnership
from tabwright.cdp import CdpError, Params, Transport
from tabwright.cdp.decoding import decode

log = logging.getLogger(__name__)

# Seconds for Chrome to open, close, focus or attach to a tab.
_CALL_TIMEOUT = 15.0
# Seconds without a message after which a link is lost; the extension sends one every 20.
SILENCE_LIMIT = 60.0
FAILED = -32000
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
        silence_limit: float = SILENCE_LIMIT,
    ) -> None:
        self.chrome = chrome
        self.name = name
        self.about: Params = {}
        # Identifies the run of that Chrome: it changes with a restart.
        self.run_id = ""
        self.ownership = TabOwnership(expects, changed.fire)
        # When the user last focused one of its windows, by the clock of this computer.
        self.focused_at = 0.0
        self.changed = changed
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
                self._send("connect")
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

    def request(self, kind: str, on_answer: OnAnswer, **fields: Any) -> None:
        """Send a request; `on_answer` gets the result or the error, also when the link ends first.

        Requests for one tab keep their order.
        """
        call_id = str(next(self._call_ids))
        self._send(kind, callId=call_id, **fields)
        self._calls[call_id] = on_answer  # not before it was sent: what JSON cannot encode is never answered

    def _send(self, kind: str, **fields: Any) -> None:
        self._transport.send({"type": kind, **fields})

    def _receive(self, message: Any) -> None:
        self._last_message = anyio.current_time()
        try:
            on_message = getattr(self, f"_on_{message['type']}", None)
            if on_message is None:
                log.warning("%r sent a message of an unknown type: %.100s", self, message["type"])
            else:
                on_message(message)
        except (ValueError, LookupError, TypeError, AttributeError):
            log.exception("%r sent an invalid message: %.200r", self, message)

    def _on_ping(self, _: Params) -> None:
        self._send("pong")

    def _on_connected(self, message: Params) -> None:
        self.about = message["browser"]
        self.run_id = str(message.get("run", ""))
        self.focused_at = message.get("focusedAt") or self.focused_at
        self.ownership.replace_all(ChromeTab.parse(tab, reachable=True) for tab in message["tabs"])

    def _on_disconnected(self, message: Params) -> None:
        self._end(str(message.get("reason", "it disconnected")))

    def _on_tabCreated(self, message: Params) -> None:  # noqa: N802 - the message's own name
        self.ownership.update(ChromeTab.parse(message["tab"], reachable=True))

    def _on_tabUpdated(self, message: Params) -> None:  # noqa: N802 - the message's own name
        before = self.ownership.tabs.get(int(message["tab"]["id"]))
        self.ownership.update(ChromeTab.parse(message["tab"], reachable=before is None or before.reachable))

    def _on_windowFocused(self, message: Params) -> None:  # noqa: N802 - the message's own name
        self.focused_at = message["at"]
        self.changed.fire()

    def _on_tabFocused(self, message: Params) -> None:  # noqa: N802 - the message's own name
        self._on_toolsChanged(message)
        if (holder := self.ownership.holder_of(message["tabId"])) is not None:
            holder.on_tab_focused(message["tabId"])

    def _on_toolsChanged(self, message: Params) -> None:  # noqa: N802 - the message's own name
        if (tab := self.ownership.tabs.get(message["tabId"])) is not None:
            self.ownership.update(replace(tab, reachable=bool(message["tools"])))

    def _on_tabClosed(self, message: Params) -> None:  # noqa: N802 - the message's own name
        self.ownership.close(message["tabId"], str(message.get("reason", "closed")))

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
        if message.get("error"):
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
