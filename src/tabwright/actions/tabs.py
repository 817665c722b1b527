"""Tabs of a session."""

from contextlib import suppress

import anyio
from pydantic import Field

from tabwright.action import Args, Effect, Result, action
from tabwright.browser.tab import Tab
from tabwright.errors import TabwrightError
from tabwright.fields import Timeout, WaitUntil
from tabwright.page_tools import inventory_of
from tabwright.sessions.session import Session

# Seconds for a page to load, and then to be looked at, before what is known of it is told.
_LOADING = 3.0
_LOOK = 3.0
_LONGEST_TITLE = 200


class TabLine(Result):
    """One tab."""

    id: str = Field(description="Id of the tab.")
    url: str = Field(description="Its address.")
    current: bool = Field(description="Whether actions go to it when they name none.")
    crashed: bool = Field(False, description="Whether its page has crashed: reload it, or close it.")
    title: str | None = Field(None, description="Title of its page, where tools were asked for.")
    tools: list[str] | None = Field(None, description="Names of its page's tools, where they were asked for.")

    def __str__(self) -> str:
        marks = (("current", self.current), ("crashed", self.crashed))
        marked = "".join(f" ({word})" for word, holds in marks if holds)
        offers = f" [{', '.join(self.tools)}]" if self.tools else ""
        return f"{self.id}{marked}: {self.url}{offers}"


class Opened(Result):
    """A tab that a page opened."""

    id: str = Field(description="Id of the tab.")
    url: str = Field(description="Its address.")
    opener: str = Field(description="Id of the tab that opened it, where known.")

    def __str__(self) -> str:
        return f"{self.opener or 'A page'} opened tab {self.id}: {self.url}"


class TabList(Result):
    """All tabs of a session."""

    tabs: list[TabLine] = Field(description="The open tabs, oldest first.")
    chosen: str = Field("", description="Id of the tab that was made the current one, while it is open.")
    done_to: str = Field("", description="Id of the tab that was opened, switched to or closed.")

    def __str__(self) -> str:
        return "\n".join(map(str, self.tabs)) or "No tab is open."


class TabId(Args):
    """Arguments that name a tab."""

    id: str = Field(min_length=1, max_length=20, description="Id of the tab, such as t2.")


class ListTabs(Args):
    """Arguments of `list_tabs`."""

    tools: bool = Field(False, description="Also tell titles, and the tools that the pages offer.")


class SwitchTab(TabId):
    """Arguments of `switch_tab`."""

    tools: bool = Field(False, description="Also tell its title, and the tools that its page offers.")


class CloseTab(Args):
    """Arguments of `close_tab`."""

    id: str = Field(min_length=1, max_length=20, description="Id of the tab, such as t2; or current.")


class WaitForTab(Args):
    """Arguments of `wait_for_tab`."""

    timeout: Timeout = 5.0


class NewTab(Args):
    """Arguments of `new_tab`."""

    url: str = Field("about:blank", max_length=100_000, description="Address to open.")
    wait_until: WaitUntil = "load"
    current: bool = Field(True, description="Make it the current tab.")
    tools: bool = Field(False, description="Also tell its title, and the tools that its page offers.")


@action(Effect.READ, group="Tabs")
async def list_tabs(session: Session, args: ListTabs) -> TabList:
    """List the tabs."""
    return await _tabs(session, looked_at=session.tabs if args.tools else ())


@action(Effect.ACT, group="Tabs", patient=True)
async def new_tab(session: Session, args: NewTab) -> TabList:
    """Open a tab and make it the current one; what cannot be opened leaves no tab."""
    session.context.gate.check(args.url)
    tab = await session.context.new_tab()
    if args.url != "about:blank":
        try:
            await tab.goto(args.url, wait_until=args.wait_until)
        except BaseException:
            with anyio.CancelScope(shield=True):
                await tab.close()
            raise
    if args.current:
        session.choose(tab)
    return await _tabs(session, about=tab, looked_at=(tab,) if args.tools else ())


@action(Effect.ACT, group="Tabs", idempotent=True)
async def switch_tab(session: Session, args: SwitchTab) -> TabList:
    """Make a tab the current one."""
    tab = session.context.tab(args.id)
    await tab.activate()
    session.choose(tab)
    return await _tabs(session, about=tab, looked_at=(tab,) if args.tools else ())


@action(Effect.DESTROY, group="Tabs")
async def close_tab(session: Session, args: CloseTab) -> TabList:
    """Close a tab."""
    tab = await session.tab(None if args.id == "current" else args.id)
    await tab.close()
    return await _tabs(session, about=tab)


@action(Effect.READ, group="Tabs", patient=True, queued=False)
async def wait_for_tab(session: Session, args: WaitForTab) -> Opened:
    """Wait for a tab that a page opens: beside the act that opens it, or after it."""
    tab = await session.context.arrivals.next(timeout=args.timeout)
    return Opened(id=tab.id, url=tab.url, opener=tab.opener.id if tab.opener else "")


async def _tabs(session: Session, *, about: Tab | None = None, looked_at: tuple[Tab, ...] = ()) -> TabList:
    """List the tabs, with the titles and tools of those that are looked at."""
    session.context.arrivals.tell(*session.tabs)
    seen: dict[Tab, tuple[str, list[str]]] = {}

    async def look(tab: Tab) -> None:
        seen[tab] = await _looked(tab)

    async with anyio.create_task_group() as group:
        for tab in looked_at:
            group.start_soon(look, tab)
    return TabList(
        tabs=[_line(session, tab, *seen.get(tab, (None, None))) for tab in session.tabs],
        chosen=session.current if session.current in session.context.tabs else "",
        done_to=about.id if about is not None else "",
    )


def _line(session: Session, tab: Tab, title: str | None, tools: list[str] | None) -> TabLine:
    return TabLine(
        id=tab.id,
        url=tab.url,
        current=tab is session.next,
        crashed=tab.crashed,
        title=title,
        tools=tools,
    )


async def _looked(tab: Tab) -> tuple[str, list[str]]:
    """Return the title and the tools of a page; of one that does not answer, what was seen of it last."""
    title = ""
    with suppress(TabwrightError):  # a dialog is open, or the page has crashed or is gone
        with anyio.move_on_after(_LOADING):
            await tab.until(lambda: tab.navigation.loaded)
        with anyio.move_on_after(_LOOK):
            title = await tab.title()
    listing = await inventory_of(tab).list_within(_LOOK)
    return title[:_LONGEST_TITLE], [tool.name for tool in listing.shown]
