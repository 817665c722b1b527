"""The hub's end of a link at the message level: what the extension sent, and requests to it."""

import itertools
from pathlib import Path
from typing import Any

import anyio

from tabwright.cdp.websocket import WebSocketTransport
from tabwright.doors.extension.server import ExtensionDoor
from tabwright.policy.callers.chrome_pairing import PairedChromes

Json = dict[str, Any]


class Link:
    """One connected Chrome."""

    def __init__(self, transport: WebSocketTransport, name: str) -> None:
        self.name = name
        self.received: list[Json] = []
        self.closed = anyio.Event()
        self.answers_pings = True
        self._transport = transport
        self._numbers = itertools.count(1)
        self._changed = anyio.Event()
        self._next = 0

    async def run(self) -> None:
        self.send(type="connect")
        try:
            await self._transport.run(self._on_message)
        finally:
            self.closed.set()

    def _on_message(self, message: Json) -> None:
        if message["type"] == "ping" and self.answers_pings:
            self.send(type="pong")
        self.received.append(message)
        self._changed.set()
        self._changed = anyio.Event()

    def rewind(self) -> None:
        """Drop the messages received so far."""
        self.received.clear()
        self._next = 0

    def send(self, **message: Any) -> None:
        self._transport.send(message)

    async def receive(self, kind: str, *, seconds: float = 10, **fields: Any) -> Json:
        """Wait for the next message of a kind with these fields; skip those before it."""
        with anyio.fail_after(seconds):
            while True:
                for at in range(self._next, len(self.received)):
                    message = self.received[at]
                    if message["type"] == kind and fields.items() <= message.items():
                        self._next = at + 1
                        return message
                await self._changed.wait()

    async def request(self, kind: str, **fields: Any) -> Json:
        """Send a request and return the whole answer."""
        call_id = f"c{next(self._numbers)}"
        self.send(type=kind, callId=call_id, **fields)
        with anyio.fail_after(60):
            while True:
                for message in self.received:
                    if message["type"] == "toolResult" and message["callId"] == call_id:
                        return message
                await self._changed.wait()

    async def call(self, kind: str, **fields: Any) -> Any:
        """Send a request that must succeed; return its result."""
        answer = await self.request(kind, **fields)
        assert "error" not in answer, answer
        return answer["result"]

    async def cdp(self, tab: int, method: str, **params: Any) -> Json:
        """Send a command to a tab and return the whole answer."""
        args = {"method": method, "params": params}
        return await self.request("callTool", tabId=tab, toolName="cdp", args=args)


class Recorder:
    """Replaces the hub's links, and records them."""

    def __init__(self) -> None:
        self.links: list[Link] = []
        self._connected = anyio.Event()
        self._taken = 0

    async def serve(
        self, transport: WebSocketTransport, *, chrome: str, name: str, document_only: bool
    ) -> None:
        link = Link(transport, name)
        self.links.append(link)
        self._connected.set()
        self._connected = anyio.Event()
        await link.run()

    async def link(self) -> Link:
        """Return the next Chrome that connects or has connected."""
        with anyio.fail_after(60):
            while len(self.links) == self._taken:
                await self._connected.wait()
        self._taken += 1
        return self.links[self._taken - 1]


class Hub:
    """A hub's extension door, the links through it, and the clock of its codes."""

    def __init__(self, folder: Path, heartbeat: float = 20) -> None:
        self.now = 0.0
        self.file = folder / "chromes.json"
        self.chromes = PairedChromes(self.file, clock=lambda: self.now)
        self.recorder = Recorder()
        self.door = ExtensionDoor(self.chromes, self.recorder, handshake_timeout=2, heartbeat=heartbeat)

    async def link(self) -> Link:
        """Return the next Chrome that connects or has connected."""
        return await self.recorder.link()
