"""The HTTP door: which callers it accepts, its address file, and its limits on clients."""

import hashlib
import json
import logging
import os
import socket
import stat
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import anyio.abc
import httpx2
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from tabwright.doors.http.app import HttpDoor
from tabwright.doors.http.request_limit import RequestLimit
from tabwright.doors.http.server import ClientTimeouts, HttpServer, bind, serve
from tabwright.doors.hub.socket import Hub
from tabwright.home import Home
from tabwright.policy.callers.http_auth import HttpAuth
from tabwright.policy.callers.tokens import Tokens
from tabwright.runner import Runner
from tests.boundary.wire import NOBODY, ask_as
from tests.doors.http.wired import Reply, Wired, http_door, raw, read_reply, wired

CASE_FILE = json.loads((Path(__file__).parents[2] / "cases" / "http.json").read_text())
# The cases are written for a server on this port.
CASE_PORT = "18383"
CASE_TOKEN = f"tok_{'A' * 39}Z"
# The cases show the beginning of these.
LONG = {"16 kB token": 16_000, "1 MB header": 1_000_000}
KEY = {"Authorization": f"Bearer {CASE_TOKEN}"}
CASES = [
    {**case, "headers": [["Authorization", f"Bearer {'A' * LONG[case['name']]}"]]}
    if case["name"] in LONG
    else case
    for case in CASE_FILE
]
MODERN = {
    "MCP-Protocol-Version": "2026-07-28",
    "Mcp-Method": "tools/list",
    "Accept": "application/json, text/event-stream",
}
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
LIST_TOOLS: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": META}}
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "old", "version": "1"},
    },
}
# Cases that differ in their body rather than in their headers.
BODIES = {
    "body not JSON": b"{not json",
    "deep JSON": b"[" * 100_000,
    "id null": json.dumps({**LIST_TOOLS, "id": None}).encode(),
    "id object": json.dumps({**LIST_TOOLS, "id": {}}).encode(),
    "method not string": json.dumps({**LIST_TOOLS, "method": 5}).encode(),
    "unknown method": json.dumps({**LIST_TOOLS, "method": "tools/none"}).encode(),
    "old protocol initialize": json.dumps(INITIALIZE).encode(),
}


@pytest.fixture(scope="module")
async def hub(anyio_backend: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Wired]:
    async with wired(tmp_path_factory.mktemp("hub")) as hub:
        yield hub


