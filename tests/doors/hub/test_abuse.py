"""Misbehaving clients of the hub do not affect other clients."""

import os
import socket
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import anyio.abc
import pytest

from tabwright import __version__
from tabwright.doors.hub.socket import Hub
from tabwright.doors.wire.handshake import Hello
from tabwright.home import Home
from tabwright.policy.callers.principal import Principal
from tests.doors.mcp.agents import Agent, HubHome
from tests.processes import resident_bytes
from tests.web import Web


async def _echo(stream: anyio.abc.SocketStream, _: Principal, received: bytes, __: Mapping[str, Any]) -> None:
    await stream.send(received or await stream.receive())


@asynccontextmanager
async def hub_here(folder: Path) -> AsyncIterator[Home]:
    """A hub in this process with a short hello timeout, whose only door echoes what it receives."""
    home = Home(folder, folder)
    hub = Hub(home, {"mcp": _echo}, idle_seconds=60, hello_seconds=0.2)
    ready = anyio.Event()
    async with anyio.create_task_group() as group:
        group.start_soon(hub.serve, ready.set)
        await ready.wait()
        yield home
        group.cancel_scope.cancel()


@pytest.fixture
def shared_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


async def _is_served(home: Home) -> bool:
    async with await anyio.connect_unix(home.socket) as stream:
        agent = Agent(stream)
        await agent.say(Hello("mcp", __version__).line() + b'{"echoed": true}\n')
        return bool((await agent.hear())["taken"]) and await agent.hear() == {"echoed": True}


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b'{"door": "mcp"',
        b"\x00\xff\xfe garbage\n",
        b"[]\n",
        b'{"door": "back"}\n',
        b'{"door": "mcp"}\n',
        b'{"door": "mcp", "version": 5, "folder": {}}\n',
        b"x" * 100_000,
    ],
    ids=["nothing", "half", "garbage", "list", "no such door", "no version", "wrong types", "endless"],
)
async def test_a_malformed_hello_closes_only_that_connection(tmp_path: Path, line: bytes) -> None:
    async with hub_here(tmp_path) as home:
        async with await anyio.connect_unix(home.socket) as stream:
            await stream.send(line)
            assert await Agent(stream).ended()
        assert await _is_served(home)


async def test_a_client_may_disconnect_before_its_welcome(tmp_path: Path) -> None:
    async with hub_here(tmp_path) as home:
        for _ in range(20):
            with socket.socket(socket.AF_UNIX) as link:
                link.connect(str(home.socket))
                link.sendall(Hello("mcp", __version__).line())
        assert await _is_served(home)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can connect as another user")
async def test_another_user_is_refused_even_if_the_socket_is_writable(
    shared_folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with hub_here(shared_folder) as home:
        for path, mode in ((shared_folder, 0o711), (home.socket, 0o777)):
            path.chmod(mode)
        with socket.socket(socket.AF_UNIX) as link:
            os.seteuid(65534)
            try:
                link.connect(str(home.socket))
            finally:
                os.seteuid(0)
            async with await anyio.abc.UNIXSocketStream.from_socket(link) as stream:
                assert await Agent(stream).ended()
        assert "refused a connection of another user" in caplog.text
        assert await _is_served(home)


async def test_a_client_that_disconnects_mid_message_harms_nobody(shared_hub: HubHome) -> None:
    async with _start_and_connect(shared_hub) as agent:
        async with shared_hub.connected() as other:
            await other.initialize()
            await other.say(b'{"jsonrpc": "2.0", "id": 5, "method": "tools/')
        assert (await agent.request("ping"))["result"] == {}


async def test_a_client_that_stops_reading_does_not_block_others(shared_hub: HubHome, web: Web) -> None:
    async with _start_and_connect(shared_hub) as agent:
        before = resident_bytes(shared_hub.pid)
        async with shared_hub.connected() as stalled:
            await stalled.initialize()
            with anyio.move_on_after(1):
                while True:
                    await stalled.say(b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}\n' * 20)
            assert "(200 OK)" in await agent.text("navigate", url=web.page("<p>goes on"))
        assert resident_bytes(shared_hub.pid) - before < 200 * 1024 * 1024


async def test_a_thousand_calls_at_once_through_the_hub_are_answered(shared_hub: HubHome, web: Web) -> None:
    async with _start_and_connect(shared_hub) as agent:
        await agent.text("navigate", url=web.page("<title>Busy</title>"))
        numbers = [await agent.ask("tools/call", {"name": "get_page", "arguments": {}}) for _ in range(1000)]
        answers = [await agent.answer(number) for number in numbers]
        assert {answer["result"]["content"][0]["text"].rpartition(" (")[2] for answer in answers} == {
            "200 OK)"
        }


@asynccontextmanager
async def _start_and_connect(hub: HubHome) -> AsyncIterator[Agent]:
    """Connect as the first client, which starts the hub."""
    async with hub.start_proxy() as proxy:
        await proxy.agent.initialize()
        yield proxy.agent
