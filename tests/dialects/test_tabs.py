"""The tabs dialect as agents use it: its tools follow the browser, and each change is notified once."""

import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import mcp_types as types
import pytest
from mcp import Client

from tabwright import __version__
from tabwright.app import http_door, running
from tabwright.browser.tab import Tab
from tabwright.browser.user_chrome.debug_ports import find_debug_ports
from tabwright.doors.mcp.door import McpDoor
from tabwright.doors.mcp.lazy import LazyMcp
from tabwright.doors.wire.handshake import Hello
from tabwright.home import Home
from tabwright.policy.callers.principal import Principal
from tabwright.runner import Runner
from tabwright.sessions.session import Session
from tabwright.settings import SessionSettings, Settings
from tests.browser.test_attach import ExternalBrowser, external_browser
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
from tests.doors.mcp.agents import MODERN, Json, connected_to, hub_of
from tests.web import Request, Response, Web

pytestmark = pytest.mark.usefixtures("as_owner")

LOCAL = Principal("local:test")
ADD = (
    "document.body.append(Object.assign(document.createElement('button'), {id: 'b', textContent: 'Archive'}))"
)
# Exactly as in the dialect's specification.
SCHEMAS: dict[str, Json] = {
    "connect_browser": {
        "type": "object",
        "properties": {
            "launch": {
                "type": "boolean",
                "description": "Launch new browser instance if none found",
                "default": False,
            }
        },
    },
    "list_tabs": {"type": "object", "properties": {}},
    "open_tab": {
        "type": "object",
        "properties": {
            "url": {"type": "string", "description": "URL to open"},
            "focus": {"type": "boolean", "description": "Focus the new tab after opening", "default": True},
        },
        "required": ["url"],
    },
    "focus_tab": {
        "type": "object",
        "properties": {"tabId": {"type": "number", "description": "ID of the tab to focus"}},
        "required": ["tabId"],
    },
    "close_tab": {
        "type": "object",
        "properties": {
            "tabId": {"type": "number", "description": "ID of tab to close. Defaults to focused tab."}
        },
    },
}


@pytest.fixture(scope="module")
async def runner(anyio_backend: str) -> AsyncIterator[Runner]:
    sessions = SessionSettings(reconnect_seconds=0)  # each test begins without a session
    async with running(Settings(attach="none", sessions=sessions)) as runner:
        yield runner


@pytest.fixture(scope="module")
def door(runner: Runner) -> McpDoor:
    return tabs_door(runner)


@pytest.fixture
async def client(door: McpDoor) -> AsyncIterator[TabsClient]:
    async with connect_client(door) as client:
        yield client


def only_session(runner: Runner) -> Session:
    [session] = runner.sessions
    return session


async def focused_on(client: TabsClient, url: str) -> int:
    """Connect, open a page, and reset the count of notifications."""
    await client.do("connect_browser", launch=True)
    opened = await client.do("open_tab", url=url)
    client.agent.notices.clear()
    number: int = opened["tab"]["id"]
    return number


async def test_each_state_has_the_tools_and_answers_of_the_document(client: TabsClient, web: Web) -> None:
    flights, mail = web.page(FLIGHTS), web.page(MAIL)
    seen = {tool["name"]: tool["inputSchema"] for tool in await client.tools()}
    assert list(seen) == NONE

    connected = await client.do("connect_browser", launch=True)
    browser = connected.pop("browser")
    assert connected == {"connected": True, "tabCount": 0}
    assert (browser["name"], browser["version"].split(".")[0].isdigit()) == ("Chrome", True)
    assert (client.change_count, await client.tool_names()) == (1, CONNECTED)
    assert await client.do("list_tabs") == {"tabs": [], "focusedTabId": None}

    first = await client.do("open_tab", url=flights, focus=False)
    one = first["tab"]["id"]
    assert first == {
        "tab": {"id": one, "title": "Flights", "url": flights},
        "focused": False,
        "toolsAvailable": [],
    }
    assert (client.change_count, await client.tool_names()) == (2, TABS)  # now there is a tab to focus

    second = await client.do("open_tab", url=mail)
    two = second["tab"]["id"]
    assert second == {
        "tab": {"id": two, "title": "Mail", "url": mail},
        "focused": True,
        "toolsAvailable": ["search"],
    }
    assert (client.change_count, await client.tool_names()) == (3, [*FOCUSED, "search"])
    seen |= {tool["name"]: tool["inputSchema"] for tool in await client.tools() if tool["name"] in SCHEMAS}
    assert seen == SCHEMAS

    assert await client.do("focus_tab", tabId=one) == {
        "success": True,
        "tab": {"id": one, "title": "Flights", "url": flights},
        "toolsAvailable": ["find_flights"],
    }
    assert (client.change_count, await client.tool_names()) == (4, [*FOCUSED, "find_flights"])
    assert await client.do("list_tabs") == {
        "tabs": [
            {"id": one, "title": "Flights", "url": flights, "focused": True, "toolCount": 1},
            {"id": two, "title": "Mail", "url": mail, "focused": False, "toolCount": 1},
        ],
        "focusedTabId": one,
    }
    assert await client.do("close_tab", tabId=two) == {"closed": True, "tabId": two}
    assert (client.change_count, await client.tool_names()) == (4, [*FOCUSED, "find_flights"])
    await client.do("open_tab", url=mail, focus=False)
    assert await client.do("close_tab") == {"closed": True, "tabId": one}
    assert (client.change_count, await client.tool_names()) == (5, TABS)
    last = (await client.do("list_tabs"))["tabs"][0]["id"]
    await client.do("focus_tab", tabId=last)
    await client.do("close_tab", tabId=last)
    assert (client.change_count, await client.tool_names()) == (7, CONNECTED)


