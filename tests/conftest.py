"""Fixtures: one browser for all tests of a worker, a fresh context and a fresh web server for each test.

To make a tab costs more than most tests: cases that leave nothing in it share one (`same_tab`).
"""

import gc
import json
import os
import shutil
import signal
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import settings

from tabwright.actions import CATALOG
from tabwright.artifacts import Artifacts
from tabwright.browser.browser import Browser
from tabwright.browser.call_permissions import ALL, granted
from tabwright.browser.context import Context
from tabwright.browser.process.launch import LaunchOptions
from tabwright.browser.supervisor import BrowserSupervisor
from tabwright.browser.tab import Tab
from tabwright.call import Answer, Call
from tabwright.policy.callers.principal import Principal
from tabwright.policy.data.script_reach import Scripts
from tabwright.runner import Runner
from tabwright.sessions.registry import Sessions
from tests.calls import Do
from tests.web import Web, serve_web

# The duration of an example depends on the computer more than on the code.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

# Started in the background, we inherit ignoring Ctrl-C; the commands that tests start must not.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


# Thousands of tests are not garbage; the garbage collector takes a fifth of the collection time.
gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--whole-sweep", action="store_true", help="Try all that is tried of a sample else.")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "same_tab: all cases get the same tab, in which they leave nothing.")
    config.addinivalue_line("markers", "sampled(n): of its cases one in n is run; with --whole-sweep all.")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the cases that are not in a sample."""
    if config.getoption("--whole-sweep"):
        return
    seen: Counter[object] = Counter()
    selected, left_out = list[pytest.Item](), list[pytest.Item]()
    for item in items:
        marker = item.get_closest_marker("sampled")
        test = item.function if isinstance(item, pytest.Function) else item
        (left_out if marker and seen[test] % marker.args[0] else selected).append(item)
        seen[test] += 1
    config.hook.pytest_deselected(items=left_out)
    items[:] = selected


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


# A spare renderer process costs a fifth of a tab, and few tests visit another site.
PLAIN = LaunchOptions(args=("--disable-features=SpareRendererForSitePerProcess",))
# The same for the hubs that tests start.
os.environ.setdefault("TABWRIGHT_BROWSER_ARGS", json.dumps(PLAIN.args))  # noqa: TID251 - they inherit it


@pytest.fixture(scope="session")
async def browser(anyio_backend: str) -> AsyncIterator[Browser]:
    async with Browser.launch(PLAIN) as browser:
        yield browser


@pytest.fixture(scope="session")
async def supervisor(anyio_backend: str) -> AsyncIterator[BrowserSupervisor]:
    """A supervisor of another browser, for tests that replace the browser."""
    async with BrowserSupervisor.open(PLAIN) as supervisor:
        yield supervisor


class SharedTab:
    """The context and tab that all cases of a test marked `same_tab` share."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._to: object = None
        self._tab: Tab | None = None

    async def tab(self, borrower: object) -> Tab:
        """Return the tab; that of an earlier test is closed with its context."""
        if self._tab is None or self._to is not borrower:
            await self.close()
            self._tab, self._to = await (await self._browser.new_context()).new_tab(), borrower
        return self._tab

    async def close(self) -> None:
        if self._tab is not None:
            await self._tab.context.close()
            self._tab = None


@pytest.fixture(scope="session")
async def shared_tab(browser: Browser) -> AsyncIterator[SharedTab]:
    shared_tab = SharedTab(browser)
    yield shared_tab
    await shared_tab.close()


@pytest.fixture
async def context(
    request: pytest.FixtureRequest, browser: Browser, shared_tab: SharedTab
) -> AsyncIterator[Context]:
    if request.node.get_closest_marker("same_tab"):
        yield (await shared_tab.tab(request.function)).context
        return
    context = await browser.new_context()
    yield context
    await context.close()


@pytest.fixture
async def tab(request: pytest.FixtureRequest, context: Context, shared_tab: SharedTab) -> Tab:
    if request.node.get_closest_marker("same_tab"):
        return await shared_tab.tab(request.function)
    return await context.new_tab()


@pytest.fixture
async def web() -> AsyncIterator[Web]:
    async with serve_web() as web:
        yield web


@pytest.fixture
async def screen(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    """A virtual screen for windows."""
    program = shutil.which("Xvfb")
    if program is None:
        pytest.skip("there is no Xvfb to show windows on; `make test` says why")
    command = [program, "-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"]
    async with await anyio.open_process(command, stderr=None) as server:
        assert server.stdout is not None
        with anyio.fail_after(60):
            number = (await server.stdout.receive()).decode().strip()
        monkeypatch.setenv("DISPLAY", f":{number}")
        try:
            yield
        finally:
            server.terminate()


@pytest.fixture
async def as_owner() -> AsyncIterator[None]:
    """Let the test use tabs of sessions directly, which only calls may do otherwise."""
    with granted(ALL):
        yield


@pytest.fixture
async def runner(supervisor: BrowserSupervisor) -> AsyncIterator[Runner]:
    async with Sessions.open(supervisor) as sessions:
        yield Runner(CATALOG, sessions, Artifacts(), scripts=Scripts(block_eval=False))
        for session in sessions:
            await session.close()


@pytest.fixture
def me(tmp_path: Path) -> Principal:
    return Principal("local:test", folder=tmp_path)


@pytest.fixture
def do(runner: Runner, me: Principal) -> Do:
    """Run an action as a door would."""

    async def do(
        action: str, *, max_tokens: int | None = None, session: str | None = None, **args: Any
    ) -> Answer:
        return await runner.run(
            Call(action=action, args=args, principal=me, session=session, max_tokens=max_tokens)
        )

    return do
