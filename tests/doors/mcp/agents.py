"""A hand-written MCP client: over `tabwright mcp`, over the hub's socket, or to a door in this process."""

import itertools
import json
import os
import re
import socket
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
import anyio.abc
from anyio.streams.buffered import BufferedByteReceiveStream
from anyio.streams.stapled import StapledByteStream

from tabwright import __version__
from tabwright.doors.mcp.door import NO_OPTIONS, McpDoor, Options
from tabwright.doors.wire.handshake import Hello, Welcome
from tabwright.doors.wire.hub_client import ask
from tabwright.home import Home
from tabwright.policy.callers.principal import Principal

Json = dict[str, Any]
LATEST_HANDSHAKE = "2025-11-25"
MODERN = "2026-07-28"


_MARKERS = re.compile(r"^<page_text ([0-9a-f]{8})>\n(.*)\n</page_text \1>$", re.DOTALL | re.MULTILINE)


def without_markers(text: str) -> str:
    """Return an answer without the markers around page text."""
    return _MARKERS.sub(lambda found: found[2], text)


def text_of(result: Json) -> str:
    """Return the whole text of a result without the markers around page text."""
    blocks = [block["text"] for block in result["content"] if block["type"] == "text"]
    return without_markers("\n".join(blocks))


class Agent:
    """One client. Every operation times out after 30 seconds."""

    def __init__(self, stream: anyio.abc.ByteStream) -> None:
        self._stream = stream
        self._incoming = BufferedByteReceiveStream(stream)
        self._ids = itertools.count(1)
        self._answers: dict[object, Json] = {}
        self.notices: list[Json] = []
        self.welcome: Json = {}

    async def say(self, message: Json | bytes) -> None:
        """Send a message, or bytes as they are."""
        data = message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n"
        with anyio.fail_after(60):
            await self._stream.send(data)

    async def hear(self) -> Json:
        """Return the next message of any kind."""
        with anyio.fail_after(60):
            line = await self._incoming.receive_until(b"\n", 1 << 26)
        message: Json = json.loads(line)
        return message

    async def ask(self, method: str, params: Json | None = None) -> int:
        """Send a request; return its id."""
        number = next(self._ids)
        await self.say({"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}})
        return number

    async def answer(self, number: object) -> Json:
        """Return the answer to a request; store notifications and other answers for later."""
        while number not in self._answers:
            message = await self.hear()
            if "method" in message:
                self.notices.append(message)
            else:
                self._answers[message["id"]] = message
        return self._answers.pop(number)

    async def request(self, method: str, params: Json | None = None) -> Json:
        """Send a request and return its answer."""
        return await self.answer(await self.ask(method, params))

    async def notify(self, method: str, params: Json | None = None) -> None:
        """Send a notification."""
        await self.say({"jsonrpc": "2.0", "method": method, "params": params or {}})

    async def initialize(self, version: str = LATEST_HANDSHAKE, name: str = "agent") -> Json:
        """Initialize the connection; return the result."""
        client = {"name": name, "version": "1"}
        answer = await self.request(
            "initialize", {"protocolVersion": version, "capabilities": {}, "clientInfo": client}
        )
        await self.notify("notifications/initialized")
        self.welcome = answer["result"]
        return self.welcome

    async def call(self, tool: str, **arguments: Any) -> Json:
        """Call a tool; return its result."""
        answer = await self.request("tools/call", {"name": tool, "arguments": arguments})
        result: Json = answer["result"]
        return result

    async def text(self, tool: str, **arguments: Any) -> str:
        """Call a tool that succeeds; return its text without the markers around page text."""
        result = await self.call(tool, **arguments)
        assert not result.get("isError"), result
        return text_of(result)

    async def ended(self) -> bool:
        """Whether the other side has closed the connection."""
        with anyio.fail_after(60):
            try:
                return not await self._incoming.receive(1)
            except (anyio.EndOfStream, anyio.BrokenResourceError):
                return True


@dataclass(frozen=True)
class HubHome:
    """The folder of a test's own hub, and how to connect to it."""

    folder: Path
    more: dict[str, str] = field(default_factory=dict)

    @property
    def home(self) -> Home:
        return Home(self.folder, self.folder)

    @property
    def environment(self) -> dict[str, str]:
        """The environment for this hub: without HTTP, so that it needs no port, and with all actions as tools."""
        own = {"TABWRIGHT_HOME": str(self.folder), "TABWRIGHT_API_PORT": "0", "TABWRIGHT_DIALECT": "plain"}
        return {**own, **self.more}

    @property
    def command(self) -> list[str]:
        """The command that an MCP client starts."""
        return [sys.executable, "-m", "tabwright", "mcp"]

    def status(self) -> Welcome | None:
        """Return the status of the hub; None when none runs."""
        return ask(self.home, Hello("status", __version__))

    @property
    def pid(self) -> int:
        status = self.status()
        assert status is not None
        return status.pid

    def has_stored(self, text: str) -> bool:
        """Whether the saved state of a session contains a text."""
        with closing(sqlite3.connect(f"file:{self.folder / 'sessions.db'}?mode=ro", uri=True)) as database:
            rows = database.execute("SELECT state FROM session").fetchall()
        return any(text.encode() in state for (state,) in rows)

    @asynccontextmanager
    async def start_proxy(self, *args: str, folder: Path | None = None) -> AsyncIterator["ProxyProcess"]:
        """Run `tabwright mcp` while the block runs, in a folder or the current one."""
        environment = {**os.environ, **self.environment}  # noqa: TID251 - a process inherits the tests' own
        async with await anyio.open_process([*self.command, *args], env=environment, cwd=folder) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            yield ProxyProcess(process, Agent(StapledByteStream(process.stdin, process.stdout)))
            await process.stdin.aclose()

    @asynccontextmanager
    async def connected(self, hello: Hello | None = None) -> AsyncIterator[Agent]:
        """Connect to the hub's socket without a proxy."""
        async with await anyio.connect_unix(self.home.socket) as stream:
            agent = Agent(stream)
            await agent.say((hello or Hello("mcp", __version__)).line())
            assert (await agent.hear())["taken"]
            yield agent


@dataclass(frozen=True)
class ProxyProcess:
    """A running `tabwright mcp`, and the agent that uses it."""

    process: anyio.abc.Process
    agent: Agent

    async def exit_output(self) -> tuple[int, str]:
        """Wait until it exits; return the exit code and its standard error."""
        assert self.process.stderr is not None
        with anyio.fail_after(60):
            errors = b"".join([chunk async for chunk in self.process.stderr])
            return await self.process.wait(), errors.decode()


@asynccontextmanager
async def hub_of(folder: Path, **settings: str) -> AsyncIterator[HubHome]:
    """Yield the folder of a hub that its first client starts; stop it after the block."""
    hub = HubHome(folder, {f"TABWRIGHT_{name.upper()}": value for name, value in settings.items()})
    try:
        yield hub
    finally:
        await anyio.to_thread.run_sync(ask, hub.home, Hello("stop", __version__))


@asynccontextmanager
async def connected_to(
    door: McpDoor,
    name: str = "agent",
    *,
    initialize_first: bool = True,
    folder: Path | None = None,
    options: Options = NO_OPTIONS,
) -> AsyncIterator[Agent]:
    """Serve one client of a door in this process, initialized unless the test does it itself."""
    ours, theirs = socket.socketpair()
    async with (
        await anyio.abc.UNIXSocketStream.from_socket(ours) as stream,
        await anyio.abc.UNIXSocketStream.from_socket(theirs) as other,
        anyio.create_task_group() as group,
    ):
        group.start_soon(door.serve, other, Principal("local:test", folder=folder), b"", options)
        agent = Agent(stream)
        if initialize_first:
            await agent.initialize(name=name)
        yield agent
        await stream.aclose()
