"""agent-browser's tools through `tabwright mcp`: the same task with agent-browser and with our own commands."""

import json
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from tabwright.browser.process.find import find_browser
from tabwright.browser.process.launch import needs_sandbox_off
from tabwright.home import Home
from tests.browser.test_attach import external_browser
from tests.dialects.test_agent_browser import check_shape
from tests.doors.cli.shell import Ran, Shell
from tests.doors.cli.test_verbs import NOT_INSTALLED, THEIRS
from tests.doors.mcp.agents import Agent, HubHome, Json, hub_of
from tests.programs import program as script
from tests.web import Request, Response, Web

PAGE = """<title>Form</title><label>Name <input id=n></label>
<label><input type=checkbox id=c> Agree</label>
<select id=s aria-label=Size><option value=x>Small<option value=y>Large</select>
<button onclick="document.title = 'saved ' + n.value">Save</button>"""


@pytest.fixture(scope="module")
async def hub(anyio_backend: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[HubHome]:
    async with hub_of(tmp_path_factory.mktemp("home")) as hub:
        yield hub


@pytest.fixture(params=["tabwright", "agent-browser"])
async def chosen(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[dict[str, str]]:
    """The client's environment, which chooses the program; stop its daemon afterwards."""
    if request.param == "tabwright":
        yield {"PATH": "/usr/bin:/bin"}
        return
    if not THEIRS.exists():
        pytest.skip(NOT_INSTALLED)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/agent-browser").symlink_to(THEIRS)
    environment = {
        "PATH": f"{tmp_path}/bin:/usr/bin:/bin",
        "AGENT_BROWSER_SOCKET_DIR": str(tmp_path / "sockets"),
        "AGENT_BROWSER_EXECUTABLE_PATH": str(find_browser()),
        "AGENT_BROWSER_ARGS": "--no-sandbox" if needs_sandbox_off() else "",
    }
    yield environment
    await anyio.run_process([str(THEIRS), "close", "--all"], check=False, env=environment)


class Client:
    """An agent that uses the tools, and counts which answers were parsed."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self.parsed: list[bool] = []

    async def do(self, tool: str, **args: Any) -> Json:
        """Call a tool, which succeeds."""
        answer = check_shape(await self._agent.call(f"agent_browser_{tool}", **args))
        assert answer["ok"], answer
        if args.get("json", True):
            self.parsed.append(answer["parsedJson"] is not None)
        return answer

    async def last_line(self, tool: str, **args: Any) -> str:
        """Return the last line that a command prints."""
        lines = (await self.do(tool, json=False, **args))["stdout"].splitlines()
        return lines[-1] if lines else ""

    async def ref(self, name: str) -> str:
        """Return the ref of the element with this name."""
        seen = (await self.do("snapshot", json=False))["stdout"]
        line = next(line for line in seen.splitlines() if f'"{name}"' in line)
        found = re.search(r"\be\d+\b", line)
        assert found
        return f"@{found[0]}"

    async def expect_failure(self, tool: str, **args: Any) -> Json:
        """Call a tool whose command fails."""
        answer = check_shape(await self._agent.call(f"agent_browser_{tool}", **args))
        assert not answer["ok"]
        return answer


async def test_both_programs_complete_a_task(
    hub: HubHome, chosen: dict[str, str], tmp_path: Path, web: Web
) -> None:
    def show_headers(request: Request) -> Response:
        headers = f"{request.headers.get('x-one')} {request.headers.get('x-all')}"
        return Response(f"<title>{headers}</title>", headers={"content-type": "text/html"})

    web.route("/headers", show_headers)
    page = web.page(PAGE)
    client_home = replace(hub, more={**hub.more, **chosen})
    async with client_home.start_proxy("--dialect", "agent_browser", folder=tmp_path) as proxy:
        await proxy.agent.initialize()
        client = Client(proxy.agent)
        await client.do("open", url=f"{web.url}/headers", headers={"X-One": "1"})
        assert await client.last_line("get", what="title") == "1 None"
        await client.do("set_headers", headers={"X-All": "2"})
        await client.do("open", url=f"{web.url}/headers")
        assert (await client.last_line("get", what="title")).endswith(" 2")
        await client.do("tab", action="new", url=page)
        name = await client.ref("Name")
        await client.do("fill", target=name, value="Ada")
        await client.do("type", target=name, text=" -5")
        await client.do("click", target=await client.ref("Save"))
        assert await client.last_line("get", what="title") == "saved Ada -5"
        await client.do("check", target="#c")
        await client.do("select", target="#s", values=["Large"])
        await client.do(
            "wait",
            fn="[document.querySelector('#s').value, document.querySelector('#c').checked] == 'y,true'",
        )
        await client.do("find", by="role", value="textbox", name="Name", action="fill", text="Eve")
        assert await client.last_line("get", what="value", target="#n") == "Eve"
        await client.do("screenshot", path="page.png")
        assert (tmp_path / "page.png").read_bytes().startswith(b"\x89PNG")
        saved = await client.do("snapshot", save_output_path="out/seen.json")
        assert json.loads((tmp_path / "out/seen.json").read_text()) == saved["parsedJson"]
        assert (await client.expect_failure("command", argv=["is", "checked", "#none"]))["exitCode"] not in (
            0,
            None,
        )
        await client.do("session_list")
        await client.do("close")
        assert sum(client.parsed) >= 0.95 * len(client.parsed)


async def test_our_commands_stay_in_the_folder_and_connect_to_browsers(
    hub: HubHome, tmp_path: Path, web: Web
) -> None:
    page = web.page(
        "<title>Joined</title><input aria-label=Name><input type=file onchange='document.title = this.files[0].name'>"
    )
    folder = tmp_path / "work"
    folder.mkdir()
    here = replace(hub, more={**hub.more, "PATH": "/usr/bin:/bin", "AGENT_BROWSER_SESSION": "guest"})
    async with (
        external_browser(tmp_path / "profile") as running,
        here.start_proxy("--dialect", "agent_browser", folder=folder) as proxy,
    ):
        await proxy.agent.initialize()
        # Modules in the client's folder are not imported.
        for name in ("tabwright.py", "json.py", "anyio.py"):
            (folder / name).write_text("raise SystemExit(77)")
        client = Client(proxy.agent)
        joined = await client.do("connect", cdp_port=int(running.port))
        assert joined["parsedJson"]["result"]["joined"] is True
        await client.do("open", url=page, cdp_port=int(running.port))
        assert await client.last_line("get", what="title") == "Joined"
        await client.do("fill", target=await client.ref("Name"), value="--json")
        assert await client.last_line("get", what="value", target="[aria-label=Name]") == "--json"
        assert await client.last_line("session") == "guest"
        (folder / "note.txt").write_text("note")
        (tmp_path / "other.txt").write_text("not of the client")
        await client.do("upload", target="[type=file]", files=["note.txt"])
        assert await client.last_line("get", what="title") == "note.txt"
        assert (await client.expect_failure("upload", target="[type=file]", files=["../other.txt"]))[
            "exitCode"
        ] == 6
        for argv in (
            ["screenshot", "../away.png"],
            ["pdf", f"{tmp_path}/away.pdf"],
            ["state", "save", "../s.json"],
        ):
            refused = await client.expect_failure("command", argv=argv)
            assert (refused["exitCode"], refused["parsedJson"]) == (2, None)
            assert f"Outside of {folder}" in refused["stderr"]
        assert [name for name in ("away.png", "away.pdf", "s.json") if (tmp_path / name).exists()] == []
        await client.do("close")


async def test_a_hub_runs_no_modules_from_the_clients_folder(tmp_path: Path) -> None:
    (tmp_path / "anyio.py").write_text("open('run', 'w')")
    shell = Shell(tmp_path, Home(tmp_path / "home", tmp_path / "home"), {"PYTHONSAFEPATH": ""})
    try:
        listed = await shell.run("list-sessions")
    finally:
        await anyio.to_thread.run_sync(shell.stop_hub)
    assert listed == Ran(0, "No session is open.\n", "")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("words", [("--embedded",), ()], ids=["embedded", "hub"])
async def test_only_the_protocol_reaches_the_client_whatever_programs_print(
    hub: HubHome, tmp_path: Path, words: tuple[str, ...]
) -> None:
    script(
        tmp_path,
        "mine",
        "echo noise; echo more noise >&2; head -c 100000 /dev/urandom; head -c 100000 /dev/urandom >&2",
    )
    here = replace(hub, more={**hub.more, "AGENT_BROWSER_BIN": f"{tmp_path}/mine"})
    async with here.start_proxy("--dialect", "agent_browser", *words, folder=tmp_path) as proxy:
        await proxy.agent.initialize()
        numbers = [
            await proxy.agent.ask(
                "tools/call", {"name": "agent_browser_reload", "arguments": {"session": f"s{n}"}}
            )
            for n in range(5)
        ]
        # The client parses every line as a protocol message.
        answers = [check_shape((await proxy.agent.answer(number))["result"]) for number in numbers]
        assert [answer["stdout"][:6] for answer in answers] == ["noise\n"] * 5
