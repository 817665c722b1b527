"""Puts what a context held into a new one: cookies, storage without running the sites, then the tabs.

Storage is written on empty documents with which we answer the origins' requests ourselves; the same way the
history of a tab gets its entries. Only the page that each tab showed is really loaded.
"""

import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass

import anyio

from tabwright.aio import deadline
from tabwright.browser.context import Context
from tabwright.browser.saved_state.state import ContextState, Entries, TabState
from tabwright.browser.tab import Tab, TabId
from tabwright.cdp import CdpError
from tabwright.errors import Blocked, BrowserGone, TabwrightError, TimedOut
from tabwright.text import format_count

log = logging.getLogger(__name__)

_EMPTY_PAGE = "<!doctype html><title></title>"
_EMPTY_HEADERS = {"content-type": "text/html; charset=utf-8", "cache-control": "no-store"}
# Seconds for an empty document, for a real one, and for what is put into it afterwards.
_EMPTY = 5.0
_LOAD = 10.0
_TOUCHES = 3.0
# Seconds for all empty documents together.
_ALL_EMPTY = 20.0
_TROUBLES_TOLD = 3
_LONGEST_TROUBLE = 150
# Numbers of refs may have been given out after the last look; an old ref must never name a new element.
_REFS_UNSEEN = 500


@dataclass(frozen=True, slots=True)
class Restored:
    """What came back, and sentences about what did not."""

    tabs: int
    active: Tab | None
    troubles: list[str]


async def restore(context: Context, state: ContextState) -> Restored:
    """Fill a new context with what another held.

    Raises:
        BrowserGone: the browser went away meanwhile.
    """
    return await _Restoration(context, state).run()


@asynccontextmanager
async def empty_pages(context: Context) -> AsyncIterator[None]:
    """Let no request of a context leave while the block runs: each gets an empty document."""
    rule = await context.interception.mock("*", headers=_EMPTY_HEADERS, body=_EMPTY_PAGE)
    yield
    await context.interception.remove(rule.id)
    for tab in tuple(context.tabs.values()) if context.lasting else ():
        await tab.session.send("Network.setBypassServiceWorker", bypass=False)


async def visit_empty(tab: Tab, url: str, timeout: float) -> None:
    """Go to the empty document in place of a page; what a profile's site left to answer does not."""
    if tab.context.lasting:
        await tab.session.send("Network.setBypassServiceWorker", bypass=True)
    await tab.goto(url, timeout=timeout)


class _Restoration:
    """One return."""

    def __init__(self, context: Context, state: ContextState) -> None:
        self._context = context
        self._state = state
        self._troubles: list[str] = []
        self._until = anyio.current_time() + _ALL_EMPTY

    async def run(self) -> Restored:
        if self._state.alone:
            await self._context.cookies.keep_only(self._state.cookies)
        if refused := await self._context.cookies.put_raw(self._state.cookies):
            self._troubles.append(f"The browser refused {format_count(refused, 'cookie')}.")
        async with empty_pages(self._context):
            tabs = await self._prepared_tabs(await self._context.new_tab())
        async with anyio.create_task_group() as group:
            for tab, held in tabs:
                group.start_soon(self._show, tab, held)
        if not self._context.browser.alive:
            raise BrowserGone("The browser went away.", hint="Call again; a new browser starts.")
        if self._state.cut:
            self._troubles.append(f"Too large to keep whole: the storage of {', '.join(self._state.cut)}.")
        active = next((tab for tab, held in tabs if held.id == self._state.active), None)
        if active is not None:
            await active.activate()
        return Restored(len(tabs), active, self._told())

    async def _prepared_tabs(self, first: Tab) -> list[tuple[Tab, TabState]]:
        """Make the tabs in their order, with storage and history, but without their pages."""
        held_tabs, local = self._state.tabs, self._state.local_storage
        if not held_tabs:
            await self._put(first, local, {})
            if not self._context.lasting:
                await first.close()
            return []
        tabs = [first]
        tabs += [await self._context.new_tab() for _ in held_tabs[1:]]
        pairs = list(zip(tabs, held_tabs, strict=True))
        for tab, held in pairs:
            await self._put(tab, local if tab is first else {}, held.session_storage)
            await self._prepare(tab, held)
        self._context.rename({tab: TabId(held.id) for tab, held in pairs})
        return pairs

    async def _prepare(self, tab: Tab, held: TabState) -> None:
        with self._noting(f"The pretences of {held.id} are gone"):
            await tab.emulation.restore(held.emulation)
        await tab.goto("about:blank", timeout=_EMPTY)
        await tab.session.send("Page.resetNavigationHistory")
        for url in held.history[:-1]:
            with self._noting(f"{url} is missing in the history of {held.id}"):
                await self._visit(tab, url)
        tab.refs.begin_at(held.next_ref + _REFS_UNSEEN)

    async def _put(self, tab: Tab, local: dict[str, Entries], session: dict[str, Entries]) -> None:
        for origin in {**local, **session}:
            with self._noting(f"The storage of {origin} is gone"):
                await self._visit(tab, f"{origin}/")
                for kind, storage in (("local", local), ("session", session)):
                    await tab.main_frame.call("putEntries", kind, list(storage.get(origin, {}).items()))

    async def _visit(self, tab: Tab, url: str) -> None:
        """Go to an empty document in place of a page, as long as there is time for it."""
        left = self._until - anyio.current_time()
        if left <= 0:
            raise TimedOut("It took too long.", hint="")
        await visit_empty(tab, url, min(_EMPTY, left))

    def _told(self) -> list[str]:
        more = len(self._troubles) - _TROUBLES_TOLD
        rest = [f"And {format_count(more, 'more such trouble')}."] if more > 0 else []
        return self._troubles[:_TROUBLES_TOLD] + rest

    async def _show(self, tab: Tab, held: TabState) -> None:
        """Load the page of a tab, and make it look as it did."""
        tab.network.clear()
        tab.console.clear()
        if held.left_out:
            left_out = format_count(held.left_out, "entry")
            self._troubles.append(f"Left out of the history of {held.id}: {left_out}.")
        if held.url == "about:blank":
            return
        with self._noting(f"{held.id} did not load"):
            await tab.goto(held.url, timeout=_LOAD)
            with deadline(_TOUCHES, f"{held.url} is slow", hint=""):
                await tab.main_frame.call("putFields", held.fields)
                await tab.main_frame.call("putScroll", *held.scroll)

    @contextmanager
    def _noting(self, trouble: str) -> Iterator[None]:
        """Go on without what fails, and say so."""
        try:
            yield
        except (TabwrightError, CdpError) as error:
            log.info("%s: %s", trouble, error)
            self._troubles.append(f"{_short(trouble)}: {_short(_reason(error))}")


def _reason(error: TabwrightError | CdpError) -> str:
    """Say why, in our own words: those of a dialog are the page's."""
    return "it shows a dialog." if isinstance(error, Blocked) else error.message


def _short(text: str) -> str:
    """Addresses are the page's to choose, and may be of any length."""
    return text if len(text) <= _LONGEST_TROUBLE else f"{text[:_LONGEST_TROUBLE]}…"