async def test_without_a_browser_nothing_changes_and_a_hint_is_given(client: TabsClient) -> None:
    answer = await client.do("connect_browser")
    assert answer.pop("instructions").endswith("or call with launch=true")
    assert answer == {"connected": False, "error": "No browser found"}
    assert await client.expect_error("list_tabs") == (
        "Blocked (-32012): No browser is connected.\nCall connect_browser first."
    )
    assert (client.change_count, await client.tool_names()) == (0, NONE)


@pytest.mark.parametrize(
    "bad",
    [
        ("focus_tab", {"tabId": 987}, "NotFound (-32010): There is no tab 987; open tabs: {n}."),
        (
            "focus_tab",
            {"tabId": 123456789},
            "NotFound (-32010): There is no tab 123456789; open tabs: {n}.",
        ),
        ("focus_tab", {"tabId": 0.5}, "NotFound (-32010): There is no tab 0.5; open tabs: {n}."),
        ("close_tab", {"tabId": -1}, "NotFound (-32010): There is no tab -1; open tabs: {n}."),
        ("open_tab", {"url": "no url"}, "InvalidParams (-32602): 'no url' is not a URL."),
        (
            "open_tab",
            {"url": "file:///etc/passwd"},
            "AuthorizationError (-32002): file: URLs are refused.",
        ),
        ("open_tab", {"url": "http://127.0.0.1:1/"}, "PageFailed (-32014): http://127.0.0.1:1/ could not be"),
    ],
)
async def test_a_bad_tab_or_address_is_an_error_and_changes_nothing(
    runner: Runner, client: TabsClient, web: Web, bad: tuple[str, Json, str]
) -> None:
    tool, arguments, message = bad
    number = await focused_on(client, web.page(MAIL))
    assert (await client.expect_error(tool, **arguments)).startswith(message.format(n=number))
    assert (await client.do("list_tabs"))["focusedTabId"] == number
    assert [tab.id for tab in only_session(runner).tabs] == [f"t{number}"]
    assert (client.change_count, await client.tool_names()) == (0, [*FOCUSED, "search"])


async def crash(tab: Tab) -> None:
    tab.session.post("Page.crash")
    with anyio.fail_after(60):
        await tab.context.changed.until(lambda: tab.crashed)


async def test_changes_by_the_user_are_notified_once_if_the_tools_change(
    runner: Runner, client: TabsClient, web: Web
) -> None:
    mail, flights, empty = web.page(MAIL), web.page(FLIGHTS), web.page(EMPTY)
    number = await focused_on(client, mail)
    session = only_session(runner)
    tab = session.context.tab(f"t{number}")

    other = await session.context.new_tab(flights)  # one more tab does not change the list
    assert [line["focused"] for line in (await client.do("list_tabs"))["tabs"]] == [True, False]
    await run_in_page(session, number, ADD)
    await client.wait_for_changes(1)
    assert await client.tool_names() == [*FOCUSED, "search", "archive"]
    await tab.element("input").fill("the text of a field does not change the list")
    await run_in_page(session, number, "b.remove()")
    await client.wait_for_changes(2)
    assert await client.tool_names() == [*FOCUSED, "search"]
    await tab.goto(flights)
    await client.wait_for_changes(3)
    assert await client.tool_names() == [*FOCUSED, "find_flights"]
    await tab.goto(f"{flights}?again")  # another URL, the same tools
    await tab.goto(empty)
    await client.wait_for_changes(4)
    assert await client.tool_names() == FOCUSED
    await crash(tab)
    await client.wait_for_changes(5)
    assert await client.tool_names() == TABS
    assert [line["id"] for line in (await client.do("list_tabs"))["tabs"]] == [int(other.id[1:])]
    assert (await client.expect_error("focus_tab", tabId=number)).startswith(
        f"NotFound (-32010): There is no tab {number}"
    )
    await client.do("focus_tab", tabId=int(other.id[1:]))
    await other.close()
    await client.wait_for_changes(7)
    assert await client.tool_names() == CONNECTED
    assert client.change_count == 7


