"""One Chrome of the user's that the extension connects to us: what it says, and what it is asked.

It tells only of tabs that the user shared or an agent opened, whatever we ask for.
"""

import asyncio
import itertools
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import anyio

from tabwright.aio import Signal, background_tasks, deadline
from tabwright.browser.user_chrome.tab_ownership import ChromeTab, TabOwnership, TabUser
from tabwright.cdp import CdpError, Params, Transport
from tabwright.cdp.decoding import decode

log = logging.getLogger(__name__)

# Seconds for Chrome to open, close, focus or attach to a tab.
_PATIENCE = 15.0
# Seconds without a word: the extension says one every 20.
SILENCE = 60.0
_FAILED = -32000
# Chrome's word for both; what happened follows at once.
_CLOSED_OR_AWAY = "target_closed"

Answered = Callable[[Params], None]


class ExtensionLink:
    """A connected Chrome. The door that proved who it is runs it.

    Args:
        wire: carries the messages of the extension.
        chrome: the id that the extension gave itself when it was installed.
        name: what the user calls that Chrome.
        changed: fires whenever it became ready, its tabs are others, or it ended.
        expects: whether the holder of a name may come back for its tabs.
        silence: seconds without a word after which it counts as gone.
    """

    def __init__(
        self,
        wire: Transport,
        chrome: str,
        name: str,
        changed: Signal,
        expects: Callable[[str], bool] = lambda _: False,
        *,
        silence: float = SILENCE,
    ) -> None:
        self.chrome = chrome
        self.name = name
        self.about: Params = {}
        # Names the run of that Chrome: another one when it was restarted.
        self.run_id = ""
        self.holding = TabOwnership(expects, changed.fire)
        # When its user last had one of its windows before them, by the clock of this computer.
        self.attended = 0.0
        self.changed = changed
        self.over = False
        # Why it ended: in words, or as the extension calls it where it said goodbye.
        self.reason = ""
        self._wire = wire
        self._silence = silence
        self._numbers = itertools.count(1)
        self._calls: dict[str, Answered] = {}
        self._heard = anyio.current_time()

    def __repr__(self) -> str:
        return f"<Link {self.name}>"

    @property
    def ready(self) -> bool:
        """Whether it said what it is, and can be worked in."""
        return bool(self.about) and not self.over

    async def run(self) -> str:
        """Take messages until the wire ends; return why it did."""
        reason = "the connection was closed"
        try:
            async with background_tasks() as group:
                group.start_soon(self._watch_silence)
                self._post("connect")
                reason = await self._wire.run(self._receive)
        finally:
            self._end(reason)
        return reason

    async def _watch_silence(self) -> None:
        """End a wire on which nothing comes any more: the computer slept, or Chrome hangs."""
        while True:
            await anyio.sleep_until(self._heard + self._silence)
            if anyio.current_time() >= self._heard + self._silence:
                log.info("%r is silent", self)
                self.reason = f"nothing was heard of it for {self._silence:g} s"
                await self._wire.aclose()
                return

    async def aclose(self) -> None:
        """End the wire."""
        await self._wire.aclose()

    @property
    def tabs(self) -> dict[int, ChromeTab]:
        """The tabs that the extension tells of."""
        return self.holding.tabs

    def join(self, holder: TabUser) -> list[ChromeTab]:
        """Let somebody work here; return the tabs that it gets."""
        if self.over:
            holder.end("it was closed")
            return []
        return self.holding.join(holder)

    def leave(self, holder: TabUser) -> None:
        """Give up all tabs of a holder; they stay open."""
        self.holding.leave(holder)
        self.free(holder.name)

    def free(self, name: str) -> None:
        """Let go of the tabs of somebody who does not come back."""
        for tab_id in self.holding.freed(name):
            self._use(tab_id, "detach", {}, _unheard)

    async def call(self, kind: str, **fields: Any) -> Params:
        """Ask the extension for something of the tabs and wait for it.

        Raises:
            CdpError: it cannot be, or may not.
            TimedOut: nothing was heard of it.
        """
        future: asyncio.Future[Params] = asyncio.get_running_loop().create_future()

        def answered(answer: Params) -> None:
            if not future.done():
                future.set_result(answer)

        self.ask(kind, answered, **fields)
        with deadline(_PATIENCE, f"The user's Chrome did not answer in {_PATIENCE:g} s.", hint="Try again."):
            answer = await future
        if error := answer.get("error"):
            raise CdpError(kind, error["code"], error["message"])
        result: Params = answer["result"]
        return result

    async def attach(self, tab_id: int, holder: str) -> Params:
        """Attach to a tab in the name of a holder; return its target."""
        self.holding.taken(tab_id, holder)
        answer = await self.call("callTool", tabId=tab_id, toolName="attach", args={"holder": holder})
        target: Params = answer["targetInfo"]
        return target

    def opened(self, tab: Params) -> int:
        """Note a tab that was opened for a holder; return its id."""
        self.holding.know(ChromeTab.told(tab, reachable=True))
        return int(tab["id"])

    def send(self, tab_id: int, args: Params, answered: Answered) -> None:
        """Send a command to a tab's page; commands of a tab keep their order."""
        self._use(tab_id, "cdp", args, answered)

    def _use(self, tab_id: int, tool: str, args: Params, answered: Answered) -> None:
        self.ask("callTool", answered, tabId=tab_id, toolName=tool, args=args)

    def ask(self, kind: str, answered: Answered, **fields: Any) -> None:
        """Ask for something; `answered` gets the result or the error, unless the link ends first."""
        call_id = str(next(self._numbers))
        self._post(kind, callId=call_id, **fields)
        self._calls[call_id] = answered  # after it was written: what cannot be encoded is never answered

    def _post(self, kind: str, **fields: Any) -> None:
        self._wire.send({"type": kind, **fields})

    def _receive(self, message: Any) -> None:
        self._heard = anyio.current_time()
        try:
            take = getattr(self, f"_on_{message['type']}", None)
            if take is None:
                log.warning("%r said what we do not know: %.100s", self, message["type"])
            else:
                take(message)
        except (ValueError, LookupError, TypeError, AttributeError):
            log.exception("%r sent an invalid message: %.200r", self, message)

    def _on_ping(self, _: Params) -> None:
        self._post("pong")

    def _on_connected(self, message: Params) -> None:
        self.about = message["browser"]
        self.run_id = str(message.get("run", ""))
        self.attended = message.get("focusedAt") or self.attended
        self.holding.begin(ChromeTab.told(tab, reachable=True) for tab in message["tabs"])

    def _on_disconnected(self, message: Params) -> None:
        self._end(str(message.get("reason", "it left")))

    def _on_tabCreated(self, message: Params) -> None:  # noqa: N802 - as the message is called
        self.holding.know(ChromeTab.told(message["tab"], reachable=True))

    def _on_tabUpdated(self, message: Params) -> None:  # noqa: N802 - as the message is called
        before = self.tabs.get(int(message["tab"]["id"]))
        self.holding.know(ChromeTab.told(message["tab"], reachable=before is None or before.reachable))

    def _on_windowFocused(self, message: Params) -> None:  # noqa: N802 - as the message is called
        self.attended = message["at"]
        self.changed.fire()

    def _on_tabFocused(self, message: Params) -> None:  # noqa: N802 - as the message is called
        self._on_toolsChanged(message)
        if (holder := self.holding.of(message["tabId"])) is not None:
            holder.attend(message["tabId"])

    def _on_toolsChanged(self, message: Params) -> None:  # noqa: N802 - as the message is called
        if (tab := self.tabs.get(message["tabId"])) is not None:
            self.holding.know(replace(tab, reachable=bool(message["tools"])))

    def _on_tabClosed(self, message: Params) -> None:  # noqa: N802 - as the message is called
        self.holding.close(message["tabId"], str(message.get("reason", "closed")))

    def _on_detached(self, message: Params) -> None:
        """Note the end of an attachment; whether its tab closed or went out of reach is told next."""
        tab_id, reason = message["tabId"], str(message["reason"])
        if reason == _CLOSED_OR_AWAY:
            self.holding.doubt(tab_id)
        else:
            self.holding.lose(tab_id, reason)

    def _on_toolResult(self, message: Params) -> None:  # noqa: N802 - as the message is called
        answered = self._calls.pop(message["callId"], None)
        if answered is None:
            return
        if message.get("error"):
            answered({"error": _error(str(message["error"]))})
        else:
            answered({"result": message.get("result") or {}})

    def _on_cdpEvent(self, message: Params) -> None:  # noqa: N802 - as the message is called
        if (holder := self.holding.of(message["tabId"])) is not None:
            holder.event(message["tabId"], message)

    def _end(self, reason: str) -> None:
        if self.over:
            return
        self.over = True
        self.reason = self.reason or reason
        self.holding.end(self.reason)
        calls, self._calls = self._calls, {}
        for answered in calls.values():
            answered({"error": {"code": _FAILED, "message": self.reason}})
        self.changed.fire()


def _unheard(_: Params) -> None:
    """Nobody waits for the answer."""


def _error(told: str) -> Params:
    """Read an error: Chrome's own come as JSON in its words."""
    try:
        error = decode(told)
        return {"code": int(error["code"]), "message": str(error["message"])}
    except (ValueError, LookupError, TypeError):
        return {"code": _FAILED, "message": told}
