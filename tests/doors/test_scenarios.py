"""One list of scenarios for every door: the same calls have the same outcome."""

import json
import re
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import httpx2
import mcp_types as types
import pytest
from mcp import Client, MCPError

from tabwright import __version__, app
from tabwright.dialects.plain import Plain
from tabwright.doors.mcp.door import McpDoor
from tabwright.doors.mcp.results import CODES
from tabwright.doors.wire.handshake import Hello
from tabwright.settings import Settings
from tests.doors.cli.shell import Shell
from tests.doors.mcp.agents import Agent, HubHome, connected_to, hub_of, without_markers
from tests.web import Web

Outcome = tuple[str, str]
Act = Callable[[str, Mapping[str, Any]], Awaitable[Outcome]]

_CLASS_OF = {name: kind.__name__ for kind, (_, name) in CODES.items()}
_CLASS_OF_CODE = {code: kind.__name__ for kind, (code, _) in CODES.items()}

FORM = """<title>Sign up</title><h1>Sign up</h1><label>Name <input></label>
<label><input type=checkbox>News</label><button onclick="document.title = 'Welcome'">Send</button>"""
TABLE = "<table><tr><th>N</tr>" + "".join(f"<tr><td>{n}</tr>" for n in range(300)) + "</table>"


@dataclass(frozen=True)
class Scenario:
    """A page, and calls on it with the expected outcome; {page} stands for its URL."""

    name: str
    html: str
    steps: tuple[tuple[str, dict[str, Any], Outcome], ...]


ARRIVED = ("ok", "Navigated to {page} (200 OK)")
SIGN_UP = """[Snapshot of {host}]
- @e1: heading "Sign up" (level: 1)
- @e2: textbox "Name"
- @e3: checkbox "News" (unchecked)
- @e4: button "Send\""""
FILLED = 'textbox "Name" is now "Ada".'
SENT = """Clicked button "Send".
The title is now "Welcome"
Focus: @e4: button "Send" (focused)"""
ROWS = """[Snapshot of {host}]
- @e1: table
  - row: "N"
  - row: "0"
  - row: "1"
  - row: "2"
  - … 297 more rows like these
[Shortened. Whole text: more o1]"""
UNKNOWN_REF = "Unknown ref @e99; the latest is @e4. Take a snapshot, then use a ref from it."
TOO_MANY = (
    "count: Input should be less than or equal to 3. "
    "Fields: target, button, count, modifiers, wait_for_navigation, expect_tab, timeout."
)

SCENARIOS = (
    Scenario(
        "fill in a form and send it",
        FORM,
        (
            ("navigate", {"url": "{page}", "wait_until": "networkidle"}, ARRIVED),
            ("snapshot", {}, ("ok", SIGN_UP)),
            ("fill", {"target": "@e2", "value": "Ada"}, ("ok", FILLED)),
            ("click", {"target": "@e4", "count": 1}, ("ok", SENT)),
            ("get_page", {}, ("ok", '{page} "Welcome" (200 OK)')),
        ),
    ),
    Scenario(
        "read a long table",
        TABLE,
        (
            ("navigate", {"url": "{page}"}, ARRIVED),
            ("snapshot", {"max_tokens": 100}, ("ok", ROWS)),
            ("find", {"text": '"299"'}, ("ok", '1 match\n  - row: "298"\n  - row: "299"')),
        ),
    ),
    Scenario(
        "run scripts of each form",
        "<title>Shop</title><p>One<p id=second>Two",
        (
            ("navigate", {"url": "{page}"}, ARRIVED),
            ("evaluate", {"script": "document.title"}, ("ok", "Shop")),
            ("evaluate", {"script": "const n = 2; return [n * 2]"}, ("ok", "[4]")),
            ("evaluate", {"script": "() => document.title"}, ("ok", "Shop")),
            ("evaluate", {"script": "async (a, b) => (await a) + b", "args": ["x", "y"]}, ("ok", "xy")),
            ("evaluate", {"script": "arguments[0]", "args": ["z"]}, ("ok", "z")),
            ("evaluate", {"script": "p => p.textContent", "target": "#second"}, ("ok", "Two")),
            ("evaluate", {"script": "''"}, ("ok", "")),
        ),
    ),
    Scenario(
        "errors have a class, a message and a hint",
        FORM,
        (
            ("navigate", {"url": "{page}"}, ARRIVED),
            ("click", {"target": "@e99"}, ("NotFound", UNKNOWN_REF)),
            ("click", {"target": "button", "count": 9}, ("InvalidArgs", TOO_MANY)),
            ("answer_dialog", {}, ("NotFound", "No dialog is open. There is nothing to answer.")),
            ("back", {"timeout": 5}, ("ok", "Navigated to about:blank")),
            ("back", {}, ("NotFound", "There is no page to go back to. Navigate to a URL instead.")),
        ),
    ),
)


def _mcp_outcome(result: Mapping[str, Any]) -> Outcome:
    text = without_markers(result["content"][-1]["text"])
    if not result.get("isError"):
        return "ok", text
    head, _, message = text.partition(": ")
    return _CLASS_OF[head.partition(" (")[0]], message.replace("\n", " ")


