"""One browser behind a boundary for all tests of this folder; each test opens contexts with their own gates."""

from collections.abc import AsyncIterator, Awaitable, Callable
from ipaddress import ip_address

import pytest

from tabwright.browser.browser import Browser
from tabwright.browser.context import Context
from tabwright.browser.process.launch import LaunchOptions
from tabwright.policy.network.boundary import Boundary
from tabwright.policy.network.dialer import Dialer
from tabwright.policy.network.ip_ranges import Ip
from tabwright.policy.network.url_rules import UrlRules

OpenContext = Callable[..., Awaitable[Context]]


@pytest.fixture(scope="session")
async def boundary(anyio_backend: str) -> AsyncIterator[Boundary]:
    async def resolve(host: str) -> list[Ip]:
        if not host.endswith(".test"):
            raise OSError("no such name")
        return [ip_address("127.0.0.1")]

    async with Boundary.open(UrlRules(()), Dialer(resolve=resolve)) as boundary:
        yield boundary


@pytest.fixture(scope="session")
async def gated_browser(boundary: Boundary) -> AsyncIterator[Browser]:
    options = LaunchOptions(args=("--ignore-certificate-errors",))
    async with Browser.launch(options, boundary) as browser:
        yield browser


@pytest.fixture
async def open_context(gated_browser: Browser, boundary: Boundary) -> AsyncIterator[OpenContext]:
    """Open a context that may reach what these patterns allow."""
    opened: list[Context] = []

    async def open_context(*patterns: str) -> Context:
        gate = await boundary.gate(UrlRules(patterns))
        opened.append(await gated_browser.new_context(gate=gate))
        return opened[-1]

    yield open_context
    for context in opened:
        await context.close()
