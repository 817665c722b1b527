"""The tools of one tab: looked up when asked for, kept until the page changes, followed if wanted."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from difflib import get_close_matches
from typing import Any

import anyio

from tabwright.aio import Signal
from tabwright.browser.find.locate import ask_frames
from tabwright.browser.page.frame import DocumentGone, Frame
from tabwright.browser.tab import Tab
from tabwright.cdp import CdpError
from tabwright.errors import BrowserGone, NotFound, Stale, TabwrightError
from tabwright.home import Home
from tabwright.page_tools.found.finder import Introspection
from tabwright.page_tools.found.frame_query import ask
from tabwright.page_tools.listing import Listing, listing_of, newcomers
from tabwright.page_tools.recipes.source import Recipes
from tabwright.page_tools.reserved import reserved_names
from tabwright.page_tools.schema_check import fitted, misfit, require_fit
from tabwright.page_tools.tool import Outcome, PageTool, Source
from tabwright.page_tools.webmcp.source import SiteTools
from tabwright.text import quote

log = logging.getLogger(__name__)

# After a change the page is given so long to come to rest; one that never rests is looked at this often.
_REST = 0.3
_SELDOM = 5.0
# Seconds that one question for changes lasts, and that a page may load before it is looked at.
_GLANCE = 20.0
_LOADING = 5.0
_MOST_FRAMES = 30
_MOST_TOLD = 5
# Seconds that a page has after a tool was run to tell what it offers now.
_NEWS = 2.0


class Inventory:
    """What the page of a tab offers."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        self._site = SiteTools(tab)
        self._recipes = Recipes(tab, Home.find().recipes)
        self._sources: tuple[Source, ...] = (self._recipes, self._site, Introspection(tab))
        self._lock = anyio.Lock()
        self._page: tuple[Any, ...] = ()
        self._known: dict[str, str] = {}
        self._before: Listing | None = None
        self.latest: Listing | None = None
        # Counts how often the list became another; whoever looked, all who follow it know by this.
        self._edition = 0
        self._looked = Signal()

    async def listing(self) -> Listing:
        """Return the tools of the page as it is now."""
        async with self._lock:
            page = self._place()
            if self.latest is not None and self._page == page and not await self._changed():
                return self.latest
            found = [tool for source in self._sources for tool in await source.tools()]
            named = listing_of(self._site.christened(found), reserved=reserved_names())
            listing = listing_of(self._recipes.amended(named), reserved=reserved_names())
            if self.latest is None or self.latest.mark != listing.mark:
                self._edition += 1
            self.latest, self._page = listing, page
            self._known |= {tool.name: self._tab.url for tool in listing}
            self._looked.fire()
            return listing

    def told(self) -> str:
        """Return what the user is to be told of their recipes, once."""
        return self._recipes.told()

    def _place(self) -> tuple[Any, ...]:
        """What is another once the tab or a frame shows another document, or a source has news."""
        frames = ((frame.id, frame.loader_id) for frame in self._tab.frames)
        return (self._tab.url, self._site.mark, self._recipes.mark, *frames)

    async def _changed(self) -> bool:
        for frame in self._tab.frames:
            try:
                if await ask(frame, "pageToolsChanged"):
                    return True
            except (CdpError, DocumentGone, TabwrightError):
                self._tab.require_answering()
                return True
        return False

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Outcome:
        """Check the arguments of a tool and run it.

        Raises:
            NotFound: the page has no tool of that name.
            Stale: it had one, and has not any more.
            InvalidArgs: the arguments do not fit its schema.
        """
        tool = await self._tool(name)
        self._before = self.latest
        given = fitted(tool.schema, arguments)
        patterned = require_fit(tool.name, tool.schema, given)
        if patterned:
            frame = self._frame(tool)
            pairs = [[one.pattern, one.value] for one in patterned]
            bad = await ask(frame, "pageToolMismatches", pairs)
            if bad:
                said = [
                    f"{one.path} must match {quote(one.pattern[:100])}"
                    for one in patterned
                    if one.pattern in bad
                ]
                raise misfit(tool.name, tool.schema, said)
        return await tool.run(given)

    async def news(self) -> str:
        """Return in a line which tools the page has since one of them was called, if any; once."""
        before, self._before = self._before, None
        if before is None or self._tab.dialogs.open is not None or self._tab.closed.is_set():
            return ""
        return newcomers(before, await self.within(_NEWS))

    def _frame(self, tool: PageTool) -> Frame:
        frame = self._tab.frames.get(tool.frame)
        if frame is None:
            raise Stale(f"The frame of {tool.name} is gone.", hint="List the page tools again.")
        return frame

    async def _tool(self, name: str) -> PageTool:
        """Return the tool that a caller means: the one listed under that name last, if it is still there."""
        listed = {tool.name: tool for tool in self.latest or ()}.get(name)
        now = list(await self.listing())
        if listed is not None and listed.element:
            same = [tool for tool in now if (tool.frame, tool.element) == (listed.frame, listed.element)]
            if len(same) == 1 and same[0].source == listed.source:
                return same[0]
        for tool in now:
            if tool.name == name:
                return tool
        raise self._missing(name, [tool.name for tool in now])

    def _missing(self, name: str, now: list[str]) -> NotFound | Stale:
        there = _there(get_close_matches(name, now, n=3), now)
        if name in self._known:
            return Stale(f"{name} was a tool of {self._known[name]}, as it was then. It is gone.", hint=there)
        return NotFound(f"There is no page tool {name[:100]} on this page.", hint=there)

    async def follow(self, changed: Callable[[Listing], Awaitable[None]]) -> None:
        """Tell of the list now, and whenever it becomes another, until the tab is closed."""
        edition, pause = 0, _REST
        while not self._tab.closed.is_set():
            listing = await self._listing_when_possible()
            if listing is not None and edition != self._edition:
                edition, pause = self._edition, _REST
                await changed(listing)
            else:
                pause = min(pause * 2, _SELDOM)
            # What came while the page was looked at is told at once.
            await self._next_change(pause, self._page if listing is not None else self._place(), edition)

    async def within(self, seconds: float) -> Listing:
        """Return the tools of the page as it is now; of one that does not tell in time, what it had."""
        with suppress(BrowserGone), anyio.move_on_after(seconds):
            await self._listing_when_possible()
        return self.latest or Listing()

    async def _listing_when_possible(self) -> Listing | None:
        """Return the list, or None while the page cannot be asked."""
        try:
            return await self.listing()
        except BrowserGone:
            raise
        except (CdpError, DocumentGone, TabwrightError) as error:
            log.debug("page tools of %s cannot be listed: %s", self._tab.id, error)
            return None

    async def _next_change(self, pause: float, place: tuple[Any, ...], edition: int) -> None:
        """Wait for the page to change and to come to rest; a navigation is not waited for any longer."""
        async with anyio.create_task_group() as group:
            group.start_soon(self._moved, place, group.cancel_scope)
            group.start_soon(self._mutated, pause, group.cancel_scope)
            group.start_soon(self._seen_by_others, edition, group.cancel_scope)

    async def _moved(self, place: tuple[Any, ...], scope: anyio.CancelScope) -> None:
        await self._tab.changed.until(lambda: self._place() != place or self._tab.closed.is_set())
        if not self._tab.closed.is_set():
            with suppress(TabwrightError):
                await self._tab.navigation.wait("load", timeout=_LOADING)
            await anyio.sleep(_REST)
        scope.cancel()

    async def _seen_by_others(self, edition: int, scope: anyio.CancelScope) -> None:
        """Wait until somebody else saw another list: the page tells of a change only once."""
        await self._looked.until(lambda: self._edition != edition)
        await anyio.sleep(_REST)
        scope.cancel()

    async def _mutated(self, pause: float, scope: anyio.CancelScope) -> None:
        frames = list(self._tab.frames)[:_MOST_FRAMES]
        try:
            while not await self._changed():
                await ask_frames(
                    frames,
                    "callIfDefined",
                    "pageToolsChange",
                    _GLANCE * 1000,
                    patience=_GLANCE + 2,
                    all_of_them=False,
                )
        except (CdpError, TabwrightError):
            log.debug("tab %s does not answer", self._tab.id)
        await anyio.sleep(pause)
        scope.cancel()


def _there(near: list[str], now: list[str]) -> str:
    """Say which tools there are: those near what was asked for, or the first ones."""
    if not now:
        return "It has no tools; take a snapshot to see it."
    if near and len(near) < len(now):
        return f"Near it: {', '.join(near)}."
    return f"It has: {', '.join(now[:_MOST_TOLD])}{', …' if len(now) > _MOST_TOLD else '.'}"


def inventory_of(tab: Tab) -> Inventory:
    """Return the inventory of a tab, made when it is first asked for."""
    return tab.component(Inventory)
