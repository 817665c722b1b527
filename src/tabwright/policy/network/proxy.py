"""A forward proxy for one session: it looks at where a request wants to go, then copies bytes.

A plain http request is judged by its whole URL. A CONNECT is judged by host and port, and by its first bytes
whether it is TLS (https) or a WebSocket in the clear, whose URL is then seen.
"""

import html
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import anyio
import anyio.abc

from tabwright.errors import Denied, TabwrightError
from tabwright.policy.network.dialer import Dialer, Unreachable, Way
from tabwright.policy.network.http_head import Head, Inflow, Malformed
from tabwright.policy.network.tunnel import OVER, copy, exchange
from tabwright.policy.network.url_rules import Address, UrlRules, parse

log = logging.getLogger(__name__)

_TLS = 0x16
_LINGER = 2.0


@dataclass(frozen=True, slots=True)
class Caps:
    """How much one session may take."""

    connections: int = 512  # Chrome itself opens at most 32, and 255 WebSockets
    head_seconds: float = 120.0  # Chrome keeps unused connections for a minute
    idle_seconds: float = 1_800.0


class Ways(Protocol):
    """Judges where connections go, and remembers how it went."""

    rules: UrlRules

    def connect_refusal(self, address: Address) -> Denied | None:
        """Return why no connection there may be opened."""

    def tls_refusal(self, address: Address) -> Denied | None:
        """Return why it may not speak TLS."""

    def note(self, address: Address, failure: Denied | Unreachable | None) -> None:
        """Remember how dialling went."""


class Proxy:
    """Serves the connections of one session's browser context."""

    def __init__(self, ways: Ways, dialler: Dialer, caps: Caps | None = None) -> None:
        self._ways = ways
        self._dialler = dialler
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
        except Exception:  # whatever one connection brings, the others go on
            log.exception("a connection of the boundary failed")
        finally:
            self.open -= 1

    async def _answer(self, client: anyio.abc.ByteStream) -> None:
        if self.open > self._caps.connections:
            await _tell(client, 503, "Too many connections", f"{self._caps.connections} are open.")
            return
        try:
            await self._serve(client, Inflow(client))
        except Malformed as error:
            await _tell(client, 400, "Not understood", f"Not a request for a proxy: {error}.")
        except Denied as refusal:
            self._log(refusal)
            await _tell(client, 403, "Refused by the URL rules", str(refusal))
        except TabwrightError as error:
            await _tell(client, 400, "Not understood", str(error))
        except Unreachable as error:
            await _tell(client, 502, "Not reached", f"The server could not be reached: {error.code}.")

    def _log(self, refusal: Denied) -> None:
        """Leave out queries, which may hold secrets, and at the closed gate what Chrome itself wants."""
        level = logging.INFO if self._ways.rules.patterns else logging.DEBUG
        log.log(level, "refused: %s", refusal.message.partition("?")[0])

    async def _serve(self, client: anyio.abc.ByteStream, inflow: Inflow) -> None:
        with anyio.move_on_after(self._caps.head_seconds) as waiting:
            head = Head.parse(await inflow.head())
        if waiting.cancelled_caught:
            return
        method, target = head.request
        if method == "CONNECT":
            await self._tunnel(client, inflow, parse(f"https://{target}"))
        elif target.startswith("http://"):
            await self._forward(client, inflow, head)
        else:
            raise Malformed("its target is no whole URL")

    async def _tunnel(self, client: anyio.abc.ByteStream, inflow: Inflow, address: Address) -> None:
        if (refusal := self._ways.connect_refusal(address)) is not None:
            raise refusal
        async with (await self._dial(address)).stream as server:
            await client.send(b"HTTP/1.1 200 Connection established\r\n\r\n")
            if (await inflow.peek())[0] == _TLS:
                refusal = self._ways.tls_refusal(address)
                if refusal is not None:
                    raise refusal
            else:
                await server.send(await self._websocket(inflow, address))
            await exchange(
                lambda moved: copy(inflow, server, moved),
                lambda moved: copy(Inflow(server), client, moved),
                self._caps.idle_seconds,
            )

    async def _websocket(self, inflow: Inflow, address: Address) -> bytes:
        """Judge what is asked for in the clear inside a tunnel; return it to be passed on."""
        with anyio.fail_after(self._caps.head_seconds):
            data = await inflow.head()
        head = Head.parse(data)
        method, target = head.request
        if method != "GET" or not head.upgrade or not target.startswith("/"):
            raise Malformed("neither TLS nor a WebSocket")
        refusal = self._ways.rules.refusal(parse(f"http://{address.host}:{address.port}{target}"))
        if refusal is not None:
            raise refusal
        return data

    async def _forward(self, client: anyio.abc.ByteStream, inflow: Inflow, head: Head) -> None:
        method, target = head.request
        address = parse(target)
        if (refusal := self._ways.rules.refusal(address)) is not None:
            raise refusal
        head.require_one_length()
        way = await self._dial(address, plain=not head.upgrade)
        asked = str(address) if way.through_proxy else address.path
        sent = head.passed_on(f"{method} {asked} HTTP/1.1", host=address.origin.partition("://")[2])
        async with way.stream as server:
            await server.send(bytes(Head(sent.first, (*sent.fields, *way.fields))))
            await exchange(
                lambda moved: copy(inflow, server, moved),
                lambda moved: _answered(Inflow(server), client, moved),
                self._caps.idle_seconds,
            )

    async def _dial(self, address: Address, *, plain: bool = False) -> Way:
        try:
            way = await self._dialler.dial(self._ways.rules, address.host, address.port, plain=plain)
        except (Denied, Unreachable) as failure:
            self._ways.note(address, failure)
            raise
        self._ways.note(address, None)
        return way


async def _answered(server: Inflow, client: anyio.abc.ByteStream, moved: Callable[[], None]) -> None:
    """Pass an answer on, with the word that the connection ends after it."""
    try:
        early = True
        while early and (await server.peek()).startswith(b"HTTP/1."):
            data = await server.head()
            head = Head.parse_answer(data)
            # Early hints and the like: the answer itself is still to come.
            early = 100 <= head.status < 200 and head.status != 101
            await client.send(bytes(head.passed_on()) if head.status >= 200 else data)
    except (*OVER, Malformed):
        return
    await copy(server, client, moved)


async def _tell(client: anyio.abc.ByteStream, status: int, title: str, text: str) -> None:
    """Answer in the server's place, and see that the answer arrives although its request was not read."""
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
