"""agent-browser's tools over MCP: what the program gets, and how its output is returned."""

import json
import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client

from tabwright.actions import CATALOG
from tabwright.app import running
from tabwright.dialects.agent_browser.dialect import AgentBrowser
from tabwright.dialects.plain import Plain
from tabwright.doors.mcp.door import McpDoor
from tabwright.runner import Runner
from tabwright.settings import Settings
from tests.doors.cli.command_cases import CASES, FAILURES, Failure
from tests.doors.http.wired import http_door
from tests.doors.mcp.agents import Agent, Json, connected_to
from tests.processes import members, wait_for_group_exit
from tests.programs import program

SHAPE = [
    "ok",
    "exitCode",
    "signal",
    "invoked",
    "stdout",
    "stderr",
    "parsedJson",
    "truncated",
    "savedOutputPath",
]
RECORD = 'printf "%s\\0" "$@" > "$AGENT_BROWSER_RECORD"; echo \'{"success": true}\''


@pytest.fixture(scope="module")
async def runner(anyio_backend: str) -> AsyncIterator[Runner]:
    async with running(Settings.model_validate({"calls_per_second": 10_000})) as runner:
        yield runner


class ToolClient:
    """A client in a folder with its own programs."""

    def __init__(self, agent: Agent, folder: Path) -> None:
        self._agent = agent
        self.folder = folder

    def install_program(self, script: str) -> Path:
        """Install a script as agent-browser."""
        return program(self.folder / "bin", "agent-browser", script)

    async def call(self, tool: str, **args: Any) -> Json:
        """Call a tool; return its answer, which must be well-formed."""
        return check_shape(await self._agent.call(f"agent_browser_{tool}", **args))

    async def ask(self, tool: str, **args: Any) -> int:
        """Start a call; return its number."""
        return await self._agent.ask("tools/call", {"name": f"agent_browser_{tool}", "arguments": args})

    async def answer(self, number: int) -> Json:
        """Return the answer to an earlier call."""
        return check_shape((await self._agent.answer(number))["result"])

    async def cancel(self, number: int) -> None:
        """Cancel a call."""
        await self._agent.notify("notifications/cancelled", {"requestId": number})


def check_shape(result: Json) -> Json:
    """Check that an answer is well-formed; return its structure."""
    structure: Json = result["structuredContent"]
    assert list(structure) == SHAPE
    assert [part["type"] for part in result["content"]] == ["text"]
    assert json.loads(result["content"][0]["text"]) == structure
    assert result["isError"] == (not structure["ok"])
    kinds = [bool, int | None, str | None, list, str, str, object, bool, str | None]
    assert all(isinstance(value, kind) for value, kind in zip(structure.values(), kinds, strict=True))
    return structure


@pytest.fixture
def start_client(runner: Runner, tmp_path: Path) -> Callable[..., Any]:
    @asynccontextmanager
    async def start_client(folder: Path = tmp_path, **more: str) -> AsyncIterator[ToolClient]:
        (folder / "bin").mkdir(parents=True, exist_ok=True)
        environment = {
            "PATH": f"{folder}/bin:/usr/bin:/bin",
            "AGENT_BROWSER_RECORD": f"{folder}/record",
            **more,
        }
        door = McpDoor(runner, AgentBrowser(CATALOG))
        async with connected_to(door, folder=folder, options={"environment": environment}) as agent:
            yield ToolClient(agent, folder)

    return start_client


@pytest.fixture
async def client(start_client: Callable[..., Any]) -> AsyncIterator[ToolClient]:
    async with start_client() as client:
        yield client


async def test_each_tool_passes_its_arguments_to_the_program_unchanged(client: ToolClient) -> None:
    there = client.install_program(RECORD)
    for tool, args, words in CASES:
        answer = await client.call(tool, **args)
        got = (client.folder / "record").read_bytes().decode().split("\0")[:-1]
        assert got == ["--json", *words], (tool, args)
        assert answer == {
            "ok": True,
            "exitCode": 0,
            "signal": None,
            "invoked": [str(there), *got],
            "stdout": '{"success": true}\n',
            "stderr": "",
            "parsedJson": {"success": True},
            "truncated": False,
            "savedOutputPath": None,
        }
    assert {f"agent_browser_{tool}" for tool, _, _ in CASES} == {
        tool.name for tool in AgentBrowser(CATALOG).tools()
    }


