"""The HTTP side of the hub: REST, MCP, the page about them and the figures, on one loopback port."""

import logging
import os
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, asynccontextmanager
from pathlib import Path
from typing import Literal

import orjson
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from tabwright.doors.gate import Gate
from tabwright.doors.guard import Guard
from tabwright.doors.listener import ADDRESS, bind, serving
from tabwright.doors.mcp import McpDoor
from tabwright.doors.mcp_http import McpOverHttp
from tabwright.doors.problem import on_error, on_fault, on_http_fault
from tabwright.doors.rest import RestDoor
from tabwright.errors import TabwrightError
from tabwright.home import Home
from tabwright.runner import Runner

log = logging.getLogger(__name__)

_STATIC = Path(__file__).parent / "static"
_PAGE_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'"
)


class HttpDoor:
    """Serves HTTP clients over one runner. Where it listens is told in `http.json` of the state folder."""

    def __init__(
        self,
        runner: Runner,
        mcp: McpDoor,
        home: Home,
        present: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self._runner = runner
        self._mcp = mcp
        self._home = home
        self._present = present

    @asynccontextmanager
    async def open(self, port: int | Literal["any"], *, sse: bool = False) -> AsyncIterator[str | None]:
        """Serve while the block runs, which gets our address; None when there is no HTTP."""
        self._home.http.unlink(missing_ok=True)
        bound = None if port == 0 else bind(0 if port == "any" else port)
        if bound is None:
            yield None
            return
        async with self._serving(bound, sse) as address:
            yield address

    @asynccontextmanager
    async def _serving(self, bound: socket.socket, sse: bool) -> AsyncIterator[str]:
        port: int = bound.getsockname()[1]
        mcp = McpOverHttp(self._mcp, self._runner, port, sse=sse)
        rest = RestDoor(self._runner, os.getpid())
        gate = Gate(Guard(_app([*rest.routes, *_page(), *mcp.routes]), port), self._present)
        async with mcp.run(), serving(gate, bound):
            address = f"http://{ADDRESS}:{port}"
            log.info("HTTP at %s/api/ and %s/mcp", address, address)
            self._announce(address, port)
            try:
                yield address
            finally:
                self._home.http.unlink(missing_ok=True)
                gate.close()

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
