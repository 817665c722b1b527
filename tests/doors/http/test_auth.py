"""Tokens at the HTTP door: first the token, then the rate limit, then the scope, then the action."""

import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tabwright.app import running
from tabwright.doors.http.app import BindAddress
from tabwright.errors import Denied
from tabwright.policy.callers.http_auth import HttpAuth
from tabwright.policy.callers.rate_limit import RateLimit
from tabwright.policy.callers.tokens import Tokens
from tabwright.settings import Settings
from tests.doors.http.test_app import INITIALIZE, request
from tests.doors.http.wired import Wired, http_door, raw, wired
from tests.web import Web


@pytest.fixture(scope="module")
async def hub(anyio_backend: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Wired]:
    async with wired(tmp_path_factory.mktemp("hub")) as hub:
        yield hub


@pytest.fixture(scope="module")
def tokens(tmp_path_factory: pytest.TempPathFactory) -> Tokens:
    return Tokens(tmp_path_factory.mktemp("tokens") / "tokens.json")


@pytest.fixture(scope="module")
def keys(tokens: Tokens) -> dict[str, str]:
    """A token of each kind, by its name."""
    scopes = {"ada": ["read", "act"], "reader": ["read"], "script": ["evaluate"], "chief": ["read", "admin"]}
    return {name: tokens.create(name, given)[1] for name, given in scopes.items()}


