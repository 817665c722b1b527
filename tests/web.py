"""A small web server: pages written in the test, on 127.0.0.1, and another site through localhost."""

import itertools
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from inspect import isawaitable
from typing import cast

import anyio
import anyio.abc
from anyio.streams.tls import TLSStream

from tabwright.aio import background_tasks


@dataclass(frozen=True)
class Request:
    """A request of the browser."""

    method: str
    path: str
    query: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Response:
    """A response. An iterator as body is sent piece by piece."""

    body: str | bytes | AsyncIterator[bytes] = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


Talk = Callable[[anyio.abc.ByteStream], Awaitable[None]]
Responder = Callable[[Request], Response | Awaitable[Response]]


async def never() -> Response:
    """Never answer."""
    await anyio.sleep_forever()
    raise AssertionError


class Web:
    """Routes, and the requests so far."""

    def __init__(self) -> None:
        self.url = self.other_site = ""
        self.requests: list[Request] = []
        self._routes: dict[str, Responder] = {"/favicon.ico": lambda _: Response(status=204)}
        self._names = itertools.count(1)
        self._arrived = anyio.Event()

    def listen_on(self, port: int) -> None:
        """Set the ports that it listens on."""
        self.url, self.other_site = f"http://127.0.0.1:{port}", f"http://localhost:{port}"

    def page(
        self, html: str, path: str | None = None, *, status: int = 200, headers: dict[str, str] | None = None
    ) -> str:
        """Serve `html` and return its URL. A doctype and a charset are added."""
        response = Response(f"<!doctype html><meta charset=utf-8>{html}", status, headers or {})
        return self.route(path or f"/page{next(self._names)}", lambda _: response)

    def route(self, path: str, responder: Responder) -> str:
        """Answer requests for `path` with `responder` and return its URL."""
        self._routes[path] = responder
        return self.url + path

    async def wait_for_request(self, path: str) -> Request:
        """Wait for a request for `path` and return it."""
        with anyio.fail_after(60):
            while True:
                for request in self.requests:
                    if request.path == path:
                        return request
                await self._arrived.wait()

    async def serve(self, stream: anyio.abc.ByteStream) -> None:
        """Answer one connection."""
        request = await _read(stream)
        if request is None:
            return
        self.requests.append(request)
        self._arrived.set()
        self._arrived = anyio.Event()
        answer = self._routes.get(request.path, _not_found)(request)
        await _write(stream, await answer if isawaitable(answer) else answer)


@asynccontextmanager
async def serve_web() -> AsyncIterator[Web]:
    """Run the server while the block runs."""
    web = Web()
    async with run_server(web.serve) as port:
        web.listen_on(port)
        yield web


@asynccontextmanager
async def run_server(talk: Talk, tls: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    """Serve every connection with `talk` while the block runs, then close it; yield the port.

    It stops listening before it drops anybody: no connection is lost.
    """
    (only,) = (await anyio.create_tcp_listener(local_host="127.0.0.1", backlog=512)).listeners
    listener = cast("anyio.abc.SocketListener", only)
    streams: list[anyio.abc.SocketStream] = []

    async def accept(group: anyio.abc.TaskGroup) -> None:
        while True:
            # A connection that arrives while `accept` is being cancelled would be lost, and left open.
            await anyio.wait_readable(listener.extra(anyio.abc.SocketAttribute.raw_socket))
            streams.append(await listener.accept())
            group.start_soon(_served, talk, streams[-1], tls)

    async with background_tasks() as group, listener, background_tasks() as accepting:
        accepting.start_soon(accept, group)
        yield listener.extra(anyio.abc.SocketAttribute.local_port)
    for stream in streams:
        await anyio.aclose_forcefully(stream)


async def _served(talk: Talk, stream: anyio.abc.SocketStream, tls: ssl.SSLContext | None) -> None:
    with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream, ssl.SSLError):
        async with stream:
            if tls is None:
                await talk(stream)
            else:
                await talk(await TLSStream.wrap(stream, ssl_context=tls, standard_compatible=False))


def _not_found(request: Request) -> Response:
    return Response(f"no {request.path}", 404)


async def _read(stream: anyio.abc.ByteStream) -> Request | None:
    data = b""
    while b"\r\n\r\n" not in data and not data.startswith(b"\x16"):  # 0x16: TLS
        try:
            data += await stream.receive()
        except anyio.EndOfStream:
            return None
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    while len(body) < int(headers.get("content-length", 0)):
        body += await stream.receive()
    if first.count(" ") != 2:
        return None  # not HTTP
    method, target, _ = first.split(" ")
    path, _, query = target.partition("?")
    return Request(method, path, query, headers, body)


async def _write(stream: anyio.abc.ByteStream, response: Response) -> None:
    headers = {"content-type": "text/html; charset=utf-8", "connection": "close"}
    headers |= {name.lower(): value for name, value in response.headers.items()}
    body = response.body.encode() if isinstance(response.body, str) else response.body
    if isinstance(body, bytes):
        headers.setdefault("content-length", str(len(body)))
    head = f"HTTP/1.1 {response.status} {_WORDS.get(response.status, 'Status')}\r\n"
    head += "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    await stream.send(head.encode() + b"\r\n")
    if isinstance(body, bytes):
        await stream.send(body)
    else:
        async for piece in body:
            await stream.send(piece)


_WORDS = {
    200: "OK",
    204: "No Content",
    301: "Moved Permanently",
    302: "Found",
    404: "Not Found",
    500: "Internal Server Error",
}
