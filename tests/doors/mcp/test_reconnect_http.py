"""HTTP clients that connect for each call or share a token: who finds which session again."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import httpx2
import mcp_types as types
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tabwright.policy.callers.http_auth import HttpAuth
from tabwright.policy.callers.tokens import Tokens
from tests.doors.http.wired import Wired, http_door, wired
from tests.doors.mcp.test_reconnect import BASKET, EMPTY, call
from tests.web import Web


@pytest.fixture(scope="module")
async def wired_hub(anyio_backend: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Wired]:
    async with wired(tmp_path_factory.mktemp("hub")) as hub:
        yield hub


@pytest.fixture
async def hub(wired_hub: Wired) -> AsyncIterator[Wired]:
    yield wired_hub
    await wired_hub.close_sessions()


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_the_python_client_finds_its_page_again_over_http(hub: Wired, web: Web, mode: str) -> None:
    for _ in range(12):  # more than may be open at once
        async with Client(f"{hub.url}/mcp", mode=mode) as client:
            await call(client, "navigate", url=web.page(BASKET))
    async with Client(f"{hub.url}/mcp", mode=mode) as client:
        assert "Three apples" in await call(client, "snapshot")
    assert len(list(hub.runner.sessions)) == 1


@asynccontextmanager
async def token_client(url: str, token: str, name: str, mode: str = "2026-07-28") -> AsyncIterator[Client]:
    headers = {"authorization": f"Bearer {token}"}
    info = types.Implementation(name=name, version="1")
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(f"{url}/mcp", http_client=http), mode=mode, client_info=info) as client,
    ):
        yield client


@pytest.fixture
def tokens(tmp_path: Path) -> Tokens:
    return Tokens(tmp_path / "tokens.json")


@pytest.fixture
async def url(hub: Wired, tokens: Tokens, tmp_path: Path) -> AsyncIterator[str]:
    async with http_door(hub.runner, tmp_path, auth=HttpAuth(tokens)) as url:
        yield url


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_clients_of_one_token_have_separate_sessions(
    url: str, tokens: Tokens, web: Web, mode: str
) -> None:
    token = tokens.create("team", ["read", "act"])[1]
    async with token_client(url, token, "ann", mode) as ann, token_client(url, token, "bob", mode) as bob:
        await call(ann, "navigate", url=web.page(BASKET))
        assert await call(bob, "list_tabs") == EMPTY
        assert "Three apples" in await call(ann, "snapshot")
    async with token_client(url, token, "bob", mode) as bob:
        assert await call(bob, "list_tabs") == EMPTY
    async with token_client(url, token, "ann", mode) as ann:
        assert "Three apples" in await call(ann, "snapshot")


async def test_stateless_clients_that_look_the_same_can_name_their_sessions(
    url: str, tokens: Tokens, web: Web
) -> None:
    token = tokens.create("team", ["read", "act"])[1]
    async with token_client(url, token, "twin") as one, token_client(url, token, "twin") as other:
        await call(one, "navigate", url=web.page(BASKET), session="one")
        assert await call(other, "list_tabs", session="other") == EMPTY
        assert "Three apples" in await call(one, "snapshot", session="one")


async def until_stream_is_open(client: Client, noticed: anyio.Event) -> None:
    """Make files until the client hears of one: such messages come over its event stream."""
    with anyio.fail_after(60):
        while not noticed.is_set():
            await call(client, "screenshot", session="shop")


async def test_a_connected_http_client_has_its_named_session_to_itself(
    url: str, tokens: Tokens, web: Web
) -> None:
    token, noticed = tokens.create("team", ["read", "act"])[1], anyio.Event()
    in_use = (
        'AuthorizationError (-32002): Session "shop" is in use by another team client.\n'
        "Use another name, or share it in the settings (sessions.allow_shared)."
    )

    async def notice(message: object) -> None:
        noticed.set()

    headers = {"authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        token_client(url, token, "twin", "legacy") as other,
        token_client(url, token, "twin") as stateless,
        httpx2.AsyncClient(base_url=url, headers=headers, timeout=60) as rest,
    ):
        transport = streamable_http_client(f"{url}/mcp", http_client=http)
        async with Client(transport, mode="legacy", message_handler=notice) as one:
            await call(one, "navigate", url=web.page(BASKET), session="shop")
            await until_stream_is_open(one, noticed)
            assert await call(other, "snapshot", session="shop") == in_use
            assert await call(stateless, "snapshot", session="shop") == in_use
            answer = await rest.post("/api/actions/snapshot?session=shop", json={})
            assert answer.status_code == 403
        assert "Three apples" in await call(other, "snapshot", session="shop")


async def test_a_killed_http_client_leaves_its_sessions_to_the_next_one(
    url: str, tokens: Tokens, web: Web
) -> None:
    """A client that crashes does not end its MCP session, but its event stream closes."""
    token, noticed = tokens.create("team", ["read", "act"])[1], anyio.Event()

    async def notice(message: object) -> None:
        noticed.set()

    info = types.Implementation(name="ann", version="1")
    headers = {"authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
        transport = streamable_http_client(f"{url}/mcp", http_client=http, terminate_on_close=False)
        async with Client(transport, mode="legacy", client_info=info, message_handler=notice) as one:
            await call(one, "navigate", url=web.page(BASKET))
            await call(one, "navigate", url=web.page("<h1>Shop</h1>", "/shop"), session="shop")
            await until_stream_is_open(one, noticed)
    async with token_client(url, token, "bob", "legacy") as other:
        with anyio.fail_after(60):
            while "is in use by another" in await call(other, "list_tabs", session="shop"):
                continue
    async with token_client(url, token, "ann", "legacy") as again:
        assert "Three apples" in await call(again, "snapshot")
        assert "Shop" in await call(again, "snapshot", session="shop")
