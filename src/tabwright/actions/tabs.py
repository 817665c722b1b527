"""Tabs of a session."""

from pydantic import Field

from tabwright.action import Args, Effect, Result, action
from tabwright.browser.tab import Tab
from tabwright.fields import Timeout
from tabwright.sessions.session import Session


class TabLine(Result):
    """One tab."""

    id: str = Field(description="Id of the tab.")
    url: str = Field(description="Its address.")
    current: bool = Field(description="Whether actions go to it when they name none.")

    def __str__(self) -> str:
        return f"{self.id}{' (current)' if self.current else ''}: {self.url}"


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

    def __str__(self) -> str:
        return "\n".join(map(str, self.tabs)) or "No tab is open."


class TabId(Args):
    """Arguments that name a tab."""

    id: str = Field(min_length=1, max_length=20, description="Id of the tab, such as t2.")


class WaitForTab(Args):
    """Arguments of `wait_for_tab`."""

    timeout: Timeout = 5.0


class NewTab(Args):
    """Arguments of `new_tab`."""

    url: str = Field("about:blank", max_length=100_000, description="Address to open.")


@action(Effect.READ)
async def list_tabs(session: Session, args: Args) -> TabList:
    """List the tabs."""
    return await _tabs(session)


@action(Effect.ACT, patient=True)
async def new_tab(session: Session, args: NewTab) -> TabList:
    """Open a tab and make it the current one."""
    session.choose(await session.context.new_tab(args.url))
    return await _tabs(session)


@action(Effect.ACT, idempotent=True)
async def switch_tab(session: Session, args: TabId) -> TabList:
    """Make a tab the current one."""
    tab = session.context.tab(args.id)
    await tab.activate()
    session.choose(tab)
    return await _tabs(session)


@action(Effect.DESTROY)
async def close_tab(session: Session, args: TabId) -> TabList:
    """Close a tab."""
    await session.context.tab(args.id).close()
    return await _tabs(session)


@action(Effect.READ, patient=True, queued=False)
async def wait_for_tab(session: Session, args: WaitForTab) -> Opened:
    """Wait for a tab that a page opens: beside the act that opens it, or after it."""
    tab = await session.context.arrivals.next(timeout=args.timeout)
    return Opened(id=tab.id, url=tab.url, opener=tab.opener.id if tab.opener else "")


async def _tabs(session: Session) -> TabList:
    session.context.arrivals.tell(*session.tabs)
    current: Tab | None = await session.tab() if session.tabs else None
    return TabList(tabs=[TabLine(id=tab.id, url=tab.url, current=tab is current) for tab in session.tabs])
