"""A transport that loses, delays or duplicates one message: nothing hangs, and nothing is left behind."""

from contextlib import suppress

import anyio

from tabwright.browser.browser import Browser
from tabwright.browser.context import Context
from tabwright.browser.ownership import Ownership
from tabwright.browser.process.launch import LaunchOptions, launch_process
from tabwright.errors import TabwrightError
from tests.fakes.transport import KINDS, WAYS, Fault, FaultyTransport, Way
from tests.processes import members
from tests.web import Web

# Only every so many messages get a fault, so that the test is short.
STEP = 5


async def visit(browser: Browser, url: str, contexts: list[Context], *, timeout: float = 30.0) -> None:
    """Open a page and close it; every step has the same deadline."""
    contexts.append(await browser.new_context(timeout=timeout))
    tab = await contexts[-1].new_tab(timeout=timeout)
    await tab.goto(url, timeout=timeout)
    assert await tab.evaluate("1 + 1", timeout=timeout) == 2
    await tab.close(timeout=timeout)
    await contexts[-1].close(timeout=timeout)


async def test_one_lost_late_or_duplicate_message_hangs_and_leaks_nothing(web: Web) -> None:
    url = web.page("<title>visit</title>")
    async with launch_process(LaunchOptions()) as process:
        wire = FaultyTransport(process.transport)
        async with Browser.over(wire, headless=True, ownership=Ownership.LAUNCHED) as browser:
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


def faults(passed: dict[Way, int]) -> list[Fault]:
    return [Fault(way, n, KINDS[n % 3]) for way in WAYS for n in range(1, passed[way] + 1, STEP)]
