"""The HTTP side of the hub: REST, MCP, the page about them and the figures; on loopback unless told."""

import ipaddress
import logging
import os
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import orjson
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from tabwright.dialects.tool_call import Bounds
from tabwright.doors.dashboard.routes import Dashboard
from tabwright.doors.http.auth import Guard
from tabwright.doors.http.errors import on_error, on_fault, on_http_fault
from tabwright.doors.http.request_limit import Gate
from tabwright.doors.http.rest import RestDoor
from tabwright.doors.http.server import ADDRESS, bind, serving
from tabwright.doors.mcp.lazy import McpRoutes, Speaks
from tabwright.errors import TabwrightError
from tabwright.home import Home
from tabwright.policy.callers.http_auth import HttpAuth
from tabwright.runner import Runner

if TYPE_CHECKING:
    from tabwright.doors.mcp.http import McpOverHttp

log = logging.getLogger(__name__)

_STATIC = Path(__file__).parent / "static"
_PAGE_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'"
)


@dataclass(frozen=True)
class Place:
    """Where to listen beside the usual port, and the names that others know the place by."""

    address: str = ADDRESS
    second_port: int | None = None
    hosts: tuple[str, ...] = ()

    @property
    def beyond(self) -> bool:
        """Whether other computers can come."""
        try:
            return not ipaddress.ip_address(self.address).is_loopback
        except ValueError:
            return self.address != "localhost"

    @property
    def names(self) -> tuple[str, ...]:
        """The names in requests for us, beside those of this computer."""
        return (self.address, *self.hosts)

    def bound(self, port: int | Literal["any"]) -> list[socket.socket]:
        """Return a socket for each port that could be had."""
        first = None if port == 0 else bind(0 if port == "any" else port, self.address)
        second = None if self.second_port is None else bind(self.second_port, self.address, "http_port")
        return [one for one in (first, second) if one is not None]


class HttpDoor:
    """Serves HTTP clients over one runner. Where it listens is told in `http.json` of the state folder."""

    def __init__(
        self,
        runner: Runner,
        mcp: Speaks,
        home: Home,
        present: Callable[[], AbstractContextManager[None]],
        entry: HttpAuth | None = None,
        *,
        bounds: Bounds | None = None,
    ) -> None:
        self._runner = runner
        self._mcp = mcp
        self._home = home
        self._present = present
        self._entry = entry or HttpAuth()
        self._bounds = bounds

    @asynccontextmanager
    async def open(
        self, port: int | Literal["any"], *, sse: bool = False, place: Place | None = None
    ) -> AsyncIterator[str | None]:
        """Serve while the block runs, which gets our address; None when there is no HTTP.

        Raises:
            Denied: others could come to the place, and nothing keeps them out.
        """
        self._home.http.unlink(missing_ok=True)
        place = place or Place()
        if place.beyond:
            self._entry.require_closed(place.address)
        bound = place.bound(port)
        if not bound:
            yield None
            return
        async with self._serving(bound, place, sse) as address:
            yield address

    @asynccontextmanager
    async def _serving(self, bound: list[socket.socket], place: Place, sse: bool) -> AsyncIterator[str]:
        ports = [one.getsockname()[1] for one in bound]
        mcp = self._mcp_routes(ports, place, sse=sse)
        rest = RestDoor(self._runner, os.getpid(), self._bounds)
        app = _app([*rest.routes, *Dashboard(self._runner).routes, *_page(), *mcp.routes])
        gate = Gate(Guard(app, self._entry, ports, place.names), self._present)
        with self._runner.ports.taken(*ports):
            async with mcp.run(), serving(gate, *bound):
                addresses = [f"http://{ADDRESS}:{port}" for port in ports]
                for address in addresses:
                    log.info("HTTP at %s/api/ and %s/mcp", address, address)
                self._announce(addresses[0], ports[0])
                try:
                    yield addresses[0]
                finally:
                    self._home.http.unlink(missing_ok=True)
                    gate.close()

    def _mcp_routes(self, ports: list[int], place: Place, *, sse: bool) -> McpRoutes:
        async def made() -> "McpOverHttp":
            from tabwright.doors.mcp.http import McpOverHttp  # noqa: PLC0415 - it brings the SDK

            return McpOverHttp(await self._mcp.door(), self._runner, ports, place.names, sse=sse)

        return McpRoutes(made, ("/mcp", *(("/sse", "/messages/") if sse else ())))

    def _announce(self, address: str, port: int) -> None:
        """Write where we listen, in one piece, for this user's eyes only."""
        self._home.prepare()
        whole = self._home.http.with_suffix(".new")
        whole.touch(mode=0o600)
        whole.write_bytes(orjson.dumps({"url": address, "port": port, "pid": os.getpid()}))
        whole.replace(self._home.http)


def _app(routes: list[BaseRoute]) -> Starlette:
    answers = {
        TabwrightError: on_error,
        HTTPException: on_http_fault,
        ClientDisconnect: _on_gone,
        Exception: on_fault,
    }
    return Starlette(routes=routes, exception_handlers=answers)


def _page() -> list[BaseRoute]:
    async def page(_: Request) -> Response:
        return FileResponse(_STATIC / "api.html", headers={"content-security-policy": _PAGE_POLICY})

    return [Route("/api/", page), Mount("/api/page", StaticFiles(directory=_STATIC))]


async def _on_gone(_: Request, __: Exception) -> Response:
    return Response(status_code=400)  # nobody reads it
