"""`tabwright mcp` as an agent starts it, with real processes."""

import os
import signal
import sys
from pathlib import Path

import anyio
import anyio.to_thread
import pytest

from tabwright import __version__
from tabwright.doors.wire.handshake import Hello
from tabwright.doors.wire.hub_client import ask
from tests.doors.mcp.agents import LATEST_HANDSHAKE, MODERN, HubHome, Json, hub_of
from tests.processes import kill_and_wait
from tests.web import Web, never

ENVELOPE: Json = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientInfo": {"name": "modern", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


async def test_every_protocol_version_can_initialize(shared_hub: HubHome) -> None:
    for version in ("2024-11-05", "2025-03-26", "2025-06-18", LATEST_HANDSHAKE):
        async with shared_hub.start_proxy() as proxy:
            result = await proxy.agent.initialize(version)
            assert result["protocolVersion"] == version
            assert result["capabilities"]["tools"] == {"listChanged": True}
            assert (await proxy.agent.request("tools/list"))["result"]["tools"]


async def test_an_unknown_protocol_version_gets_the_latest(shared_hub: HubHome) -> None:
    async with shared_hub.start_proxy() as proxy:
        assert (await proxy.agent.initialize("1999-01-01"))["protocolVersion"] == LATEST_HANDSHAKE


async def test_the_newest_version_needs_no_handshake(shared_hub: HubHome) -> None:
    async with shared_hub.start_proxy() as proxy:
        found = (await proxy.agent.request("server/discover", {"_meta": ENVELOPE}))["result"]
        assert found["supportedVersions"] == [MODERN]
        assert found["capabilities"]["tools"] == {"listChanged": True}
        answer = await proxy.agent.request(
            "tools/call", {"name": "list_sessions", "arguments": {}, "_meta": ENVELOPE}
        )
        assert answer["result"]["content"] == [{"type": "text", "text": "No session is open."}]
        assert answer["result"]["resultType"] == "complete"
        refused = await proxy.agent.request("ping", {"_meta": ENVELOPE})
        assert refused["error"]["code"] == -32601


async def test_the_proxy_exits_quietly_when_its_input_closes(shared_hub: HubHome) -> None:
    async with shared_hub.start_proxy() as proxy:
        await proxy.agent.initialize()
        assert proxy.process.stdin is not None
        await proxy.process.stdin.aclose()
        assert await proxy.exit_output() == (0, "")


async def test_a_named_session_outlives_its_agent(shared_hub: HubHome, web: Web) -> None:
    async with shared_hub.start_proxy() as proxy:
        await proxy.agent.initialize(name="shopper")
        await proxy.agent.text("navigate", url=web.page("<p>basket"), session="shop")
        proxy.process.kill()
    async with shared_hub.start_proxy() as proxy:
        await proxy.agent.initialize(name="shopper")
        assert await proxy.agent.text("list_sessions") == "shop: 1 tab"


async def test_the_call_of_a_killed_agent_is_cancelled(shared_hub: HubHome, web: Web) -> None:
    stuck = web.route("/stuck", lambda _: never())
    async with shared_hub.start_proxy() as watcher:
        await watcher.agent.initialize()
        async with shared_hub.start_proxy() as proxy:
            await proxy.agent.initialize()
            await proxy.agent.ask("tools/call", {"name": "navigate", "arguments": {"url": stuck}})
            await web.wait_for_request("/stuck")
            proxy.process.kill()
            await _wait_for_one_client(shared_hub)  # a client is counted until its session is closed
        assert "(200 OK)" in await watcher.agent.text("navigate", url=web.page("<p>goes on"))


HUB_EXITED = (
    "The hub exited before it answered; the call may have taken effect. "
    "Call again: a new hub starts, and named sessions are restored."
)
RESTARTED = "[The hub was restarted: sessions without a name are closed, and their refs are gone.]"


async def test_an_agent_continues_after_its_hub_was_killed_during_a_call(tmp_path: Path, web: Web) -> None:
    page = web.page("<title>Shop</title><button>Buy</button>")
    async with hub_of(tmp_path) as hub, hub.start_proxy() as proxy:
        agent = proxy.agent
        await agent.initialize()
        assert "(200 OK)" in await agent.text("navigate", url=page)
        assert "(200 OK)" in await agent.text("navigate", url=page, session="shop")
        with anyio.fail_after(60):
            while not hub.has_stored(page):
                await agent.text("list_sessions")
        numbers = []
        for path, session in (("/stuck", "slow"), ("/late", "slower")):
            stuck = web.route(path, lambda _: never())
            arguments = {"url": stuck, "session": session}
            numbers.append(await agent.ask("tools/call", {"name": "navigate", "arguments": arguments}))
            await web.wait_for_request(path)
        await kill_and_wait(hub.pid, signal.SIGKILL)
        assert [(await agent.answer(number))["error"] for number in numbers] == [
            {"code": -32015, "message": HUB_EXITED}
        ] * 2
        assert hub.status() is None  # only the next request starts a hub

        assert await agent.text("list_tabs") == f"{RESTARTED}\nNo tab is open."
        assert [notice["method"] for notice in agent.notices] == ["notifications/tools/list_changed"]
        back = await agent.text("get_page", session="shop")
        assert back.startswith("Session shop is back: 1 tab")
        assert back.endswith(f'{page} "Shop" (200 OK)')
        await kill_and_wait(hub.pid, signal.SIGKILL)
        failed = (await agent.call("click", target="@e1"))["content"][0]["text"]
        assert failed.startswith(f"{RESTARTED}\nNotFound (-32010): ")
        assert await agent.text("list_tabs") == "t1 (current): about:blank"


