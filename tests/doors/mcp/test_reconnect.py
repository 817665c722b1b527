"""Clients that open a connection for each call: they find their page again, and nobody else does."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest
from mcp import Client, StdioServerParameters

from tabwright.actions import CATALOG
from tabwright.artifacts import Artifacts
from tabwright.browser.supervisor import BrowserSupervisor
from tabwright.dialects.plain import Plain
from tabwright.doors.mcp.door import McpDoor
from tabwright.runner import Runner
from tabwright.sessions.limits import Limits
from tabwright.sessions.registry import Sessions
from tests.doors.mcp.agents import HubHome, connected_to, without_markers
from tests.web import Web

BASKET = "<title>Basket</title><h1>Three apples</h1>"
EMPTY = "No tab is open."


async def call(client: Client, tool: str, **arguments: str) -> str:
    """Call a tool; return all text of its answer."""
    result = await client.call_tool(tool, arguments)
    return without_markers("\n".join(block.text for block in result.content if block.type == "text"))


@asynccontextmanager
async def door_with(supervisor: BrowserSupervisor, limits: Limits) -> AsyncIterator[McpDoor]:
    async with Sessions.open(supervisor, limits) as sessions:
        yield McpDoor(Runner(CATALOG, sessions, Artifacts()), Plain(CATALOG))
        for session in sessions:
            await session.close()


@pytest.fixture
async def door(supervisor: BrowserSupervisor) -> AsyncIterator[McpDoor]:
    async with door_with(supervisor, Limits()) as door:
        yield door


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_the_python_client_finds_its_page_again_over_stdio(
    shared_hub: HubHome, web: Web, tmp_path: Path, mode: str
) -> None:
    """LangChain and LlamaIndex start `tabwright mcp` anew for every call."""
    command, *args = shared_hub.command
    environment = {**os.environ, **shared_hub.environment}  # noqa: TID251 - the server inherits the tests' own
    server = StdioServerParameters(command=command, args=args, env=environment, cwd=tmp_path)
    async with Client(server, mode=mode) as client:
        await call(client, "navigate", url=web.page(BASKET))
    async with Client(server, mode=mode) as client:
        assert "Three apples" in await call(client, "snapshot")
        async with Client(server, mode=mode) as other:
            assert (await call(other, "list_tabs")).endswith(EMPTY)
    async with Client(server.model_copy(update={"cwd": tmp_path.parent}), mode=mode) as elsewhere:
        assert await call(elsewhere, "list_tabs") == EMPTY


async def test_refs_stay_valid_from_one_connection_to_the_next(door: McpDoor, web: Web) -> None:
    async with connected_to(door) as agent:
        await agent.text("navigate", url=web.page("<button onclick=\"textContent='Bought'\">Buy</button>"))
        assert '@e1: button "Buy"' in await agent.text("snapshot")
    async with connected_to(door) as agent:
        assert "Bought" in await agent.text("click", target="@e1")


async def test_only_one_connection_picks_up_a_session(door: McpDoor, web: Web) -> None:
    async with connected_to(door, "twin") as agent:
        await agent.text("navigate", url=web.page(BASKET))
    async with connected_to(door, "twin") as one, connected_to(door, "twin") as other:
        assert "Three apples" in await one.text("snapshot")
        assert await other.text("list_tabs") == EMPTY


@pytest.mark.parametrize("difference", ["name", "folder", "process"])
async def test_another_client_does_not_pick_up_a_session(
    door: McpDoor, web: Web, tmp_path: Path, difference: str
) -> None:
    """Two programs that run at the same time are two clients, even if they have the same name."""
    mine = {"process": os.getpid()}
    async with connected_to(door, "ann", folder=tmp_path, options=mine) as agent:
        await agent.text("navigate", url=web.page(BASKET))
    name = "bob" if difference == "name" else "ann"
    folder = tmp_path / "other" if difference == "folder" else tmp_path
    options = {"process": os.getppid()} if difference == "process" else mine
    async with connected_to(door, name, folder=folder, options=options) as other:
        assert await other.text("list_tabs") == EMPTY
    async with connected_to(door, "ann", folder=tmp_path, options=mine) as agent:
        assert "Three apples" in await agent.text("snapshot")


async def test_a_program_that_calls_in_parallel_learns_that_its_page_is_elsewhere(
    door: McpDoor, web: Web
) -> None:
    mine = {"process": os.getpid()}
    async with connected_to(door, options=mine) as one, connected_to(door, options=mine) as other:
        await one.text("navigate", url=web.page(BASKET))
        assert await other.text("list_tabs") == (
            f"Another connection of your client has your session, so this one starts empty.\n{EMPTY}"
        )


async def test_a_new_process_picks_up_the_session_of_one_that_exited(door: McpDoor, web: Web) -> None:
    """The MCP Inspector's command line is a new process for every call."""
    process = await anyio.open_process(["true"])
    await process.wait()
    async with connected_to(door, options={"process": process.pid}) as agent:
        await agent.text("navigate", url=web.page(BASKET))
    async with connected_to(door, options={"process": os.getpid()}) as agent:
        assert "Three apples" in await agent.text("snapshot")


