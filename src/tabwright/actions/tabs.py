"""Tabs of a session."""

from contextlib import suppress

import anyio
from pydantic import Field

from tabwright.action import Args, Effect, Result, action
from tabwright.browser.tab import Tab
from tabwright.errors import TabwrightError
from tabwright.fields import Timeout, Url, WaitUntil
from tabwright.page_tools import inventory_of
from tabwright.sessions.session import Session
from tabwright.text import quote_name

# Seconds that a page gets to load, and then to list its tools.
_LOAD_TIMEOUT = 3.0
_LIST_TIMEOUT = 3.0
# The same for its title alone, which a page that works gives at once.
_TITLE_TIMEOUT = 1.0
_MAX_TITLE_LENGTH = 200


class TabLine(Result):
    """One tab."""

    id: str = Field(description="Id of the tab.")
    url: str = Field(description="Its URL.")
    current: bool = Field(description="Whether actions use it by default.")
    crashed: bool = Field(False, description="Whether its page has crashed; reload or close it.")
    title: str | None = Field(None, description="Its title, with titles or tools.")
    tools: list[str] | None = Field(None, description="Names of its page tools, with tools.")

    def __str__(self) -> str:
        marks = (("current", self.current), ("crashed", self.crashed))
        marked = "".join(f" ({word})" for word, holds in marks if holds)
        offers = f" [{', '.join(map(quote_name, self.tools))}]" if self.tools else ""
        return f"{self.id}{marked}: {self.url}{offers}"


class Opened(Result):
    """A tab that a page opened."""

    id: str = Field(description="Id of the tab.")
    url: str = Field(description="Its URL.")
    opener: str = Field(description="Id of the tab that opened it, if known.")

    def __str__(self) -> str:
        return f"{self.opener or 'A page'} opened tab {self.id}: {self.url}"


class TabList(Result):
    """All tabs of a session."""

    tabs: list[TabLine] = Field(description="The open tabs, oldest first.")
    chosen: str = Field("", description="Id of the tab that was made current, while it is open.")
    done_to: str = Field("", description="Id of the tab that was opened, switched to or closed.")

    def __str__(self) -> str:
        return "\n".join(map(str, self.tabs)) or "No tab is open."


class TabId(Args):
    """Arguments that name a tab."""

    id: str = Field(min_length=1, max_length=20, description="Id of the tab, such as t2.")


class ListTabs(Args):
    """Arguments of `list_tabs`."""

    titles: bool = Field(False, description="Also return titles.")
    tools: bool = Field(False, description="Also return titles and page tools.")


class SwitchTab(TabId):
    """Arguments of `switch_tab`."""

    tools: bool = Field(False, description="Also return its title and page tools.")


class CloseTab(Args):
    """Arguments of `close_tab`."""

    id: str = Field(min_length=1, max_length=20, description="Id of the tab, such as t2; or current.")


class WaitForTab(Args):
    """Arguments of `wait_for_tab`."""

    timeout: Timeout = 5.0


class NewTab(Args):
    """Arguments of `new_tab`."""

    url: Url = Field("about:blank", description="URL to open.")
    wait_until: WaitUntil = "load"
    current: bool = Field(True, description="Make it the current tab.")
    tools: bool = Field(False, description="Also return its title and page tools.")


@action(Effect.READ, does=("look",), group="Tabs")
async def list_tabs(session: Session, args: ListTabs) -> TabList:
    """List the tabs."""
    return await _tabs(session, inspect=session.tabs if args.tools or args.titles else (), tools=args.tools)


@action(Effect.ACT, does=("navigate",), group="Tabs", patient=True)
async def new_tab(session: Session, args: NewTab) -> TabList:
    """Open a tab and make it current; if the URL fails to load, no tab is left."""
    session.context.gate.check(args.url)
    if session.context.browser.declared_pages is not None:
        tab = await session.context.new_tab(args.url, background=not args.current)
    else:
        tab = await session.context.new_tab()
        if args.url != "about:blank":
            await _go_or_close(tab, args)
    if args.current:
        session.choose(tab)
    return await _tabs(session, about=tab, inspect=(tab,) if args.tools else ())


async def _go_or_close(tab: Tab, args: NewTab) -> None:
    """Navigate a new tab; close it if that fails."""
    try:
        await tab.goto(args.url, wait_until=args.explicit("wait_until"))
    except BaseException:
        with anyio.CancelScope(shield=True):
            await tab.close()
        raise


@action(Effect.ACT, does=("configure",), group="Tabs", idempotent=True)
async def switch_tab(session: Session, args: SwitchTab) -> TabList:
    """Make a tab the current one."""
    tab = session.context.tab(args.id)
    await tab.activate()
    session.choose(tab)
    return await _tabs(session, about=tab, inspect=(tab,) if args.tools else ())


@action(Effect.DESTROY, does=("close",), group="Tabs")
async def close_tab(session: Session, args: CloseTab) -> TabList:
    """Close a tab."""
    tab = await session.tab(None if args.id == "current" else args.id)
    await tab.close()
    return await _tabs(session, about=tab)


@action(Effect.READ, does=("look",), group="Tabs", patient=True, queued=False)
async def wait_for_tab(session: Session, args: WaitForTab) -> Opened:
    """Wait for a tab that a page opens; call it during or after the click."""
    tab = await session.context.new_tabs.next(timeout=args.timeout)
    return Opened(id=tab.id, url=tab.url, opener=tab.opener.id if tab.opener else "")


async def _tabs(
    session: Session, *, about: Tab | None = None, inspect: tuple[Tab, ...] = (), tools: bool = True
) -> TabList:
    """List the tabs; read the titles of some, and their page tools."""
    session.context.new_tabs.mark_known(*session.tabs)
    seen: dict[Tab, tuple[str, list[str] | None]] = {}

    async def look(tab: Tab) -> None:
        seen[tab] = await _inspect(tab) if tools else (await _read_title(tab), None)

    async with anyio.create_task_group() as group:
        for tab in inspect:
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


async def _read_title(tab: Tab) -> str:
    """Return the title of a page; "" if it does not answer."""
    title = ""
    with suppress(TabwrightError), anyio.move_on_after(_TITLE_TIMEOUT):
        title = await tab.title()
    return title[:_MAX_TITLE_LENGTH]


async def _inspect(tab: Tab) -> tuple[str, list[str]]:
    """Return the title and tools of a page; those last known if it does not answer."""
    title = ""
    with suppress(TabwrightError):  # a dialog is open, or the page has crashed or is gone
        with anyio.move_on_after(_LOAD_TIMEOUT):
            await tab.until(lambda: tab.navigation.loaded)
        with anyio.move_on_after(_LIST_TIMEOUT):
            title = await tab.title()
    listing = await inventory_of(tab).list_within(_LIST_TIMEOUT)
    return title[:_MAX_TITLE_LENGTH], [tool.name for tool in listing.shown]
