"""Connections to the world: a name is looked up once, its addresses are judged, one of those is dialled."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from ipaddress import ip_address

import anyio
import anyio.abc

from tabwright.policy.network.ip_ranges import Ip, literal
from tabwright.policy.network.own_ports import is_local_name
from tabwright.policy.network.upstream_proxy import UpstreamFailed, UpstreamProxy
from tabwright.policy.network.url_rules import UrlRules

Resolve = Callable[[str], Awaitable[list[Ip]]]

_PATIENCE = 30.0
# How long one address may keep silent before the next is tried beside it.
_HEAD_START = 0.25
# As long as Chrome itself keeps a name, and so that a page with a hundred files asks once.
_NAME_KEPT = 60.0
_MOST_NAMES = 1_000
_CODES: dict[type[OSError], str] = {
    ConnectionRefusedError: "ERR_CONNECTION_REFUSED",
    ConnectionResetError: "ERR_CONNECTION_RESET",
    TimeoutError: "ERR_CONNECTION_TIMED_OUT",
}


class Unreachable(Exception):
    """The server could not be reached; the code is the one that Chrome would give."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Way:
    """A connection, and whether the other end is a proxy that wants whole URLs and these fields."""

    stream: anyio.abc.ByteStream
    through_proxy: bool = False
    fields: tuple[tuple[str, str], ...] = ()


class Dialer:
    """Opens connections to what rules allow, through the user's own proxy if there is one."""

    def __init__(self, upstream: UpstreamProxy | None = None, *, resolve: Resolve | None = None) -> None:
        self._upstream = upstream
        self._resolve = resolve or look_up
        self._names: dict[str, tuple[float, list[Ip]]] = {}

    async def dial(self, rules: UrlRules, host: str, port: int, *, plain: bool = False) -> Way:
        """Connect to an allowed host, for one `plain` HTTP request or for any bytes.

        Raises:
            Denied: it has an address that the rules do not cover.
            Unreachable: it cannot be reached.
        """
        try:
            with anyio.fail_after(_PATIENCE):
                addresses = await self._addresses(host)
                if (refusal := rules.refusal_of_way(host, port, addresses)) is not None:
                    raise refusal
                if self._upstream is None or not self.goes_upstream(host):
                    return Way(await _first(addresses, port))
                # Many proxies open tunnels to the ports of https only.
                if plain and not self._upstream.is_socks:
                    return Way(await self._upstream.connect(), True, self._upstream.fields)
                return Way(await self._upstream.tunnel(host, port))
        except UpstreamFailed as error:
            raise Unreachable("ERR_TUNNEL_CONNECTION_FAILED") from error
        except OSError as error:
            raise Unreachable(_CODES.get(type(error), "ERR_ADDRESS_UNREACHABLE")) from error

    def goes_upstream(self, host: str) -> bool:
        """Whether a host is reached through the user's proxy; this computer is not."""
        ip = literal(host)
        return self._upstream is not None and not (is_local_name(host) or (ip is not None and ip.is_loopback))

    async def _addresses(self, host: str) -> list[Ip]:
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
            if self.goes_upstream(host):
                return []  # behind a company's proxy names are often known to it alone
            raise Unreachable("ERR_NAME_NOT_RESOLVED") from error
        if len(self._names) >= _MOST_NAMES:
            del self._names[next(iter(self._names))]
        self._names[host] = (anyio.current_time() + _NAME_KEPT, found)
        return found


async def look_up(host: str) -> list[Ip]:
    """Ask the system for the addresses of a name."""
    found = await anyio.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(ip_address(str(where[0]).partition("%")[0]) for *_, where in found))


async def _connect(address: Ip, port: int) -> anyio.abc.ByteStream:
    """Connect to one address: without the race that anyio runs for every host."""
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


async def _first(addresses: list[Ip], port: int) -> anyio.abc.ByteStream:
    """Connect to the first address that answers, the later ones tried beside the slow."""
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
