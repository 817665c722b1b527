"""Playwright for Python as a peer: its async API, and its own snapshot with refs."""

import base64
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import playwright.async_api as playwright

from bench.peer import FLAGS, HEIGHT, WIDTH


class PlaywrightPage:
    """A page of Playwright."""

    def __init__(self, page: playwright.Page) -> None:
        self._page = page

    async def navigate(self, url: str) -> object:
        return await self._page.goto(url, wait_until="load")

    async def evaluate(self, expression: str) -> Any:
        return await self._page.evaluate(expression)

    async def snapshot(self) -> str:
        return str(await self._page.aria_snapshot(mode="ai"))

    def ref(self, snapshot: str, role: str, name: str) -> str:
        found = re.search(rf'{role} "{re.escape(name)}".*?\[ref=(\w+)\]', snapshot)
        assert found, f"{role} {name} is not in Playwright's snapshot"
        return found[1]

    async def click(self, ref: str) -> None:
        await self._page.locator(f"aria-ref={ref}").click()

    async def fill(self, ref: str, text: str) -> None:
        await self._page.locator(f"aria-ref={ref}").fill(text)

    async def screenshot(self) -> str:
        return base64.b64encode(await self._page.screenshot(type="png")).decode()

    async def heap(self) -> int:
        session = await self._page.context.new_cdp_session(self._page)
        await session.send("HeapProfiler.collectGarbage")
        usage = await session.send("Runtime.getHeapUsage")
        await session.detach()
        return int(usage["usedSize"])


class PlaywrightBrowser:
    """A browser that Playwright launched, and its first page."""

    def __init__(self, driver: playwright.Playwright, browser: playwright.Browser, program: Path) -> None:
        self._driver = driver
        self._browser = browser
        self._program = program
        self.page: PlaywrightPage

    @classmethod
    @asynccontextmanager
    async def launch(cls, driver: playwright.Playwright, program: Path) -> "AsyncIterator[PlaywrightBrowser]":
        """Launch with a running driver."""
        async with await driver.chromium.launch(executable_path=program, args=FLAGS) as browser:
            opened = cls(driver, browser, program)
            opened.page = PlaywrightPage(await opened._open_page())
            await opened.page.evaluate("1")
            yield opened

    @asynccontextmanager
    async def relaunch(self) -> AsyncIterator[object]:
        async with self.launch(self._driver, self._program) as opened:
            yield opened

    @asynccontextmanager
    async def new_context(self) -> AsyncIterator[PlaywrightPage]:
        page = await self._open_page()
        try:
            yield PlaywrightPage(page)
        finally:
            await page.context.close()

    async def _open_page(self) -> playwright.Page:
        context = await self._browser.new_context(viewport={"width": WIDTH, "height": HEIGHT})
        return await context.new_page()


class Playwright:
    """The peer."""

    name = "playwright"
    failures: type[Exception] = playwright.Error

    def __init__(self, program: Path) -> None:
        self._program = program

    @asynccontextmanager
    async def launch(self) -> AsyncIterator[PlaywrightBrowser]:
        async with (
            playwright.async_playwright() as driver,
            PlaywrightBrowser.launch(driver, self._program) as opened,
        ):
            yield opened
