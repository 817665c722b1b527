"""The MCP door in detail: capabilities, protocol errors, limits, notifications."""

from collections.abc import AsyncIterator

import anyio
import pytest

from tabwright import __version__
from tabwright.action import Catalog, Effect
from tabwright.actions import CATALOG
from tabwright.artifacts import Artifacts
from tabwright.browser.supervisor import BrowserSupervisor
from tabwright.dialects.plain import Plain
from tabwright.doors.mcp.door import McpDoor
from tabwright.doors.mcp.results import CODES
from tabwright.errors import TabwrightError
from tabwright.runner import Runner
from tabwright.sessions.registry import Sessions
from tests.doors import trial
from tests.doors.mcp.agents import Agent, connected_to


@pytest.fixture
async def agent() -> AsyncIterator[Agent]:
    """An agent at a door whose tools are the trial actions, which need no browser."""
    async with BrowserSupervisor.open() as supervisor, Sessions.open(supervisor) as sessions:
        catalog = Catalog(trial)
        runner = Runner(catalog, sessions, Artifacts())
        async with connected_to(McpDoor(runner, Plain(catalog))) as agent:
            yield agent


@pytest.fixture
async def full_agent() -> AsyncIterator[Agent]:
    """An agent at a door with the real catalogue; only actions without a browser are called."""
    async with BrowserSupervisor.open() as supervisor, Sessions.open(supervisor) as sessions:
        door = McpDoor(Runner(CATALOG, sessions, Artifacts()), Plain(CATALOG))
        async with connected_to(door) as agent:
            yield agent


async def test_every_tool_has_hints_about_its_effect(full_agent: Agent) -> None:
    tools = (await full_agent.request("tools/list"))["result"]["tools"]
    assert [tool["name"] for tool in tools] == [action.name for action in CATALOG]
    for tool in tools:
        effect = CATALOG[tool["name"]].effect
        hints = tool.get("annotations", {})  # hints equal to the protocol's defaults are left out
        assert hints.get("readOnlyHint", False) == (effect is Effect.READ), tool
        assert hints.get("openWorldHint", True) == CATALOG[tool["name"]].open_world, tool
        if effect is not Effect.READ:
            assert hints.get("destructiveHint", True) == CATALOG[tool["name"]].destructive, tool
            assert hints.get("idempotentHint", False) == CATALOG[tool["name"]].idempotent, tool
        assert tool["description"]


async def test_answers_contain_only_text(full_agent: Agent) -> None:
    assert await full_agent.call("list_sessions") == {
        "content": [{"type": "text", "text": "No session is open."}],
        "isError": False,
    }


@pytest.mark.parametrize(
    ("tool", "arguments", "named"),
    [
        ("navigate", {}, "url: Field required"),
        ("navigate", {"url": 5}, "url: Input should be a valid string"),
        ("click", {"target": "@e1", "count": 9}, "count: Input should be less than or equal to 3"),
        ("click", {"target": "@e1", "colour": "red"}, "colour: Extra inputs are not permitted"),
        ("get_page", {"session": "x" * 101}, "session: String should have at most 100 characters"),
        ("get_page", {"max_tokens": "many"}, "max_tokens: Input should be a valid integer"),
        ("get_page", {"max_tokens": 1}, "max_tokens: Input should be greater than or equal to 50"),
    ],
)
async def test_wrong_arguments_are_invalid_params_naming_the_field(
    full_agent: Agent, tool: str, arguments: dict[str, object], named: str
) -> None:
    result = await full_agent.call(tool, **arguments)
    assert result["isError"]
    assert result["content"][0]["text"].startswith(f"InvalidParams (-32602): {named}")


@pytest.mark.parametrize(
    ("method", "params", "code", "message"),
    [
        ("tools/call", {"name": "fly"}, -32001, "Unknown tool fly; similar: fill."),
        ("tools/call", {"arguments": {}}, -32602, "params.name: Field required."),
        ("tools/call", {"name": "click", "arguments": []}, -32602, "params.arguments: "),
        ("logging/setLevel", {"level": "shrill"}, -32602, "params.level: "),
        (
            "resources/read",
            {"uri": "tabwright://artifacts/none-1.png"},
            -32602,
            "none-1.png is no longer stored",
        ),
        ("resources/read", {"uri": "file:///etc/passwd"}, -32602, "file:///etc/passwd is no longer stored"),
        ("tools/fly", {}, -32601, "Method not found"),
        ("prompts/list", {}, -32601, "Method not found"),
    ],
)
async def test_protocol_errors_have_their_codes(
    full_agent: Agent, method: str, params: dict[str, object], code: int, message: str
) -> None:
    error = (await full_agent.request(method, params))["error"]
    assert error["code"] == code
    assert error["message"].startswith(message)


@pytest.mark.parametrize(
    ("line", "number", "code"),
    [
        (b"{half\n", None, -32700),
        (b"\xff\xfe\x00binary\n", None, -32700),
        (b"[" * 100_000 + b"\n", None, -32700),
        (b"5\n", None, -32600),
        (b"[]\n", None, -32600),
        (b'{"jsonrpc": "2.0", "id": 7, "method": 3}\n', 7, -32600),
        (b'{"id": "mine", "method": "tools/list"}\n', "mine", -32600),
        (b'{"jsonrpc": "2.0", "id": true, "method": "ping"}\n', None, -32600),
    ],
)
async def test_a_bad_line_gets_an_error_and_the_next_one_is_served(
    agent: Agent, line: bytes, number: object, code: int
) -> None:
    await agent.say(line)
    answer = await agent.hear()
    assert (answer["id"], answer["error"]["code"]) == (number, code)
    assert (await agent.request("ping"))["result"] == {}


