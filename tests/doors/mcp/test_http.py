"""MCP over HTTP: both protocol eras, sessions, cancellation, progress, errors, and SSE."""

from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import httpx2
import mcp_types as types
import pytest
from mcp import Client, MCPError
from mcp.client.sse import sse_client

from tabwright.app import running
from tabwright.settings import SessionSettings, Settings
from tests.doors.http.wired import Wired, http_door, wired
from tests.doors.mcp.agents import without_markers
from tests.web import Web, never

SHOP = "<title>Shop</title><button onclick=\"this.textContent='Bought'\">Buy</button>"


@pytest.fixture(scope="module")
async def wired_hub(anyio_backend: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Wired]:
    async with wired(tmp_path_factory.mktemp("hub")) as hub:
        yield hub


@pytest.fixture
async def hub(wired_hub: Wired) -> AsyncIterator[Wired]:
    yield wired_hub
    await wired_hub.close_sessions()


async def buy(client: Client, web: Web) -> None:
    page = web.page(SHOP)
    assert await call_text(client, "navigate", url=page) == f"Navigated to {page} (200 OK)"
    seen = await call_text(client, "snapshot")
    assert seen == f'[Snapshot of {web.url.removeprefix("http://")}]\n- @e1: button "Buy"'
    clicked = await call_text(client, "click", target="@e1")
    assert clicked.startswith('Clicked button "Buy".\n')
    assert "Bought" in clicked


async def call_text(client: Client, tool: str, **arguments: str) -> str:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result
    assert isinstance(result.content[-1], types.TextContent)
    return without_markers(result.content[-1].text)


@pytest.mark.parametrize(
    ("mode", "version"), [("legacy", "2025-11-25"), ("2026-07-28", "2026-07-28"), ("auto", "2026-07-28")]
)
async def test_clients_of_both_protocol_eras_complete_a_task(
    hub: Wired, web: Web, mode: str, version: str
) -> None:
    async with Client(f"{hub.url}/mcp", mode=mode) as client:
        assert client.protocol_version == version
        assert "snapshot" in {tool.name for tool in (await client.list_tools()).tools}
        await buy(client, web)


async def test_each_mcp_session_has_its_own_browser_session(hub: Wired, web: Web) -> None:
    async with (
        Client(f"{hub.url}/mcp", mode="legacy") as one,
        Client(f"{hub.url}/mcp", mode="legacy") as other,
    ):
        await call_text(one, "navigate", url=web.page("<p>one"))
        await call_text(other, "navigate", url=web.page("<p>other"))
        await call_text(other, "navigate", url=web.page("<p>kept"), session="kept")
        assert ("one" in await call_text(one, "snapshot"), "other" in await call_text(other, "snapshot")) == (
            True,
            True,
        )
        assert len(list(hub.runner.sessions)) == 3


async def test_without_mcp_sessions_a_client_finds_its_page_again(hub: Wired, web: Web) -> None:
    ada, bob = (types.Implementation(name=name, version="1") for name in ("ada", "bob"))
    async with Client(f"{hub.url}/mcp", mode="2026-07-28", client_info=ada) as client:
        await call_text(client, "navigate", url=web.page("<p>Ada's page"))
    async with Client(f"{hub.url}/mcp", mode="2026-07-28", client_info=bob) as client:
        assert "Ada's page" not in await call_text(client, "snapshot")
    async with Client(f"{hub.url}/mcp", mode="2026-07-28", client_info=ada) as client:
        assert "Ada's page" in await call_text(client, "snapshot")
    assert {session.owner for session in hub.runner.sessions} == {"local:ada", "local:bob"}


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_a_cancelled_call_frees_the_session(hub: Wired, web: Web, mode: str) -> None:
    slow = web.route("/slow", lambda _: never())
    async with Client(f"{hub.url}/mcp", mode=mode) as client:
        async with anyio.create_task_group() as group:
            group.start_soon(client.call_tool, "navigate", {"url": slow})
            await web.wait_for_request("/slow")
            group.cancel_scope.cancel()
        with anyio.fail_after(60):
            assert "(current)" in await call_text(client, "list_tabs")


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_a_long_call_reports_progress(hub: Wired, web: Web, mode: str) -> None:
    messages: list[str | None] = []
    slow = web.route("/slow", lambda _: never())

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        messages.append(message)

    async with Client(f"{hub.url}/mcp", mode=mode) as client:
        result = await client.call_tool(
            "navigate", {"url": slow, "timeout": 1.5}, progress_callback=on_progress
        )
    assert result.is_error
    assert messages
    assert messages[0] == "navigate: 0 requests under way"


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_an_unknown_tool_is_a_protocol_error(hub: Wired, mode: str) -> None:
    async with Client(f"{hub.url}/mcp", mode=mode) as client:
        with pytest.raises(MCPError) as raised:
            await client.call_tool("fly", {})
    assert raised.value.code == -32001


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
@pytest.mark.parametrize(
    ("tool", "arguments", "named"),
    [
        ("click", {}, "target: Field required"),
        ("click", {"target": "#a", "colour": "red"}, "colour: Extra inputs"),
        ("snapshot", {"max_tokens": "many"}, "max_tokens: Input should be a valid integer"),
    ],
)
async def test_wrong_arguments_are_a_result(
    hub: Wired, mode: str, tool: str, arguments: dict[str, str], named: str
) -> None:
    async with Client(f"{hub.url}/mcp", mode=mode) as client:
        result = await client.call_tool(tool, arguments)
    assert result.is_error
    [block] = result.content
    assert block.type == "text"
    assert block.text.startswith(f"InvalidParams (-32602): {named}")


