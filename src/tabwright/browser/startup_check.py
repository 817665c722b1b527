"""Starting a browser once to check that it starts; for `tabwright doctor`."""

import time
from pathlib import Path
from typing import NamedTuple

from tabwright.browser.browser import Browser
from tabwright.browser.process.launch import LaunchOptions, choose_executable, needs_sandbox_off


class StartupResult(NamedTuple):
    """Which browser started, in how many seconds, and whether its sandbox is on."""

    path: Path
    version: str
    seconds: float
    sandboxed: bool


async def check_startup(options: LaunchOptions) -> StartupResult:
    """Start the browser that the options choose, and stop it."""
    path, started = choose_executable(options), time.perf_counter()
    async with Browser.launch(options) as browser:
        seconds = time.perf_counter() - started
        return StartupResult(path, browser.version.product, seconds, sandboxed=not needs_sandbox_off())