async def test_an_agent_continues_after_the_user_stopped_its_hub(tmp_path: Path, web: Web) -> None:
    async with hub_of(tmp_path) as hub, hub.start_proxy() as proxy:
        await proxy.agent.initialize()
        for _ in range(3):
            assert "(200 OK)" in await proxy.agent.text("navigate", url=web.page("<p>Here"))
            await anyio.to_thread.run_sync(ask, hub.home, Hello("stop", __version__))
            assert hub.status() is None
        (tmp_path / "tabwright.toml").write_text("headless = 'perhaps'")
        refused = await proxy.agent.request("tools/list")
        assert refused["error"]["code"] == -32015
        assert refused["error"]["message"].startswith("The hub could not be started")
        (tmp_path / "tabwright.toml").unlink()
        assert await proxy.agent.text("list_tabs") == f"{RESTARTED}\nNo tab is open."


async def test_embedded_serves_without_a_hub(tmp_path: Path, web: Web) -> None:
    async with hub_of(tmp_path) as hub, hub.start_proxy("--embedded") as proxy:
        await proxy.agent.initialize()
        assert "(200 OK)" in await proxy.agent.text("navigate", url=web.page("<p>alone"))
        assert hub.status() is None
        await proxy.agent.say(b"{half\n")
        assert (await proxy.agent.hear())["error"]["code"] == -32700


async def test_embedded_exits_cleanly_on_a_signal(tmp_path: Path) -> None:
    async with hub_of(tmp_path) as hub, hub.start_proxy("--embedded") as proxy:
        await proxy.agent.initialize()
        proxy.process.terminate()
        assert await proxy.exit_output() == (0, "")


async def test_prints_do_not_get_into_the_protocol(tmp_path: Path) -> None:
    """With an embedded server that has an action that prints."""
    command = [sys.executable, "-m", "tests.doors.mcp.printing_server"]
    request = (
        b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25",'
        b' "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}\n'
        b'{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "shout", "arguments": {}}}\n'
    )
    async with await anyio.open_process(command) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        output = b""
        with anyio.fail_after(60):
            await process.stdin.send(request)
            while output.count(b"\n") < 2:
                output += await process.stdout.receive()
            await process.stdin.aclose()
            output += b"".join([chunk async for chunk in process.stdout])
            printed = b"".join([chunk async for chunk in process.stderr])
    assert [line.startswith(b'{"jsonrpc"') for line in output.splitlines()] == [True, True]
    assert b"Done." in output
    assert printed.count(b"shouting\n") == 2


async def test_the_stdio_proxy_imports_nothing_heavy(shared_hub: HubHome) -> None:
    """An agent waits only for the interpreter and a socket."""
    program = """
import sys
from tabwright.__main__ import main
sys.argv = ["tabwright", "mcp"]
code = main()
heavy = {"pydantic", "pydantic_core", "anyio", "asyncio", "mcp", "mcp_types", "orjson", "websockets", "dataclasses"}
print(sorted(heavy & set(sys.modules)), code, file=sys.stderr)
"""
    environment = {**os.environ, **shared_hub.environment}  # noqa: TID251 - a process inherits the tests' own
    done = await anyio.run_process([sys.executable, "-c", program], env=environment)
    assert done.stderr.decode() == "[] 0\n"


async def _wait_for_one_client(hub: HubHome) -> None:
    """Wait until the hub has only one client."""
    with anyio.fail_after(60):
        while (status := hub.status()) is not None and status.clients > 1:
            await anyio.lowlevel.checkpoint()


@pytest.mark.parametrize("arg", ["--verison", "extra"])
async def test_unknown_options_are_refused(tmp_path: Path, arg: str) -> None:
    async with hub_of(tmp_path) as hub, hub.start_proxy(arg) as proxy:
        code, error = await proxy.exit_output()
        assert code == 2
        assert arg in error


@pytest.mark.parametrize("args", [(), ("--embedded",)])
async def test_a_client_started_in_the_root_folder_has_no_folder(
    shared_hub: HubHome, args: tuple[str, ...], tmp_path: Path
) -> None:
    async with shared_hub.start_proxy(*args, folder=Path("/")) as proxy:
        await proxy.agent.initialize()
        refused = await proxy.agent.call("save_downloads", folder=str(tmp_path))
        assert refused["isError"]
        assert (
            f"{tmp_path} is outside of the folders that may be used: none." in refused["content"][0]["text"]
        )


@pytest.mark.parametrize("args", [(), ("--embedded",)])
@pytest.mark.parametrize("brackets", [("[", "]"), ('{"a":', "}")], ids=["lists", "objects"])
async def test_a_deeply_nested_line_is_answered_and_the_next_one_too(
    shared_hub: HubHome, args: tuple[str, ...], brackets: tuple[str, str]
) -> None:
    opening, closing = brackets
    async with shared_hub.start_proxy(*args) as proxy:
        await proxy.agent.initialize()
        for depth in (100, 500, 900, 990, 1_010, 5_000, 100_000):
            nested = f"{opening * depth}1{closing * depth}"
            call = f'{{"name": "list_sessions", "arguments": {{"deep": {nested}}}}}'
            line = f'{{"jsonrpc": "2.0", "id": 900, "method": "tools/call", "params": {call}}}\n'
            await proxy.agent.say(line.encode())
            answer = await proxy.agent.hear()
            if "result" in answer:
                assert answer["result"]["content"][0]["text"].startswith("InvalidParams (-32602): deep: ")
            else:
                assert answer["error"]["code"] in (-32602, -32700), (depth, answer)
            assert (await proxy.agent.request("ping"))["result"] == {}