async def test_a_client_without_initialize_gets_a_clear_error() -> None:
    async with BrowserSupervisor.open() as supervisor, Sessions.open(supervisor) as sessions:
        door = McpDoor(Runner(CATALOG, sessions, Artifacts()), Plain(CATALOG))
        async with connected_to(door, initialize_first=False) as agent:
            assert (await agent.request("tools/list"))["error"] == {
                "code": -32000,
                "message": "The connection is not initialized: send initialize first.",
            }


async def test_an_endless_line_is_answered_once_and_not_buffered(agent: Agent) -> None:
    for _ in range(20):
        await agent.say(b"x" * (1 << 20))
    await agent.say(b"\n\n\n")
    answer = await agent.hear()
    assert answer["error"] == {"code": -32600, "message": "This message is longer than 16 MB."}
    assert (await agent.request("ping"))["result"] == {}


async def test_a_tool_error_is_a_result_with_code_name_message_and_hint(agent: Agent) -> None:
    assert await agent.call("stumble") == {
        "content": [
            {
                "type": "text",
                "text": "Stale (-32011): @e12 is not on this page.\nTake a snapshot, then use a ref from it.",
            }
        ],
        "isError": True,
    }


async def test_every_error_class_has_its_own_code() -> None:
    assert set(CODES) == set(TabwrightError.__subclasses__())
    assert len({code for code, _ in CODES.values()}) == len(CODES)


async def test_exception_texts_do_not_reach_the_client(
    agent: Agent, caplog: pytest.LogCaptureFixture
) -> None:
    result = await agent.call("explode")
    text = result["content"][0]["text"]
    assert result["isError"]
    assert text.startswith("InternalError (-32603): Internal error in explode (log id ")
    assert "secret" not in str((result, agent.notices))
    assert "secret detail in /home/somebody" in caplog.text


async def test_a_client_gets_log_messages_of_its_level(agent: Agent) -> None:
    await agent.call("stumble")
    await agent.call("lose_browser")
    assert [notice["params"] for notice in agent.notices] == [
        {"level": "warning", "logger": "tabwright", "data": "lose_browser: The browser ended. Try again."}
    ]
    assert (await agent.request("logging/setLevel", {"level": "debug"}))["result"] == {}
    await agent.call("shout")
    assert agent.notices[-1]["params"]["level"] == "debug"
    await agent.request("logging/setLevel", {"level": "emergency"})
    await agent.call("lose_browser")
    assert agent.notices[-1]["params"]["level"] == "debug"


async def test_a_cancelled_call_is_not_answered_and_the_next_one_is(agent: Agent) -> None:
    running = await agent.ask("tools/call", {"name": "linger"})
    await agent.notify("notifications/cancelled", {"requestId": running})
    await agent.request("ping")
    assert agent.notices == []
    assert (await agent.request("ping"))["result"] == {}


async def test_a_thousand_calls_at_once_are_all_answered(agent: Agent) -> None:
    numbers = [await agent.ask("tools/call", {"name": "stumble"}) for _ in range(1000)]
    answers = [await agent.answer(number) for number in numbers]
    assert all(answer["result"]["isError"] for answer in answers)


async def test_calls_beyond_the_limit_are_refused_one_by_one(agent: Agent) -> None:
    waiting = [await agent.ask("tools/call", {"name": "linger"}) for _ in range(2000)]
    refused = await agent.request("tools/call", {"name": "linger"})
    assert refused["error"] == {
        "code": -32016,
        "message": "2000 calls are pending; wait for some to finish.",
    }
    await agent.notify("notifications/cancelled", {"requestId": waiting[0]})
    await agent.request("ping")
    result = await agent.call("stumble")
    assert result["isError"]


async def test_we_stop_reading_from_a_client_that_does_not_read(agent: Agent) -> None:
    """The client's writes stall, so that the memory of the hub stays bounded."""
    request = b'{"jsonrpc": "2.0", "id": "flood", "method": "tools/list"}\n'
    sent = 0
    with anyio.move_on_after(2) as flooding:
        while True:
            await agent.say(request * 100)
            sent += 100
    assert flooding.cancelled_caught
    assert sent < 100_000
    answer = await agent.hear()
    assert answer["id"] == "flood"


async def test_the_server_reports_name_version_and_capabilities() -> None:
    async with BrowserSupervisor.open() as supervisor, Sessions.open(supervisor) as sessions:
        door = McpDoor(Runner(CATALOG, sessions, Artifacts()), Plain(CATALOG))
        async with connected_to(door) as agent:
            welcome = agent.welcome
    assert welcome["serverInfo"] == {"name": "tabwright", "version": __version__}
    welcome["capabilities"].pop("experimental", None)  # empty, up to version 2.2 of the SDK
    assert welcome["capabilities"] == {
        "logging": {},
        "resources": {"listChanged": True, "subscribe": False},
        "tools": {"listChanged": True},
    }
