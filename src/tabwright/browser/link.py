"""One Chrome of the user's that the extension connects to us: its tabs, who holds them, and calls to it.

The extension tells only of tabs that the user shared or an agent opened, whatever we ask for. A tab is held
by one session at a time, for Chrome lets an extension attach to it once.
"""

import asyncio
import itertools
import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Any, Protocol

import anyio
import orjson

from tabwright.browser.deadline import deadline
from tabwright.browser.signal import Signal
from tabwright.cdp import CdpError, Params, Transport
from tabwright.cdp.decoding import decode
from tabwright.cdp.tasks import tasks_beside

log = logging.getLogger(__name__)

# Seconds for Chrome to open, close, focus or attach to a tab.
_PATIENCE = 15.0
# Seconds without a word: the extension says one every 20.
_SILENCE = 60.0
_FAILED = -32000
# Chrome's word for both; what happened follows at once.
_CLOSED_OR_AWAY = "target_closed"
_NEWS = 1.0

Answered = Callable[[Params], None]


@dataclass(frozen=True)
class ChromeTab:
    """A tab as the extension tells of it."""

    id: int
    title: str
    url: str
    reachable: bool
    holder: str
    opener: int | None
    # Whether it is the one that is seen of its window.
    active: bool
    window: int | None

    @classmethod
    def told(cls, tab: Params, reachable: bool) -> "ChromeTab":
        """Read what was told; what it does not say of its tools, `reachable` does."""
        return cls(
            id=int(tab["id"]),
            title=str(tab.get("title", "")),
            url=str(tab.get("url", "")),
            reachable=bool(tab["tools"]) if "tools" in tab else reachable,
            holder=str(tab.get("holder") or ""),
            opener=tab.get("opener"),
            active=bool(tab.get("active")),
            window=tab.get("windowId"),
        )


class Holder(Protocol):
    """Whoever works in tabs of a link; it is told of them, and of nothing else."""

    name: str
    used: float

    def offer(self, tab: ChromeTab) -> None:
        """Take a tab that is to be had: a new one, or one that can be reached again."""

    def event(self, tab_id: int, message: Params) -> None:
        """Take an event of a tab's page."""

    def attend(self, tab_id: int) -> None:
        """Note that the user brought a tab to the front."""

    def lose(self, tab_id: int, reason: str) -> None:
        """Note that a tab is gone, or out of reach."""

    def end(self, reason: str) -> None:
        """Note that the link ended."""