@pytest.fixture(scope="module")
async def guarded(hub: Wired, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[int]:
    """The port of a door that requires the token of the cases."""
    folder = tmp_path_factory.mktemp("guarded")
    async with http_door(hub.runner, folder, auth=HttpAuth(tokens_with(folder, CASE_TOKEN))) as url:
        yield int(url.rpartition(":")[2])


def tokens_with(folder: Path, secret: str) -> Tokens:
    """Return tokens, one of which has a known secret."""
    tokens = Tokens(folder / "tokens.json")
    token, made = tokens.create("cases", ["read", "act", "admin"])
    hashed = hashlib.sha256(secret.encode()).hexdigest()
    tokens.file.write_text(tokens.file.read_text().replace(token.hash, hashed))
    assert (tokens.find(made), tokens.find(secret)) == (None, token._replace(hash=hashed))
    return tokens


@pytest.fixture(scope="module")
async def runner(hub: Wired) -> Runner:
    return hub.runner


def request(
    method: str, path: str, port: int, changes: list[list[str | None]], body: bytes, **more: str
) -> bytes:
    headers: dict[str, str | None] = {"Host": f"127.0.0.1:{port}", "Content-Type": "application/json", **more}
    changed = {str(name) for name, _ in changes}
    lines = [(name, value) for name, value in headers.items() if name not in changed] + changes
    head = f"{method} {path} HTTP/1.1\r\nContent-Length: {len(body)}\r\n"
    head += "".join(
        f"{name}: {value.replace(CASE_PORT, str(port))}\r\n" for name, value in lines if value is not None
    )
    return head.encode("latin-1") + b"\r\n" + body


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
async def test_mcp_requires_a_valid_host_origin_and_token(guarded: int, case: dict[str, Any]) -> None:
    body = BODIES.get(case["name"], json.dumps(LIST_TOOLS).encode())
    answer = await raw(guarded, request("POST", "/mcp", guarded, case["headers"], body, **MODERN, **KEY))
    assert answer.status in case["expect"], answer
    if answer.status == 401:
        assert answer.headers["www-authenticate"] == 'Bearer realm="tabwright"'
        assert json.loads(answer.body)["error"]["code"] == -32002


@pytest.mark.parametrize(
    "case",
    [case for case in CASES if not {"Content-Type", "Mcp-Method"} & set(dict(case["headers"]))],
    ids=lambda case: case["name"],
)
@pytest.mark.parametrize("path", ["/api/health", "/api/", "/api/openapi.json", "/metrics", "/nowhere"])
async def test_every_path_requires_a_valid_host_origin_and_token(
    guarded: int, case: dict[str, Any], path: str
) -> None:
    if not case["headers"] or case["name"] == "unknown protocol version":
        case = {**case, "expect": [200]}  # the case differs only in the body, or in a header of MCP
    answer = await raw(guarded, request("GET", path, guarded, case["headers"], b"", **KEY))
    if (path, case["name"]) == ("/api/health", "auth missing"):
        assert (answer.status, answer.body) == (200, b'{"status":"ok"}')  # nothing but the status
        return
    expected = [404 if path == "/nowhere" and status == 200 else status for status in case["expect"]]
    assert answer.status in expected, answer
    if answer.status in (401, 403, 421):
        assert json.loads(answer.body)["error"]["class"] == "Denied"
    assert not [name for name in answer.headers if name.startswith("access-control-")]


async def test_a_request_without_a_host_header_gets_421(hub: Wired) -> None:
    answer = await raw(hub.port, b"GET /api/health HTTP/1.0\r\n\r\n")
    assert (answer.status, json.loads(answer.body)["error"]["message"]) == (
        421,
        "The request is for no host, not for this server.",
    )


async def test_a_page_of_our_own_origin_may_call(hub: Wired) -> None:
    for origin in (f"http://127.0.0.1:{hub.port}", f"http://localhost:{hub.port}"):
        async with httpx2.AsyncClient(base_url=hub.url, headers={"origin": origin}) as api:
            assert (await api.get("/api/health")).status_code == 200


def door(runner: Runner, folder: Path) -> HttpDoor:
    hub = Hub(Home(folder, folder), {}, idle_seconds=60)
    return HttpDoor(runner, Home(folder, folder), hub.in_use)


async def test_the_address_file_is_readable_by_the_user_only(runner: Runner, tmp_path: Path) -> None:
    file = tmp_path / "http.json"
    async with door(runner, tmp_path).open("any") as url:
        assert url is not None
        port = int(url.rpartition(":")[2])
        assert json.loads(file.read_text()) == {"url": url, "port": port, "pid": os.getpid()}
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert os.listdir(tmp_path) == []  # noqa: PTH208 - only the names matter


async def test_port_0_turns_http_off(runner: Runner, tmp_path: Path) -> None:
    (tmp_path / "http.json").write_text("left by a hub that was killed")
    async with door(runner, tmp_path).open(0) as url:
        assert url is None
        assert os.listdir(tmp_path) == []  # noqa: PTH208 - only the names matter


async def test_a_port_in_use_turns_http_off_with_a_warning(
    runner: Runner, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        async with door(runner, tmp_path).open(port) as url:
            assert url is None
    expected = "HTTP is off: port %s is not available (Address already in use). Set api_port."
    assert [record.getMessage() for record in caplog.records] == [expected % port]
    assert caplog.records[0].levelno == logging.WARNING


@dataclass(frozen=True)
class Small:
    """A small app, served over HTTP."""

    port: int
    limit: RequestLimit
    server: HttpServer
    presence: list[str]


@asynccontextmanager
async def small_app(*routes: Route, timeouts: ClientTimeouts | None = None) -> AsyncIterator["Small"]:
    """Serve some routes, two requests at a time."""
    presence: list[str] = []

    @contextmanager
    def in_use() -> Iterator[None]:
        presence.append("entered")
        yield
        presence.append("left")

    bound = bind(0)
    assert bound is not None
    limit = RequestLimit(Starlette(routes=list(routes)), in_use, 2)
    async with serve(limit, bound, timeouts=timeouts) as server:
        yield Small(bound.getsockname()[1], limit, server, presence)


async def test_a_request_over_the_limit_gets_503_and_retry_after() -> None:
    inside = anyio.Semaphore(0)
    go = anyio.Event()

    async def wait(_: Request) -> Response:
        inside.release()
        await go.wait()
        return PlainTextResponse("done")

    answers: list[Reply] = []

    async def ask(port: int) -> None:
        answers.append(await raw(port, b"GET /wait HTTP/1.1\r\nHost: x\r\n\r\n"))

    async with small_app(Route("/wait", wait)) as small, anyio.create_task_group() as group:
        for _ in range(2):
            group.start_soon(ask, small.port)
            await inside.acquire()
        third = await raw(small.port, b"GET /wait HTTP/1.1\r\nHost: x\r\n\r\n")
        assert (third.status, third.headers["retry-after"]) == (503, "1")
        assert json.loads(third.body)["error"]["message"] == "2 requests are in progress, which is the limit."
        assert small.presence == ["entered", "entered"]
        go.set()
    assert [answer.body for answer in answers] == [b"done", b"done"]
    assert small.presence == ["entered", "entered", "left", "left"]


async def test_a_request_in_progress_learns_that_the_hub_is_stopping() -> None:
    inside = anyio.Event()

    async def wait(_: Request) -> Response:
        inside.set()
        await anyio.sleep_forever()
        raise AssertionError

    async with (
        small_app(Route("/wait", wait)) as small,
        await anyio.connect_tcp("127.0.0.1", small.port) as stream,
    ):
        await stream.send(b"GET /wait HTTP/1.1\r\nHost: x\r\n\r\n")
        await inside.wait()
        small.limit.cancel_all()
        answer = await read_reply(stream)
    assert (answer.status, json.loads(answer.body)["error"]["message"]) == (503, "The hub is stopping.")


@pytest.mark.parametrize("sent", [b"", b"GET /wait HT"], ids=["nothing", "half a request"])
async def test_a_client_that_sends_no_request_is_disconnected(sent: bytes) -> None:
    async with (
        small_app(timeouts=ClientTimeouts(request=0.1)) as small,
        await anyio.connect_tcp("127.0.0.1", small.port) as stream,
    ):
        await stream.send(sent)
        with anyio.fail_after(60), pytest.raises((anyio.EndOfStream, anyio.BrokenResourceError)):
            await stream.receive()


async def test_a_client_that_never_reads_is_disconnected() -> None:
    async def flood(_: Request) -> Response:
        return PlainTextResponse(b" " * 50_000_000)

    timeouts = ClientTimeouts(read=0.1, close=0.1)
    async with (
        small_app(Route("/flood", flood), timeouts=timeouts) as small,
        await anyio.connect_tcp("127.0.0.1", small.port) as stream,
    ):
        await stream.send(b"GET /flood HTTP/1.1\r\nHost: x\r\n\r\n")
        with anyio.fail_after(60):
            while small.server.server_state.connections:
                await anyio.lowlevel.checkpoint()


@pytest.mark.skipif(os.getuid() != 0, reason="only root can start a program as another user")
async def test_another_user_of_the_computer_needs_a_token(hub: Wired) -> None:
    head = (
        f"GET /api/openapi.json HTTP/1.1\\r\\nHost: 127.0.0.1:{hub.port}\\r\\nConnection: close\\r\\n\\r\\n"
    )
    assert (await ask_as(os.getuid(), hub.port, head)).startswith("HTTP/1.1 200 OK\r\n")
    refused = await ask_as(NOBODY, hub.port, head)
    assert refused.startswith("HTTP/1.1 401 Unauthorized\r\n")
    assert "A token is required." in refused