async def test_a_page_built_in_steps_is_notified_at_most_twice(
    runner: Runner, client: TabsClient, web: Web
) -> None:
    number = await focused_on(client, web.page(EMPTY))
    tab = only_session(runner).context.tab(f"t{number}")
    gate, last = anyio.Event(), anyio.Event()
    words = ("Archive", "Label", "Mute", "Pin", "Reply", "Snooze", "Star", "Translate")

    async def slow() -> Response:
        await gate.wait()
        return Response("", headers={"content-type": "image/png"})

    def on_built(_: Request) -> Response:
        last.set()
        return Response()

    picture = web.route("/slow.png", lambda _: slow())
    steps = "".join(f"<script>setTimeout(() => add({step}), {step * 120})</script>" for step in range(8))
    page = f"""<title>Steps</title>{MAIL}<img src="{picture}"><script>
        const words = {list(words)};
        const add = step => document.body.append(Object.assign(document.createElement('button'), {{textContent: words[step]}}));
        </script>{steps}<script>setTimeout(() => fetch('/built'), 1200)</script>"""
    web.route("/built", on_built)
    await tab.goto(web.page(page), wait_until="commit")
    await last.wait()
    gate.set()
    whole = [*FOCUSED, "search", *(word.lower() for word in words)]
    with anyio.fail_after(60):
        while sorted(await client.tool_names()) != sorted(whole):
            pass
        await client.wait_for_changes(1)
    with anyio.move_on_after(3):
        await client.wait_for_changes(99)
    assert 1 <= client.change_count <= 2


async def test_a_page_tool_works_and_reports_when_its_page_is_gone(
    runner: Runner, client: TabsClient, web: Web
) -> None:
    number = await focused_on(client, web.page(FLIGHTS))
    done = await client.agent.text("find_flights", to="Oslo")
    assert done.startswith("Filled in")
    assert "to=Oslo" in [request.query for request in web.requests]
    [session] = runner.sessions
    await session.context.tab(f"t{number}").goto(web.page(EMPTY))
    late = await client.expect_error("find_flights", to="Oslo")
    assert late.startswith("Stale (-32011): The tool find_flights of http://127.0.0.1:")
    await client.do("close_tab")
    assert (await client.expect_error("find_flights", to="Oslo")).splitlines() == [
        "Stale (-32011): find_flights was a tool of a page, and no tab is focused now.",
        "Choose one with focus_tab.",
    ]
    answer = await client.agent.request("tools/call", {"name": "unknown_tool", "arguments": {}})
    assert answer["error"]["code"] == -32001


async def test_a_page_cannot_take_the_name_of_a_built_in_tool(client: TabsClient, web: Web) -> None:
    await focused_on(client, web.page("<button>List tabs</button><button>Connect browser</button><p>text"))
    assert sorted(await client.tool_names()) == sorted(
        [*FOCUSED, "connect_browser_on_page", "list_tabs_on_page"]
    )


async def test_the_list_right_after_an_answer_is_the_new_one(client: TabsClient, web: Web) -> None:
    await client.do("connect_browser", launch=True)
    open_mail = {"name": "open_tab", "arguments": {"url": web.page(MAIL)}}
    opened = await client.agent.ask("tools/call", open_mail)
    messages = [await client.agent.hear() for _ in range(2)]
    assert [message.get("method", message.get("id")) for message in messages] == [
        "notifications/tools/list_changed",
        opened,
    ]
    assert await client.tool_names() == [*FOCUSED, "search"]


