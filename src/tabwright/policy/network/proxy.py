"""A forward proxy for one session: it checks where a request goes, then copies bytes.

A plain http request is checked by its whole URL. A CONNECT is checked by host and port, and its first bytes
show whether it is TLS (https) or a WebSocket without TLS, whose URL is then checked too.
"""

import html
import logging
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import anyio
import anyio.abc

from tabwright.errors import Denied, TabwrightError
from tabwright.policy.network.dialer import Dialer, Outgoing, Unreachable
from tabwright.policy.network.http_head import Head, Malformed, PeekableStream
from tabwright.policy.network.tunnel import OVER, copy, exchange
from tabwright.policy.network.upstream_proxy import AUTHENTICATION_REQUIRED, UpstreamProxy
from tabwright.policy.network.url_rules import Address, UrlRules, parse

log = logging.getLogger(__name__)

_TLS = 0x16
_REJECTED = re.compile(rb"HTTP/1\.[01] %d\b" % AUTHENTICATION_REQUIRED)
_LINGER = 2.0


@dataclass(frozen=True, slots=True)
class Caps:
    """Limits of one session."""

    connections: int = 512  # Chrome itself opens at most 32, and 255 WebSockets
    head_seconds: float = 120.0  # Chrome keeps unused connections for one minute
    idle_seconds: float = 1_800.0


class ConnectionRules(Protocol):
    """Decides where connections may go, and remembers the outcome."""

    rules: UrlRules

    def connect_refusal(self, address: Address) -> Denied | None:
        """Return why a connection may not be opened."""

    def tls_refusal(self, address: Address) -> Denied | None:
        """Return why TLS may not be used there."""

    def note(self, address: Address, failure: Denied | Unreachable | None) -> None:
        """Remember whether connecting failed."""