async def test_every_tool_takes_the_global_options_in_order(client: ToolClient) -> None:
    client.install_program(RECORD)
    options = {
        "session": "s",
        "cdp_port": 9,
        "headed": True,
        "debug": True,
        "executable_path": "/c",
        "json": False,
    }
    flags = ["--session", "s", "--cdp", "9", "--headed", "--debug", "--executable-path", "/c"]
    for tool, args, words in {tool: case for tool, *_ in CASES for case in CASES if case[0] == tool}.values():
        await client.call(tool, **{**options, **args})
        got = (client.folder / "record").read_bytes().decode().split("\0")[:-1]
        expected = {"connect": [*flags[:2], *flags[4:]], "doctor": flags[2:]}.get(tool, flags)
        assert got == [*expected, *words]


def test_tools_declare_their_effect() -> None:
    tools = {tool.name.removeprefix("agent_browser_"): tool for tool in AgentBrowser(CATALOG).tools()}
    hints = {name: (tool.read_only, tool.idempotent, tool.destructive) for name, tool in tools.items()}
    reading = {name for name, hint in hints.items() if hint == (True, True, False)}
    assert reading == {"session", "session_list", "snapshot", "get", "wait", "doctor"}
    pressing = {"click", "type", "press", "check", "uncheck", "upload", "find", "tab"}
    assert {name for name, hint in hints.items() if hint[2]} == {"close", "command", *pressing}
    shared = {
        "session",
        "cdp_port",
        "headed",
        "debug",
        "executable_path",
        "json",
        "timeout_ms",
        "save_output_path",
    }
    for tool in tools.values():
        fields = tool.schema["properties"]
        assert shared <= fields.keys()
        assert (fields["json"]["default"], fields["timeout_ms"]["default"]) == (True, 60_000)


async def test_the_tool_list_has_all_hints(client: ToolClient, runner: Runner) -> None:
    async with connected_to(McpDoor(runner, AgentBrowser(CATALOG))) as agent:
        listed = (await agent.request("tools/list"))["result"]["tools"]
    hints = {tool["name"]: tool["annotations"] for tool in listed}
    assert hints["agent_browser_session"] == hints["agent_browser_session_list"]
    assert hints["agent_browser_session"] == {
        "readOnlyHint": True,
        "destructiveHint": False,
        "idempotentHint": True,
        "openWorldHint": True,
    }
    assert hints["agent_browser_close"]["destructiveHint"]
    assert hints["agent_browser_command"]["destructiveHint"]


def fault(answer: Json, failure: Failure) -> str:
    """Return what is wrong with the answer of a failing program; "" if it is right."""
    outcome = (answer["ok"], answer["exitCode"], answer["signal"], answer["truncated"])
    if outcome != (failure.code == 0, failure.code, failure.signal, failure.cut):
        return f"{failure.name}: {outcome}"
    if max(len(answer["stdout"]), len(answer["stderr"])) > 25_200:
        return f"{failure.name}: too long"
    if failure.hangs and answer["stderr"] != "[Killed by Tabwright: it took longer than 1 s.]":
        return f"{failure.name}: {answer['stderr']}"
    return ""