@pytest.fixture(scope="module")
async def url(
    hub: Wired, tokens: Tokens, keys: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[str]:
    async with http_door(hub.runner, tmp_path_factory.mktemp("door"), auth=HttpAuth(tokens)) as url:
        yield url


def api(url: str, key: str) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(base_url=url, headers={"authorization": f"Bearer {key}"}, timeout=30)


def error_of(answer: httpx2.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["message"]


async def test_a_scope_allows_only_its_own_actions(url: str, keys: dict[str, str], web: Web) -> None:
    page = web.page("<title>Shop</title><button>Buy</button>")
    async with (
        api(url, keys["ada"]) as ada,
        api(url, keys["reader"]) as reader,
        api(url, keys["script"]) as script,
    ):
        assert (await ada.post("/api/actions/navigate", json={"url": page})).status_code == 200
        assert (await ada.post("/api/actions/click", json={"target": "button"})).status_code == 200
        typed = {"script": "document.title = 'Typed'; return document.title"}
        assert (await ada.post("/api/actions/evaluate", json=typed)).json()["result"] == {"value": "Typed"}
        assert error_of(await reader.post("/api/actions/evaluate", json=typed)) == (
            403,
            "The script does more than read the page.",
        )
        assert error_of(await reader.post("/api/actions/click", json={"wrong": 1})) == (
            403,
            "click needs the scope act.",
        )
        assert (await reader.post("/api/actions/snapshot", json={})).status_code == 200
        ran = await script.post("/api/actions/evaluate", json={"script": "1 + 1"})
        assert (ran.status_code, ran.json()["result"]) == (200, {"value": 2})
        assert error_of(await script.post("/api/actions/snapshot", json={})) == (
            403,
            "snapshot needs the scope read.",
        )


async def test_metrics_need_the_admin_scope(url: str, keys: dict[str, str]) -> None:
    async with api(url, keys["ada"]) as ada, api(url, keys["chief"]) as chief:
        assert error_of(await ada.get("/metrics")) == (403, "Reading the metrics needs the scope admin.")
        assert (await chief.get("/metrics")).status_code == 200


async def test_token_holders_cannot_see_each_others_sessions_and_files(
    url: str, keys: dict[str, str], tokens: Tokens, web: Web
) -> None:
    other = tokens.create("bob", ["read", "act"])[1]
    async with api(url, keys["ada"]) as ada, api(url, other) as bob:
        page = web.page("<p>Ada's</p>" * 200)
        await ada.post("/api/actions/navigate?session=work", json={"url": page})
        shot = (await ada.post("/api/actions/screenshot?session=work", json={})).json()["files"][0]
        long = await ada.post("/api/actions/snapshot?session=work&max_tokens=50", json={})
        assert (await ada.get(shot["url"])).status_code == 200
        assert error_of(await bob.get(shot["url"])) == (404, f"{shot['name']} is no longer stored.")
        assert (await bob.post("/api/actions/list_sessions", json={})).json()["text"] == "No session is open."
        assert (await bob.get("/api/health")).json()["sessions"] == 0
        rest = {"cursor": long.json()["cursor"]}
        assert "Ada's" in (await ada.post("/api/actions/more?session=work", json=rest)).text
        for action, args in (("more", rest), ("snapshot", {})):
            assert "Ada's" not in (await bob.post(f"/api/actions/{action}?session=work", json=args)).text


async def test_created_revoked_and_rotated_tokens_take_effect_at_once(url: str, tokens: Tokens) -> None:
    token, first = tokens.create("ci", ["read"])
    async with api(url, first) as old:
        assert (await old.get("/api/health")).status_code == 200
        _, second = tokens.rotate(token.id)
        assert error_of(await old.get("/api/health")) == (401, "Unknown token.")
        async with api(url, second) as new:
            assert (await new.get("/api/health")).status_code == 200
            tokens.revoke(token.id)
            revoked, unknown = await new.get("/api/health"), await old.get("/api/health")
    assert revoked.status_code == unknown.status_code == 401
    assert (revoked.content, revoked.headers) == (unknown.content, unknown.headers)


async def test_a_token_in_the_url_is_refused(url: str, keys: dict[str, str]) -> None:
    async with httpx2.AsyncClient(base_url=url) as anonymous:
        for name in ("token", "access_token", "API_KEY"):
            answer = await anonymous.get("/api/health", params={name: keys["ada"]})
            assert error_of(answer) == (400, "The URL contains a token.")


async def test_two_different_tokens_are_refused(url: str, keys: dict[str, str]) -> None:
    twice = [("authorization", f"Bearer {keys['ada']}")] * 2
    async with httpx2.AsyncClient(base_url=url) as anonymous:
        assert error_of(await anonymous.get("/api/health", headers=twice)) == (
            401,
            "The Authorization header is not a token.",
        )


@settings(max_examples=60, deadline=None)
@given(header=st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=300) | st.just(None))
async def test_a_malformed_or_unknown_token_is_refused(url: str, header: str | None) -> None:
    sent: list[list[str | None]] = [] if header is None else [["Authorization", header]]
    port = int(url.rpartition(":")[2])
    answer = await raw(port, request("GET", "/api/actions", port, sent, b""))
    assert answer.status == 401


async def test_a_token_may_be_sent_as_an_api_key(url: str, keys: dict[str, str]) -> None:
    key, bearer = {"x-api-key": keys["reader"]}, {"authorization": f"Bearer {keys['reader']}"}
    other = {"x-api-key": keys["ada"]}
    async with httpx2.AsyncClient(base_url=url) as api:
        for headers, status in (
            (key, 200),
            ({**key, **bearer}, 200),
            ({**other, **bearer}, 401),
            ({"x-api-key": "nobody"}, 401),
            ({"x-api-key": ""}, 401),
            ({"x-api-key": f"Bearer {keys['reader']}"}, 401),
            ({**key, "authorization": "Basic cmVhZGVy"}, 401),
        ):
            assert (await api.get("/api/actions", headers=headers)).status_code == status, headers
        twice = [("x-api-key", keys["reader"]), ("x-api-key", keys["reader"])]
        assert (await api.get("/api/actions", headers=twice)).status_code == 401
        assert error_of(await api.post("/api/actions/click", json={}, headers=key)) == (
            403,
            "click needs the scope act.",
        )
        assert (await api.get("/api/actions?api_key=x")).status_code == 400


@pytest.mark.parametrize("key", ["your-key", "correct horse battery staple", 'p@ss"w0rd!,{}', "=" * 512])
async def test_a_key_of_the_users_choice_opens_everything_that_an_admin_token_does(
    hub: Wired, tmp_path: Path, key: str
) -> None:
    entry = HttpAuth(Tokens(tmp_path / "tokens.json"), key=key)
    async with (
        http_door(hub.runner, tmp_path, auth=entry) as url,
        httpx2.AsyncClient(base_url=url) as stranger,
        httpx2.AsyncClient(base_url=url, headers={"x-api-key": key}) as holder,
        api(url, key) as bearer,
    ):
        assert error_of(await stranger.get("/api/actions")) == (401, "A token is required.")
        assert (await stranger.get("/api/health")).json() == {"status": "ok"}
        for wrong in (key[:-1] or "x", key + "x", key.swapcase() + "'"):
            answer = await stranger.get("/api/actions", headers={"x-api-key": wrong})
            assert error_of(answer)[0] == 401
        for known in (holder, bearer):
            assert (await known.get("/metrics")).status_code == 200
            ran = await known.post("/api/actions/evaluate", json={"script": "1 + 1"})
            assert ran.json()["result"] == {"value": 2}


async def test_a_key_works_next_to_tokens_and_has_its_own_sessions(
    hub: Wired, tokens: Tokens, keys: dict[str, str], tmp_path: Path
) -> None:
    entry = HttpAuth(tokens, key="a key of my own choice")
    async with (
        http_door(hub.runner, tmp_path, auth=entry) as url,
        api(url, keys["ada"]) as ada,
        api(url, "a key of my own choice") as holder,
    ):
        assert (await ada.post("/api/actions/list_tabs?session=hers", json={})).status_code == 200
        listed = await holder.post("/api/actions/list_sessions", json={})
        assert "hers" not in listed.json()["text"]


async def test_a_short_key_does_not_open_the_hub_to_other_computers(hub: Wired, tmp_path: Path) -> None:
    everywhere = BindAddress("0.0.0.0")
    none = Tokens(tmp_path / "tokens.json")
    with pytest.raises(Denied, match=r"and auth\.api_key is short\. Use 16 characters or more"):
        async with http_door(hub.runner, tmp_path, auth=HttpAuth(none, key="x" * 15), address=everywhere):
            pass
    long = HttpAuth(none, key="x" * 16)
    async with (
        http_door(hub.runner, tmp_path, auth=long, address=everywhere) as url,
        api(url, "x" * 16) as known,
    ):
        assert (await known.get("/api/actions")).status_code == 200


async def test_without_a_token_only_health_and_the_empty_page_are_public(
    url: str, keys: dict[str, str]
) -> None:
    async with httpx2.AsyncClient(base_url=url) as stranger, api(url, keys["chief"]) as chief:
        assert (await stranger.get("/api/health")).json() == {"status": "ok"}
        assert sorted((await chief.get("/api/health")).json()) == [
            "browser",
            "pid",
            "sessions",
            "status",
            "version",
        ]
        for path in ("/api/health/", "/api/healthy", "/api/actions", "/api/openapi.json", "/api/running"):
            assert (await stranger.get(path)).status_code == 401, path


async def test_a_caller_over_the_rate_limit_gets_retry_after(
    hub: Wired, tokens: Tokens, keys: dict[str, str], tmp_path: Path
) -> None:
    slow = HttpAuth(tokens, limit=RateLimit(0.5, 2, clock=lambda: 0.0))
    async with http_door(hub.runner, tmp_path, auth=slow) as url, api(url, keys["reader"]) as reader:
        for _ in range(3):  # unknown callers do not use up the limit of known ones
            async with api(url, "nobody") as anonymous:
                assert (await anonymous.get("/api/health")).status_code == 401
        # A call that its scope forbids counts too: the rate is checked first.
        assert (await reader.post("/api/actions/click", json={})).status_code == 403
        assert (await reader.get("/api/health")).status_code == 200
        answer = await reader.post("/api/actions/click", json={})
        assert error_of(answer) == (429, "token:reader makes more calls than 0.5 a second.")
        assert (answer.headers["retry-after"], answer.json()["error"]["hint"]) == ("2", "Try again in 2.0 s.")
        mcp = await reader.post("/mcp", json=INITIALIZE)
        assert (mcp.status_code, mcp.json()["error"]) == (
            429,
            {
                "code": -32002,
                "message": "token:reader makes more calls than 0.5 a second. Try again in 2.0 s.",
            },
        )
        async with api(url, keys["chief"]) as chief:
            assert (await chief.get("/api/health")).status_code == 200


async def test_a_call_over_http_counts_once_and_a_batch_by_its_steps(tmp_path: Path) -> None:
    async with running(Settings(calls_per_second=0.1)) as runner:  # two calls at once
        entry = HttpAuth(limit=runner.rate_limit)
        async with (
            http_door(runner, tmp_path, auth=entry) as url,
            httpx2.AsyncClient(base_url=url) as client,
        ):
            for status in (200, 200, 429):
                assert (await client.post("/api/actions/list_sessions", json={})).status_code == status
    async with running(Settings(calls_per_second=0.1)) as runner:
        entry = HttpAuth(limit=runner.rate_limit)
        async with (
            http_door(runner, tmp_path, auth=entry) as url,
            httpx2.AsyncClient(base_url=url) as client,
        ):
            steps = {"steps": ['{"action": "list_sessions"}', '{"action": "list_sessions"}']}
            answer = await client.post("/api/actions/batch", json=steps)
            assert "makes more calls than 0.1 a second" in answer.text


@asynccontextmanager
async def agent(url: str, key: str) -> AsyncIterator[Client]:
    async with (
        httpx2.AsyncClient(headers={"authorization": f"Bearer {key}"}, timeout=30) as http,
        Client(streamable_http_client(f"{url}/mcp", http_client=http)) as client,
    ):
        yield client


async def test_mcp_reports_a_missing_scope_as_an_authorization_error(url: str, keys: dict[str, str]) -> None:
    async with agent(url, keys["reader"]) as client:
        answer = await client.call_tool("click", {"target": "button"})
    assert answer.is_error
    (content,) = answer.content
    assert getattr(content, "text", "") == (
        "AuthorizationError (-32002): click needs the scope act.\n"
        "Ask for a token with it: tabwright token create NAME --scope read --scope act"
    )


async def test_another_holder_cannot_take_over_an_mcp_session(url: str, keys: dict[str, str]) -> None:
    accept = {"accept": "application/json, text/event-stream"}
    async with api(url, keys["ada"]) as ada, api(url, keys["reader"]) as reader:
        session = (await ada.post("/mcp", json=INITIALIZE, headers=accept)).headers["mcp-session-id"]
        taken = {**accept, "mcp-session-id": session, "mcp-protocol-version": "2025-11-25"}
        ask: dict[str, Any] = {"jsonrpc": "2.0", "id": 2, "method": "ping"}
        assert error_of(await reader.post("/mcp", json=ask, headers=taken)) == (
            404,
            "Unknown MCP session.",
        )
        assert (await ada.post("/mcp", json=ask, headers=taken)).status_code == 200


async def test_until_a_token_exists_local_callers_need_none(hub: Wired, tmp_path: Path) -> None:
    tokens = Tokens(tmp_path / "tokens.json")
    async with (
        http_door(hub.runner, tmp_path, auth=HttpAuth(tokens)) as url,
        httpx2.AsyncClient(base_url=url) as anonymous,
    ):
        assert (await anonymous.get("/api/actions")).status_code == 200
        tokens.create("first", ["read"])
        assert error_of(await anonymous.get("/api/actions")) == (401, "A token is required.")
        tokens.file.chmod(0o644)
        assert error_of(await anonymous.get("/api/actions")) == (401, "A token is required.")
        async with api(url, "any") as caller:
            assert error_of(await caller.get("/api/health")) == (503, "The hub cannot read its tokens.")
    for kind, status in (("token", 401), ("none", 200)):
        entry = HttpAuth(Tokens(tmp_path / "none.json"), "token" if kind == "token" else "none")
        async with (
            http_door(hub.runner, tmp_path, auth=entry) as url,
            httpx2.AsyncClient(base_url=url) as anonymous,
        ):
            assert (await anonymous.get("/api/actions")).status_code == status


async def test_it_listens_beyond_loopback_only_with_tokens(
    hub: Wired, tokens: Tokens, keys: dict[str, str], tmp_path: Path
) -> None:
    everywhere = BindAddress("0.0.0.0", hosts=("box.example",))
    for entry, why in (
        (HttpAuth(Tokens(tmp_path / "tokens.json")), "there is no token."),
        (HttpAuth(tokens, "none"), "auth.type is none."),
    ):
        with pytest.raises(Denied, match=f"0.0.0.0 can be reached from other computers, and {why}"):
            async with http_door(hub.runner, tmp_path, auth=entry, address=everywhere):
                pass
    async with http_door(hub.runner, tmp_path, auth=HttpAuth(tokens), address=everywhere) as url:
        port = url.rpartition(":")[2]
        async with api(url, keys["ada"]) as ada, httpx2.AsyncClient(base_url=url) as anonymous:
            assert (await anonymous.get("/api/actions")).status_code == 401
            for host in (f"127.0.0.1:{port}", f"box.example:{port}"):
                assert (await ada.get("/api/health", headers={"host": host})).status_code == 200
            foreign = await ada.get("/api/health", headers={"host": f"other.example:{port}"})
            assert foreign.status_code == 421


async def test_a_named_host_may_be_served_by_a_proxy_with_tls_or_on_another_port(
    hub: Wired, keys: dict[str, str], tokens: Tokens, tmp_path: Path
) -> None:
    address = BindAddress(hosts=("Tab.Example", "box.example:8443"))
    async with http_door(hub.runner, tmp_path, auth=HttpAuth(tokens), address=address) as url:
        own = url.removeprefix("http://")
        cases = [
            ("tab.example", None, 200),
            ("tab.example:9000", None, 200),
            ("tab.example", "https://tab.example", 200),
            ("tab.example", "http://tab.example", 200),
            ("tab.example:9000", "https://tab.example:9000", 200),
            (own, "https://tab.example", 200),  # the proxy replaces Host
            ("box.example:8443", "https://box.example:8443", 200),
            ("tab.example", "https://tab.example:9000", 403),  # another program on that computer
            (own, "https://tab.example:9000", 403),
            ("tab.example", "https://other.example", 403),
            ("tab.example", "ftp://tab.example", 403),
            ("tab.example", "null", 403),
            (own, f"https://{own}", 403),
            ("box.example", None, 421),
            ("box.example:9000", None, 421),
            ("tab.example.evil.example", None, 421),
            ("eviltab.example", None, 421),
            ("127.0.0.1:9000", None, 421),
        ]
        async with api(url, keys["ada"]) as ada:
            for host, origin, status in cases:
                headers = {"host": host, **({"origin": origin} if origin else {})}
                answer = await ada.get("/api/actions", headers=headers)
                assert (host, origin, answer.status_code) == (host, origin, status)


async def test_a_token_file_that_is_missing_does_not_leave_http_open(hub: Wired, tmp_path: Path) -> None:
    tokens = Tokens(tmp_path / "not-there.json", required=True)
    async with (
        http_door(hub.runner, tmp_path, auth=HttpAuth(tokens)) as url,
        httpx2.AsyncClient(base_url=url) as anonymous,
    ):
        assert error_of(await anonymous.get("/api/actions")) == (401, "A token is required.")


async def test_a_second_port_serves_the_same_routes(
    hub: Wired, tokens: Tokens, keys: dict[str, str], tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        second = free.getsockname()[1]
    two_ports = BindAddress(second_port=second)
    async with http_door(hub.runner, tmp_path, auth=HttpAuth(tokens), address=two_ports) as url:
        for address in (url, f"http://127.0.0.1:{second}"):
            async with api(address, keys["ada"]) as ada:
                assert (await ada.get("/api/health")).status_code == 200
            async with agent(address, keys["ada"]) as client:
                assert (await client.list_tools()).tools
        assert json.loads((tmp_path / "http.json").read_text())["url"] == url
