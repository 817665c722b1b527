"""The MCP door with a real browser: progress, cancellation, files, and who owns which session."""

from collections.abc import AsyncIterator

import anyio
import pytest

from tabwright.actions import CATALOG
from tabwright.artifacts import Artifacts
from tabwright.browser.supervisor import BrowserSupervisor
from tabwright.dialects.plain import Plain
from tabwright.doors.mcp.door import McpDoor
from tabwright.runner import Runner
from tabwright.sessions.registry import Sessions
from tests.doors.mcp.agents import Agent, connected_to
from tests.web import Response, Web, never


@pytest.fixture
async def runner(supervisor: BrowserSupervisor) -> AsyncIterator[Runner]:
    async with Sessions.open(supervisor) as sessions:
        yield Runner(CATALOG, sessions, Artifacts())
        for session in sessions:
            await session.close()


@pytest.fixture
def door(runner: Runner) -> McpDoor:
    return McpDoor(runner, Plain(CATALOG))


@pytest.fixture
async def agent(door: McpDoor) -> AsyncIterator[Agent]:
    async with connected_to(door) as agent:
        yield agent


async def test_a_slow_navigation_reports_progress(agent: Agent, web: Web) -> None:
    release = anyio.Event()

    async def slow() -> Response:
        await release.wait()
        return Response("<title>Slow</title>")

    url = web.route("/slow", lambda _: slow())
    number = await agent.ask(
        "tools/call", {"name": "navigate", "arguments": {"url": url}, "_meta": {"progressToken": "mine"}}
    )
    reports = [(await agent.hear())["params"] for _ in range(2)]
    release.set()
    assert [(one["progressToken"], one["progress"]) for one in reports] == [("mine", 1.0), ("mine", 2.0)]
    assert reports[1]["message"].startswith("navigate: ")
    assert "(200 OK)" in (await agent.answer(number))["result"]["content"][0]["text"]


async def test_without_a_progress_token_no_progress_is_sent(agent: Agent, web: Web) -> None:
    await agent.text("navigate", url=web.page("<p>page"))
    assert agent.notices == []


async def test_a_cancelled_call_frees_its_session(agent: Agent, web: Web) -> None:
    stuck = await agent.ask(
        "tools/call", {"name": "navigate", "arguments": {"url": web.route("/stuck", lambda _: never())}}
    )
    await web.wait_for_request("/stuck")
    following = await agent.ask("tools/call", {"name": "list_tabs", "arguments": {}})
    await agent.notify("notifications/cancelled", {"requestId": stuck})
    with anyio.fail_after(60):  # the navigation would have taken 30 s
        assert "/stuck" not in (await agent.answer(following))["result"]["content"][0]["text"]
    assert "(200 OK)" in await agent.text("navigate", url=web.page("<title>Next</title>"))


async def test_a_screenshot_is_an_image_a_resource_and_a_notification(agent: Agent, web: Web) -> None:
    await agent.text("navigate", url=web.page("<h1>Picture</h1>"))
    assert (await agent.request("resources/list"))["result"]["resources"] == []
    picture, text = (await agent.call("screenshot"))["content"]
    assert (text["type"], picture["type"]) == ("text", "image")
    assert [notice["method"] for notice in agent.notices] == ["notifications/resources/list_changed"]
    [listed] = (await agent.request("resources/list"))["result"]["resources"]
    assert listed["uri"] in text["text"]
    assert listed["mimeType"] == picture["mimeType"]
    [read] = (await agent.request("resources/read", {"uri": listed["uri"]}))["result"]["contents"]
    assert read == {"uri": listed["uri"], "mimeType": picture["mimeType"], "blob": picture["data"]}


async def test_agents_of_one_name_do_not_see_each_others_unnamed_sessions(door: McpDoor, web: Web) -> None:
    async with connected_to(door, "twin") as one, connected_to(door, "twin") as other:
        await one.text("navigate", url=web.page("<p>mine"))
        assert await other.text("list_sessions") == "No session is open."
        assert await other.text("list_tabs") == "No tab is open."
        [line] = (await one.text("list_sessions")).splitlines()
        assert line.endswith(": 1 tab")


async def test_an_agent_finds_its_named_session_again(door: McpDoor, web: Web) -> None:
    async with connected_to(door, "shopper") as agent:
        await agent.text("navigate", url=web.page("<title>Basket</title>"), session="shop")
    async with connected_to(door, "shopper") as agent:
        assert await agent.text("list_sessions") == "shop: 1 tab"
    async with connected_to(door, "stranger") as agent:
        assert await agent.text("list_sessions") == "No session is open."


async def test_an_unnamed_session_ends_with_its_agent(door: McpDoor, runner: Runner, web: Web) -> None:
    async with connected_to(door) as agent:
        await agent.text("navigate", url=web.page("<p>mine"))
        [session] = runner.sessions
    assert list(runner.sessions) == []
    assert session.context not in session.context.browser.contexts


async def test_an_agent_that_disconnects_in_its_first_call_leaves_nothing(
    door: McpDoor, runner: Runner, web: Web
) -> None:
    async with connected_to(door) as agent:
        await agent.ask(
            "tools/call", {"name": "navigate", "arguments": {"url": web.route("/stuck", lambda _: never())}}
        )
        await web.wait_for_request("/stuck")
        [session] = runner.sessions
    assert list(runner.sessions) == []
    assert session.context not in session.context.browser.contexts
