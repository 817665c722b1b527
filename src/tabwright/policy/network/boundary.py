"""The network boundary: every browser context gets a gate, a proxy on its own port with its rules."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeVar, cast

import anyio
import anyio.abc

from tabwright.aio import background_tasks
from tabwright.browser.network.error_text import explain
from tabwright.errors import Blocked, Denied, InvalidArgs, PageFailed, TabwrightError
from tabwright.policy.network.dialer import Dialer, Unreachable
from tabwright.policy.network.peer_user import is_own_user
from tabwright.policy.network.proxy import Caps, Proxy
from tabwright.policy.network.upstream_proxy import UpstreamProxy
from tabwright.policy.network.url_rules import Address, UrlRules, parse

log = logging.getLogger(__name__)

_MAX_REMEMBERED = 1_000
_RETRY_INTERVAL = 0.2

K = TypeVar("K")
V = TypeVar("V")


class ProxyGate:
    """The gate of one context: its rules, its port, and what it learned about origins."""

    def __init__(self, rules: UrlRules, dialer: Dialer, caps: Caps | None = None) -> None:
        self.rules = rules
        self.port = 0
        self._proxy = Proxy(self, dialer, caps)
        self._scope = anyio.CancelScope()
        self._failures: dict[tuple[str, int], Denied | Unreachable] = {}
        self._approved: dict[tuple[str, str, int], None] = {}

    @property
    def proxy(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def paused(self) -> tuple[str, ...]:
        return self.rules.paused

    @property
    def connections(self) -> int:
        """How many connections are open."""
        return self._proxy.open

    async def serve(self, *, task_status: anyio.abc.TaskStatus[None]) -> None:
        """Serve the browser until the gate is closed."""
        (only,) = (await anyio.create_tcp_listener(local_host="127.0.0.1", backlog=512)).listeners
        listener = cast("anyio.abc.SocketListener", only)
        with self._scope:
            async with listener:
                self.port = listener.extra(anyio.abc.SocketAttribute.local_port)  # noqa: S610 - a socket's, no database's
                task_status.started()
                await self._accept(listener)

    async def _accept(self, listener: anyio.abc.SocketListener) -> None:
        async with anyio.create_task_group() as group:
            while True:
                try:
                    stream = await _accept_next(listener)
                    # Any local user could use this port, and with it our user's network and upstream proxy.
                    if _is_own_user(stream):
                        group.start_soon(self._proxy.serve, stream)
                    else:
                        log.warning("refused a connection of another user to the gate on port %d", self.port)
                        await anyio.aclose_forcefully(stream)
                except (OSError, anyio.BrokenResourceError):
                    # Too many open files (EMFILE): existing connections go on, and will end.
                    log.warning("cannot accept a connection of the browser now", exc_info=True)
                    await anyio.sleep(_RETRY_INTERVAL)

    def close(self) -> None:
        self._scope.cancel()

    def check(self, url: str) -> None:
        self.rules.check(url)
        self.allows(url)

    def allows(self, url: str) -> bool:
        try:
            address = parse(url)
        except TabwrightError:
            return not url.lower().startswith("http")  # about:, data: and blob: never reach the network
        if self.rules.refusal(address) is not None:
            return False
        _remember(self._approved, (address.scheme, address.host, address.port), None)
        return True

    def failure(self, url: str) -> TabwrightError | None:
        try:
            address = parse(url)
        except (Denied, InvalidArgs):
            return None
        if (refusal := self.rules.refusal(address)) is not None:
            return refusal
        known = self._failures.get((address.host, address.port))
        if isinstance(known, Unreachable) and known.proxy_fault:
            return PageFailed(
                f"{url} could not be loaded: {known.proxy_fault}.",
                hint="Ask the user to correct the proxy: the setting proxy, or HTTP_PROXY and HTTPS_PROXY.",
            )
        if isinstance(known, Unreachable):
            return PageFailed(
                f"{url} could not be loaded: {explain(known.code)}.",
                hint="Check the address, then try again.",
            )
        return known

    def connect_refusal(self, address: Address) -> Denied | None:
        return None if self._reaches("http", address) else self.tls_refusal(address)

    def tls_refusal(self, address: Address) -> Denied | None:
        return None if self._reaches("https", address) else self.rules.refusal(address)

    def note(self, address: Address, failure: Denied | Unreachable | None) -> None:
        where = (address.host, address.port)
        self._failures.pop(where, None)
        if failure is not None:
            _remember(self._failures, where, failure)

    def _reaches(self, scheme: str, address: Address) -> bool:
        known = (scheme, address.host, address.port) in self._approved
        return known or self.rules.reaches(scheme, address.host, address.port)


class Boundary:
    """Opens gates, all with the same upstream proxy of the user, if there is one."""

    def __init__(
        self,
        rules: UrlRules,
        dialer: Dialer,
        group: anyio.abc.TaskGroup,
        nothing: ProxyGate | None = None,
    ) -> None:
        self._rules = rules
        self._dialer = dialer
        self._group = group
        self._nothing = nothing or ProxyGate(UrlRules(()), dialer)

    @classmethod
    @asynccontextmanager
    async def open(cls, rules: UrlRules, dialer: Dialer | None = None) -> "AsyncIterator[Boundary]":
        """Keep gates open while the block runs."""
        async with background_tasks() as group:
            boundary = cls(rules, dialer or Dialer(), group)
            await group.start(boundary._nothing.serve)
            yield boundary

    @property
    def closed(self) -> str:
        return self._nothing.proxy

    def behind(self, upstream: UpstreamProxy) -> "Boundary":
        """Return the same boundary with another upstream proxy."""
        return Boundary(self._rules, Dialer(upstream), self._group, self._nothing)

    async def gate(self, rules: UrlRules | None = None, *, caps: Caps | None = None) -> ProxyGate:
        """Open a gate with the boundary's rules, or with others.

        Raises:
            Blocked: the system has no more ports or open files.
        """
        gate = ProxyGate(rules or self._rules, self._dialer, caps)
        try:
            await self._group.start(gate.serve)
        except OSError as error:
            raise Blocked(
                f"No further session can be opened now: {error.strerror or error}.",
                hint="Close another first.",
            ) from error
        return gate


async def _accept_next(listener: anyio.abc.SocketListener) -> anyio.abc.SocketStream:
    """Return the next connection; `accept` alone would leave one open if it is cancelled."""
    await anyio.wait_readable(listener.extra(anyio.abc.SocketAttribute.raw_socket))  # noqa: S610 - as above
    return await listener.accept()


def _is_own_user(stream: anyio.abc.SocketStream) -> bool:
    ends = anyio.abc.SocketAttribute.remote_address, anyio.abc.SocketAttribute.local_address
    try:
        peer, here = (cast("tuple[str, int]", stream.extra(end)) for end in ends)  # noqa: S610 - as above
    except (OSError, anyio.TypedAttributeLookupError):  # it is gone already
        return False
    return is_own_user(peer, here)


def _remember(what: dict[K, V], key: K, value: V) -> None:
    what[key] = value
    if len(what) > _MAX_REMEMBERED:
        del what[next(iter(what))]
