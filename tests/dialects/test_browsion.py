"""Browsion's tools and routes: they behave and fail the same over MCP and REST."""

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest

from tabwright.actions import CATALOG
from tabwright.app import running
from tabwright.dialects.browsion.dialect import TOOLS, Browsion
from tabwright.dialects.browsion.routes import Endpoint
from tabwright.doors.http.openapi import document
from tabwright.doors.mcp.door import McpDoor
from tabwright.doors.mcp.results import CODES
from tabwright.doors.wire.http_json import STATUS
from tabwright.home import Home
from tabwright.policy.callers.http_auth import HttpAuth
from tabwright.policy.callers.tokens import Tokens
from tabwright.runner import Runner
from tabwright.settings import Settings
from tests.dialects.browsion_cases import CASES, CONTROLS, DIALOG, PROFILE, Case
from tests.doors.http.wired import http_door
from tests.doors.mcp.agents import Agent, Json, connected_to, without_markers
from tests.web import Response, Web

ENDPOINTS = Browsion(CATALOG).endpoints()
# Tools whose route takes other arguments.
OTHER_ROUTES = {"wait": "pause"}
VARIABLE_NUMBERS = (
    (r"\bt\d+\b", "tN"),
    (r"\b([ri])\d+\b(?! is)", r"\1N"),
    (r"\bf[1-9]\d*\b", "fN"),
    (r"\d+ (B|ms|bytes)\b", r"N \1"),
    (r"at most (?!0,)\d+, ", "at most N, "),
    (r"(at most \w+), [1-9]\d*", r"\1, N"),
    (r"Screenshot of \d+ x \d+", "Screenshot of N x N"),
    (r"from (?!0, 0)\d+(\.\d+)?, \d+(\.\d+)?\.", "from N, N."),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    (folder / "note.txt").write_text("a note")
    return folder


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
async def runner(anyio_backend: str, folder: Path, home: Path) -> AsyncIterator[Runner]:
    settings = Settings.model_validate(
        {
            "calls_per_second": 1_000,
            "security": {"block_eval": False},
            "files": {"folders": [folder]},
            "sessions": {"reconnect_seconds": 0},  # each test begins without a session
        }
    )
    async with running(settings, Home(home, home)) as runner:
        yield runner


@pytest.fixture
async def mcp(runner: Runner) -> AsyncIterator[Agent]:
    async with connected_to(McpDoor(runner, Browsion(runner.catalog), manage=True)) as agent:
        yield agent


@pytest.fixture(scope="module")
async def api(runner: Runner, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[httpx2.AsyncClient]:
    async with (
        http_door(runner, tmp_path_factory.mktemp("hub")) as url,
        httpx2.AsyncClient(base_url=url, timeout=30) as api,
    ):
        yield api


class Mcp:
    """The tools as an agent calls them."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    async def call(self, tool: str, args: Json) -> tuple[str, str]:
        """Return the class of the failure, "" for none, and the text."""
        answer = await self._agent.request("tools/call", {"name": tool, "arguments": args})
        if "error" in answer:
            return _class_of(answer["error"]["code"]), answer["error"]["message"]
        blocks = [block["text"] for block in answer["result"]["content"] if block["type"] == "text"]
        text = without_markers("\n".join(blocks))
        if not answer["result"].get("isError"):
            return "", re.sub(r"\n\[[\w.-]+: tabwright://.*\]", "", text)
        code = re.search(r"\((-\d+)\)", text)
        assert code
        return _class_of(int(code[1])), text.partition(": ")[2].replace("\n", " ")


class Rest:
    """The same calls over HTTP, in another session."""

    def __init__(self, api: httpx2.AsyncClient, session: str) -> None:
        self._api = api
        self._session = session

    async def call(self, tool: str, args: Json) -> tuple[str, str]:
        """As over MCP."""
        endpoint, path, rest = self._route(tool, dict(args))
        sent: Json = {"params": _in_query(rest)} if endpoint.in_query else {"json": rest}
        answer = await self._api.request(endpoint.method, path, **sent)
        content = answer.json()
        if answer.status_code == 200:
            return "", content["text"]
        error = content["error"]
        assert answer.status_code == STATUS[next(kind for kind in STATUS if kind.__name__ == error["class"])]
        return error["class"], f"{error['message']} {error['hint']}"

    def _route(self, tool: str, args: Json) -> tuple[Endpoint, str, Json]:
        name = OTHER_ROUTES.get(tool, tool)
        endpoint = next(endpoint for endpoint in ENDPOINTS if endpoint.alias.name == name)
        parts = {
            part: self._session if name == "profile_id" and name not in args else args.pop(name)
            for part, name in endpoint.parts.items()
        }
        return endpoint, endpoint.path.format(**parts), args


def _class_of(code: int) -> str:
    return next(kind.__name__ for kind, (known, _) in CODES.items() if known == code)


def _in_query(args: Json) -> dict[str, str]:
    return {
        name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in args.items()
    }


def mask_numbers(text: str) -> str:
    """Replace numbers that vary from run to run by N."""
    for pattern, replacement in VARIABLE_NUMBERS:
        text = re.sub(pattern, replacement, text)
    return text


def fill_in(value: Any, places: dict[str, str]) -> Any:
    """Replace the placeholders in a value of a case."""
    if isinstance(value, dict):
        return {key: fill_in(inner, places) for key, inner in value.items()}
    if isinstance(value, list):
        return [fill_in(inner, places) for inner in value]
    if isinstance(value, str):
        for name, place in places.items():
            value = value.replace(f"{{{name}}}", place)
    return value


async def run_case(door: Mcp | Rest, case: Case, places: dict[str, str]) -> list[str]:
    """Prepare a page, call the tool, check the page, then make a call that fails."""
    over_rest = isinstance(door, Rest)
    await door.call("navigate", {"url": places["page"]})
    places = {**places, "first": (await door.call("list_tabs", {}))[1].partition(" ")[0]}
    for tool, args in case.before:
        failure, text = await door.call(tool, fill_in(args, places))
        assert not failure, text
    args = case.rest if over_rest and case.rest is not None else case.args
    failure, text = await door.call(case.tool, fill_in(args, places))
    assert failure == "", text
    answers = [mask_numbers(text)]
    if case.proof:
        answers.append(mask_numbers((await door.call("evaluate_js", {"expression": case.proof[0]}))[1]))
        answers[-1] = answers[-1].partition("\nConsole: ")[0]
    fails = case.rest_fails if over_rest and case.rest_fails is not None else case.fails
    failure, text = await door.call(case.tool, fill_in(fails, places))
    # The progress of a wait, and messages only the route has, may differ.
    alike = failure != "TimedOut" and case.rest_fails is None
    return [*answers, f"{failure}: {mask_numbers(text) if alike else ''}"]


@pytest.fixture
async def doors(mcp: Agent, api: httpx2.AsyncClient, runner: Runner) -> AsyncIterator[dict[str, Mcp | Rest]]:
    yield {"mcp": Mcp(mcp), "rest": Rest(api, "default")}
    for session in runner.sessions:
        await runner.sessions.close(session.owner, session.name)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.tool)
async def test_a_tool_behaves_and_fails_the_same_over_mcp_and_rest(
    doors: dict[str, Mcp | Rest], folder: Path, web: Web, case: Case
) -> None:
    web.page("<title>Inner</title><p>Inside</p>", "/inner")
    web.route("/data", lambda _: Response("real", headers={"content-type": "text/plain"}))
    places = {
        "page": web.page(f"<link rel=icon href='data:,'>{case.page}"),
        "site": web.url,
        "host": web.url.removeprefix("http://"),
        "folder": str(folder),
    }
    answers: dict[str, list[str]] = {}

    async def run_over(name: str, door: Mcp | Rest) -> None:
        answers[name] = await run_case(door, case, places)

    async with anyio.create_task_group() as group:
        for name, door in doors.items():
            group.start_soon(run_over, name, door)
    assert answers["mcp"] == answers["rest"]
    *done, failed = answers["mcp"]
    assert done == fill_in([case.answer, *([case.proof[1]] if case.proof else [])], places)
    assert failed.startswith(f"{case.error}: ")


@pytest.mark.parametrize(("door", "name"), [("mcp", "ada"), ("rest", "eve")])
async def test_a_profile_is_created_run_and_deleted_over_mcp_and_rest(
    doors: dict[str, Mcp | Rest], home: Path, web: Web, door: str, name: str
) -> None:
    places = {"page": web.page("<title>Page</title>"), "name": name, "home": str(home)}
    for tool, args, expected in PROFILE:
        failure, text = await doors[door].call(tool, fill_in(args, places))
        answer = failure or re.sub(r"(process|since) [^;]+", r"\1 N", text)
        assert (tool, answer) == (tool, fill_in(expected, places))


def test_all_71_tools_have_a_case_a_route_and_actions() -> None:
    names = {alias.name for alias in TOOLS}
    assert len(TOOLS) == len(names) == 71
    assert {case.tool for case in CASES} | {tool for tool, _, _ in PROFILE} == names
    routed = {endpoint.alias.name for endpoint in ENDPOINTS}
    assert [name for name in names if OTHER_ROUTES.get(name, name) not in routed] == []
    actions = {action for alias in TOOLS for action in (alias.action, *alias.also)}
    assert [action for action in actions if action not in CATALOG] == []


async def test_wait_for_new_tab_may_start_before_the_click(mcp: Agent, web: Web) -> None:
    web.page("<title>Popup</title><h1>Here</h1>", "/popup")
    await mcp.text("navigate", url=web.page("<a href='/popup' target=_blank>Open</a>"))
    ref = re.search(r"@(e\d+): link", await mcp.text("get_page_state"))
    assert ref
    waiting = await mcp.ask("tools/call", {"name": "wait_for_new_tab", "arguments": {"timeout_ms": 20_000}})
    await mcp.text("click_ref", ref_id=ref[1])
    text = (await mcp.answer(waiting))["result"]["content"][0]["text"]
    opened = re.fullmatch(rf"t\d+ opened tab (t\d+): {web.url}/popup", text)
    assert opened
    await mcp.text("switch_tab", target_id=opened[1])
    assert (await mcp.text("get_page_state")).startswith(f'{web.url}/popup "Popup"')


async def test_each_tab_keeps_its_refs_console_and_network_log(mcp: Agent, web: Web) -> None:
    one = web.page("<button>One</button><script>console.log('in one')</script>")
    two = web.page("<button>Two</button><script>console.log('in two')</script>")
    await mcp.text("navigate", url=one)
    await mcp.text("get_page_state")
    first = (await mcp.text("new_tab", url=two)).partition(":")[0]
    await mcp.text("get_page_state")
    assert (await mcp.text("click_ref", ref_id="e1")).startswith('Clicked button "Two".')
    await mcp.text("switch_tab", target_id=first)
    assert (await mcp.text("click_ref", ref_id="e1")).startswith('Clicked button "One".')
    assert "in one" in await mcp.text("get_console_logs")
    assert two not in await mcp.text("get_network_log")


async def test_the_network_log_shows_a_body_on_demand(mcp: Agent, web: Web) -> None:
    web.route("/data", lambda _: Response("the body", headers={"content-type": "text/plain"}))
    await mcp.text("navigate", url=web.page("<script>fetch('/data')</script>"), wait_until="networkidle")
    log = await mcp.text("get_network_log")
    request = re.search(r"(r\d+) GET \S+/data 200 Fetch", log)
    assert request
    assert (await mcp.text("get_network_log", request_id=request[1])).endswith("\nthe body")


async def test_a_long_page_is_read_on_with_its_cursor(mcp: Agent, web: Web) -> None:
    await mcp.text(
        "navigate", url=web.page("".join(f"<p>Line {number} of words.</p>" for number in range(900)))
    )
    text = await mcp.text("get_page_text")
    cursor = re.search(r"more lines: more (o\d+:\d+)\]$", text)
    assert cursor
    assert "Line 899" not in text
    assert re.match(r"Line \d+ of words\.", (await mcp.text("get_page_text", cursor=cursor[1])).strip())


async def test_routes_take_their_session_only_from_the_path(api: httpx2.AsyncClient, web: Web) -> None:
    page = web.page("<title>Routed</title>" + "<p>Words</p>" * 600)
    there = (await api.post("/api/browser/default/navigate", json={"url": page})).json()
    assert (there["session"], there["result"]["title"]) == ("default", "Routed")
    short = (await api.get(f"/api/browser/default/ax_tree?max_tokens=60&tab={there['tab']}")).json()
    assert (short["tab"], bool(short["cursor"])) == (there["tab"], True)
    for method, path, sent, fault in (
        ("POST", "navigate", {"url": page, "profile_id": "other"}, "profile_id is not allowed here."),
        ("POST", "navigate?url=x", {"url": page}, "url is not allowed here."),
        ("POST", "navigate?session=other", {"url": page}, "session is not allowed here."),
        ("GET", "screenshot?full_page=perhaps", None, "full_page: Input should be a valid boolean"),
        ("GET", "url?session=other", None, "session: Extra inputs are not permitted"),
    ):
        answer = await api.request(method, f"/api/browser/default/{path}", json=sent)
        assert (answer.status_code, answer.json()["error"]["class"]) == (400, "InvalidArgs")
        assert answer.json()["error"]["message"].startswith(fault)
    assert (await api.get("/api/browser/default/navigate")).status_code == 405
    assert (await api.post("/api/browser/default/fly")).status_code == 404


def test_every_route_is_described_once_with_its_arguments(runner: Runner) -> None:
    described = document(runner.catalog, ENDPOINTS)
    ids = [shape["operationId"] for item in described["paths"].values() for shape in item.values()]
    assert len(ids) == len(set(ids))
    assert len(ENDPOINTS) == 86
    for endpoint in ENDPOINTS:
        operation = described["paths"][endpoint.path][endpoint.method.lower()]
        in_path = {one["name"] for one in operation["parameters"] if one["in"] == "path"}
        assert in_path == set(re.findall(r"{(\w+)}", endpoint.path))
        in_query = {one["name"] for one in operation["parameters"] if one["in"] == "query"}
        body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
        arguments = set(endpoint.schema["properties"])
        assert arguments <= (in_query if endpoint.in_query else set(body["schema"]["properties"]))


@pytest.fixture
async def shop(api: httpx2.AsyncClient) -> AsyncIterator[str]:
    """A profile."""
    created = await api.post("/api/profiles", json={"id": "uuid-1234", "name": "US Shop"})
    assert created.status_code == 200
    yield "uuid-1234"
    assert (await api.delete("/api/profiles/uuid-1234?force=true")).status_code == 200


async def test_an_id_that_names_no_profile_is_an_error_and_opens_nothing(
    mcp: Agent, api: httpx2.AsyncClient, runner: Runner, shop: str
) -> None:
    before = [session.name for session in runner.sessions]
    for wrong, meant in (
        ("uuid-1243", "did you mean uuid-1234?"),
        ("us shop", "did you mean uuid-1234?"),
        ("UUID-1234", "did you mean uuid-1234?"),
        ("elsewhere", "there are: uuid-1234."),
    ):
        for method, path in (("GET", "url"), ("GET", "tabs"), ("POST", "reload")):
            answer = await api.request(method, f"/api/browser/{wrong}/{path}")
            error = answer.json()["error"]
            assert (answer.status_code, error["class"]) == (404, "NotFound")
            assert error["message"] == f"There is no profile {wrong}; {meant}"
        assert (await Mcp(mcp).call("get_current_url", {"profile_id": wrong}))[0] == "NotFound"
    assert [session.name for session in runner.sessions] == before


async def test_without_the_scope_admin_only_default_may_be_used(
    runner: Runner, api: httpx2.AsyncClient, shop: str, tmp_path: Path
) -> None:
    tokens = Tokens(tmp_path / "tokens.json")
    headers = {"x-api-key": tokens.create("ada", ["read", "act"])[1]}
    async with (
        http_door(runner, tmp_path, auth=HttpAuth(tokens)) as url,
        httpx2.AsyncClient(base_url=url, timeout=30, headers=headers) as ada,
    ):
        for wanted in (shop, "uuid-1243"):  # whether it exists or not
            refused = await ada.get(f"/api/browser/{wanted}/tabs")
            assert (refused.status_code, refused.json()["error"]["message"]) == (
                403,
                f"Access denied: profiles such as {wanted} belong to the user of this computer.",
            )
        assert (await ada.get("/api/browser/default/tabs")).json()["session"] == "default"


async def test_default_is_the_callers_own_session(mcp: Agent, web: Web, doors: dict[str, Mcp | Rest]) -> None:
    page = web.page("<title>Own</title>")
    for door in doors.values():
        await door.call("navigate", {"url": page})
        assert await door.call("get_page_title", {"profile_id": "default"}) == ("", f'{page} "Own" (200 OK)')


async def test_a_profile_that_was_read_can_be_written_back(api: httpx2.AsyncClient, shop: str) -> None:
    path = f"/api/profiles/{shop}"
    body = {"id": shop, "name": "UK Shop", "proxy_server": None, "fingerprint": None, "tags": ["work"]}
    changed = (await api.put(path, json=body)).json()["result"]
    assert (changed["id"], changed["name"], changed["tags"]) == (shop, "UK Shop", ["work"])
    other = await api.put(path, json={**body, "id": "other"})
    assert (other.status_code, other.json()["error"]["message"]) == (400, "id is not allowed here.")
    again = await api.post("/api/profiles", json={"id": shop, "name": "Again"})
    assert (again.status_code, again.json()["error"]["message"]) == (
        400,
        f"The profile {shop} already exists.",
    )


async def test_a_running_profile_is_deleted_with_force_only(api: httpx2.AsyncClient, runner: Runner) -> None:
    await api.post("/api/profiles", json={"id": "short", "name": "Short"})
    assert (await api.post("/api/launch/short")).status_code == 200
    refused = await api.delete("/api/profiles/short")
    assert (refused.status_code, refused.json()["error"]["hint"]) == (409, "Kill it first, or use force.")
    assert (await api.delete("/api/profiles/short?force=true")).status_code == 200
    assert (await api.get("/api/running")).json()["result"]["browsers"] == []


async def test_routes_of_browsions_release_do_what_ours_do(
    api: httpx2.AsyncClient, folder: Path, web: Web
) -> None:
    web.page("<title>Inner</title><p>Inside</p>", "/inner")
    page = web.page(
        f"{CONTROLS}<iframe name=inner src='/inner'></iframe><a href='/inner' target=_blank>New</a>"
    )
    for method, path, sent, text in (
        ("POST", "navigate", {"url": page}, "Navigated to"),
        ("POST", "wait_for_nav", {"timeout_ms": 15_000}, page),
        ("POST", "select_option", {"selector": "#size", "value": "l"}, 'combobox "Size" is now "Large".'),
        (
            "POST",
            "upload_file",
            {"selector": "#file", "file_path": str(folder / "note.txt")},
            "Uploaded note",
        ),
        ("GET", "screenshot_element?selector=%23name&format=png", None, "Screenshot of"),
        ("POST", "storage", {"storage_type": "session", "key": "k", "value": "v"}, "Set the item k."),
        ("GET", "storage?storage_type=session", None, '{"k":"v"}'),
        ("GET", "storage", None, "{}"),
        ("DELETE", "storage", {"storage_type": "session", "key": "k"}, "Removed the item k."),
        ("GET", "storage?storage_type=session", None, "{}"),
        ("POST", "intercept/block", {"url_pattern": "*/never"}, "Rule"),
        ("DELETE", "intercept", None, "Cleared all rules."),
        ("POST", "switch_frame", {"frame_id": "inner"}, "[In frame f"),
        ("GET", "page_text", None, "[In frame f"),
        ("POST", "main_frame", {}, "Targets, snapshots and scripts now use the whole page."),
        ("POST", "click", {"selector": "a"}, 'Clicked link "New".'),
        ("POST", "tabs/wait_new", {"timeout_ms": 20_000}, "t"),
        ("POST", "navigate", {"url": web.page(DIALOG)}, "Navigated to"),
        ("POST", "click", {"selector": "button"}, 'Clicked button "Ask".'),
        ("POST", "dialog", {"accept": True, "prompt_text": "Ada"}, "Accepted the prompt dialog"),
    ):
        answer = await api.request(method, f"/api/browser/default/{path}", json=sent)
        assert answer.status_code == 200, (path, answer.text)
        assert answer.json()["text"].startswith(text), (path, answer.text)