async def test_failed_programs_have_well_formed_answers(
    client: ToolClient, start_client: Callable[..., Any], capsys: pytest.CaptureFixture[str]
) -> None:
    client.install_program('for name; do :; done; . "./$name"')
    calls: list[tuple[Failure, int]] = []
    for place, failure in enumerate(FAILURES):
        (client.folder / f"case{place}").write_text(failure.script)
        timeout = 1_000 if failure.hangs else 60_000
        for turn in range(1 if failure.heavy else 4):
            number = await client.ask(
                "click", target=f"case{place}", session=f"s{place}.{turn}", timeout_ms=timeout
            )
            calls.append((failure, number))
    faults, well_formed = [], 0
    for failure, number in calls:
        faults.append(fault(await client.answer(number), failure))
        well_formed += 1
    (client.folder / "folder").mkdir()
    (client.folder / "text").write_text("no program")
    (client.folder / "text").chmod(0o755)
    for named, message in {
        "nowhere": "there is no such program",
        "folder": "there is no such program",
        "text": "cannot be started",
    }.items():
        async with start_client(AGENT_BROWSER_BIN=f"./{named}") as other:
            answer = await other.call("click", target="x")
            well_formed += 1
            faults.append("" if message in answer["stderr"] and not answer["ok"] else f"{named}: {answer}")
    with capsys.disabled():
        sys.stdout.write(
            f"\n{well_formed} of {len(calls) + 3} answers of failing programs are well-formed.\n"
        )
    assert well_formed >= 0.99 * (len(calls) + 3)
    assert list(filter(None, faults)) == []


async def test_a_stalled_or_cancelled_program_is_killed_with_its_children(
    client: ToolClient,
) -> None:
    os.mkfifo(client.folder / "started")
    client.install_program("sleep 1000 & sleep 1000 & echo $$ > started; sleep 1000")
    late = await client.ask("reload", timeout_ms=2_000)
    group = int(await anyio.Path(client.folder / "started").read_text())
    assert len(members(group)) >= 3
    answer = await client.answer(late)
    assert (answer["ok"], answer["exitCode"], answer["signal"]) == (False, None, "SIGKILL")
    await wait_for_group_exit(group)
    cancelled = await client.ask("reload")
    group = int(await anyio.Path(client.folder / "started").read_text())
    await client.cancel(cancelled)
    await wait_for_group_exit(group)
    client.install_program("echo free again")
    assert (await client.call("reload"))["stdout"] == "free again\n"


async def test_calls_of_one_session_run_in_turn_and_others_in_parallel(client: ToolClient) -> None:
    for name in ("one.began", "one.end", "two.began", "two.end"):
        os.mkfifo(client.folder / name)
    # $2 is the session: each program reports its start, then waits until it may exit.
    client.install_program(
        'echo >> order "$2 $5"; echo $5 > "$2.began"; read end < "$2.end"; echo >> order "$2 $5 ended"'
    )

    async def wait_for_start(session: str) -> str:
        with anyio.fail_after(60):
            return await anyio.Path(client.folder / f"{session}.began").read_text()

    async def release(session: str) -> None:
        await anyio.Path(client.folder / f"{session}.end").write_text("now\n")

    first = await client.ask("click", session="one", target="a")
    assert await wait_for_start("one") == "a\n"
    second = await client.ask("click", session="one", target="b")
    other = await client.ask("click", session="two", target="c")
    assert await wait_for_start("two") == "c\n"
    await release("two")
    assert (await client.answer(other))["ok"]
    await release("one")
    assert (await client.answer(first))["ok"]
    assert await wait_for_start("one") == "b\n"
    await release("one")
    assert (await client.answer(second))["ok"]
    order = (client.folder / "order").read_text().splitlines()
    assert order == ["one a", "two c", "two c ended", "one a ended", "one b", "one b ended"]


async def test_the_session_is_the_named_one_or_that_of_the_environment(
    start_client: Callable[..., Any], client: ToolClient
) -> None:
    client.install_program('echo "$*"')
    assert (await client.call("session", json=False))["stdout"] == "session\n"
    async with start_client(AGENT_BROWSER_SESSION="mine") as other:
        assert (await other.call("session", json=False))["stdout"] == "--session mine session\n"
        named = await other.call("session", json=False, session="default")
        assert named["stdout"] == "--session default session\n"


