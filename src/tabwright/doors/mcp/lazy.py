"""MCP, brought in with the first client that speaks it: its SDK is a third of a hub's start and memory."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Protocol

import anyio
import anyio.abc
import anyio.to_thread
from starlette.routing import BaseRoute, Route, Router
from starlette.types import Receive, Scope, Send

from tabwright.aio import background_tasks
from tabwright.policy.callers.principal import Principal

if TYPE_CHECKING:
    from tabwright.doors.mcp.door import McpDoor
    from tabwright.doors.mcp.http import McpOverHttp


class Speaks(Protocol):
    """Whoever has the door of MCP, now or in a moment."""

    async def door(self) -> "McpDoor":
        """Return the door."""
        ...


class LazyMcp:
    """The door of MCP for the hub's socket, made when somebody comes.

    Args:
        make: imports the SDK and makes the door; runs in a thread, so that nobody else waits for it.
        refusal: says why a client with some options cannot be served; "" when it can.
    """

    def __init__(self, make: "Callable[[], McpDoor]", refusal: Callable[[Mapping[str, Any]], str]) -> None:
        self._make = make
        self._made: McpDoor | None = None
        self._lock = anyio.Lock()
        self.refusal = refusal

    async def door(self) -> "McpDoor":
        """Return the door, made by the first who asks."""
        async with self._lock:
            if self._made is None:
                self._made = await anyio.to_thread.run_sync(self._make)
            return self._made

    async def serve(
        self, stream: anyio.abc.ByteStream, principal: Principal, early: bytes, options: Mapping[str, Any]
    ) -> None:
        """Serve one client over a byte stream until it leaves."""
        await (await self.door()).serve(stream, principal, early, options)


class McpRoutes:
    """The addresses of MCP in the HTTP door; what answers there is made at the first request.

    Args:
        make: makes it, in a moment.
        addresses: where it answers.
    """

    def __init__(self, make: "Callable[[], Awaitable[McpOverHttp]]", addresses: Sequence[str]) -> None:
        self._make = make
        self._router: Router | None = None
        self._group: anyio.abc.TaskGroup | None = None
        self._lock = anyio.Lock()
        self.routes: list[BaseRoute] = [Route(address, Endpoint(self._answer)) for address in addresses]

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        """Keep MCP sessions while the block runs."""
        async with background_tasks() as group:
            self._group = group
            yield

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with self._lock:
            if self._router is None:
                assert self._group is not None, "requests come while it runs"
                self._router = await self._group.start(self._keep)
        await self._router(scope, receive, send)

    async def _keep(self, *, task_status: anyio.abc.TaskStatus[Router]) -> None:
        made = await self._make()
        async with made.run():
            task_status.started(Router(made.routes))
            await anyio.sleep_forever()


class Endpoint:
    """Marks a coroutine as an ASGI app, which the router would otherwise take for a request handler."""

    def __init__(self, app: Callable[[Scope, Receive, Send], Awaitable[None]]) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)
