"""The HTTP door in this process, on a real port and with a real browser; and raw requests to it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio
import h11

from tabwright import app
from tabwright.app import running
from tabwright.dialects.dialect import Dialect
from tabwright.dialects.plain import Plain
from tabwright.doors.http.app import BindAddress
from tabwright.doors.mcp.door import McpDoor
from tabwright.doors.mcp.lazy import LazyMcp
from tabwright.home import Home
from tabwright.policy.callers.http_auth import HttpAuth
from tabwright.runner import Runner
from tabwright.settings import Settings


@dataclass(frozen=True)
class Wired:
    """A runner with an HTTP door."""

    url: str
    runner: Runner

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    async def close_sessions(self) -> None:
        for session in self.runner.sessions:
            await self.runner.sessions.close(session.owner, session.name)


@asynccontextmanager
async def wired(folder: Path) -> AsyncIterator[Wired]:
    """Run everything while the block runs."""
    async with running(Settings()) as runner, http_door(runner, folder) as url:
        yield Wired(url, runner)


@asynccontextmanager
async def http_door(
    runner: Runner,
    folder: Path,
    *,
    sse: bool = False,
    auth: HttpAuth | None = None,
    address: BindAddress | None = None,
    dialect: Dialect | None = None,
) -> AsyncIterator[str]:
    """Open an HTTP door on a free port."""
    mcp = LazyMcp(lambda: McpDoor(runner, dialect or Plain(runner.catalog)))
    async with app.http_door(runner, mcp, Home(folder, folder), auth=auth, address=address, sse=sse) as url:
        assert url is not None
        yield url


@dataclass(frozen=True)
class Reply:
    """A response on a raw connection."""

    status: int
    headers: dict[str, str]
    body: bytes


async def raw(port: int, request: bytes) -> Reply:
    """Send bytes as they are and read one response."""
    async with await anyio.connect_tcp("127.0.0.1", port) as stream:
        await stream.send(request)
        return await read_reply(stream)


async def read_reply(stream: anyio.abc.ByteStream) -> Reply:
    """Read one response."""
    connection = h11.Connection(h11.CLIENT)
    connection.send(h11.Request(method="GET", target="/", headers=[("host", "any")]))
    connection.send(h11.EndOfMessage())
    status, headers, body = 0, {}, b""
    while True:
        event = connection.next_event()
        if event is h11.NEED_DATA:
            try:
                connection.receive_data(await stream.receive())
            except anyio.EndOfStream:
                connection.receive_data(b"")
        elif isinstance(event, h11.Response):
            status = event.status_code
            headers = {name.decode(): value.decode() for name, value in event.headers}
        elif isinstance(event, h11.Data):
            body += event.data
        else:
            return Reply(status, headers, body)