async def test_a_program_runs_in_the_clients_folder_without_secrets_of_the_hub(
    client: ToolClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AN_API_KEY", "TABWRIGHT_PROXY", "AGENT_BROWSER_HUBS", "LD_PRELOAD_NOT", "LC_TIME"):
        monkeypatch.setenv(name, "of the hub")
    client.install_program("pwd; env")
    place, *variables = (await client.call("get", what="title"))["stdout"].splitlines()
    assert place == str(client.folder)
    environment = dict(variable.split("=", 1) for variable in variables)
    assert {name for name, value in environment.items() if value == "of the hub"} == {"LC_TIME"}
    assert environment["AGENT_BROWSER_RECORD"] == f"{client.folder}/record"
    assert environment["PATH"].startswith(str(client.folder))


async def test_output_is_saved_whole_and_returned_only_if_it_is_short(client: ToolClient) -> None:
    client.install_program("echo '[1, 2]'")
    short = await client.call("snapshot", save_output_path="out/deep/short.json")
    assert (short["savedOutputPath"], short["parsedJson"], short["truncated"]) == (
        "out/deep/short.json",
        [1, 2],
        False,
    )
    assert (client.folder / "out/deep/short.json").read_text() == "[1, 2]\n"
    client.install_program("printf '[\"'; head -c 3000000 /dev/zero | tr '\\0' x; printf '\"]'")
    long = await client.call("snapshot", save_output_path="out/long.json")
    assert (long["ok"], long["stdout"], long["parsedJson"], long["truncated"]) == (True, "", None, True)
    assert long["stderr"] == "[It wrote 3,000,004 bytes: read them from the saved file.]"
    assert json.loads((client.folder / "out/long.json").read_text()) == ["x" * 3_000_000]
    assert (
        "[It wrote 3,000,004 bytes: ask for less, or save them to a file (save_output_path).]"
        in (await client.call("snapshot"))["stderr"]
    )
    client.install_program("echo half; exec sleep 1000")
    stalled = await client.call("snapshot", save_output_path="out/short.json", timeout_ms=500)
    assert (stalled["stdout"], stalled["signal"], stalled["savedOutputPath"]) == ("half\n", "SIGKILL", None)
    (client.folder / "away").symlink_to(client.folder.parent)
    for path in ("/tmp/x", "../x", "away/x", "out", "C:x", "a\uff0fb", "a\0b"):
        refused = await client.call("snapshot", save_output_path=path)
        assert (refused["ok"], refused["invoked"], refused["savedOutputPath"]) == (False, [], None)
        assert refused["stderr"].startswith(("InvalidArgs: ", "Denied: "))
    assert sorted(path.name for path in (client.folder / "out").rglob("*")) == [
        "deep",
        "long.json",
        "short.json",
    ]


async def test_forbidden_commands_are_refused_in_the_same_shape(client: ToolClient) -> None:
    client.install_program("echo run")
    for args in (
        {"argv": ["plugin", "add", "x"]},
        {"argv": ["batch", "plugin add x"]},
        {"argv": ["--headed", "open"]},
        {"argv": [""]},
        {"argv": ["open", "a.example", "--session=other"]},
        {"argv": ["open", "a\0b"]},
        {"argv": ["open", "x" * 100_001]},
    ):
        refused = await client.call("command", **args)
        assert (refused["ok"], refused["exitCode"], refused["invoked"]) == (False, None, [])
        assert refused["stderr"].startswith(("InvalidArgs: ", "Denied: "))
    dashes = await client.call("fill", target="@e1", value="--headed")
    assert dashes["stderr"] == (
        "InvalidArgs: agent-browser would take '--headed' for a flag. Type the dashes one by one, then the rest."
    )


async def test_programs_run_only_for_local_clients(runner: Runner, tmp_path: Path) -> None:
    message = "Programs run only for clients of this computer that chose the dialect agent_browser."
    async with connected_to(McpDoor(runner, Plain(runner.catalog)), folder=tmp_path) as agent:
        refused = await agent.call("run_agent_browser", verb="session")
        assert refused["isError"]
        assert message in refused["content"][0]["text"]
    async with (
        http_door(runner, tmp_path, dialect=AgentBrowser(CATALOG)) as url,
        httpx2.AsyncClient(base_url=url, timeout=30) as api,
        Client(f"{url}/mcp", mode="legacy") as client,
    ):
        over_http = await client.call_tool("agent_browser_session", {})
        assert over_http.is_error
        assert over_http.structured_content is not None
        assert over_http.structured_content["stderr"].startswith(f"Denied: {message}")
        answer = await api.post("/api/actions/run_agent_browser", json={"verb": "session"})
        assert (answer.status_code, answer.json()["error"]["message"]) == (403, message)