async def test_an_oversized_message_is_refused(hub: Wired) -> None:
    async with httpx2.AsyncClient(base_url=hub.url) as http:
        answer = await http.post(
            "/mcp", content=b" " * 5_000_000, headers={"content-type": "application/json"}
        )
    assert answer.status_code == 413


async def test_an_unknown_mcp_session_is_not_found(hub: Wired) -> None:
    headers = {"mcp-session-id": "f" * 32, "accept": "application/json, text/event-stream"}
    async with httpx2.AsyncClient(base_url=hub.url, headers=headers) as http:
        answer = await http.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    assert answer.status_code == 404


async def test_sse_is_off_by_default(hub: Wired) -> None:
    async with httpx2.AsyncClient(base_url=hub.url) as http:
        assert (await http.get("/sse")).status_code == 404


async def test_sse_works_when_enabled(web: Web, tmp_path: Path) -> None:
    settings = Settings(sessions=SessionSettings(reconnect_seconds=0))
    async with running(settings) as runner, http_door(runner, tmp_path, sse=True) as url:
        async with Client(sse_client(f"{url}/sse"), mode="legacy") as client:
            await buy(client, web)
            assert [session.name.partition("-")[0] for session in runner.sessions] == ["auto"]
        with anyio.fail_after(60):
            while list(runner.sessions):
                await anyio.lowlevel.checkpoint()


POST = {"accept": "application/json, text/event-stream", "content-type": "application/json"}


@pytest.mark.parametrize("version", ["2025-11-25", "2026-07-28"])
@pytest.mark.parametrize(
    ("body", "number", "code"),
    [
        ("{}", None, -32600),
        ("[]", None, -32600),
        ('"x"', None, -32600),
        ("null", None, -32600),
        ('{"jsonrpc": "1.0", "id": 7, "method": "ping"}', 7, -32600),
        ('{"jsonrpc": "2.0", "id": 7, "method": 5}', 7, -32600),
        ('{"jsonrpc": "2.0", "id": true, "method": "ping"}', None, -32600),
        ('[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]', None, -32600),
        ("{bad", None, -32700),
    ],
)
async def test_a_malformed_message_gets_a_json_rpc_error(
    hub: Wired, version: str, body: str, number: int | None, code: int
) -> None:
    text = "This is not JSON." if code == -32700 else "This is not a JSON-RPC 2.0 message."
    async with httpx2.AsyncClient(base_url=hub.url, headers=POST) as http:
        answer = await http.post("/mcp", content=body, headers={"mcp-protocol-version": version})
    assert (answer.status_code, answer.json()) == (
        400,
        {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": text}},
    )


async def test_a_request_before_the_handshake_is_an_error(hub: Wired) -> None:
    async with httpx2.AsyncClient(base_url=hub.url, headers=POST) as http:
        answer = await http.post("/mcp", json={"jsonrpc": "2.0", "id": 3, "method": "tools/list"})
    assert (answer.status_code, answer.json()["id"], answer.json()["error"]) == (
        400,
        3,
        {"code": -32000, "message": "The connection is not initialized: send initialize first."},
    )
