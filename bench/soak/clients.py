"""Clients of every kind that a hub has, each with an action to call and an answer to read."""

import json
import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import httpx2
import mcp_types as types
from mcp import Client, MCPError, StdioServerParameters

from tabwright.home import Home

_PATIENCE = 90.0


class Caller(Protocol):
    """Calls an action in a session; returns whether it worked, and what it said."""

    async def __call__(self, action: str, session: str, **args: Any) -> tuple[bool, str]: ...


@dataclass(frozen=True)
class Place:
    """Where the hub of this run lives, and where temporary files do."""

    home: Home
    temporary: Path

    @property
    def url(self) -> str:
        """The address of its HTTP door, once it runs."""
        return str(json.loads(self.home.http.read_text())["url"])

    @property
    def environment(self) -> dict[str, str]:
        """What a process needs to find the hub, or to start it; all actions are offered as tools."""
        ours = {"HOME": str(self.home.state), "API_PORT": "any", "DIALECT": "plain"}
        settings = {f"TABWRIGHT_{name}": value for name, value in ours.items()}
        return {**os.environ, **settings, "TMPDIR": str(self.temporary)}  # noqa: TID251 - a process inherits ours


Kind = Callable[[Place], AbstractAsyncContextManager[Caller]]


@asynccontextmanager
async def stdio(place: Place) -> AsyncIterator[Caller]:
    """An agent that started `tabwright mcp`."""
    command = ["-m", "tabwright", "mcp"]
    server = StdioServerParameters(command=sys.executable, args=command, env=place.environment)
    async with Client(server) as client:
        yield _tools(client)


@asynccontextmanager
async def http(place: Place) -> AsyncIterator[Caller]:
    """An agent that speaks MCP over HTTP."""
    async with Client(f"{place.url}/mcp") as client:
        yield _tools(client)


@asynccontextmanager
async def rest(place: Place) -> AsyncIterator[Caller]:
    """A program that speaks REST."""
    async with httpx2.AsyncClient(base_url=place.url, timeout=_PATIENCE) as api:

        async def call(action: str, session: str, **args: Any) -> tuple[bool, str]:
            answer = await api.post(f"/api/actions/{action}", params={"session": session}, json=args)
            touch = answer.status_code == 200
            return touch, answer.json()["text"] if touch else answer.text

        yield call


def _tools(client: Client) -> Caller:
    async def call(action: str, session: str, **args: Any) -> tuple[bool, str]:
        try:
            result = await client.call_tool(action, {"session": session, **args})
        except MCPError as error:
            return False, str(error)
        words = [part.text for part in result.content if isinstance(part, types.TextContent)]
        return not result.is_error, "\n".join(words)

    return call
