"""A wire that loses, delays, holds or doubles one message, in either direction, or ends there."""

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
    """What happens to which message."""

    way: Way
    number: int
    kind: Kind


class FaultyWire:
    """Passes messages on, but for the one that it is to fail."""

    def __init__(self, wire: Transport) -> None:
        self._wire = wire
        self._fault: Fault | None = None
        self.passed: dict[Way, int] = {"to": 0, "from": 0}
        self.met: Message = {}
        self.end: Callable[[], None] = lambda: None
        self.release: Callable[[], None] = lambda: None

    def expect(self, fault: Fault | None) -> None:
        """Count anew, and fail that message; none from now on without one."""
        self._fault = fault
        self.passed = {"to": 0, "from": 0}
        self.met = self.met if fault is None else {}

    def send(self, message: Message) -> None:
        self._pass_on("to", message, self._wire.send)

    async def run(self, receive: Receive) -> str:
        return await self._wire.run(lambda message: self._pass_on("from", message, receive))

    async def aclose(self) -> None:
        await self._wire.aclose()

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
