"""The tools of one tab: looked up when asked for, kept until the page changes, followed if wanted."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from tabwright.browser.tab import Tab
from tabwright.errors import NotFound
from tabwright.page_tools.listing import Listing, listing_of
from tabwright.page_tools.tool import Outcome, Source


class Inventory:
    """What the page of a tab offers."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        self._sources: tuple[Source, ...] = ()
        self.latest: Listing | None = None

    async def listing(self) -> Listing:
        """Return the tools of the page as it is now."""
        found = [tool for source in self._sources for tool in await source.tools()]
        self.latest = listing_of(found, reserved=frozenset())
        return self.latest

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Outcome:
        """Check the arguments of a tool and run it.

        Raises:
            NotFound: the page has no tool of that name.
            Stale: it had one, and has not any more.
            InvalidArgs: the arguments do not fit its schema.
        """
        for tool in await self.listing():
            if tool.name == name:
                return await tool.run(arguments)
        raise NotFound(
            f"There is no page tool {name[:100]}: this page offers none.",
            hint="Act on the page itself; take a snapshot to see it.",
        )

    async def follow(self, changed: Callable[[Listing], Awaitable[None]]) -> None:
        """Tell of the list now, and whenever it becomes another, until the tab is closed."""
        await changed(await self.listing())
        await self._tab.closed.wait()


def inventory_of(tab: Tab) -> Inventory:
    """Return the inventory of a tab, made when it is first asked for."""
    return tab.having(Inventory)
