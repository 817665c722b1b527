"""Agents that speak MCP by hand: over `tabwright mcp`, over the hub's socket, or to a door in this process."""

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


_MARKED = re.compile(r"^<page_text ([0-9a-f]{8})>\n(.*)\n</page_text \1>$", re.DOTALL | re.MULTILINE)


def unmarked(text: str) -> str:
    """Return an answer without the marks around the page's words."""
    return _MARKED.sub(lambda found: found[2], text)


class Agent:
    """One client: requests and what came back. Everything has an end, after 30 seconds at most."""

    def __init__(self, stream: anyio.abc.ByteStream) -> None:
        self._stream = stream
        self._incoming = BufferedByteReceiveStream(stream)
        self._ids = itertools.count(1)
        self._answers: dict[object, Json] = {}
        self.notices: list[Json] = []
        self.welcome: Json = {}

    async def say(self, message: Json | bytes) -> None:
        """Send a message, or bytes as they are."""
        piece = message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n"
        with anyio.fail_after(30):
            await self._stream.send(piece)

    async def hear(self) -> Json:
        """Return the next message, whatever it is."""
        with anyio.fail_after(30):
            line = await self._incoming.receive_until(b"\n", 1 << 26)
        message: Json = json.loads(line)
        return message

    async def ask(self, method: str, params: Json | None = None) -> int:
        """Send a request; return its id."""
        number = next(self._ids)
        await self.say({"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}})
        return number

    async def answer(self, number: object) -> Json:
        """Return the answer to a request, keeping notices and other answers for later."""
        while number not in self._answers:
            message = await self.hear()
            if "method" in message:
                self.notices.append(message)
            else:
                self._answers[message["id"]] = message
        return self._answers.pop(number)

    async def request(self, method: str, params: Json | None = None) -> Json:
        """Ask and return the answer."""
        return await self.answer(await self.ask(method, params))

    async def notify(self, method: str, params: Json | None = None) -> None:
        """Send a notification."""
        await self.say({"jsonrpc": "2.0", "method": method, "params": params or {}})

    async def initialize(self, version: str = LATEST_HANDSHAKE, name: str = "agent") -> Json:
        """Shake hands; return what the server says of itself."""
        me = {"name": name, "version": "1"}
        answer = await self.request(
            "initialize", {"protocolVersion": version, "capabilities": {}, "clientInfo": me}
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
        """Call a tool that works; return its text, without the marks around the page's words."""
        result = await self.call(tool, **arguments)
        assert not result.get("isError"), result
        return unmarked(result["content"][-1]["text"])

    async def ended(self) -> bool:
        """Tell whether the other side has no more to say."""
        with anyio.fail_after(30):
            try:
                return not await self._incoming.receive(1)
            except (anyio.EndOfStream, anyio.BrokenResourceError):
                return True


@dataclass(frozen=True)
class HubHome:
    """A folder in which a hub of our own lives, and how it is reached."""

    folder: Path
    more: dict[str, str] = field(default_factory=dict)

    @property
    def home(self) -> Home:
        return Home(self.folder, self.folder)

    @property
    def environment(self) -> dict[str, str]:
        """What a process needs to find it; no HTTP, so that hubs do not meet at a port; all actions as tools."""
        here = {"TABWRIGHT_HOME": str(self.folder), "TABWRIGHT_API_PORT": "0", "TABWRIGHT_DIALECT": "plain"}
        return {**here, **self.more}

    @property
    def command(self) -> list[str]:
        """What an MCP client starts."""
        return [sys.executable, "-m", "tabwright", "mcp"]

    def status(self) -> Welcome | None:
        """Ask how the hub is; None when none runs."""
        return ask(self.home, Hello("status", __version__))

    @property
    def pid(self) -> int:
        status = self.status()
        assert status is not None
        return status.pid

    def has_kept(self, words: str) -> bool:
        """Whether the hub has written something of its sessions down."""
        with closing(sqlite3.connect(f"file:{self.folder / 'sessions.db'}?mode=ro", uri=True)) as database:
            rows = database.execute("SELECT state FROM session").fetchall()
        return any(words.encode() in state for (state,) in rows)

    @asynccontextmanager
    async def pump(self, *words: str, folder: Path | None = None) -> AsyncIterator["Pump"]:
        """Start `tabwright mcp` while the block runs, in a folder or where we are."""
        environment = {**os.environ, **self.environment}  # noqa: TID251 - a process inherits the tests' own
        async with await anyio.open_process([*self.command, *words], env=environment, cwd=folder) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            yield Pump(process, Agent(StapledByteStream(process.stdin, process.stdout)))
            await process.stdin.aclose()

    @asynccontextmanager
    async def connected(self, hello: Hello | None = None) -> AsyncIterator[Agent]:
        """Knock at the hub's socket ourselves and come in."""
        async with await anyio.connect_unix(self.home.socket) as stream:
            agent = Agent(stream)
            await agent.say((hello or Hello("mcp", __version__)).line())
            assert (await agent.hear())["taken"]
            yield agent


@dataclass(frozen=True)
class Pump:
    """A running `tabwright mcp`, and the agent that talks through it."""

    process: anyio.abc.Process
    agent: Agent

    async def last_words(self) -> tuple[int, str]:
        """Wait for its end; return the exit code and what it told the person."""
        assert self.process.stderr is not None
        with anyio.fail_after(30):
            said = b"".join([piece async for piece in self.process.stderr])
            return await self.process.wait(), said.decode()


@asynccontextmanager
async def hub_of(folder: Path, **settings: str) -> AsyncIterator[HubHome]:
    """A home whose hub, if one was started, is gone after the block."""
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
    shake_hands: bool = True,
    folder: Path | None = None,
    options: Options = NO_OPTIONS,
) -> AsyncIterator[Agent]:
    """Serve one client of a door in this process, which has shaken hands unless told otherwise."""
    ours, theirs = socket.socketpair()
    async with (
        await anyio.abc.UNIXSocketStream.from_socket(ours) as stream,
        await anyio.abc.UNIXSocketStream.from_socket(theirs) as other,
        anyio.create_task_group() as group,
    ):
        group.start_soon(door.serve, other, Principal("local:test", folder=folder), b"", options)
        agent = Agent(stream)
        if shake_hands:
            await agent.initialize(name=name)
        yield agent
        await stream.aclose()
