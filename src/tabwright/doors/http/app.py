"""The HTTP door: binds ports, then serves REST, its documentation page and the routes of other doors.

The server is in `server`, authentication in `auth`, the limit on concurrent requests in `request_limit`.
"""

import ipaddress
import logging
import os
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import orjson
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from tabwright.dialects.alias_table import PictureLimits
from tabwright.doors.http.auth import AuthMiddleware
from tabwright.doors.http.errors import on_error, on_http_error, on_unexpected_error
from tabwright.doors.http.known_hosts import KnownHosts
from tabwright.doors.http.request_limit import RequestLimit
from tabwright.doors.http.rest import RestDoor
from tabwright.doors.http.server import bind, serve
from tabwright.doors.wire.http_json import LOOPBACK
from tabwright.errors import TabwrightError
from tabwright.home import Home
from tabwright.policy.callers.http_auth import HttpAuth
from tabwright.runner import Runner

log = logging.getLogger(__name__)

_STATIC = Path(__file__).parent / "static"
_CONTENT_SECURITY_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'"
)


@dataclass(frozen=True)
class BindAddress:
    """The address to listen on, an optional second port, and the host names that clients use for it."""

    address: str = LOOPBACK
    second_port: int | None = None
    hosts: tuple[str, ...] = ()

    @property
    def is_public(self) -> bool:
        """Whether other computers can connect."""
        try:
            return not ipaddress.ip_address(self.address).is_loopback
        except ValueError:
            return self.address != "localhost"

    def bind(self, port: int | Literal["any"]) -> list[socket.socket]:
        """Return a socket for each port that was free."""
        first = None if port == 0 else bind(0 if port == "any" else port, self.address)
        second = None if self.second_port is None else bind(self.second_port, self.address, "http_port")
        return [one for one in (first, second) if one is not None]


class HttpDoor:
    """Serves HTTP clients over one runner, and writes its address to `http.json` in the state folder.

    Args:
        runner: runs the calls.
        home: where the address is written.
        in_use: a context that keeps the hub running while a request is in progress.
        auth: identifies callers; by default everybody on this computer is the user.
        routes: the routes of other doors: MCP, the dashboard.
        limits: size limits of screenshots.
        bare: whether Browsion's routes always answer as Browsion does.
    """

    def __init__(
        self,
        runner: Runner,
        home: Home,
        in_use: Callable[[], AbstractContextManager[None]],
        auth: HttpAuth | None = None,
        *,
        routes: Sequence[BaseRoute] = (),
        limits: PictureLimits | None = None,
        bare: bool = False,
    ) -> None:
        self._runner = runner
        self._home = home
        self._in_use = in_use
        self._auth = auth or HttpAuth()
        rest = RestDoor(runner, os.getpid(), limits, bare=bare)
        self._app = Starlette(
            routes=[*rest.routes, *_documentation(), *routes],
            exception_handlers={
                TabwrightError: on_error,
                HTTPException: on_http_error,
                ClientDisconnect: _on_disconnect,
                Exception: on_unexpected_error,
            },
        )

    @asynccontextmanager
    async def open(
        self, port: int | Literal["any"], address: BindAddress | None = None
    ) -> AsyncIterator[str | None]:
        """Serve while the block runs; yield our URL, or None when no port could be bound.

        Raises:
            Denied: other computers could connect, and no token is required.
        """
        self._home.http.unlink(missing_ok=True)
        address = address or BindAddress()
        if address.is_public:
            self._auth.require_token(address.address)
        bound = address.bind(port)
        if not bound:
            yield None
            return
        ports = [one.getsockname()[1] for one in bound]
        app = AuthMiddleware(self._app, self._auth, KnownHosts(ports, address.address, address.hosts))
        limit = RequestLimit(app, self._in_use)
        with self._runner.ports.opened(*ports):
            async with serve(limit, *bound):
                urls = [f"http://{LOOPBACK}:{port}" for port in ports]
                for url in urls:
                    log.info("HTTP at %s/api/ and %s/mcp", url, url)
                self._announce(urls[0], ports[0])
                try:
                    yield urls[0]
                finally:
                    self._home.http.unlink(missing_ok=True)
                    limit.cancel_all()

    def _announce(self, url: str, port: int) -> None:
        """Write our address to a file that only this user can read, atomically."""
        self._home.prepare()
        new = self._home.http.with_suffix(".new")
        new.touch(mode=0o600)
        new.write_bytes(orjson.dumps({"url": url, "port": port, "pid": os.getpid()}))
        new.replace(self._home.http)


def _documentation() -> list[BaseRoute]:
    async def page(_: Request) -> Response:
        headers = {"content-security-policy": _CONTENT_SECURITY_POLICY}
        return FileResponse(_STATIC / "api.html", headers=headers)

    return [Route("/api/", page), Mount("/api/page", StaticFiles(directory=_STATIC))]


async def _on_disconnect(_: Request, __: Exception) -> Response:
    return Response(status_code=400)  # nobody reads it
