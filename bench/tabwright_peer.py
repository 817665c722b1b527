"""Tabwright's engine as a peer."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bench.peer import FLAGS
from tabwright.browser.browser import Browser
from tabwright.browser.capture.screenshot import capture
from tabwright.browser.process.launch import LaunchOptions
from tabwright.browser.tab import Tab
from tabwright.errors import TabwrightError


class TabwrightPage:
    """A tab of Tabwright."""

    def __init__(self, tab: Tab) -> None:
        self.tab = tab

    async def navigate(self, url: str) -> object:
        return await self.tab.goto(url, wait_until="load")

    async def evaluate(self, expression: str) -> Any:
        return await self.tab.evaluate(expression)

    async def snapshot(self) -> str:
        return str(await self.tab.snapshot())

    def ref(self, snapshot: str, role: str, name: str) -> str:
        found = re.search(rf'(@e\d+): {role} "{re.escape(name)}"', snapshot)
        assert found, f"{role} {name} is not in our snapshot"
        return found[1]

    async def click(self, ref: str) -> None:
        await self.tab.element(ref).click()

    async def fill(self, ref: str, text: str) -> object:
        return await self.tab.element(ref).fill(text)

    async def screenshot(self) -> str:
        return (await capture(self.tab, kind="png")).data

    async def heap(self) -> int:
        await self.tab.session.send("HeapProfiler.collectGarbage")
        usage = await self.tab.session.send("Runtime.getHeapUsage")
        return int(usage["usedSize"])


class TabwrightBrowser:
    """A browser that Tabwright launched, and its first tab."""

    def __init__(self, browser: Browser, page: TabwrightPage, options: LaunchOptions) -> None:
        self._browser = browser
        self._options = options
        self.page = page

    @classmethod
    @asynccontextmanager
    async def launch(cls, options: LaunchOptions) -> "AsyncIterator[TabwrightBrowser]":
        """Launch, open a context and a tab, and wait for its first response."""
        async with Browser.launch(options) as browser:
            page = TabwrightPage(await (await browser.new_context()).new_tab())
            await page.evaluate("1")
            yield cls(browser, page, options)

    @asynccontextmanager
    async def relaunch(self) -> AsyncIterator[object]:
        async with self.launch(self._options) as opened:
            yield opened

    @asynccontextmanager
    async def new_context(self) -> AsyncIterator[TabwrightPage]:
        context = await self._browser.new_context()
        try:
            yield TabwrightPage(await context.new_tab())
        finally:
            await context.close()


class Tabwright:
    """The peer."""

    name = "tabwright"
    failures: type[Exception] = TabwrightError

    def __init__(self, program: Path) -> None:
        self._options = LaunchOptions(executable=program, args=FLAGS)

    @asynccontextmanager
    async def launch(self) -> AsyncIterator[TabwrightBrowser]:
        async with TabwrightBrowser.launch(self._options) as opened:
            yield opened
