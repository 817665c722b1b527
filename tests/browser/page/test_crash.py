"""What is left to a caller when a page or the whole browser dies."""

import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest

from tabwright.browser.browser import Browser
from tabwright.browser.context import Context
from tabwright.browser.network.gate import Boundary
from tabwright.browser.page.evaluate import evaluate
from tabwright.browser.page.navigation import Navigated
from tabwright.browser.process.launch import LaunchOptions
from tabwright.browser.supervisor import BrowserSupervisor
from tabwright.browser.tab import Tab
from tabwright.errors import BrowserGone, PageFailed
from tests.processes import all_gone
from tests.web import Response, Web, never

FOR_EVER = "new Promise(() => {})"


async def outcome(call: Awaitable[Any]) -> Any:
    try:
        return await call
    except Exception as error:
        return error


async def test_a_crashed_page_ends_its_calls_at_once_and_only_its_own(context: Context, web: Web) -> None:
    url = web.page("<title>fine</title>")
    crashed, other = await context.new_tab(url), await context.new_tab(web.other_site + "/page1")
    ended: list[Any] = []

    async def wait_for_ever() -> None:
        ended.append(await outcome(crashed.evaluate(FOR_EVER)))

    with anyio.fail_after(20):
        async with anyio.create_task_group() as group:
            group.start_soon(wait_for_ever)
            await crashed.evaluate("1")
            crashed.session.post("Page.crash")
        ended.append(await outcome(crashed.title()))
        ended.append(await outcome(crashed.snapshot()))
    assert [str(failure) for failure in ended] == [
        f"The page {url} crashed. Reload it, or navigate elsewhere."
    ] * 3
    assert {type(failure) for failure in ended} == {PageFailed}
    assert await other.title() == "fine"


@pytest.mark.parametrize("again", [lambda tab: tab.navigation.reload(), lambda tab: tab.goto(tab.url)])
async def test_a_crashed_page_is_back_after_a_reload_or_a_navigation(
    tab: Tab, web: Web, again: Callable[[Tab], Awaitable[Navigated]]
) -> None:
    url = web.page("<title>back</title>")
    await tab.goto(url)
    with anyio.fail_after(30):
        with pytest.raises(PageFailed):
            await crash(tab)
        assert await again(tab) == Navigated(url, 200, "OK")
        assert await tab.title() == "back"
        assert await tab.evaluate("1 + 1") == 2


async def crash(tab: Tab) -> None:
    tab.session.post("Page.crash")
    await tab.evaluate(FOR_EVER)


async def test_an_address_that_crashes_the_page_is_told_of(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<title>before</title>"))
    with anyio.fail_after(30):
        failure = await outcome(tab.goto("chrome://crash", timeout=10))
        assert isinstance(failure, PageFailed)
        url = web.page("<title>after</title>")
        assert await tab.goto(url) == Navigated(url, 200, "OK")


async def test_a_page_that_crashes_while_it_is_left_is_left_all_the_same(tab: Tab, web: Web) -> None:
    web.route("/leaving", lambda _: Response(status=204))
    await tab.goto(
        web.page("<script>onpagehide = () => { navigator.sendBeacon('/leaving'); for (;;); }</script>")
    )

    async def crash_when_it_leaves() -> None:
        await web.requested("/leaving")
        tab.session.post("Page.crash")

    url = web.page("<title>after</title>")
    with anyio.fail_after(30):
        async with anyio.create_task_group() as group:
            group.start_soon(crash_when_it_leaves)
            assert await tab.goto(url, timeout=20) == Navigated(url, 200, "OK")
        assert await tab.title() == "after"


async def test_a_crashed_frame_of_another_site_leaves_the_page_usable(tab: Tab, web: Web) -> None:
    inner = web.page("<title>inner</title>").replace(web.url, web.other_site)
    await tab.goto(web.page(f"<title>outer</title><iframe src={inner}></iframe>"))
    frame = tab.main_frame.children[0]
    assert await frame.call("title") == "inner"
    with anyio.fail_after(20):
        frame.session.post("Page.crash")
        with pytest.raises(PageFailed):
            await evaluate(frame, FOR_EVER)
        with pytest.raises(PageFailed):
            await frame.call("title")
        assert await tab.title() == "outer"
        await tab.navigation.reload()
        assert await tab.main_frame.children[0].call("title") == "inner"


async def test_only_the_page_that_took_too_much_memory_is_told_so(web: Web) -> None:
    plain = web.page("<title>plain</title>")
    hungry = web.page(
        "<script>const all = []; setInterval(() => all.push(new Uint8Array(2e7).fill(1)), 20)</script>"
    ).replace(web.url, web.other_site)
    async with Browser.launch(LaunchOptions(page_bytes=200 * 1024 * 1024)) as browser:
        context = await browser.new_context()
        other = await context.new_tab(plain)
        with anyio.fail_after(60):
            tab = await context.new_tab(hungry)
            ended = await outcome(tab.evaluate(FOR_EVER))
            await tab.goto(plain)
            crashed = await outcome(crash(other))
    assert ended.message == f"The page {hungry} used more than 200 MB of memory, so its process was killed."
    assert crashed.message == f"The page {plain} crashed."


async def test_a_killed_browser_ends_every_call_of_every_tab_at_once(web: Web) -> None:
    web.route("/never", lambda _: never())
    ended: list[Any] = []
    async with Browser.launch() as browser:
        assert browser.pid is not None
        context = await browser.new_context()
        tabs = [await context.new_tab(web.page("")) for _ in range(3)]

        async def note(call: Awaitable[Any]) -> None:
            ended.append(await outcome(call))

        with anyio.fail_after(30):
            async with anyio.create_task_group() as group:
                group.start_soon(note, tabs[0].evaluate(FOR_EVER))
                group.start_soon(note, tabs[1].goto(f"{web.url}/never"))
                group.start_soon(note, context.expect_tab().__enter__().wait(timeout=20))
                await web.requested("/never")
                await tabs[2].evaluate("void setTimeout(() => { for (;;); })")
                group.start_soon(note, tabs[2].snapshot())
                await anyio.wait_all_tasks_blocked()
                os.kill(browser.pid, signal.SIGKILL)
            for call in (
                tabs[0].title(),
                tabs[0].goto("about:blank"),
                context.new_tab(),
                browser.new_context(),
            ):
                await note(call)
            await context.close()
        assert not browser.alive
    assert [(type(failure), str(failure)) for failure in ended] == [
        (
            BrowserGone,
            "The browser is gone: the browser closed its pipe. Call again; a new browser starts.",
        )
    ] * 8
    await all_gone(browser.pid)


async def test_a_keeper_starts_nothing_before_it_is_asked_and_one_browser_for_all() -> None:
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


async def test_after_a_browser_died_the_next_askers_share_a_new_one() -> None:
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


async def test_an_asker_that_gives_up_while_a_browser_starts_leaves_the_next_one_a_browser() -> None:
    async with BrowserSupervisor.open() as supervisor:
        with anyio.move_on_after(0.05):
            await supervisor.browser()
        with anyio.fail_after(60):
            assert (await supervisor.browser()).alive


async def test_a_browser_that_is_ended_while_it_starts_is_gone_for_whoever_waits_for_it() -> None:
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

    with anyio.fail_after(10):
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