class Proxy:
    """Serves the connections of one session's browser context."""

    def __init__(self, connection_rules: ConnectionRules, dialer: Dialer, caps: Caps | None = None) -> None:
        self._rules = connection_rules
        self._dialer = dialer
        self._caps = caps or Caps()
        self.open = 0

    async def serve(self, client: anyio.abc.ByteStream) -> None:
        """Serve one connection."""
        self.open += 1
        try:
            async with client:
                await self._answer(client)
        except (*OVER, OSError):
            return
        except Exception:  # one connection must not end the others
            log.exception("a connection of the proxy failed")
        finally:
            self.open -= 1

    async def _answer(self, client: anyio.abc.ByteStream) -> None:
        if self.open > self._caps.connections:
            await _respond(client, 503, "Too many connections", f"{self._caps.connections} are open.")
            return
        try:
            await self._serve(client, PeekableStream(client))
        except Malformed as error:
            await _respond(client, 400, "Bad request", f"Not a request for a proxy: {error}.")
        except Denied as refusal:
            self._log(refusal)
            await _respond(client, 403, "Refused by the URL rules", str(refusal))
        except TabwrightError as error:
            await _respond(client, 400, "Bad request", str(error))
        except Unreachable as error:
            await _respond(client, 502, "Unreachable", f"The server could not be reached: {error.code}.")

    def _log(self, refusal: Denied) -> None:
        """Log without queries, which may hold secrets; for Chrome's own requests, only when debugging."""
        level = logging.INFO if self._rules.rules.patterns else logging.DEBUG
        log.log(level, "refused: %s", refusal.message.partition("?")[0])

    async def _serve(self, client: anyio.abc.ByteStream, incoming: PeekableStream) -> None:
        with anyio.move_on_after(self._caps.head_seconds) as waiting:
            head = Head.parse(await incoming.read_head())
        if waiting.cancelled_caught:
            return
        method, target = head.request
        if method == "CONNECT":
            await self._tunnel(client, incoming, parse(f"https://{target}"))
        elif target.startswith("http://"):
            await self._forward(client, incoming, head)
        else:
            raise Malformed("its target is not a whole URL")

    async def _tunnel(self, client: anyio.abc.ByteStream, incoming: PeekableStream, address: Address) -> None:
        if (refusal := self._rules.connect_refusal(address)) is not None:
            raise refusal
        async with (await self._dial(address)).stream as server:
            await client.send(b"HTTP/1.1 200 Connection established\r\n\r\n")
            if (await incoming.peek())[0] == _TLS:
                refusal = self._rules.tls_refusal(address)
                if refusal is not None:
                    raise refusal
            else:
                await server.send(await self._websocket(incoming, address))
            await exchange(
                lambda moved: copy(incoming, server, moved),
                lambda moved: copy(PeekableStream(server), client, moved),
                self._caps.idle_seconds,
            )

    async def _websocket(self, incoming: PeekableStream, address: Address) -> bytes:
        """Check a request without TLS inside a tunnel; return it to be passed on."""
        with anyio.fail_after(self._caps.head_seconds):
            data = await incoming.read_head()
        head = Head.parse(data)
        method, target = head.request
        if method != "GET" or not head.upgrade or not target.startswith("/"):
            raise Malformed("neither TLS nor a WebSocket")
        refusal = self._rules.rules.refusal(parse(f"http://{address.host}:{address.port}{target}"))
        if refusal is not None:
            raise refusal
        return data

    async def _forward(self, client: anyio.abc.ByteStream, incoming: PeekableStream, head: Head) -> None:
        method, target = head.request
        address = parse(target)
        if (refusal := self._rules.rules.refusal(address)) is not None:
            raise refusal
        head.require_one_length()
        outgoing = await self._dial(address, plain=not head.upgrade)
        asked = str(address) if outgoing.proxy else address.path
        sent = head.for_next_hop(f"{method} {asked} HTTP/1.1", host=address.origin.partition("://")[2])
        async with outgoing.stream as server:
            fields = outgoing.proxy.fields if outgoing.proxy else ()
            await server.send(bytes(Head(sent.first, (*sent.fields, *fields))))
            answer = PeekableStream(server)
            await exchange(
                lambda moved: copy(incoming, server, moved),
                lambda moved: self._answer_plain(answer, client, moved, outgoing.proxy, address),
                self._caps.idle_seconds,
            )

    async def _answer_plain(
        self,
        server: PeekableStream,
        client: anyio.abc.ByteStream,
        moved: Callable[[], None],
        proxy: UpstreamProxy | None,
        address: Address,
    ) -> None:
        """Pass on a response, unless the user's proxy demands another login, which Chrome does not have."""
        if proxy is None or not await _is_rejected(server):
            await _pass_on_response(server, client, moved)
            return
        fault = Unreachable("ERR_TUNNEL_CONNECTION_FAILED", str(proxy.rejects_login))
        self._rules.note(address, fault)
        await _respond(client, 502, "Unreachable", f"The server could not be reached: {fault.proxy_fault}.")

    async def _dial(self, address: Address, *, plain: bool = False) -> Outgoing:
        try:
            outgoing = await self._dialer.dial(self._rules.rules, address.host, address.port, plain=plain)
        except (Denied, Unreachable) as failure:
            self._rules.note(address, failure)
            raise
        self._rules.note(address, None)
        return outgoing


async def _is_rejected(server: PeekableStream) -> bool:
    try:
        return _REJECTED.match(await server.peek()) is not None
    except OVER:
        return False


async def _pass_on_response(
    server: PeekableStream, client: anyio.abc.ByteStream, moved: Callable[[], None]
) -> None:
    """Pass on a response, with the header that closes the connection after it."""
    try:
        early = True
        while early and (await server.peek()).startswith(b"HTTP/1."):
            data = await server.read_head()
            head = Head.parse_response(data)
            # An interim response such as early hints: the real one is still to come.
            early = 100 <= head.status < 200 and head.status != 101
            await client.send(bytes(head.for_next_hop()) if head.status >= 200 else data)
    except (*OVER, Malformed):
        return
    await copy(server, client, moved)


async def _respond(client: anyio.abc.ByteStream, status: int, title: str, text: str) -> None:
    """Respond instead of the server; the client gets it even if its request was not read completely."""
    page = f"<!doctype html><meta charset=utf-8><title>{title}</title><h1>{title}</h1><p>{html.escape(text)}"
    body = page.encode()
    fields = (
        ("Content-Type", "text/html; charset=utf-8"),
        ("Content-Length", str(len(body))),
        ("Content-Security-Policy", "default-src 'none'"),
        ("Cache-Control", "no-store"),
        ("Connection", "close"),
    )
    await client.send(bytes(Head(f"HTTP/1.1 {status} {title}", fields)) + body)
    await client.send_eof()
    with anyio.move_on_after(_LINGER):
        while True:
            await client.receive()
