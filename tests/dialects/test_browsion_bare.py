"""Browsion's routes with its own answers: the value alone, as clients that were written for it expect."""

import base64
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tabwright.action import Effect
from tabwright.actions import CATALOG
from tabwright.app import http_door, running
from tabwright.dialects.browsion.bare import CONTENT, MEDIA_TYPE
from tabwright.dialects.browsion.cookie_files import COOKIE_FILES
from tabwright.dialects.browsion.dialect import TOOLS, Browsion
from tabwright.dialects.plain import Plain
from tabwright.doors.mcp.door import McpDoor
from tabwright.doors.mcp.lazy import LazyMcp
from tabwright.home import Home
from tabwright.policy.data.secret_store import Secrets
from tabwright.runner import Runner
from tabwright.settings import Settings
from tests.doors.http.wired import http_door as open_door
from tests.web import Web

PNG, PDF = b"\x89PNG", b"%PDF"
PAGE = """<title>Shop</title><link rel=icon href='data:,'><h1>Tea</h1>
<label><input type=checkbox checked> Fresh</label><input aria-label=Name value=Ada autofocus disabled>
<iframe name=inner src='/inner'></iframe>
<script>localStorage.setItem('a', '1'); console.log('note', 2); console.warn('careful')</script>"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    folder = tmp_path_factory.mktemp("home")
    return Home(folder, folder)


@pytest.fixture(scope="module")
async def runner(anyio_backend: str, home: Home) -> AsyncIterator[Runner]:
    settings = Settings.model_validate({"security": {"block_eval": False}})
    async with running(settings, home) as runner:
        yield runner


@pytest.fixture(scope="module")
async def api(runner: Runner, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[httpx2.AsyncClient]:
    headers = {"accept": f"text/html;q=0.1, {MEDIA_TYPE}"}
    async with (
        open_door(runner, tmp_path_factory.mktemp("hub")) as url,
        httpx2.AsyncClient(base_url=url, timeout=60, headers=headers) as api,
    ):
        yield api


@pytest.fixture
async def page(api: httpx2.AsyncClient, web: Web) -> str:
    web.page("<title>Inner</title>", "/inner")
    page = web.page(PAGE, "/shop")
    answer = await api.post("/api/browser/default/navigate", json={"url": page, "wait_until": "load"})
    assert (answer.headers["content-type"], answer.json()) == (MEDIA_TYPE, {"url": page, "title": "Shop"})
    return page


async def get(api: httpx2.AsyncClient, path: str) -> Any:
    answer = await api.get(f"/api/browser/default/{path}")
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_pages_are_url_and_title_and_actions_are_ok(api: httpx2.AsyncClient, page: str) -> None:
    assert await get(api, "url") == {"url": page}
    assert await get(api, "title") == {"title": "Shop"}
    for path, body, expected in (
        ("reload", {}, {"url": page, "title": "Shop"}),
        ("wait_for_nav", {}, {"url": page, "title": "Shop"}),
        ("wait_for_url", {"pattern": "*/shop"}, {"url": page}),
        ("click", {"selector": "h1"}, {"ok": True}),
        ("evaluate", {"expression": "[1, document.title]"}, {"result": [1, "Shop"]}),
        ("extract", {"selectors": {"title": "h1"}}, {"title": "Tea"}),
        (
            "intercept/block",
            {"url_pattern": "*/ad"},
            {"ok": True, "rule": "block", "pattern": "*/ad"},
        ),
        ("switch_frame", {"frame_id": "inner"}, {"ok": True, "frame_id": "inner"}),
        ("main_frame", {}, {"ok": True}),
    ):
        answer = await api.post(f"/api/browser/default/{path}", json=body)
        assert (path, answer.json()) == (path, expected)
    assert (await api.delete("/api/browser/default/intercept")).json() == {"ok": True}


async def test_the_page_is_a_list_of_nodes_with_refs(api: httpx2.AsyncClient, page: str) -> None:
    state = await get(api, "page_state")
    nodes = state.pop("ax_tree")
    assert state == {"url": page, "title": "Shop", "element_count": len(nodes)}
    refs = [node.pop("ref_id") for node in nodes]
    assert nodes[0] == {"role": "heading", "name": "Tea"}
    assert nodes[1] == {"role": "checkbox", "name": "Fresh", "checked": "true"}
    field = next(node for node in nodes if node["role"] == "textbox")
    assert (field["name"], field["value"], field["disabled"]) == ("Name", "Ada", True)
    assert [node["ref_id"] for node in await get(api, "ax_tree")] == refs
    clicked = await api.post("/api/browser/default/click_ref", json={"ref_id": refs[0]})
    assert clicked.json() == {"ok": True}
    text = await get(api, "page_text")
    assert (text["text"].startswith("# Tea"), text["length"]) == (True, len(text["text"].encode()))


async def test_pictures_and_documents_are_base64(api: httpx2.AsyncClient, page: str) -> None:
    shot = await get(api, "screenshot?format=png")
    assert (base64.b64decode(shot["image"])[:4], shot["format"]) == (PNG, "png")
    part = await get(api, "screenshot_element?selector=h1")
    assert (base64.b64decode(part["data"])[:4], part["format"]) == (PNG, "png")
    pdf = await get(api, "pdf")
    assert (base64.b64decode(pdf["data"])[:4], pdf["format"]) == (PDF, "pdf")


async def test_lists_are_arrays(api: httpx2.AsyncClient, page: str) -> None:
    (tab,) = await get(api, "tabs")
    assert tab == {"id": tab["id"], "url": page, "title": "Shop", "type": "page", "active": True}
    opened = (await api.post("/api/browser/default/tabs/new", json={"url": f"{page}?2"})).json()
    assert opened == {**tab, "id": opened["id"], "url": f"{page}?2"}
    assert (await api.post("/api/browser/default/tabs/close", json={"target_id": opened["id"]})).json() == {
        "ok": True
    }
    cookie = {"name": "a", "value": "b", "domain": "127.0.0.1"}
    assert (await api.post("/api/browser/default/cookies/set", json=cookie)).json() == {"ok": True}
    assert await get(api, "cookies") == [
        {**cookie, "path": "/", "secure": False, "httpOnly": False, "expires": -1}
    ]
    outer, inner = await get(api, "frames")
    assert outer == {"id": "f0", "url": page}
    assert inner == {
        "id": inner["id"],
        "url": page.replace("shop", "inner"),
        "name": "inner",
        "parent_id": "f0",
    }


async def test_cookies_are_exported_and_imported_again(api: httpx2.AsyncClient, page: str) -> None:
    await api.post("/api/browser/default/cookies/clear", json={})
    cookie = {"name": "a", "value": "b", "domain": "127.0.0.1"}
    await api.post("/api/browser/default/cookies/set", json=cookie)
    whole = {**cookie, "path": "/", "secure": False, "httpOnly": False, "expires": -1}
    exported = await get(api, "cookies/export?format=json")
    assert exported == [whole]
    await api.post("/api/browser/default/cookies/clear", json={})
    lines = (
        "# Netscape HTTP Cookie File\n\n"
        "127.0.0.1\tFALSE\t/shop\tFALSE\t0\tc\td\n"
        "#HttpOnly_127.0.0.1\tFALSE\t/\tFALSE\t4102444800\te\tf\n"
    )
    for body in (
        {"format": "json", "data": json.dumps([*exported, {**whole, "name": "bad;name"}])},
        {"format": "netscape", "data": lines},
    ):
        answer = (await api.post("/api/browser/default/cookies/import", json=body)).json()
        assert answer["imported"] == (1 if body["format"] == "json" else 2)
        assert len(answer["errors"]) == (1 if body["format"] == "json" else 0), answer
    found = sorted(await get(api, "cookies/export"), key=lambda cookie: str(cookie["name"]))
    assert [(one["name"], one["value"], one["path"], one["httpOnly"]) for one in found] == [
        ("a", "b", "/", False),
        ("c", "d", "/shop", False),
        ("e", "f", "/", True),
    ]


async def test_a_bad_cookie_file_is_refused_with_a_reason(api: httpx2.AsyncClient) -> None:
    for body, reason in (
        ({"data": "{"}, "data is not a JSON array of cookies."),
        ({"data": "[1]"}, "data is not a JSON array of cookies."),
        ({"data": "[]"}, "data has 0 cookies."),
        ({"format": "netscape", "data": "no columns"}, "data has 0 cookies."),
        ({"format": "csv", "data": ""}, "format: Input should be 'json' or 'netscape'."),
    ):
        answer = await api.post("/api/browser/default/cookies/import", json=body)
        assert (answer.status_code, answer.text[: len(reason)]) == (400, reason)
    refused = await api.get("/api/browser/default/cookies/export?format=netscape")
    assert (refused.status_code, refused.text) == (
        400,
        "format: Input should be 'json'. Fields: format.",
    )


# The routes of Browsion's release for one browser.
READING = """url title page_state page_text ax_tree dom_context screenshot tabs cookies cookies/export console
network_log storage frames pdf screenshot_element"""
ACTING = """navigate navigate_wait back forward reload click hover double_click right_click type slow_type press_key scroll
scroll_into_view scroll_element select_option wait_for wait_for_nav upload_file click_ref type_ref focus_ref extract
evaluate tabs/new tabs/switch tabs/close tabs/wait_new cookies/set cookies/clear cookies/import console/enable
console/clear handle_dialog click_at drag network_log/clear wait_for_text wait_for_url emulate storage intercept/block
intercept/mock tap swipe switch_frame main_frame"""


async def test_every_route_of_browsions_release_exists(api: httpx2.AsyncClient) -> None:
    routes = [
        *(("GET", name) for name in READING.split()),
        *(("POST", name) for name in ACTING.split()),
        ("DELETE", "storage"),
        ("DELETE", "intercept"),
    ]
    for method, name in routes:  # refused by the route, because of an argument that none of them has
        query: dict[str, Any] = (
            {"params": {"nonsense": "1"}} if method != "POST" else {"json": {"nonsense": "1"}}
        )
        answer = await api.request(method, f"/api/browser/default/{name}", **query)
        assert (answer.status_code, "nonsense" in answer.text) == (400, True), (method, name, answer.text)


async def test_a_route_that_is_not_offered_names_its_replacement(api: httpx2.AsyncClient) -> None:
    for method, path, replacement in (
        ("GET", "/api/action_log", "audit.jsonl"),
        ("DELETE", "/api/action_log", "audit.jsonl"),
        ("GET", "/api/ws", "dashboard"),
        ("PUT", "/api/settings", "tabwright.toml"),
        ("GET", "/api/browser-source", "tabwright.toml"),
        ("GET", "/api/local-api", "tabwright.toml"),
        ("POST", "/api/register-external", "/api/actions/connect_browser"),
        ("GET", "/api/profiles/us/snapshots", "save_state"),
        ("POST", "/api/profiles/us/snapshots/monday/restore", "load_state"),
    ):
        bare = await api.request(method, path)
        assert (bare.status_code, bare.text.startswith(f"Tabwright does not have {path}. ")) == (404, True)
        assert replacement in bare.text
        ours = (await api.request(method, path, headers={"accept": "application/json"})).json()
        assert ours["error"]["class"] == "NotFound", ours


async def test_storage_console_and_network_have_their_names(api: httpx2.AsyncClient, page: str) -> None:
    assert await get(api, "storage") == {"storage": {"a": "1"}, "type": "local"}
    assert await get(api, "storage?storage_type=session") == {"storage": {}, "type": "session"}
    logs = (await get(api, "console"))["logs"][-2:]
    assert [(log["type"], log["args"], log["source"]) for log in logs] == [
        ("log", ["note 2"], "console"),
        ("warning", ["careful"], "console"),
    ]
    log = await get(api, "network_log")
    assert (log["count"], page in [entry["url"] for entry in log["entries"]]) == (len(log["entries"]), True)


async def test_a_profile_has_the_statuses_and_fields_of_browsion(api: httpx2.AsyncClient, home: Home) -> None:
    created = await api.post("/api/profiles", json={"id": "uuid-1", "name": "US", "tags": ["work"]})
    profile = {
        "id": "uuid-1",
        "name": "US",
        "description": "",
        "user_data_dir": str(home.profiles / "uuid-1"),
        "lang": "en-US",
        "headless": True,
        "tags": ["work"],
        "custom_args": [],
        "is_running": False,
    }
    assert (created.status_code, created.json()) == (201, profile)
    assert (await api.get("/api/profiles")).json() == [profile]
    again = await api.put("/api/profiles/uuid-1", json={**profile, "name": "UK"})
    assert (again.status_code, again.json()) == (200, {**profile, "name": "UK"})
    launched = (await api.post("/api/launch/uuid-1")).json()
    (running,) = (await api.get("/api/running")).json()
    assert (launched["cdp_port"], running["cdp_port"]) == (None, None)
    assert (running["profile_id"], running["pid"], type(running["launched_at"])) == (
        "uuid-1",
        launched["pid"],
        int,
    )
    refused = await api.delete("/api/profiles/uuid-1")
    assert (refused.status_code, refused.headers["content-type"]) == (409, "text/plain; charset=utf-8")
    assert refused.text == "The browser of profile uuid-1 is running. Kill it first, or use force."
    for method, path in (("POST", "/api/kill/uuid-1"), ("DELETE", "/api/profiles/uuid-1")):
        done = await api.request(method, path)
        assert (done.status_code, done.content) == (204, b"")


async def test_errors_are_text(api: httpx2.AsyncClient) -> None:
    missing = await api.get("/api/browser/nobody/url")
    assert (missing.status_code, missing.text) == (
        404,
        "There is no profile nobody; there are: none. List the profiles, then choose one.",
    )
    wrong = await api.post("/api/browser/default/click", json={})
    assert (wrong.status_code, wrong.text.startswith("selector: Field required.")) == (400, True)


async def test_a_setting_makes_these_the_answers_for_every_client(runner: Runner, tmp_path: Path) -> None:
    mcp = LazyMcp(lambda: McpDoor(runner, Plain(runner.catalog)))
    async with http_door(runner, mcp, Home(tmp_path, tmp_path), bare=True) as url:
        assert url is not None
        async with httpx2.AsyncClient(base_url=url) as client:
            answer = await client.get("/api/profiles")
            assert (answer.headers["content-type"], answer.json()) == ("application/json", [])
            ours = await client.post("/api/actions/list_profiles", json={})
            assert ours.json()["text"] == "There are no profiles."


async def test_secrets_are_not_in_the_nodes_of_a_page(tmp_path: Path, web: Web) -> None:
    home = Home(tmp_path, tmp_path)
    Secrets(home.secrets).put("pin", web.url, "hunter-2-hunter")
    page = web.page("<input aria-label=Pin>")
    headers = {"accept": MEDIA_TYPE}
    async with (
        running(Settings(), home) as runner,
        open_door(runner, tmp_path / "hub") as url,
        httpx2.AsyncClient(base_url=url, timeout=60, headers=headers) as api,
    ):
        await api.post("/api/browser/default/navigate", json={"url": page})
        typed = await api.post(
            "/api/browser/default/type", json={"selector": "input", "text": "{{secret:pin}}"}
        )
        assert typed.json() == {"ok": True}, typed.text
        state = (await api.get("/api/browser/default/page_state")).json()
        assert [node["value"] for node in state["ax_tree"]] == ["[secret pin]"]


async def test_invisible_characters_are_removed_or_escaped(api: httpx2.AsyncClient, web: Web) -> None:
    page = web.page(
        "<title>A&#x200b;B</title><button aria-label='Buy&#x202e; now'></button><p id=p>x&#xe0041;y</p>"
    )
    await api.post("/api/browser/default/navigate", json={"url": page})
    assert await get(api, "title") == {"title": "AB"}
    assert [node["name"] for node in await get(api, "ax_tree")] == ["Buy now"]
    exact = await api.post("/api/browser/default/evaluate", json={"expression": "p.textContent"})
    assert (exact.json(), exact.text.isascii()) == ({"result": "x\U000e0041y"}, True)


def test_every_tool_that_reads_answers_with_a_value() -> None:
    waits = {"wait", "wait_for_element", "wait_for_text", "enable_console_capture"}
    reading = {
        endpoint.alias.name
        for endpoint in Browsion(CATALOG).endpoints()
        if CATALOG[endpoint.alias.action].effect is Effect.READ
    }
    assert reading - waits - set(CONTENT) == {"pause"}
    assert set(CONTENT) <= {alias.name for alias in (*TOOLS, *COOKIE_FILES)}
