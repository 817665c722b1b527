"""The MCP door with a real browser: progress, cancellation, files, and who owns which session."""

from collections.abc import AsyncIterator

import anyio
import pytest

from tabwright.actions import CATALOG
from tabwright.artifacts import Artifacts
from tabwright.browser.supervisor import BrowserSupervisor
from tabwright.call import PERSON, Call
from tabwright.dialects.plain import Plain
from tabwright.doors.mcp.door import McpDoor
from tabwright.errors import Denied
from tabwright.policy.callers.principal import Principal
from tabwright.runner import Runner
from tabwright.sessions.limits import Limits
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


IN_USE = (
    'AuthorizationError (-32002): Session "shop" is in use by another twin client.\n'
    "Use another name, or share it in the settings (sessions.allow_shared)."
)


async def error_of(agent: Agent, tool: str, **arguments: str) -> str:
    """Call a tool, which fails; return its error."""
    result = await agent.call(tool, **arguments)
    assert result["isError"], result
    text: str = result["content"][0]["text"]
    return text


async def test_two_clients_of_one_name_do_not_share_a_named_session(door: McpDoor, web: Web) -> None:
    async with connected_to(door, "twin") as one:
        await one.text("navigate", url=web.page("<h1>Basket"), session="shop")
        async with connected_to(door, "twin") as other:
            for tool in ("list_tabs", "snapshot", "get_cookies"):
                assert await error_of(other, tool, session="shop") == IN_USE
            assert await error_of(other, "close_session", name="shop") == IN_USE
            assert await other.text("close_session") == "No session was open."
            assert await other.text("list_tabs", session="other") == "No tab is open."
            assert await error_of(one, "list_tabs", session="other") == IN_USE.replace("shop", "other")
        assert await one.text("list_tabs", session="other") == "No tab is open."
        assert "Basket" in await one.text("snapshot", session="shop")


async def test_a_named_session_is_free_when_its_connection_ends(door: McpDoor, web: Web) -> None:
    async with connected_to(door, "twin") as other:
        async with connected_to(door, "twin") as one:
            await one.text("navigate", url=web.page("<h1>Basket"), session="shop")
            assert await error_of(other, "list_tabs", session="shop") == IN_USE
        assert "Basket" in await other.text("snapshot", session="shop")


async def test_a_named_session_is_free_when_it_is_closed(door: McpDoor) -> None:
    async with connected_to(door, "twin") as one, connected_to(door, "twin") as other:
        await one.text("list_tabs", session="shop")
        assert await one.text("close_session", name="shop") == "Closed session: shop"
        assert await other.text("list_tabs", session="shop") == "No tab is open."
        assert await error_of(one, "list_tabs", session="shop") == IN_USE


async def test_calls_without_a_connection_share_their_sessions(runner: Runner, door: McpDoor) -> None:
    """Commands of the shell and REST calls are one client each; they respect a connected one."""
    caller = Principal("local:twin")
    for _ in range(2):
        assert (
            await runner.run(Call("list_tabs", principal=caller, session="mine"))
        ).head == "No tab is open."
    async with connected_to(door, "twin") as one:
        await one.text("list_tabs", session="shop")
        with pytest.raises(Denied, match="in use by another twin client"):
            await runner.run(Call("list_tabs", principal=caller, session="shop"))
    assert (await runner.run(Call("list_tabs", principal=caller, session="shop"))).head == "No tab is open."


async def test_clients_of_one_name_share_a_shared_session(supervisor: BrowserSupervisor) -> None:
    async with Sessions.open(supervisor, Limits(shared=("team",))) as sessions:
        door = McpDoor(Runner(CATALOG, sessions, Artifacts()), Plain(CATALOG))
        async with connected_to(door, "twin") as one, connected_to(door, "twin") as other:
            assert await one.text("list_tabs", session="team") == "No tab is open."
            assert await other.text("list_tabs", session="team") == "No tab is open."
        for session in sessions:
            await session.close()


async def test_a_person_at_the_dashboard_uses_the_session_of_a_connected_client(
    runner: Runner, door: McpDoor
) -> None:
    async with connected_to(door, "twin") as one:
        await one.text("list_tabs", session="shop")
        call = Call("list_tabs", principal=Principal("local:twin"), session="shop", door=PERSON, by="Ann")
        assert (await runner.run(call)).head == "No tab is open."


@pytest.fixture
async def impatient(supervisor: BrowserSupervisor) -> AsyncIterator[Runner]:
    """A runner whose unnamed sessions do not wait for their client to connect again."""
    async with Sessions.open(supervisor, Limits(reconnect_seconds=0)) as sessions:
        yield Runner(CATALOG, sessions, Artifacts())


async def test_an_unnamed_session_ends_with_its_agent_if_it_may_not_wait(impatient: Runner, web: Web) -> None:
    door = McpDoor(impatient, Plain(CATALOG))
    async with connected_to(door) as agent:
        await agent.text("navigate", url=web.page("<p>mine"))
        [session] = impatient.sessions
    assert list(impatient.sessions) == []
    assert session.context not in session.context.browser.contexts
    async with connected_to(door) as agent:
        assert await agent.text("list_tabs") == "No tab is open."


async def test_an_agent_that_disconnects_in_its_first_call_leaves_nothing(
    impatient: Runner, web: Web
) -> None:
    runner, door = impatient, McpDoor(impatient, Plain(CATALOG))
    async with connected_to(door) as agent:
        await agent.ask(
            "tools/call", {"name": "navigate", "arguments": {"url": web.route("/stuck", lambda _: never())}}
        )
        await web.wait_for_request("/stuck")
        [session] = runner.sessions
    assert list(runner.sessions) == []
    assert session.context not in session.context.browser.contexts
