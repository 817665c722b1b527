"""The REST door: actions, files, errors, metrics, and the OpenAPI document."""

import base64
from collections.abc import AsyncIterator
from types import ModuleType
from typing import Any

import anyio
import httpx2
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it has no types
from pydantic import Field

from tabwright import __version__
from tabwright.action import Args, Catalog, Effect, Result, action
from tabwright.actions import CATALOG
from tabwright.artifacts import Artifact, Artifacts
from tabwright.browser.browser import Browser
from tabwright.browser.tab import Tab
from tabwright.doors.http.openapi import document
from tabwright.doors.wire.http_json import STATUS
from tabwright.errors import TabwrightError
from tabwright.runner import Runner
from tabwright.sessions.session import Session
from tests.doors.http.wired import Wired, http_door, raw, wired
from tests.web import Web, never


@pytest.fixture(scope="module")
async def hub(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Wired]:
    # Starts the shared browser first: started later, it would outlive the hub that was opened before it.
    async with wired(tmp_path_factory.mktemp("hub")) as hub:
        yield hub


@pytest.fixture
async def api(hub: Wired) -> AsyncIterator[httpx2.AsyncClient]:
    async with httpx2.AsyncClient(base_url=hub.url, timeout=30) as api:
        yield api
    await hub.close_sessions()


async def test_a_page_is_read_and_clicked(api: httpx2.AsyncClient, web: Web) -> None:
    page = web.page("<title>Shop</title><button onclick=\"this.textContent='Bought'\">Buy</button>")
    there = (await api.post("/api/actions/navigate", json={"url": page})).json()
    assert there == {
        "text": f"Navigated to {page} (200 OK)",
        "result": {
            "url": page,
            "title": "Shop",
            "status": 200,
            "status_text": "OK",
            "download": "",
            "note": "",
            "still_loading": "",
        },
        "effects": None,
        "cursor": "",
        "session": "default",
        "tab": there["tab"],
        "files": [],
    }
    seen = (await api.post("/api/actions/snapshot")).json()
    assert seen["result"] == {
        "url": page,
        "title": "Shop",
        "text": f'[Snapshot of {web.url.removeprefix("http://")}]\n- @e1: button "Buy"',
    }
    clicked = (await api.post("/api/actions/click", json={"target": "@e1"})).json()
    assert clicked["text"].splitlines()[0] == 'Clicked button "Buy".'
    assert "Bought" in clicked["effects"]


async def test_session_tab_and_budget_are_query_parameters(api: httpx2.AsyncClient, web: Web) -> None:
    page = web.page("".join(f"<p>Line {number} of a long page.</p>" for number in range(300)))
    there = (await api.post("/api/actions/navigate?session=errand", json={"url": page})).json()
    await api.post("/api/actions/new_tab?session=errand", json={})
    query = f"session=errand&tab={there['tab']}"
    short = (await api.post(f"/api/actions/snapshot?{query}&max_tokens=100")).json()
    assert (there["session"], short["session"], short["tab"]) == ("errand", "errand", there["tab"])
    assert len(short["text"]) <= 400
    rest = await api.post("/api/actions/more?session=errand", json={"cursor": short["cursor"]})
    assert "of a long page" in rest.json()["text"]


async def test_health_reports_version_browser_and_sessions(api: httpx2.AsyncClient, hub: Wired) -> None:
    await api.post("/api/actions/list_tabs")
    health = (await api.get("/api/health")).json()
    assert health.pop("pid") > 0
    assert health == {"status": "ok", "version": __version__, "browser": True, "sessions": 1}


def test_every_error_has_a_status() -> None:
    assert set(STATUS) == set(TabwrightError.__subclasses__())