class Link:
    """A connected Chrome. The door that proved who it is runs it.

    Args:
        wire: carries the messages of the extension.
        chrome: the id that the extension gave itself when it was installed.
        name: what the user calls that Chrome.
        changed: fires whenever it became ready, its tabs are others, or it ended.
        expected: names of holders who come back for their tabs.
        silence: seconds without a word after which it counts as gone.
    """

    def __init__(
        self,
        wire: Transport,
        chrome: str,
        name: str,
        changed: Signal,
        expected: Collection[str] = (),
        *,
        silence: float = _SILENCE,
    ) -> None:
        self.chrome = chrome
        self.name = name
        self.about: Params = {}
        self.tabs: dict[int, ChromeTab] = {}
        # When its user last had one of its windows before them, by the clock of this computer.
        self.attended = 0.0
        self.changed = changed
        self.over = False
        self._wire = wire
        self._expected = expected
        self._silence = silence
        self._holders: list[Holder] = []
        self._held: dict[int, Holder] = {}
        self._numbers = itertools.count(1)
        self._calls: dict[str, Answered] = {}
        # Tabs that are out of reach, until it is told what became of them.
        self._between: set[int] = set()
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
            async with tasks_beside() as group:
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
                await self._wire.aclose()
                return

    async def aclose(self) -> None:
        """End the wire."""
        await self._wire.aclose()

    def join(self, holder: Holder) -> list[ChromeTab]:
        """Let somebody work here; return the tabs that it gets: its own of before, and what nobody holds."""
        if self.over:
            holder.end("it was closed")
            return []
        self._holders.append(holder)
        gets = [tab for tab in self.tabs.values() if self._due(tab) is holder]
        self._held |= {tab.id: holder for tab in gets}
        return gets

    def leave(self, holder: Holder) -> None:
        """Give up all tabs of a holder; they stay open."""
        if holder in self._holders:
            self._holders.remove(holder)
        self._held = {tab_id: by for tab_id, by in self._held.items() if by is not holder}
        self.free(holder.name)

    def let_go(self, tab_id: int) -> None:
        """Have nobody hold a tab that could not be attached to; it is offered again when it changes."""
        self._held.pop(tab_id, None)

    def free(self, name: str) -> None:
        """Let go of the tabs of somebody who does not come back."""
        for tab in tuple(self.tabs.values()):
            if tab.holder == name:
                self.tabs[tab.id] = replace(tab, holder="")
                self._use(tab.id, "detach", {}, _unheard)

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

    def shows(self, holder: Holder, beside: int) -> bool:
        """Whether the window of a tab shows one that a holder has."""
        window = self.tabs[beside].window if beside in self.tabs else None
        return any(
            tab.active and tab.window == window and self._held.get(tab.id) is holder
            for tab in self.tabs.values()
        )

    async def attach(self, tab_id: int, holder: str) -> Params:
        """Attach to a tab in the name of a holder; return its target."""
        self._between.discard(tab_id)
        if (tab := self.tabs.get(tab_id)) is not None:
            self.tabs[tab_id] = replace(tab, holder=holder)
        answer = await self.call("callTool", tabId=tab_id, toolName="attach", args={"holder": holder})
        target: Params = answer["targetInfo"]
        return target

    def opened(self, tab: Params) -> int:
        """Note a tab that was opened for a holder; return its id."""
        self._know(ChromeTab.told(tab, reachable=True))
        return int(tab["id"])

    def send(self, tab_id: int, args: Params, answered: Answered) -> None:
        """Send a command to a tab's page; commands of a tab keep their order."""
        self._use(tab_id, "cdp", args, answered)

    def _use(self, tab_id: int, tool: str, args: Params, answered: Answered) -> None:
        self.ask("callTool", answered, tabId=tab_id, toolName=tool, args=args)

    def ask(self, kind: str, answered: Answered, **fields: Any) -> None:
        """Ask for something; `answered` gets the result or the error, unless the link ends first."""
        call_id = str(next(self._numbers))
        self._calls[call_id] = answered
        self._post(kind, callId=call_id, **fields)

    def _post(self, kind: str, **fields: Any) -> None:
        self._wire.send(orjson.dumps({"type": kind, **fields}))

    def _receive(self, raw: bytes) -> None:
        self._heard = anyio.current_time()
        try:
            message = decode(raw)
            take = getattr(self, f"_on_{message['type']}", None)
            if take is None:
                log.warning("%r said what we do not know: %.100s", self, message["type"])
            else:
                take(message)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            log.exception("%r sent what is not a message: %r", self, raw[:200])

    def _on_ping(self, _: Params) -> None:
        self._post("pong")

    def _on_connected(self, message: Params) -> None:
        known, self.about = self.tabs, message["browser"]
        self.attended = message.get("focusedAt") or self.attended
        told = [ChromeTab.told(tab, reachable=True) for tab in message["tabs"]]
        self.tabs = {tab.id: tab for tab in told}
        for gone in known.keys() - self.tabs.keys():
            self._lose(gone, "closed")
        for tab in told:
            self._assign(tab)
        self.changed.fire()

    def _on_disconnected(self, _: Params) -> None:
        self._end("the user's Chrome was closed")

    def _on_tabCreated(self, message: Params) -> None:  # noqa: N802 - as the message is called
        self._know(ChromeTab.told(message["tab"], reachable=True))

    def _on_tabUpdated(self, message: Params) -> None:  # noqa: N802 - as the message is called
        before = self.tabs.get(int(message["tab"]["id"]))
        self._know(ChromeTab.told(message["tab"], reachable=before is None or before.reachable))

    def _on_windowFocused(self, message: Params) -> None:  # noqa: N802 - as the message is called
        self.attended = message["at"]
        self.changed.fire()

    def _on_tabFocused(self, message: Params) -> None:  # noqa: N802 - as the message is called
        self._on_toolsChanged(message)
        if (holder := self._held.get(message["tabId"])) is not None:
            holder.attend(message["tabId"])

    def _on_toolsChanged(self, message: Params) -> None:  # noqa: N802 - as the message is called
        if (tab := self.tabs.get(message["tabId"])) is not None:
            self._know(replace(tab, reachable=bool(message["tools"])))

    def _on_tabClosed(self, message: Params) -> None:  # noqa: N802 - as the message is called
        self._between.discard(message["tabId"])
        self.tabs.pop(message["tabId"], None)
        self._lose(message["tabId"], str(message.get("reason", "closed")))
        self.changed.fire()

    def _on_detached(self, message: Params) -> None:
        """Note the end of an attachment; whether its tab closed or went out of reach is told next."""
        tab_id, reason = message["tabId"], str(message["reason"])
        if reason == _CLOSED_OR_AWAY:
            self.doubt(tab_id)
        else:
            self._lose(tab_id, reason)

    def doubt(self, tab_id: int) -> None:
        """Give up a tab that Chrome would not let us speak to, unless something else is told of it soon."""
        if tab_id not in self._between:
            self._between.add(tab_id)
            asyncio.get_running_loop().call_later(_NEWS, self._settle, tab_id)

    def _settle(self, tab_id: int) -> None:
        if tab_id in self._between:
            self._between.discard(tab_id)
            self._lose(tab_id, "unreachable")

    def _on_toolResult(self, message: Params) -> None:  # noqa: N802 - as the message is called
        answered = self._calls.pop(message["callId"], None)
        if answered is None:
            return
        if message.get("error"):
            answered({"error": _error(str(message["error"]))})
        else:
            answered({"result": message.get("result") or {}})

    def _on_cdpEvent(self, message: Params) -> None:  # noqa: N802 - as the message is called
        if (holder := self._held.get(message["tabId"])) is not None:
            holder.event(message["tabId"], message)

    def _know(self, tab: ChromeTab) -> None:
        self.tabs[tab.id] = tab
        self._settle(tab.id)
        if tab.reachable:
            self._assign(tab)
        else:
            self._lose(tab.id, "unreachable")
        self.changed.fire()

    def _assign(self, tab: ChromeTab) -> None:
        """Give a tab that nobody holds to whom it is due."""
        if (holder := self._due(tab)) is not None:
            self._held[tab.id] = holder
            holder.offer(tab)

    def _due(self, tab: ChromeTab) -> Holder | None:
        """Who gets a tab: whoever had it, whose page opened it, or worked here last."""
        if tab.id in self._held or not tab.reachable or not self._holders:
            return None
        for holder in self._holders:
            if holder.name == tab.holder:
                return holder
        if tab.holder in self._expected:
            return None
        of_opener = self._held.get(tab.opener) if tab.opener is not None else None
        return of_opener or max(self._holders, key=lambda holder: holder.used)

    def _lose(self, tab_id: int, reason: str) -> None:
        if (holder := self._held.pop(tab_id, None)) is not None:
            holder.lose(tab_id, reason)

    def _end(self, reason: str) -> None:
        if self.over:
            return
        self.over = True
        for holder in self._holders:
            holder.end(reason)
        calls, self._calls = self._calls, {}
        for answered in calls.values():
            answered({"error": {"code": _FAILED, "message": reason}})
        self._holders.clear()
        self._held.clear()
        self.tabs.clear()
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
