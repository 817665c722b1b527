"""The tools of one tab: listed on request, cached until the page changes, called, and followed if wanted."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from difflib import get_close_matches
from typing import Any

import anyio

from tabwright.aio import Signal
from tabwright.browser.find.approved import Approved, Shown
from tabwright.browser.page.frame import DocumentGone, Frame
from tabwright.browser.tab import Tab
from tabwright.cdp import CdpError
from tabwright.errors import BrowserGone, NotFound, Stale, TabwrightError
from tabwright.page_tools.extension_tools import ExtensionTools
from tabwright.page_tools.found.consequences import announces
from tabwright.page_tools.found.finder import ToolFinder
from tabwright.page_tools.found.frame_query import call_script
from tabwright.page_tools.listing import Listing, build_listing, render_new_tools
from tabwright.page_tools.page_changes import SETTLE_TIME, PageChanges, PageState
from tabwright.page_tools.recipes.source import Recipes
from tabwright.page_tools.reserved import reserved_names
from tabwright.page_tools.schema_check import PatternCheck, argument_error, check_arguments, coerce_arguments
from tabwright.page_tools.tool import Outcome, PageTool, Source
from tabwright.page_tools.webmcp.source import SiteTools
from tabwright.text import quote, quote_name

log = logging.getLogger(__name__)

# A page that never settles is inspected this often, in seconds.
_MAX_PAUSE = 5.0
_MAX_NAMES_IN_HINT = 5
# Seconds that a page gets after a tool ran to report its new tools.
_NEW_TOOLS_TIMEOUT = 2.0


class Inventory:
    """The tools of a tab's page."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        declared = tab.declared
        self._site = SiteTools(tab) if declared is None else ExtensionTools(tab, declared)
        self._recipes = Recipes(tab, tab.context.recipe_folder if declared is None else None)
        found = (ToolFinder(tab),) if declared is None else ()
        self._sources: tuple[Source, ...] = (self._recipes, self._site, *found)
        self._changes = PageChanges(tab, lambda: (self._site.revision, self._recipes.revision))
        self._lock = anyio.Lock()
        self._listed_state: PageState = ()
        # The URL where each tool was last listed, by name.
        self._known: dict[str, str] = {}
        self._before_call: Listing | None = None
        self.latest: Listing | None = None
        # Counts the changes of the list. A page reports a change to one caller only; by this number all
        # followers learn of it.
        self._edition = 0
        self._listed = Signal()

    async def list_tools(self) -> Listing:
        """Return the tools that the page has now."""
        async with self._lock:
            state = self._changes.state()
            if self.latest is not None and self._listed_state == state and not await self._changes.mutated():
                return self.latest
            found = [tool for source in self._sources for tool in await source.tools()]
            named = build_listing(self._site.apply_declared_names(found), reserved=reserved_names())
            listing = build_listing(self._recipes.apply_amendments(named), reserved=reserved_names())
            if self.latest is None or self.latest.fingerprint != listing.fingerprint:
                self._edition += 1
            self.latest, self._listed_state = listing, state
            self._known |= {tool.name: self._tab.url for tool in listing}
            self._listed.fire()
            return listing

    async def list_within(self, seconds: float) -> Listing:
        """Return the tools that the page has now, or the last listing if it does not answer in time."""
        with suppress(BrowserGone), anyio.move_on_after(seconds):
            await self._try_to_list()
        return self.latest or Listing()

    async def _try_to_list(self) -> Listing | None:
        """Return the list, or None while the page cannot be inspected."""
        try:
            return await self.list_tools()
        except BrowserGone:
            raise
        except (CdpError, DocumentGone, TabwrightError) as error:
            log.debug("could not list the page tools of tab %s: %s", self._tab.id, error)
            return None

    def take_notices(self) -> str:
        """Return notices about the user's recipes that were not returned yet."""
        return self._recipes.take_notices()

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Outcome:
        """Check the arguments of a tool and run it.

        Raises:
            NotFound: the page has no tool of that name.
            Stale: the page no longer has that tool.
            InvalidArgs: the arguments do not match its schema.
        """
        tool = await self._resolve(name)
        if (approved := self._tab.shield.approved) is not None:
            approved.require_tool(self._fingerprint(tool))
        self._before_call = self.latest
        given = coerce_arguments(tool.schema, arguments)
        patterns = check_arguments(tool.name, tool.schema, given)
        if patterns and self._tab.declared is None:  # else its extension checks them
            await self._check_patterns(tool, patterns)
        return await tool.run(given)

    async def show(self, approved: Approved, name: str, arguments: Mapping[str, Any]) -> list[Shown]:
        """Hold what a tool would set and press, for a person to approve; return how it looks.

        Raises:
            NotFound, Stale: the page does not have the tool.
            InvalidArgs: the arguments do not match its schema.
        """
        tool = await self._resolve(name)
        given = coerce_arguments(tool.schema, arguments)
        check_arguments(tool.name, tool.schema, given)
        approved.tool = self._fingerprint(tool)
        set_by = [number for key, number in tool.controls.items() if key in given]
        numbers = [number for number in (*set_by, *tool.presses(given)) if number]
        shown = [await approved.extend(self._frame(tool), number) for number in numbers] if numbers else []
        labels = [one.label for one in shown if one is not None]
        facts = dict.fromkeys(fact for one in shown if one is not None for fact in one.facts)
        return [Shown(f"page tool {tool.name}", (tool.description, *labels, *facts))]

    def _fingerprint(self, tool: PageTool) -> str:
        """Return everything of a tool that a person sees, and where it comes from."""
        page = self._tab.url if self._tab.declared is not None else ""  # others are bound to the document
        return repr((tool.name, tool.description, tool.schema, tool.source, tool.frame, tool.element, page))

    async def _check_patterns(self, tool: PageTool, patterns: list[PatternCheck]) -> None:
        frame = self._frame(tool)
        pairs = [[check.pattern, check.value] for check in patterns]
        mismatches = await call_script(frame, "pageToolMismatches", pairs)
        if mismatches:
            faults = [
                f"{check.path} must match {quote(check.pattern[:100])}"
                for check in patterns
                if check.pattern in mismatches
            ]
            raise argument_error(tool.name, tool.schema, faults)

    async def describe_new_tools(self) -> str:
        """Return one line that names the tools that appeared since the last call; "" the second time."""
        before, self._before_call = self._before_call, None
        if before is None or self._tab.dialogs.open is not None or self._tab.closed.is_set():
            return ""
        return render_new_tools(before, await self.list_within(_NEW_TOOLS_TIMEOUT))

    def _frame(self, tool: PageTool) -> Frame:
        frame = self._tab.frames.get(tool.frame)
        if frame is None:
            raise Stale(f"The frame of {tool.name} is gone.", hint="List the page tools again.")
        return frame

    async def _resolve(self, name: str) -> PageTool:
        """Return the tool that was last listed under a name, even if it has another name now."""
        listed = {tool.name: tool for tool in self.latest or ()}.get(name)
        now = list(await self.list_tools())
        if listed is not None and listed.element:
            same = [tool for tool in now if (tool.frame, tool.element) == (listed.frame, listed.element)]
            renamed = same[0].name.replace("_", " ") if len(same) == 1 else ""
            # What the tool does may be another thing now, which the caller did not ask for.
            if renamed and same[0].source == listed.source and announces(name, renamed):
                return same[0]
        for tool in now:
            if tool.name == name:
                return tool
        raise self._missing(name, [tool.name for tool in now])

    def _missing(self, name: str, now: list[str]) -> NotFound | Stale:
        hint = _hint(get_close_matches(name, now, n=3), now)
        if name in self._known:
            return Stale(f"The tool {name} of {self._known[name]} is gone.", hint=hint)
        return NotFound(f"This page has no tool {name[:100]}.", hint=hint)

    async def follow(self, on_change: Callable[[Listing], Awaitable[None]]) -> None:
        """Report the list now and after every change, until the tab is closed."""
        edition, pause = 0, SETTLE_TIME
        while not self._tab.closed.is_set():
            listing = await self._try_to_list()
            if listing is not None and edition != self._edition:
                edition, pause = self._edition, SETTLE_TIME
                await on_change(listing)
            else:
                pause = min(pause * 2, _MAX_PAUSE)
            # Compared with the state that was listed, so that a change made meanwhile is reported at once.
            state = self._listed_state if listing is not None else self._changes.state()
            await self._next_change(pause, state, edition)

    async def _next_change(self, pause: float, state: PageState, edition: int) -> None:
        """Wait for a navigation, for a change of the page that settles, or for another caller's new list."""
        async with anyio.create_task_group() as group:

            async def race(wait: Callable[..., Awaitable[None]], *args: Any) -> None:
                await wait(*args)
                group.cancel_scope.cancel()

            group.start_soon(race, self._changes.wait_for_navigation, state)
            group.start_soon(race, self._changes.wait_for_mutation, pause)
            group.start_soon(race, self._wait_for_other_caller, edition)

    async def _wait_for_other_caller(self, edition: int) -> None:
        await self._listed.until(lambda: self._edition != edition)
        await anyio.sleep(SETTLE_TIME)


def _hint(near: list[str], now: list[str]) -> str:
    """Name the tools that are similar to the one asked for, or else the first ones."""
    if not now:
        return "It has no tools; take a snapshot to see it."
    if near and len(near) < len(now):
        return f"Similar: {', '.join(map(quote_name, near))}."
    names = ", ".join(map(quote_name, now[:_MAX_NAMES_IN_HINT]))
    return f"It has: {names}{', …' if len(now) > _MAX_NAMES_IN_HINT else '.'}"


def inventory_of(tab: Tab) -> Inventory:
    """Return the inventory of a tab, created on first use."""
    return tab.component(Inventory)