@pytest.mark.parametrize(
    ("request_", "status", "error"),
    [
        (("POST", "/api/actions/fly", "{}"), 404, "NotFound"),
        (("GET", "/nowhere", ""), 404, "NotFound"),
        (("GET", "/api/files/none.png", ""), 404, "NotFound"),
        (("GET", "/api/actions/click", ""), 405, "InvalidArgs"),
        (("POST", "/api/health", "{}"), 405, "InvalidArgs"),
        (("OPTIONS", "/api/actions/click", ""), 405, "InvalidArgs"),
        (("POST", "/api/actions/click", "{"), 400, "InvalidArgs"),
        (("POST", "/api/actions/click", "[1]"), 400, "InvalidArgs"),
        (("POST", "/api/actions/click", "[" * 100_000), 400, "InvalidArgs"),
        (("POST", "/api/actions/click", '{"target": 5}'), 400, "InvalidArgs"),
        (("POST", "/api/actions/list_tabs", '{"colour": "red"}'), 400, "InvalidArgs"),
        (("POST", "/api/actions/list_tabs?max_tokens=many", "{}"), 400, "InvalidArgs"),
        (("POST", "/api/actions/list_tabs?colour=red", "{}"), 400, "InvalidArgs"),
        (("POST", "/api/actions/click", '{"target": "#none", "timeout": 0.1}'), 404, "NotFound"),
        (("POST", "/api/actions/click?tab=t9", '{"target": "#none"}'), 404, "NotFound"),
        (("POST", "/api/actions/click", " " * (4 * 1024 * 1024 + 1)), 413, "InvalidArgs"),
    ],
    ids=lambda case: " ".join(case)[:50] if isinstance(case, tuple) else "",
)
async def test_errors_are_json_with_message_and_hint(
    api: httpx2.AsyncClient, request_: tuple[str, str, str], status: int, error: str
) -> None:
    method, path, body = request_
    kind = {"content-type": "application/json"} if body else {}
    answer = await api.request(method, path, content=body, headers=kind)
    described = answer.json()["error"]
    assert (answer.status_code, described["class"]) == (status, error)
    assert described["message"]
    assert described["hint"]


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "text/plain", "application/jsonx", ""])
async def test_only_json_bodies_are_accepted(api: httpx2.AsyncClient, kind: str) -> None:
    answer = await api.post("/api/actions/list_tabs", content="{}", headers={"content-type": kind})
    assert (answer.status_code, answer.json()["error"]["class"]) == (415, "InvalidArgs")


async def test_a_chunked_body_over_the_limit_is_refused(api: httpx2.AsyncClient) -> None:
    async def endless() -> AsyncIterator[bytes]:
        for _ in range(80):
            yield b" " * 65_536

    answer = await api.post(
        "/api/actions/list_tabs", content=endless(), headers={"content-type": "application/json"}
    )
    assert answer.status_code == 413


async def test_a_file_is_served_as_a_download(api: httpx2.AsyncClient, hub: Wired) -> None:
    content = bytes(range(256)) * 1_000
    file = hub.runner.artifacts.add(
        Artifact.of("shot.svg", "image/svg+xml", base64.b64encode(content).decode()), "local:user"
    )
    answer = await api.get(f"/api/files/{file.name}")
    assert answer.content == content
    headers = answer.headers
    assert headers["content-type"] == "image/svg+xml"
    assert headers["content-disposition"] == f'attachment; filename="{file.name}"'
    assert headers["content-security-policy"] == "default-src 'none'; sandbox"
    assert headers["cross-origin-resource-policy"] == "same-origin"


async def test_a_call_is_cancelled_when_its_client_disconnects(
    api: httpx2.AsyncClient, hub: Wired, web: Web
) -> None:
    slow = web.route("/slow", lambda _: never())
    async with anyio.create_task_group() as group:
        group.start_soon(_post, hub, "/api/actions/navigate", {"url": slow})
        await web.wait_for_request("/slow")
        group.cancel_scope.cancel()
    with anyio.fail_after(60):
        assert (await api.post("/api/actions/list_tabs")).status_code == 200
    metrics = (await api.get("/metrics")).text
    assert 'tabwright_calls_total{action="navigate",outcome="cancelled"} 1.0' in metrics


async def _post(hub: Wired, path: str, args: dict[str, Any]) -> None:
    async with httpx2.AsyncClient(base_url=hub.url, timeout=60) as api:
        await api.post(path, json=args)


async def test_calls_are_counted_for_prometheus(api: httpx2.AsyncClient) -> None:
    await api.post("/api/actions/list_tabs")
    answer = await api.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=")
    assert 'tabwright_call_seconds_count{action="list_tabs"}' in answer.text


