"""Opens gates with given rules and names, and sends raw requests to them."""

import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from ipaddress import ip_address

import anyio
import anyio.abc

from tabwright.policy.network.boundary import Boundary, ProxyGate
from tabwright.policy.network.dialer import Dialer
from tabwright.policy.network.ip_ranges import Ip
from tabwright.policy.network.own_ports import OwnPorts
from tabwright.policy.network.proxy import Caps
from tabwright.policy.network.upstream_proxy import UpstreamProxy
from tabwright.policy.network.url_rules import UrlRules

# A user with no special rights.
NOBODY = 65534


@asynccontextmanager
async def gated(
    *patterns: str,
    names: dict[str, list[str]] | None = None,
    upstream: str | None = None,
    caps: Caps | None = None,
    own: OwnPorts | None = None,
) -> AsyncIterator[ProxyGate]:
    """Open a gate with these rules; only these names can be resolved."""

    async def resolve(host: str) -> list[Ip]:
        if host not in (names or {}):
            raise OSError("no such name")
        return [ip_address(address) for address in (names or {})[host]]

    dialer = Dialer(UpstreamProxy.parse(upstream) if upstream else None, resolve=resolve)
    async with Boundary.open(UrlRules(patterns, own), dialer) as boundary:
        yield await boundary.gate(caps=caps)


async def ask_as(user: int, port: int, request: str) -> str:
    """Send a request to a local port from a program of a user; return the whole response.

    Its escapes are those of printf. The program is a shell, which every user may run.
    """
    script = f"exec 3<>/dev/tcp/127.0.0.1/{port} && printf '{request}' >&3 && cat <&3"
    program = await anyio.run_process(
        ["/bin/bash", "-c", script], check=False, cwd="/", user=user, stderr=subprocess.DEVNULL
    )
    return program.stdout.decode()


async def everything(stream: anyio.abc.ByteReceiveStream) -> bytes:
    """Read until the other side closes the connection."""
    data = b""
    with anyio.fail_after(60):
        try:
            while True:
                data += await stream.receive()
        except (anyio.EndOfStream, anyio.BrokenResourceError):
            return data


async def until(stream: anyio.abc.ByteReceiveStream, end: bytes = b"\r\n\r\n") -> bytes:
    """Read until `end` was received."""
    data = b""
    with anyio.fail_after(60):
        while end not in data:
            data += await stream.receive()
    return data


async def ask(gate: ProxyGate, request: bytes) -> str:
    """Send bytes to a gate and return the whole response."""
    async with await anyio.connect_tcp("127.0.0.1", gate.port) as stream:
        await stream.send(request)
        return (await everything(stream)).decode("latin-1")


async def get(gate: ProxyGate, url: str) -> str:
    """Request a URL through a gate."""
    return await ask(gate, f"GET {url} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
