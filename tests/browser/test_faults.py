"""A wire that loses, delays or doubles one message: nothing hangs, and nothing is left."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Literal

import anyio

from tabwright.browser.browser import Browser
from tabwright.browser.context import Context
from tabwright.browser.launch import LaunchOptions, launched
from tabwright.cdp import Transport
from tabwright.errors import TabwrightError
from tests.processes import members
from tests.web import Web

Fault = Literal["lost", "late", "twice"]
Direction = Literal["to", "from"]

# One message in so many is tried, so that all kinds of fault meet all kinds of messages in a short time.
STEP = 5


class FaultyWire:
    """Passes messages on, but for the n-th one way after it was told."""

    def __init__(self, wire: Transport) -> None:
        self._wire = wire
        self._fault: tuple[Direction, int, Fault] | None = None
        self.passed: dict[Direction, int] = {"to": 0, "from": 0}

    def expect(self, fault: tuple[Direction, int, Fault] | None) -> None:
        self._fault = fault
        self.passed = {"to": 0, "from": 0}

    def send(self, message: bytes) -> None:
        self._pass_on("to", message, self._wire.send)

    async def run(self, receive: Callable[[bytes], None]) -> str:
        return await self._wire.run(lambda message: self._pass_on("from", message, receive))

    async def aclose(self) -> None:
        await self._wire.aclose()

    def _pass_on(self, direction: Direction, message: bytes, to: Callable[[bytes], None]) -> None:
        self.passed[direction] += 1
        match self._fault:
            case (way, number, "lost") if (way, number) == (direction, self.passed[direction]):
                pass
            case (way, number, "late") if (way, number) == (direction, self.passed[direction]):
                asyncio.get_running_loop().call_later(0.2, to, message)
            case (way, number, "twice") if (way, number) == (direction, self.passed[direction]):
                to(message)
                to(message)
            case _:
                to(message)


async def visit(browser: Browser, url: str, contexts: list[Context], *, timeout: float = 30.0) -> None:
    """A short visit; every step has the same deadline."""
    contexts.append(await browser.new_context(timeout=timeout))
    tab = await contexts[-1].new_tab(timeout=timeout)
    await tab.goto(url, timeout=timeout)
    assert await tab.evaluate("1 + 1", timeout=timeout) == 2
    await tab.close(timeout=timeout)
    await contexts[-1].close(timeout=timeout)


async def test_one_lost_late_or_doubled_message_hangs_nothing_and_leaves_nothing(web: Web) -> None:
    url = web.page("<title>visit</title>")
    async with launched(LaunchOptions()) as process:
        wire = FaultyWire(process.transport)
        async with Browser.over(wire, headless=True) as browser:
            await browser.start()
            wire.expect(None)
            await visit(browser, url, [])
            for number, fault in enumerate(faults(dict(wire.passed))):
                contexts: list[Context] = []
                wire.expect(fault)
                with anyio.fail_after(60), suppress(TabwrightError):
                    await visit(browser, url, contexts, timeout=1.0)
                wire.expect(None)
                for context in contexts:
                    await context.close()
                assert browser.contexts == (browser.default_context,), (number, fault)
            await visit(browser, url, [])
            pages = await browser.root.send("Target.getTargets", filter=[{"type": "page"}])
            assert pages["targetInfos"] == []
            assert list(browser.default_context.tabs) == []
    assert members(process.pid) == []


def faults(passed: dict[Direction, int]) -> list[tuple[Direction, int, Fault]]:
    kinds: tuple[Fault, ...] = ("lost", "late", "twice")
    ways: tuple[Direction, ...] = ("to", "from")
    return [(way, n, kinds[n % 3]) for way in ways for n in range(1, passed[way] + 1, STEP)]
