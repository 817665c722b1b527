"""A WebSocket as the transport of a connection."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest
from websockets.asyncio.server import ServerConnection, serve

from tabwright.cdp import Connection, ConnectionLost
from tabwright.cdp.websocket import open_websocket
from tests.unit.cdp.test_connection import outcome

Answer = Callable[[ServerConnection, dict[str, Any]], Any]


@asynccontextmanager
async def peer(answer: Answer, seen: list[dict[str, Any]] | None = None) -> AsyncIterator[str]:
    """Run a server that answers every call with `answer`; yield its address."""

    async def talk(socket: ServerConnection) -> None:
        async for message in socket:
            call = json.loads(message)
            if seen is not None:
                seen.append(dict(socket.request.headers) if socket.request else {})
            await answer(socket, call)

    async with serve(talk, "127.0.0.1", 0, max_size=None) as server:
        yield f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}/devtools/browser/x"


async def echo(socket: ServerConnection, call: dict[str, Any]) -> None:
    await socket.send(json.dumps({"id": call["id"], "result": call["params"]}))


async def test_calls_and_answers_keep_their_order() -> None:
    async with peer(echo) as url, open_websocket(url) as transport, Connection.open(transport) as connection:
        calls = [connection.root.start("Page.navigate", url=str(number)) for number in range(100)]
        assert [await outcome(call) for call in calls] == [{"url": str(number)} for number in range(100)]


async def test_a_very_large_message_passes() -> None:
    text = "x" * 20_000_000
    async with peer(echo) as url, open_websocket(url) as transport, Connection.open(transport) as connection:
        with anyio.fail_after(60):
            assert await connection.root.send("Page.navigate", url=text) == {"url": text}


async def test_headers_of_the_caller_are_sent() -> None:
    seen: list[dict[str, Any]] = []
    async with (
        peer(echo, seen) as url,
        open_websocket(url, {"x-key": "secret"}) as transport,
        Connection.open(transport) as connection,
    ):
        await connection.root.send("Browser.getVersion")
    assert seen[0]["x-key"] == "secret"


async def test_a_peer_that_closes_fails_every_waiter_at_once() -> None:
    async def close(socket: ServerConnection, _: dict[str, Any]) -> None:
        await socket.close(1011, "out of memory")

    async with peer(close) as url, open_websocket(url) as transport, Connection.open(transport) as connection:
        waiting = [connection.root.start("Browser.getVersion") for _ in range(3)]
        failures = [await outcome(call) for call in waiting]
        failures.append(await outcome(connection.root.send("Browser.getVersion")))
    assert {type(failure) for failure in failures} == {ConnectionLost}
    assert {str(failure) for failure in failures} == {
        "the WebSocket closed (1011 (internal error) out of memory)"
    }


async def test_a_peer_that_breaks_off_fails_every_waiter_at_once() -> None:
    async def break_off(socket: ServerConnection, _: dict[str, Any]) -> None:
        socket.transport.abort()

    async with (
        peer(break_off) as url,
        open_websocket(url) as transport,
        Connection.open(transport) as connection,
    ):
        failure = await outcome(connection.root.send("Browser.getVersion"))
        assert str(failure) == "the WebSocket closed (without a close frame)"


async def test_closing_ends_the_connection_and_its_calls() -> None:
    async def never(_: ServerConnection, __: dict[str, Any]) -> None:
        return

    async with peer(never) as url:
        with anyio.fail_after(60):
            async with open_websocket(url) as transport, Connection.open(transport) as connection:
                waiting = connection.root.start("Browser.getVersion")
                await anyio.wait_all_tasks_blocked()
            assert isinstance(await outcome(waiting), ConnectionLost)


async def test_a_cancelled_block_leaves_no_open_socket() -> None:
    closed = anyio.Event()

    async def talk(socket: ServerConnection) -> None:
        await socket.wait_closed()
        closed.set()

    async with serve(talk, "127.0.0.1", 0) as server:
        url = f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}/"
        with anyio.fail_after(60):
            with anyio.CancelScope() as scope:
                async with open_websocket(url) as transport, Connection.open(transport):
                    scope.cancel()
                    await anyio.sleep_forever()
            await closed.wait()


async def test_a_proxy_in_the_environment_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "socks_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    monkeypatch.delenv("no_proxy", raising=False)
    async with peer(echo) as url, open_websocket(url) as transport, Connection.open(transport) as connection:
        assert await connection.root.send("Browser.getVersion") == {}
