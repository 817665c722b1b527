"""Opens connections: resolves a name once, checks its addresses, and connects to one of those."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Protocol

import anyio
import anyio.abc

from tabwright.policy.network.ip_ranges import Ip, literal
from tabwright.policy.network.own_ports import is_local_name
from tabwright.policy.network.upstream_proxy import UpstreamFailed, UpstreamProxy
from tabwright.policy.network.url_rules import UrlRules

Resolve = Callable[[str], Awaitable[list[Ip]]]

_TIMEOUT = 30.0
# How long to wait for one address before the next is tried in parallel.
_HEAD_START = 0.25
# As long as Chrome itself caches a name; a page with a hundred files resolves it once.
_CACHE_SECONDS = 60.0
_MAX_NAMES = 1_000
_CODES: dict[type[OSError], str] = {
    ConnectionRefusedError: "ERR_CONNECTION_REFUSED",
    ConnectionResetError: "ERR_CONNECTION_RESET",
    TimeoutError: "ERR_CONNECTION_TIMED_OUT",
}


class Unreachable(Exception):
    """The server could not be reached; the code is the one that Chrome would report.

    `proxy_fault` says what the user's proxy did, if it was the cause.
    """

    def __init__(self, code: str, proxy_fault: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.proxy_fault = proxy_fault


class Upstream(Protocol):
    """The proxies of the user."""

    def choose(self, host: str, port: int, *, plain: bool) -> UpstreamProxy | None:
        """Return the proxy for a host; None if it is reached directly."""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A connection. If the other end is a `proxy`, it expects whole URLs and the proxy's headers."""

    stream: anyio.abc.ByteStream
    proxy: UpstreamProxy | None = None


class Dialer:
    """Opens connections that the rules allow, through the user's proxy if there is one."""

    def __init__(self, upstream: Upstream | None = None, *, resolve: Resolve | None = None) -> None:
        self._upstream = upstream
        self._resolve = resolve or resolve_name
        self._names: dict[str, tuple[float, list[Ip]]] = {}

    async def dial(self, rules: UrlRules, host: str, port: int, *, plain: bool = False) -> Outgoing:
        """Connect to an allowed host, for one `plain` HTTP request or for any bytes.

        Raises:
            Denied: it has an address that the rules do not cover.
            Unreachable: it cannot be reached.
        """
        try:
            with anyio.fail_after(_TIMEOUT):
                upstream = self._choose(host, port, plain=plain)
                # Often, only a company's proxy can resolve names.
                addresses = await self._addresses(host, required=upstream is None)
                if (refusal := rules.refusal_of_addresses(host, port, addresses)) is not None:
                    raise refusal
                if upstream is None:
                    return Outgoing(await _connect_first(addresses, port))
                # Many proxies open tunnels to https ports only.
                if plain and not upstream.is_socks:
                    return Outgoing(await upstream.connect(), upstream)
                return Outgoing(await upstream.tunnel(host, port))
        except UpstreamFailed as error:
            raise Unreachable("ERR_TUNNEL_CONNECTION_FAILED", str(error)) from error
        except OSError as error:
            raise Unreachable(_CODES.get(type(error), "ERR_ADDRESS_UNREACHABLE")) from error

    def _choose(self, host: str, port: int, *, plain: bool) -> UpstreamProxy | None:
        """Return the user's proxy for a host; this computer is always reached directly."""
        ip = literal(host)
        if self._upstream is None or is_local_name(host) or (ip is not None and ip.is_loopback):
            return None
        return self._upstream.choose(host, port, plain=plain)

    async def _addresses(self, host: str, *, required: bool) -> list[Ip]:
        if (ip := literal(host)) is not None:
            return [ip]
        if is_local_name(host):
            return [ip_address("127.0.0.1"), ip_address("::1")]
        until, known = self._names.get(host, (0.0, []))
        if anyio.current_time() < until:
            return known
        try:
            found = await self._resolve(host)
        except OSError as error:
            if not required:
                return []
            raise Unreachable("ERR_NAME_NOT_RESOLVED") from error
        if len(self._names) >= _MAX_NAMES:
            del self._names[next(iter(self._names))]
        self._names[host] = (anyio.current_time() + _CACHE_SECONDS, found)
        return found


async def resolve_name(host: str) -> list[Ip]:
    """Resolve a name with the system's resolver."""
    found = await anyio.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(ip_address(str(where[0]).partition("%")[0]) for *_, where in found))


async def _connect(address: Ip, port: int) -> anyio.abc.ByteStream:
    """Connect to one address, without the race that anyio runs for every host."""
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    plain = socket.socket(family, socket.SOCK_STREAM)
    try:
        plain.setblocking(False)
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        await asyncio.get_running_loop().sock_connect(plain, (str(address), port))
    except BaseException:
        plain.close()
        raise
    return await anyio.abc.SocketStream.from_socket(plain)


async def _connect_first(addresses: list[Ip], port: int) -> anyio.abc.ByteStream:
    """Connect to the first address that answers; later ones are tried in parallel with slow ones."""
    if len(addresses) == 1:
        return await _connect(addresses[0], port)
    won: list[anyio.abc.ByteStream] = []
    failures: list[OSError] = []
    async with anyio.create_task_group() as group:

        async def attempt(address: Ip, over: anyio.Event) -> None:
            try:
                won.append(await _connect(address, port))
                group.cancel_scope.cancel()
            except OSError as error:
                failures.append(error)
            over.set()

        for address in addresses:
            over = anyio.Event()
            group.start_soon(attempt, address, over)
            with anyio.move_on_after(_HEAD_START):
                await over.wait()
    for late in won[1:]:
        await anyio.aclose_forcefully(late)
    if not won:
        raise failures[0] if failures else OSError("no address")
    return won[0]
