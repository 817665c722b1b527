"""The supervisor: one browser for all callers, replaced after it has exited."""

import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio

from tabwright.browser.browser import Browser
from tabwright.browser.network.gate import Boundary
from tabwright.browser.process.launch import LaunchOptions
from tabwright.browser.supervisor import BrowserSupervisor
from tabwright.errors import BrowserGone


async def test_a_supervisor_starts_one_browser_for_all_at_the_first_use() -> None:
    browsers: list[Browser] = []

    async def ask() -> None:
        browsers.append(await supervisor.browser())

    async with BrowserSupervisor.open() as supervisor:
        async with anyio.create_task_group() as group:
            group.start_soon(ask)
            group.start_soon(ask)
        assert browsers[0] is browsers[1]
        assert await supervisor.browser() is browsers[0]
    assert not browsers[0].alive


async def test_after_a_browser_died_the_next_callers_share_a_new_one() -> None:
    browsers: list[Browser] = []

    async def ask() -> None:
        browsers.append(await supervisor.browser())

    async with BrowserSupervisor.open() as supervisor:
        first = await supervisor.browser()
        assert first.pid is not None
        with anyio.fail_after(60):
            os.kill(first.pid, signal.SIGKILL)
            await first.wait_until_gone()
            async with anyio.create_task_group() as group:
                group.start_soon(ask)
                group.start_soon(ask)
            assert browsers[0] is browsers[1]
            assert browsers[0].pid != first.pid
            tab = await (await browsers[0].new_context()).new_tab()
            assert await tab.evaluate("1 + 1") == 2


async def test_a_caller_that_gives_up_does_not_stop_the_browser_that_starts() -> None:
    async with BrowserSupervisor.open() as supervisor:
        with anyio.move_on_after(0.05):
            await supervisor.browser()
        with anyio.fail_after(60):
            assert (await supervisor.browser()).alive


async def test_stopping_a_browser_that_starts_fails_its_callers() -> None:
    starting = anyio.Event()

    @asynccontextmanager
    async def never_ready(options: LaunchOptions, boundary: Boundary | None) -> AsyncIterator[Browser]:
        async with Browser.launch(options, boundary) as browser:
            starting.set()
            await anyio.sleep_forever()
            yield browser

    failures: list[Exception] = []

    async def ask(supervisor: BrowserSupervisor) -> None:
        try:
            await supervisor.browser()
        except BrowserGone as gone:
            failures.append(gone)

    with anyio.fail_after(60):
        async with (
            BrowserSupervisor.open(launch=never_ready) as supervisor,
            anyio.create_task_group() as group,
        ):
            group.start_soon(ask, supervisor)
            await starting.wait()
            await supervisor.stop()
    assert [str(failure) for failure in failures] == [
        "The browser was stopped while it started. Call again; a new browser starts."
    ]