async def test_agents_have_separate_states_and_other_dialects_get_no_notices(
    runner: Runner, door: McpDoor, web: Web
) -> None:
    both = tabs_door(runner, "browser,tabs")
    async with (
        connect_client(door, "one") as one,
        connect_client(door, "two") as two,
        connect_client(both, "three") as three,
    ):
        await focused_on(one, web.page(MAIL))
        await two.do("connect_browser", launch=True)
        assert (await one.tool_names(), await two.tool_names()) == ([*FOCUSED, "search"], CONNECTED)
        assert await two.do("list_tabs") == {"tabs": [], "focusedTabId": None}
        assert (await three.tool_names())[-1:] == NONE
        await three.agent.text("browser_navigate", url=web.page(FLIGHTS))
        assert (await three.tool_names())[-5:] == [*FOCUSED, "find_flights"]
        assert (one.change_count, two.change_count, three.change_count) == (0, 1, 1)
    async with connected_to(tabs_door(runner, "browser"), "four") as four:
        await four.text("browser_navigate", url=web.page(FLIGHTS))
        assert "find_flights(to" in await four.text("list_page_tools")
        await four.text("call_page_tool", name="find_flights", arguments={"to": "Bern"})
        assert "to=Bern" in [request.query for request in web.requests]
        assert four.notices == []


async def test_reconnecting_after_a_lost_browser_restores_the_tabs(
    runner: Runner, client: TabsClient, web: Web
) -> None:
    url = web.page(MAIL)
    number = await focused_on(client, url)
    session = only_session(runner)
    with anyio.fail_after(60):
        while session.state is None:  # saved soon after a call
            await session.context.browser.root.send("Browser.getVersion")
    assert session.context.browser.pid is not None
    os.kill(session.context.browser.pid, signal.SIGKILL)
    await client.wait_for_changes(1)
    assert await client.tool_names() == NONE
    assert (await client.expect_error("open_tab", url=url)).startswith(
        "Blocked (-32012): No browser is connected."
    )
    again = await client.do("connect_browser", launch=True)
    assert (again["tabCount"], again["note"].startswith("Your session")) == (1, True)
    assert (await client.do("list_tabs"))["focusedTabId"] == number
    assert (client.change_count, await client.tool_names()) == (2, [*FOCUSED, "search"])


@pytest.fixture
async def users(tmp_path: Path) -> AsyncIterator[ExternalBrowser]:
    async with external_browser(tmp_path / "profile") as running:
        yield running


async def test_the_users_chrome_is_joined_at_its_port_and_left_unchanged(
    users: ExternalBrowser, web: Web
) -> None:
    url = web.page(MAIL)
    async with running(Settings(attach=users.port)) as runner:
        async with connect_client(tabs_door(runner)) as client:
            assert (await client.do("connect_browser"))["tabCount"] == 1
            [theirs] = (await client.do("list_tabs"))["tabs"]
            assert (theirs["url"], theirs["focused"], await client.tool_names()) == (
                "about:blank",
                False,
                TABS,
            )
            await client.do("open_tab", url=url)
            assert await client.tool_names() == [*FOCUSED, "search"]
            denied = await client.expect_error("open_tab", url="file:///etc/passwd")
            assert denied.startswith("AuthorizationError")
        async with connect_client(tabs_door(runner)) as client:
            await client.do("connect_browser", launch=True)  # an existing browser is preferred
            assert {tab["url"] for tab in (await client.do("list_tabs"))["tabs"]} == {"about:blank", url}
            client.agent.notices.clear()
            users.process.kill()
            await client.wait_for_changes(1)
            assert await client.tool_names() == NONE
            assert (await client.do("connect_browser"))["connected"] is False


