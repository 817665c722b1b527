"""Changing profiles and installing browsers needs a grant by the user: a flag, a setting, a token, an approval."""

from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import httpx2
import pytest
from mcp import Client

from tabwright.app import running
from tabwright.dialects.browsion.dialect import Browsion
from tabwright.dialects.registry import Dialects
from tabwright.doors.mcp.door import McpDoor
from tabwright.home import Home
from tabwright.policy.callers.http_auth import HttpAuth
from tabwright.policy.callers.tokens import Tokens
from tabwright.runner import Runner
from tabwright.settings import Settings
from tests.doors.http.wired import http_door
from tests.doors.mcp.agents import Agent, connected_to, hub_of

REFUSED = (
    "create_profile needs the scope manage or approval by a person, and no dashboard is open.\n"
    "Ask the user to open the dashboard and call again, to start this client with `tabwright mcp --manage`, "
    "or to set security.manage."
)


@pytest.fixture
async def runner(anyio_backend: str, tmp_path: Path) -> AsyncIterator[Runner]:
    async with running(Settings(), Home(tmp_path, tmp_path)) as runner:
        yield runner


async def error_of(agent: Agent, tool: str, **args: object) -> str:
    result = await agent.call(tool, **args)
    assert result["isError"], result
    return str(result["content"][-1]["text"]).partition(": ")[2]


async def test_a_client_without_the_grant_is_told_at_once_if_nobody_can_be_asked(runner: Runner) -> None:
    async with connected_to(McpDoor(runner, Browsion(runner.catalog))) as agent:
        listed = {tool["name"] for tool in (await agent.request("tools/list"))["result"]["tools"]}
        assert {"create_profile", "update_profile", "delete_profile"} <= listed
        assert await error_of(agent, "create_profile", name="Mine") == REFUSED
        for tool, args in {"update_profile": {"id": "x"}, "delete_profile": {"id": "x"}}.items():
            assert "needs the scope manage or approval" in await error_of(agent, tool, **args)
        assert await agent.text("list_profiles") == "There are no profiles."


async def test_a_person_at_the_dashboard_approves_each_call(runner: Runner, tmp_path: Path) -> None:
    answers: list[str] = []
    async with (
        http_door(runner, tmp_path / "hub") as url,
        httpx2.AsyncClient(base_url=url, timeout=60) as person,
        connected_to(McpDoor(runner, Browsion(runner.catalog))) as agent,
        person.stream("GET", "/api/dashboard/stream") as stream,
    ):
        lines = stream.aiter_lines()
        await anext(lines)

        async def create() -> None:
            result = await agent.call("create_profile", name="Mine")
            answers.append(str(result["content"][-1]["text"]).partition("; ")[0])

        for allow in (True, False):
            async with anyio.create_task_group() as group:
                group.start_soon(create)
                with anyio.fail_after(60):
                    await runner.approvals.changed.until(lambda: bool(runner.approvals.waiting))
                [question] = runner.approvals.waiting
                assert (question.who, question.action) == ("local:agent", "create_profile")
                decided = await person.post(
                    "/api/dashboard/decide", json={"number": question.number, "allow": allow}
                )
                assert decided.status_code == 200
    assert answers == [
        "mine: Mine",
        "AuthorizationError (-32002): A person refused create_profile.\nAsk them what to do instead.",
    ]
    async with connected_to(McpDoor(runner, Browsion(runner.catalog))) as agent:
        with anyio.fail_after(60):
            while runner.approvals.has_people:
                await anyio.lowlevel.checkpoint()
        assert await error_of(agent, "create_profile", name="Other") == REFUSED


async def test_the_user_grants_it_with_a_flag_or_a_setting(runner: Runner) -> None:
    dialect = Browsion(runner.catalog)
    async with connected_to(McpDoor(runner, dialect), options={"manage": True}) as agent:
        assert (await agent.text("create_profile", name="One")).startswith("one: One")
    async with connected_to(McpDoor(runner, dialect, manage=True)) as agent:
        assert (await agent.text("create_profile", name="Two")).startswith("two: Two")


async def test_the_flag_and_the_setting_reach_the_hub(tmp_path: Path) -> None:
    async with hub_of(tmp_path) as hub, hub.start_proxy("--manage") as granted, hub.start_proxy() as plain:
        for proxy in (granted, plain):
            await proxy.agent.initialize()
        assert (await granted.agent.text("create_profile", name="One")).startswith("one: One")
        assert await error_of(plain.agent, "create_profile", name="Two") == REFUSED
    async with hub_of(tmp_path, security__manage="true") as hub, hub.start_proxy() as plain:
        await plain.agent.initialize()
        assert (await plain.agent.text("create_profile", name="Two")).startswith("two: Two")


async def test_the_dialect_agent_browser_grants_its_own_tools_only(runner: Runner, tmp_path: Path) -> None:
    dialects = Dialects(runner.catalog, default="agent_browser,plain")
    door = McpDoor(runner, dialects.choose({}), dialects.choose)
    async with connected_to(door, folder=tmp_path) as agent:
        assert await error_of(agent, "create_profile", name="Mine") == REFUSED


async def test_over_http_a_token_needs_the_scope_and_admin_includes_it(
    runner: Runner, tmp_path: Path
) -> None:
    async with (
        http_door(runner, tmp_path / "open") as url,
        Client(f"{url}/mcp", mode="legacy") as client,
    ):
        result = await client.call_tool("create_profile", {"name": "Mine"})
        assert result.is_error
        assert REFUSED.split("\n", maxsplit=1)[0] in str(result.content)
    tokens = Tokens(tmp_path / "tokens.json")
    keys = {scope: tokens.create(scope, ["act", scope])[1] for scope in ("manage", "admin", "read")}
    async with http_door(runner, tmp_path / "closed", auth=HttpAuth(tokens)) as url:
        for scope, key in keys.items():
            headers = {"authorization": f"Bearer {key}"}
            async with httpx2.AsyncClient(base_url=url, headers=headers, timeout=60) as api:
                answer = await api.post("/api/actions/create_profile", json={"name": scope})
            assert answer.status_code == (403 if scope == "read" else 200), answer.text
