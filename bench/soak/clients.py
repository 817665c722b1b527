"""Clients of a hub, one of each kind, each as a function that calls an action."""

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

_TIMEOUT = 90.0


class Caller(Protocol):
    """Calls an action in a session; returns whether it worked, and its answer."""

    async def __call__(self, action: str, session: str, **args: Any) -> tuple[bool, str]: ...


@dataclass(frozen=True)
class Workspace:
    """The home of this run's hub, and the folder for temporary files."""

    home: Home
    temporary: Path

    @property
    def url(self) -> str:
        """The address of its HTTP server, once it runs."""
        return str(json.loads(self.home.http.read_text())["url"])

    @property
    def environment(self) -> dict[str, str]:
        """The environment with which a process finds or starts the hub; all actions are offered as tools."""
        ours = {"HOME": str(self.home.state), "API_PORT": "any", "DIALECT": "plain"}
        settings = {f"TABWRIGHT_{name}": value for name, value in ours.items()}
        return {**os.environ, **settings, "TMPDIR": str(self.temporary)}  # noqa: TID251 - a process inherits ours


Kind = Callable[[Workspace], AbstractAsyncContextManager[Caller]]


@asynccontextmanager
async def stdio(workspace: Workspace) -> AsyncIterator[Caller]:
    """An agent that started `tabwright mcp`."""
    command = ["-m", "tabwright", "mcp"]
    server = StdioServerParameters(command=sys.executable, args=command, env=workspace.environment)
    async with Client(server) as client:
        yield _tools(client)


@asynccontextmanager
async def http(workspace: Workspace) -> AsyncIterator[Caller]:
    """An agent that uses MCP over HTTP."""
    async with Client(f"{workspace.url}/mcp") as client:
        yield _tools(client)


@asynccontextmanager
async def rest(workspace: Workspace) -> AsyncIterator[Caller]:
    """A program that uses REST."""
    async with httpx2.AsyncClient(base_url=workspace.url, timeout=_TIMEOUT) as api:

        async def call(action: str, session: str, **args: Any) -> tuple[bool, str]:
            response = await api.post(f"/api/actions/{action}", params={"session": session}, json=args)
            worked = response.status_code == 200
            return worked, response.json()["text"] if worked else response.text

        yield call


def _tools(client: Client) -> Caller:
    async def call(action: str, session: str, **args: Any) -> tuple[bool, str]:
        try:
            result = await client.call_tool(action, {"session": session, **args})
        except MCPError as error:
            return False, str(error)
        texts = [part.text for part in result.content if isinstance(part, types.TextContent)]
        return not result.is_error, "\n".join(texts)

    return call