async def test_the_actions_are_listed_with_their_schemas(api: httpx2.AsyncClient) -> None:
    listed = {entry["name"]: entry for entry in (await api.get("/api/actions")).json()}
    assert list(listed) == [action.name for action in CATALOG]
    switch = listed["switch_tab"]
    assert switch.pop("result")["properties"]["tabs"]["description"] == "The open tabs, oldest first."
    assert switch == {
        "name": "switch_tab",
        "summary": "Make a tab the current one.",
        "category": "Tabs",
        "effect": "act",
        "idempotent": True,
        "args": {
            "type": "object",
            "properties": {
                "id": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 20,
                    "description": "Id of the tab, such as t2.",
                },
                "tools": {
                    "type": "boolean",
                    "default": False,
                    "description": "Also return its title and page tools.",
                },
            },
            "required": ["id"],
            "additionalProperties": False,
        },
    }


async def test_answers_and_errors_match_the_openapi_document(api: httpx2.AsyncClient, web: Web) -> None:
    page = web.page("<h1>Here</h1>")
    described = (await api.get("/api/openapi.json")).json()
    for name, args in [
        ("navigate", {"url": page}),
        ("snapshot", {}),
        ("list_tabs", {}),
        ("click", {"target": "#no"}),
    ]:
        answer = await api.post(f"/api/actions/{name}", json=args)
        responses = described["paths"][f"/api/actions/{name}"]["post"]["responses"]
        response = _resolve(described, responses[str(answer.status_code)])
        schema = response["content"]["application/json"]["schema"]
        Draft202012Validator({**schema, "components": described["components"]}).validate(answer.json())


def test_openapi_describes_every_action_and_all_references_resolve() -> None:
    described = document(CATALOG)
    operations = [item["post"]["operationId"] for item in described["paths"].values() if "post" in item]
    assert operations == [action.name for action in CATALOG]
    for reference in _references(described):
        assert _resolve(described, {"$ref": reference})
    for status in described["components"]["responses"]:
        assert 400 <= int(status) < 600


def _references(part: Any) -> list[str]:
    if isinstance(part, list):
        return [reference for inner in part for reference in _references(inner)]
    if not isinstance(part, dict):
        return []
    own = [part["$ref"]] if isinstance(part.get("$ref"), str) else []
    return own + [reference for inner in part.values() for reference in _references(inner)]


def _resolve(document: dict[str, Any], part: dict[str, Any]) -> dict[str, Any]:
    if "$ref" not in part:
        return part
    for step in part["$ref"].removeprefix("#/").split("/"):
        document = document[step]
    return document


class Greet(Args):
    name: str = Field(description="The name of the person.")


class Greeting(Result):
    greeting: str = Field(description="The greeting.")

    def __str__(self) -> str:
        return self.greeting


@action(Effect.READ, does=("look",), group="Trial")
async def greet(session: Session, args: Greet) -> Greeting:
    """Greet a person."""
    return Greeting(greeting=f"Hello, {args.name}.")


async def test_a_new_action_gets_a_route(hub: Wired, tmp_path: Any) -> None:
    module = ModuleType("greetings")
    module.greet = greet  # type: ignore[attr-defined]  # as a module of actions would
    runner = Runner(Catalog(module), hub.runner.sessions, Artifacts())
    async with http_door(runner, tmp_path) as url, httpx2.AsyncClient(base_url=url) as api:
        answer = await api.post("/api/actions/greet", json={"name": "Ada"})
        described = (await api.get("/api/openapi.json")).json()
    assert answer.json()["text"] == "Hello, Ada."
    assert "/api/actions/greet" in described["paths"]


async def test_the_api_page_works_in_a_browser(hub: Wired, tab: Tab) -> None:
    await tab.goto(f"{hub.url}/api/", wait_until="networkidle")
    assert "Go to a URL and wait until it is loaded." in str(await tab.snapshot(whole=True))
    await tab.element("#filter").fill("close_tab")
    seen = str(await tab.snapshot(whole=True))
    assert "close_tab" in seen
    assert "Go to a URL" not in seen


async def test_a_request_that_is_not_http_gets_a_json_error(hub: Wired) -> None:
    answer = await raw(hub.port, b"\x16\x03\x01 HELLO\r\n\r\n")
    assert answer.status == 400
    assert answer.body == (
        b'{"error":{"class":"InvalidArgs","message":"This is not an HTTP request.","hint":"Use HTTP/1.1."}}'
    )
