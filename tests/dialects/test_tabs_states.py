"""The tabs dialect under random calls and user actions: the list always matches a model of it."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tabwright.app import running
from tabwright.browser.tab import TabId
from tabwright.doors.mcp.door import McpDoor
from tabwright.runner import Runner
from tabwright.sessions.session import Session
from tabwright.settings import SessionSettings, Settings
from tests.dialects.tabs_client import (
    CONNECTED,
    EMPTY,
    FLIGHTS,
    FOCUSED,
    MAIL,
    NONE,
    TABS,
    TabsClient,
    connect_client,
    run_in_page,
    tabs_door,
)
from tests.web import Web

PAGES = {"flights": (FLIGHTS, "find_flights"), "mail": (MAIL, "search"), "empty": (EMPTY, "")}
TOGGLE = """(known => known ? known.remove() : document.body.append(
    Object.assign(document.createElement('button'), {id: 'b', textContent: 'Archive'})))(document.getElementById('b'))"""

Step = tuple[str, int, str]
numbers = st.integers(0, 2)
pages = st.sampled_from(sorted(PAGES))
steps = st.one_of(
    *(
        st.tuples(st.just(kind), numbers, pages)
        for kind in ("open", "open behind", "focus", "close", "close one", "wrong", "call")
    ),
    *(
        st.tuples(st.just(kind), numbers, pages)
        for kind in ("user opens", "user closes", "user navigates", "user changes", "page crashes")
    ),
)


@dataclass
class Model:
    """The expected state: the tools of each open tab, and the focused tab."""

    connected: bool = False
    tabs: dict[int, set[str]] = field(default_factory=dict)
    focused: int | None = None

    @property
    def tool_names(self) -> list[str]:
        if not self.connected:
            return NONE
        if not self.tabs:
            return CONNECTED
        return TABS if self.focused is None else sorted([*FOCUSED, *self.tabs[self.focused]])

    def remove(self, tab: int) -> None:
        del self.tabs[tab]
        self.focused = None if self.focused == tab else self.focused


class Run:
    """One sequence of steps, applied to the product and to the model."""

    def __init__(self, client: TabsClient, session: Session, web: Web) -> None:
        self._client = client
        self._session = session
        self._urls = {name: web.page(html) for name, (html, _) in PAGES.items()}
        self.model = Model(connected=True)

    async def apply(self, step: Step) -> None:
        """Do a step; without tabs, a step that needs one does nothing."""
        kind, number, page = step
        by_kind: dict[str, Callable[[int, str], Awaitable[None]]] = {
            "focus": self._focus,
            "close one": self._close,
            "user closes": self._user_closes,
            "user navigates": self._user_navigates,
            "user changes": self._user_changes,
            "page crashes": self._crash,
        }
        if kind in by_kind:
            tabs = sorted(self.model.tabs)
            if tabs:
                await by_kind[kind](tabs[number % len(tabs)], page)
        elif kind in ("open", "open behind"):
            opened = await self._client.do("open_tab", url=self._urls[page], focus=kind == "open")
            self._add(opened["tab"]["id"], page)
            if kind == "open":
                self.model.focused = opened["tab"]["id"]
                assert opened["toolsAvailable"] == sorted(tools_of(page))
        elif kind == "user opens":
            tab = await self._session.context.new_tab(self._urls[page])
            self._add(int(tab.id[1:]), page)
        elif kind == "close" and self.model.focused is not None:
            closed = await self._client.do("close_tab")
            assert closed == {"closed": True, "tabId": self.model.focused}
            self.model.remove(self.model.focused)
        elif kind == "wrong":
            await self._client.expect_error("focus_tab", tabId=9_999)
            await self._client.expect_error("open_tab", url="nowhere at all")
        elif kind == "call" and self.model.focused is not None:
            known = self.model.tabs[self.model.focused]
            if "archive" in known:
                await self._client.agent.text("archive")

    def _add(self, tab: int, page: str) -> None:
        self.model.tabs[tab] = set(tools_of(page))

    async def _focus(self, tab: int, _: str) -> None:
        focused = await self._client.do("focus_tab", tabId=tab)
        assert sorted(focused["toolsAvailable"]) == sorted(self.model.tabs[tab])
        self.model.focused = tab

    async def _close(self, tab: int, _: str) -> None:
        assert await self._client.do("close_tab", tabId=tab) == {"closed": True, "tabId": tab}
        self.model.remove(tab)

    async def _user_closes(self, tab: int, _: str) -> None:
        await self._session.context.tab(f"t{tab}").close()
        self.model.remove(tab)

    async def _user_navigates(self, tab: int, page: str) -> None:
        await self._session.context.tab(f"t{tab}").goto(self._urls[page])
        self._add(tab, page)

    async def _user_changes(self, tab: int, _: str) -> None:
        await run_in_page(self._session, tab, TOGGLE)
        self.model.tabs[tab] ^= {"archive"}

    async def _crash(self, tab: int, _: str) -> None:
        crashing = self._session.context.tabs[TabId(f"t{tab}")]
        crashing.session.post("Page.crash")
        with anyio.fail_after(60):
            await crashing.context.changed.until(lambda: crashing.crashed)
        self.model.remove(tab)


def tools_of(page: str) -> list[str]:
    return [tool for tool in (PAGES[page][1],) if tool]


@pytest.fixture(scope="module")
async def runner(anyio_backend: str) -> AsyncIterator[Runner]:
    # Each test begins without a session.
    sessions = SessionSettings(reconnect_seconds=0)
    async with running(Settings(attach="none", sessions=sessions)) as runner:
        yield runner


@pytest.fixture(scope="module")
def door(runner: Runner) -> McpDoor:
    return tabs_door(runner)


@given(sequence=st.lists(steps, min_size=5, max_size=12))
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_the_list_follows_any_change_and_each_is_notified_once(
    runner: Runner, door: McpDoor, web: Web, sequence: list[Step]
) -> None:
    async with connect_client(door) as client:
        assert await client.tool_names() == NONE
        await client.do("connect_browser", launch=True)
        [session] = runner.sessions
        run, times = Run(client, session, web), 1
        names = run.model.tool_names
        for step in sequence:
            await run.apply(step)
            times += run.model.tool_names != names
            names = run.model.tool_names
            await client.wait_for_changes(times)
            assert sorted(await client.tool_names()) == sorted(names), step
            assert client.change_count == times, step
        known = (await client.do("list_tabs"))["tabs"]
        assert {tab["id"]: tab["toolCount"] for tab in known} == {
            tab: len(tools) for tab, tools in run.model.tabs.items()
        }
        assert client.change_count == times