async def test_a_session_that_waits_cannot_be_used_by_its_name(door: McpDoor, web: Web) -> None:
    async with connected_to(door, "twin") as agent:
        await agent.text("navigate", url=web.page(BASKET))
        name = (await agent.text("list_sessions")).partition(":")[0]
        async with connected_to(door, "twin") as other:
            assert (await other.call("list_tabs", session=name))["isError"]
    async with connected_to(door, "twin", folder=Path("/tmp/other")) as other:
        assert (await other.call("list_tabs", session=name))["isError"]


async def test_a_session_that_waited_in_vain_is_closed_and_the_next_answer_says_so(
    supervisor: BrowserSupervisor, web: Web
) -> None:
    gone = (
        "Your earlier session was closed 0.001 s after its connection ended, so this one starts empty; "
        "a named session would have been kept."
    )
    async with Sessions.open(supervisor, Limits(reconnect_seconds=0.001)) as sessions:
        door = McpDoor(Runner(CATALOG, sessions, Artifacts()), Plain(CATALOG))
        async with connected_to(door, "ann") as agent:
            await agent.text("navigate", url=web.page(BASKET))
        with anyio.fail_after(60):
            while list(sessions):
                await anyio.lowlevel.checkpoint()
        async with connected_to(door, "bob") as agent:
            assert await agent.text("list_tabs") == EMPTY
        async with connected_to(door, "ann") as agent:
            assert await agent.text("list_tabs") == f"{gone}\n{EMPTY}"
            assert await agent.text("list_tabs") == EMPTY


async def test_an_expired_session_says_so_on_the_same_and_on_the_next_connection(
    supervisor: BrowserSupervisor, web: Web
) -> None:
    expired = (
        "Your session expired after 0.5 s without a call, so this one starts empty; "
        "a named session would have been kept."
    )

    async def wait_until_expired() -> None:
        with anyio.fail_after(60):
            while list(sessions):
                await anyio.lowlevel.checkpoint()

    async with Sessions.open(supervisor, Limits(idle_seconds=0.5)) as sessions:
        door = McpDoor(Runner(CATALOG, sessions, Artifacts()), Plain(CATALOG))
        async with connected_to(door) as agent:
            await agent.text("navigate", url=web.page(BASKET))
            await wait_until_expired()
            assert await agent.text("list_tabs") == f"{expired}\n{EMPTY}"
            await wait_until_expired()
        async with connected_to(door) as agent:
            assert await agent.text("list_tabs") == f"{expired}\n{EMPTY}"


async def test_a_session_that_waits_makes_room_for_others(supervisor: BrowserSupervisor) -> None:
    async with door_with(supervisor, Limits(max_sessions=1)) as door:
        for name in ("ann", "bob"):
            async with connected_to(door, name) as agent:
                assert await agent.text("list_tabs") == EMPTY
                async with connected_to(door, "eve") as third:
                    assert (await third.call("list_tabs"))["isError"]