async def test_the_port_of_the_users_chrome_is_found(users: ExternalBrowser, tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere"
    nowhere.mkdir()
    (nowhere / "DevToolsActivePort").write_text("12\n../../etc")
    folders = [tmp_path / "none", nowhere, tmp_path / "profile"]
    # Chrome prints the port before it writes the file.
    with anyio.fail_after(60):
        while not (found := list(find_debug_ports(folders))):
            await anyio.lowlevel.checkpoint()
    assert found == [users.websocket]


@pytest.mark.usefixtures("screen")
async def test_focus_follows_the_user_if_follow_user_is_set(web: Web) -> None:
    async with running(Settings(attach="none", headless=False)) as runner:
        for wanted in (True, False):
            async with connect_client(tabs_door(runner, follow_user=wanted)) as client:
                flights = await focused_on(client, web.page(FLIGHTS))
                mail = (await client.do("open_tab", url=web.page(MAIL)))["tab"]["id"]
                context = only_session(runner).context
                target = context.tab(f"t{flights}").target_id
                await context.browser.root.send("Target.activateTarget", targetId=target)
                await client.wait_for_changes(1 + wanted)
                assert (await client.do("list_tabs"))["focusedTabId"] == (flights if wanted else mail)
                assert (await client.tool_names())[-1] == ("find_flights" if wanted else "search")
                assert client.change_count == 1 + wanted


class ChangeCounter:
    """The notifications that a client of the SDK receives."""

    def __init__(self) -> None:
        self.changes = 0
        self._changed = anyio.Event()

    async def __call__(self, message: Any) -> None:
        if isinstance(message, types.ToolListChangedNotification):
            self.changes += 1
            self._changed.set()
            self._changed = anyio.Event()

    async def reach(self, times: int) -> None:
        with anyio.fail_after(60):
            while self.changes < times:
                await self._changed.wait()


async def names(client: Client) -> list[str]:
    return [tool.name for tool in (await client.list_tools()).tools]


@pytest.fixture
async def url(runner: Runner, door: McpDoor, tmp_path: Path) -> AsyncIterator[str]:
    async with http_door(runner, LazyMcp(lambda: door), Home(tmp_path, tmp_path)) as url:
        assert url is not None
        yield f"{url}/mcp"


async def test_over_http_each_mcp_session_is_notified_of_its_own_list(
    runner: Runner, url: str, web: Web
) -> None:
    one, two = ChangeCounter(), ChangeCounter()
    mail = web.page(MAIL)
    async with (
        Client(url, mode="legacy", message_handler=one) as first,
        Client(url, mode="legacy", message_handler=two) as second,
    ):
        assert (await names(first), await names(second)) == (NONE, NONE)
        await first.call_tool("connect_browser", {"launch": True})
        opened = await first.call_tool("open_tab", {"url": mail})
        await one.reach(2)
        assert (await names(first), await names(second)) == ([*FOCUSED, "search"], NONE)
        assert opened.structured_content is not None
        number = opened.structured_content["tab"]["id"]
        await run_in_page(only_session(runner), number, ADD)
        await one.reach(3)  # not during a call: it is sent on the client's own stream
        assert await names(first) == [*FOCUSED, "search", "archive"]
        assert two.changes == 0
    assert list(runner.sessions) == []


@pytest.mark.parametrize("over", ["http", "stream"])
async def test_with_a_fixed_list_two_tools_reach_the_page_tools(
    runner: Runner, door: McpDoor, url: str, web: Web, over: str
) -> None:
    always = [*SCHEMAS, "list_page_tools", "call_page_tool"]
    flights = web.page(FLIGHTS)

    async def use_page_tools(client: Client) -> None:
        assert client.protocol_version == MODERN
        assert await names(client) == always
        early = await client.call_tool("list_page_tools", {})
        assert (early.is_error, "No browser is connected" in str(early.content)) == (True, True)
        await client.call_tool("connect_browser", {"launch": True})
        await client.call_tool("open_tab", {"url": flights})
        assert "find_flights(" in str((await client.call_tool("list_page_tools", {})).content)
        arguments = {"name": "find_flights", "arguments": {"to": "Rome"}}
        assert not (await client.call_tool("call_page_tool", arguments)).is_error
        assert "to=Rome" in [request.query for request in web.requests]
        assert await names(client) == always

    if over == "http":
        async with Client(url, mode=MODERN) as client:
            await use_page_tools(client)
        await runner.sessions.close(only_session(runner).owner, only_session(runner).name)
    else:
        async with Client(door.server(lambda _: LOCAL, lambda _: "auto-modern"), mode=MODERN) as client:
            await use_page_tools(client)
        await runner.sessions.close(LOCAL.name, "auto-modern")


async def test_tabs_dialect_through_the_hub_and_its_proxy(tmp_path: Path, web: Web) -> None:
    async with hub_of(tmp_path, attach="none") as hub:
        async with hub.start_proxy("--dialect", "tabs") as proxy:
            await proxy.agent.initialize()
            client = TabsClient(proxy.agent)
            assert "Call connect_browser first" in proxy.agent.welcome["instructions"]
            assert proxy.agent.welcome["capabilities"]["tools"] == {"listChanged": True}
            assert await client.tool_names() == NONE
            await client.do("connect_browser", launch=True)
            await client.do("open_tab", url=web.page(MAIL))
            assert (client.change_count, await client.tool_names()) == (2, [*FOCUSED, "search"])
        async with hub.connected(Hello("mcp", __version__, options={"dialect": "tabs"})) as agent:
            await agent.initialize()
            assert await TabsClient(agent).tool_names() == NONE
