"""A scripted protocol peer over an in-memory transport: the test decides what Chrome sends."""

import json
from typing import Any

import anyio
import orjson

from tabwright.cdp.decoding import decode_message
from tabwright.cdp.transport import Message, Receive


class FakeChrome:
    """Records every call, and answers when the test says so."""

    def __init__(self) -> None:
        self.calls: list[dict[str, Any]] = []
        self.running = anyio.Event()
        self.left = anyio.Event()
        self._receive: Receive | None = None
        self._ended = anyio.Event()
        self._arrived = anyio.Event()
        self._reason = "we closed the transport"

    def send(self, message: Message) -> None:
        self.calls.append(json.loads(orjson.dumps(message)))
        self._arrived.set()
        self._arrived = anyio.Event()

    async def run(self, receive: Receive) -> str:
        self._receive = receive
        self.running.set()
        try:
            await self._ended.wait()
        finally:
            self.left.set()
        return self._reason

    async def aclose(self) -> None:
        self._ended.set()

    async def call(self, method: str) -> dict[str, Any]:
        """Wait for a call of that method."""
        with anyio.fail_after(60):
            while True:
                for call in self.calls:
                    if call["method"] == method:
                        return call
                await self._arrived.wait()

    def answer(self, call: dict[str, Any], **result: Any) -> None:
        """Answer a call."""
        self.say({"id": call["id"], "result": result})

    def refuse(self, call: dict[str, Any], code: int, message: str, **more: Any) -> None:
        """Answer a call with an error."""
        self.say({"id": call["id"], "error": {"code": code, "message": message, **more}})

    def event(self, method: str, session: str = "", **params: Any) -> None:
        """Send an event."""
        where = {"sessionId": session} if session else {}
        self.say({"method": method, "params": params, **where})

    def say(self, message: object) -> None:
        """Send one message."""
        self.write(json.dumps(message).encode())

    def write(self, raw: bytes) -> None:
        """Send bytes, which need not be a message."""
        assert self._receive is not None, "the connection is not running yet"
        self._receive(decode_message(raw))

    def hang_up(self, reason: str) -> None:
        """End the transport."""
        self._reason = reason
        self._ended.set()
