"""A browser that is started only to see that it starts."""

import time
from pathlib import Path
from typing import NamedTuple

from tabwright.browser.browser import Browser
from tabwright.browser.process.launch import LaunchOptions, choose_executable, needs_sandbox_off


class StartupResult(NamedTuple):
    """What was seen of it."""

    path: Path
    version: str
    seconds: float
    sandboxed: bool


async def check_startup(options: LaunchOptions) -> StartupResult:
    """Start the browser that the options choose, and end it."""
    path, started = choose_executable(options), time.perf_counter()
    async with Browser.launch(options) as browser:
        seconds = time.perf_counter() - started
        return StartupResult(path, browser.version.product, seconds, sandboxed=not needs_sandbox_off())
