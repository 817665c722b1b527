"""Letting the page come to rest after an act whose outcome is read at once."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio

from tabwright.browser.tab import Tab
from tabwright.errors import Denied, PageFailed, Stale, TimedOut
from tabwright.page_tools.found.frame_query import call_script

_ALL = 8.0
_REQUESTS = 3.0
# ms: without a change for so long the page is at rest; how long it has to begin; how long it has in all.
_PACE = {"quiet": 40, "first": 150, "most": 1_000}


@asynccontextmanager
async def settled(tab: Tab, *, wanted: bool = True) -> AsyncIterator[None]:
    """After the block, wait for what it set off: a navigation, requests, changes; never for long."""
    commits, begun = tab.navigation.commits, tab.traffic.begun
    yield
    if not wanted:
        return
    with anyio.move_on_after(_ALL):
        await _quiet(tab)
        if tab.navigation.under_way or tab.navigation.commits > commits:
            await _arrived(tab)
        elif tab.traffic.begun > begun:
            with anyio.move_on_after(_REQUESTS):
                await tab.traffic.finished(begun)
        await _quiet(tab)


async def _arrived(tab: Tab) -> None:
    try:
        await tab.navigation.wait("load", timeout=60.0)  # the block's own patience ends it first
    except (Denied, PageFailed, TimedOut):
        tab.require_answering()


async def _quiet(tab: Tab) -> None:
    if tab.dialogs.open is None and not tab.closed.is_set():
        try:
            await call_script(tab.main_frame, "pageToolQuiet", _PACE)
        except Stale:
            return
