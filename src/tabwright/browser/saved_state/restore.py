"""Restores a saved state into a new context: cookies, storage without running the sites, then the tabs.

Storage is written on empty pages, which also fill the history of a tab. Only the page that each tab showed is
really loaded.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import anyio

from tabwright.aio import deadline
from tabwright.browser.context import Context
from tabwright.browser.saved_state.empty_page import (
    EMPTY_PAGE_TIMEOUT,
    serve_empty_pages,
    visit_empty_page,
    write_storage,
)
from tabwright.browser.saved_state.state import ContextState, Entries, TabState
from tabwright.browser.tab import Tab, TabId
from tabwright.cdp import CdpError
from tabwright.errors import Blocked, BrowserGone, TabwrightError, TimedOut
from tabwright.text import format_count

log = logging.getLogger(__name__)

# Seconds for all empty pages together, for a real page to load, and for its fields and scroll position.
_ALL_EMPTY_PAGES_TIMEOUT = 20.0
_LOAD_TIMEOUT = 10.0
_FILL_TIMEOUT = 3.0
_MAX_TROUBLES = 3
_MAX_TROUBLE_LENGTH = 150
# Refs may have been assigned after the last save; an old ref must never name a new element.
_REF_GAP = 500


@dataclass(frozen=True, slots=True)
class Restored:
    """What was restored, and a sentence for each part that failed."""

    tabs: int
    active: Tab | None
    troubles: list[str]


async def restore(context: Context, state: ContextState) -> Restored:
    """Restore a state into a new context.

    Raises:
        BrowserGone: the browser exited meanwhile.
    """
    return await _Restoration(context, state).run()


class _Restoration:
    """One run of `restore`."""

    def __init__(self, context: Context, state: ContextState) -> None:
        self._context = context
        self._state = state
        self._troubles: list[str] = []
        self._until = anyio.current_time() + _ALL_EMPTY_PAGES_TIMEOUT

    async def run(self) -> Restored:
        if self._state.alone:
            await self._context.cookies.keep_only(self._state.cookies)
        if refused := await self._context.cookies.set_raw(self._state.cookies):
            self._troubles.append(f"The browser refused {format_count(refused, 'cookie')}.")
        async with serve_empty_pages(self._context):
            tabs = await self._prepare_tabs(await self._context.new_tab())
        async with anyio.create_task_group() as group:
            for tab, saved in tabs:
                group.start_soon(self._show, tab, saved)
        if not self._context.browser.alive:
            raise BrowserGone("The browser exited.", hint="Call again; a new browser starts.")
        if self._state.cut:
            self._troubles.append(
                f"Too large to save completely: the storage of {', '.join(self._state.cut)}."
            )
        active = next((tab for tab, saved in tabs if saved.id == self._state.active), None)
        if active is not None:
            await active.activate()
        more = len(self._troubles) - _MAX_TROUBLES
        rest = [f"And {format_count(more, 'more problem')}."] if more > 0 else []
        return Restored(len(tabs), active, self._troubles[:_MAX_TROUBLES] + rest)

    async def _prepare_tabs(self, first: Tab) -> list[tuple[Tab, TabState]]:
        """Open the tabs in their order, with storage and history, but without their pages."""
        saved_tabs, local = self._state.tabs, self._state.local_storage
        if not saved_tabs:
            await self._write_storage(first, local, {})
            if not self._context.in_profile:
                await first.close()
            return []
        tabs = [first]
        tabs += [await self._context.new_tab() for _ in saved_tabs[1:]]
        pairs = list(zip(tabs, saved_tabs, strict=True))
        for tab, saved in pairs:
            await self._write_storage(tab, local if tab is first else {}, saved.session_storage)
            await self._prepare(tab, saved)
        self._context.rename({tab: TabId(saved.id) for tab, saved in pairs})
        return pairs

    async def _prepare(self, tab: Tab, saved: TabState) -> None:
        with self._report_failure(f"The emulation of {saved.id} was not restored"):
            await tab.emulation.restore(saved.emulation)
        await tab.goto("about:blank", timeout=EMPTY_PAGE_TIMEOUT)
        await tab.session.send("Page.resetNavigationHistory")
        for url in saved.history[:-1]:
            with self._report_failure(f"{url} is missing from the history of {saved.id}"):
                await self._visit(tab, url)
        tab.refs.begin_at(saved.next_ref + _REF_GAP)

    async def _write_storage(self, tab: Tab, local: dict[str, Entries], session: dict[str, Entries]) -> None:
        for origin in {**local, **session}:
            with self._report_failure(f"The storage of {origin} was not restored"):
                await self._visit(tab, f"{origin}/")
                await write_storage(tab, local.get(origin, {}), session.get(origin, {}))

    async def _visit(self, tab: Tab, url: str) -> None:
        """Visit an empty page, while there is time left."""
        left = self._until - anyio.current_time()
        if left <= 0:
            raise TimedOut("It took too long.", hint="")
        await visit_empty_page(tab, url, min(EMPTY_PAGE_TIMEOUT, left))

    async def _show(self, tab: Tab, saved: TabState) -> None:
        """Load the page of a tab, and restore its fields and scroll position."""
        tab.network.clear()
        tab.console.clear()
        if saved.left_out:
            left_out = format_count(saved.left_out, "entry")
            self._troubles.append(f"Left out of the history of {saved.id}: {left_out}.")
        if saved.url == "about:blank":
            return
        with self._report_failure(f"{saved.id} did not load"):
            await tab.goto(saved.url, timeout=_LOAD_TIMEOUT)
            with deadline(_FILL_TIMEOUT, f"{saved.url} is slow", hint=""):
                await tab.main_frame.call("restoreFields", saved.fields)
                await tab.main_frame.call("restoreScroll", *saved.scroll)

    @contextmanager
    def _report_failure(self, trouble: str) -> Iterator[None]:
        """Report a failure of the block, and continue."""
        try:
            yield
        except (TabwrightError, CdpError) as error:
            log.info("%s: %s", trouble, error)
            self._troubles.append(f"{_shorten(trouble)}: {_shorten(_reason(error))}")


def _reason(error: TabwrightError | CdpError) -> str:
    """Return the message in our own words: the text of a dialog is the page's."""
    return "it shows a dialog." if isinstance(error, Blocked) else error.message


def _shorten(text: str) -> str:
    """Limit a text that contains an address: pages choose those, of any length."""
    return text if len(text) <= _MAX_TROUBLE_LENGTH else f"{text[:_MAX_TROUBLE_LENGTH]}…"
