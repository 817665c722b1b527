"""A transport that loses, delays, holds or duplicates one message, in either direction, or ends there."""

import asyncio
from collections.abc import Callable
from typing import Literal, NamedTuple

from tabwright.cdp import Transport
from tabwright.cdp.transport import Message, Receive

Way = Literal["to", "from"]
Kind = Literal["lost", "late", "twice", "held", "end"]
WAYS: tuple[Way, ...] = ("to", "from")
KINDS: tuple[Kind, ...] = ("lost", "late", "twice")


class Fault(NamedTuple):
    """What happens to which message: the `number`th in one direction."""

    way: Way
    number: int
    kind: Kind


class FaultyTransport:
    """Passes messages on, except for the one with the fault."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._fault: Fault | None = None
        self.passed: dict[Way, int] = {"to": 0, "from": 0}
        self.met: Message = {}
        self.end: Callable[[], None] = lambda: None
        self.release: Callable[[], None] = lambda: None

    def expect(self, fault: Fault | None) -> None:
        """Restart the count; apply the fault to that message, or to none."""
        self._fault = fault
        self.passed = {"to": 0, "from": 0}
        self.met = self.met if fault is None else {}

    def send(self, message: Message) -> None:
        self._pass_on("to", message, self._transport.send)

    async def run(self, receive: Receive) -> str:
        return await self._transport.run(lambda message: self._pass_on("from", message, receive))

    async def aclose(self) -> None:
        await self._transport.aclose()

    def _pass_on(self, way: Way, message: Message, to: Receive) -> None:
        self.passed[way] += 1
        fault = self._fault
        if fault is None or (fault.way, fault.number) != (way, self.passed[way]):
            to(message)
            return
        self.met = self.met or message
        if fault.kind == "late":
            asyncio.get_running_loop().call_later(0.2, to, message)
        elif fault.kind == "twice":
            to(message)
            to(message)
        elif fault.kind == "held":
            self.release = lambda: to(message)
        elif fault.kind == "end":
            self.end()
