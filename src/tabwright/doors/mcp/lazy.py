"""MCP, imported when the first client needs it: its SDK takes a third of a hub's start time and memory."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import anyio
import anyio.abc
import anyio.to_thread
from starlette.routing import BaseRoute, Route, Router
from starlette.types import Receive, Scope, Send

from tabwright.aio import background_tasks
from tabwright.policy.callers.principal import Principal
from tabwright.runner import Runner

if TYPE_CHECKING:
    from tabwright.doors.mcp.door import McpDoor


class LazyMcp:
    """The MCP door, created when the first client connects.

    Args:
        create: imports the SDK and creates the door; runs in a thread, so that other clients do not wait.
    """

    def __init__(self, create: "Callable[[], McpDoor]") -> None:
        self._create = create
        self._door: McpDoor | None = None
        self._lock = anyio.Lock()

    async def door(self) -> "McpDoor":
        """Return the door; the first call creates it."""
        async with self._lock:
            if self._door is None:
                self._door = await anyio.to_thread.run_sync(self._create)
            return self._door

    async def serve(
        self, stream: anyio.abc.ByteStream, principal: Principal, received: bytes, options: Mapping[str, Any]
    ) -> None:
        """Serve one client over a byte stream until it disconnects."""
        await (await self.door()).serve(stream, principal, received, options)


class McpRoutes:
    """The HTTP routes of MCP; what answers them is created at the first request."""

    def __init__(self, mcp: LazyMcp, runner: Runner, *, sse: bool = False) -> None:
        self._mcp = mcp
        self._runner = runner
        self._sse = sse
        self._router: Router | None = None
        self._group: anyio.abc.TaskGroup | None = None
        self._lock = anyio.Lock()
        paths = ("/mcp", "/sse", "/messages/") if sse else ("/mcp",)
        self.routes: list[BaseRoute] = [Route(path, Endpoint(self._answer)) for path in paths]

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        """Keep MCP sessions while the block runs."""
        async with background_tasks() as group:
            self._group = group
            yield

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with self._lock:
            if self._router is None:
                assert self._group is not None, "requests arrive only while it runs"
                self._router = await self._group.start(self._run)
        await self._router(scope, receive, send)

    async def _run(self, *, task_status: anyio.abc.TaskStatus[Router]) -> None:
        from tabwright.doors.mcp.http import McpOverHttp  # noqa: PLC0415 - it imports the SDK

        mcp = McpOverHttp(await self._mcp.door(), self._runner, sse=self._sse)
        async with mcp.run():
            task_status.started(Router(mcp.routes))
            await anyio.sleep_forever()


class Endpoint:
    """Marks a coroutine as an ASGI app, which the router would otherwise take for a request handler."""

    def __init__(self, app: Callable[[Scope, Receive, Send], Awaitable[None]]) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)