def by_agent(agent: Agent) -> Act:
    async def act(action: str, args: Mapping[str, Any]) -> Outcome:
        answer = await agent.request("tools/call", {"name": action, "arguments": dict(args)})
        if "error" in answer:
            return _CLASS_OF_CODE[answer["error"]["code"]], answer["error"]["message"]
        return _mcp_outcome(answer["result"])

    return act


def _by_client(client: Client) -> Act:
    async def act(action: str, args: Mapping[str, Any]) -> Outcome:
        try:
            result = await client.call_tool(action, dict(args))
        except MCPError as error:
            return _CLASS_OF_CODE[error.code], error.message
        assert isinstance(result.content[-1], types.TextContent)
        return _mcp_outcome({"content": [{"text": result.content[-1].text}], "isError": result.is_error})

    return act


def _by_rest(api: httpx2.AsyncClient) -> Act:
    async def act(action: str, args: Mapping[str, Any]) -> Outcome:
        options = {name: str(args[name]) for name in ("session", "max_tokens") if name in args}
        body = {name: value for name, value in args.items() if name not in options}
        answer = (await api.post(f"/api/actions/{action}", params=options, json=body)).json()
        if "error" in answer:
            return answer["error"]["class"], f"{answer['error']['message']} {answer['error']['hint']}"
        return "ok", answer["text"]

    return act


def _by_shell(shell: Shell) -> Act:
    async def act(action: str, args: Mapping[str, Any]) -> Outcome:
        flags = []
        for name, value in args.items():
            for text in map(json.dumps, value) if isinstance(value, list) else [str(value)]:
                flags += [f"--{name.replace('_', '-')}", text]
        for required in ("url", *(("script",) if action == "evaluate" else ("target", "value", "text"))):
            if f"--{required}" in flags:
                flags.remove(f"--{required}")
        ran = await shell.run(action, "--json", *flags)
        answer = json.loads(ran.out or "{}")
        assert answer, ran.err
        if answer["ok"]:
            # The shell also shows the title of a page.
            return "ok", re.sub(r'^(Navigated to \S+) "[^"]*"', r"\1", answer["text"])
        return answer["error"]["class"], f"{answer['error']['message']} {answer['error']['hint']}"

    return act


@pytest.fixture(scope="module")
async def hub(anyio_backend: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[HubHome]:
    async with hub_of(tmp_path_factory.mktemp("hub"), api_port="any") as hub:
        async with hub.start_proxy() as proxy:
            await proxy.agent.initialize()
        yield hub


@pytest.fixture(params=["memory", "stdio", "socket", "http", "http, newest", "rest", "shell"])
async def act(request: pytest.FixtureRequest, hub: HubHome, tmp_path: Path) -> AsyncIterator[Act]:
    """Runs an action through one door."""
    async with AsyncExitStack() as stack:
        url = json.loads(await anyio.Path(hub.home.http).read_text())["url"]
        match request.param:
            case "memory":
                runner = await stack.enter_async_context(app.running(Settings()))
                agent = await stack.enter_async_context(connected_to(McpDoor(runner, Plain(runner.catalog))))
                yield by_agent(agent)
            case "stdio":
                proxy = await stack.enter_async_context(hub.start_proxy())
                await proxy.agent.initialize()
                yield by_agent(proxy.agent)
            case "socket":
                agent = await stack.enter_async_context(hub.connected(Hello("mcp", __version__)))
                await agent.initialize()
                yield by_agent(agent)
            case "http" | "http, newest":
                mode = "legacy" if request.param == "http" else "2026-07-28"
                yield _by_client(await stack.enter_async_context(Client(f"{url}/mcp", mode=mode)))
            case "rest":
                api = httpx2.AsyncClient(base_url=url, timeout=30)
                yield _by_rest(await stack.enter_async_context(api))
            case _:
                yield _by_shell(Shell(tmp_path, hub.home))


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
async def test_every_door_gives_the_same_answers(act: Act, web: Web, scenario: Scenario) -> None:
    page = web.page(scenario.html)
    host = web.url.removeprefix("http://")
    session = secrets.token_hex(4)
    for action, args, (kind, text) in scenario.steps:
        actual = {name: page if value == "{page}" else value for name, value in args.items()}
        expected = (kind, text.replace("{page}", page).replace("{host}", host))
        assert await act(action, {**actual, "session": session}) == expected
    assert await act("close_session", {"name": session}) == ("ok", f"Closed session: {session}")


async def test_the_shell_and_rest_work_in_one_default_session(hub: HubHome, tmp_path: Path, web: Web) -> None:
    url = json.loads(await anyio.Path(hub.home.http).read_text())["url"]
    shell = Shell(tmp_path, hub.home)
    assert (await shell.run("open", web.page("<h1>Three apples"))).code == 0
    async with httpx2.AsyncClient(base_url=url, timeout=30) as api:
        answer = (await api.post("/api/actions/snapshot", json={})).json()
        assert (answer["session"], "Three apples" in answer["text"]) == ("default", True)
        assert (await api.post("/api/actions/close_session", json={"name": "default"})).status_code == 200
    assert (await shell.run("list-tabs")).out == "No tab is open.\n"
