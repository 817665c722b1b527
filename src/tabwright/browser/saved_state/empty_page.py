"""Empty pages under the addresses of real sites: storage is written on them without running the sites."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tabwright.browser.context import Context
from tabwright.browser.saved_state.state import Entries
from tabwright.browser.tab import Tab

# Seconds for one empty page to load.
EMPTY_PAGE_TIMEOUT = 5.0
_HEADERS = {"content-type": "text/html; charset=utf-8", "cache-control": "no-store"}
_BODY = "<!doctype html><title></title>"


@asynccontextmanager
async def serve_empty_pages(context: Context, pattern: str = "*") -> AsyncIterator[None]:
    """Answer the requests of a context that match with an empty page while the block runs."""
    rule = await context.interception.mock(pattern, headers=_HEADERS, body=_BODY)
    try:
        yield
    finally:
        await context.interception.remove(rule.id)
        for tab in tuple(context.tabs.values()) if context.in_profile else ():
            await tab.session.send("Network.setBypassServiceWorker", bypass=False)


async def visit_empty_page(tab: Tab, url: str, timeout: float = EMPTY_PAGE_TIMEOUT) -> None:
    """Load the empty page at an address; a service worker in a profile does not answer instead."""
    if tab.context.in_profile:
        await tab.session.send("Network.setBypassServiceWorker", bypass=True)
    await tab.goto(url, timeout=timeout)


async def write_storage(tab: Tab, local: Entries, session: Entries) -> None:
    """Add entries to the storage of the origin that a tab shows."""
    for kind, entries in (("local", local), ("session", session)):
        await tab.main_frame.call("restoreEntries", kind, list(entries.items()))
