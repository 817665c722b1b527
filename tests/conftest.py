"""Fixtures: one browser for all tests of a worker, a fresh context and a fresh web server for each test."""

import signal
from collections.abc import AsyncIterator

import pytest
from hypothesis import settings

from tabwright.browser.browser import Browser
from tabwright.browser.context import Context
from tabwright.browser.keeper import Keeper
from tabwright.browser.tab import Tab
from tests.web import Web, serving

# How long an example takes says more of the computer than of us.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

# Started in the background, we inherit that Ctrl-C means nothing; the commands that tests start must not.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--whole-sweep", action="store_true", help="Fail every message, not a sample of them.")


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
async def browser(anyio_backend: str) -> AsyncIterator[Browser]:
    async with Browser.launch() as browser:
        yield browser


@pytest.fixture(scope="session")
async def keeper(anyio_backend: str) -> AsyncIterator[Keeper]:
    """Keeps another browser, for tests of what works through one that may be replaced."""
    async with Keeper.open() as keeper:
        yield keeper


@pytest.fixture
async def context(browser: Browser) -> AsyncIterator[Context]:
    context = await browser.new_context()
    yield context
    await context.close()


@pytest.fixture
async def tab(context: Context) -> Tab:
    return await context.new_tab()


@pytest.fixture
async def web() -> AsyncIterator[Web]:
    async with serving() as web:
        yield web
