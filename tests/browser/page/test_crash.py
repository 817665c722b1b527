"""What callers get when a page or the whole browser crashes."""

import os
import signal
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pytest

from tabwright.browser.browser import Browser
from tabwright.browser.context import Context
from tabwright.browser.page.evaluate import evaluate
from tabwright.browser.page.navigation import Navigated
from tabwright.browser.process.launch import LaunchOptions
from tabwright.browser.tab import Tab
from tabwright.errors import BrowserGone, PageFailed
from tests.processes import wait_for_group_exit
from tests.web import Response, Web, never

FOR_EVER = "new Promise(() => {})"


async def outcome(call: Awaitable[Any]) -> Any:
    try:
        return await call
    except Exception as error:
        return error


async def test_a_crashed_page_fails_its_own_calls_at_once_and_no_others(context: Context, web: Web) -> None:
    url = web.page("<title>fine</title>")
    crashed, other = await context.new_tab(url), await context.new_tab(web.other_site + "/page1")
    outcomes: list[Any] = []

    async def wait_for_ever() -> None:
        outcomes.append(await outcome(crashed.evaluate(FOR_EVER)))

    with anyio.fail_after(60):
        async with anyio.create_task_group() as group:
            group.start_soon(wait_for_ever)
            await crashed.evaluate("1")
            crashed.session.post("Page.crash")
        outcomes.append(await outcome(crashed.title()))
        outcomes.append(await outcome(crashed.snapshot()))
    assert [str(failure) for failure in outcomes] == [
        f"The page {url} crashed. Reload it, or navigate elsewhere."
    ] * 3
    assert {type(failure) for failure in outcomes} == {PageFailed}
    assert await other.title() == "fine"


@pytest.mark.parametrize("again", [lambda tab: tab.navigation.reload(), lambda tab: tab.goto(tab.url)])
async def test_a_crashed_page_works_again_after_a_reload_or_a_navigation(
    tab: Tab, web: Web, again: Callable[[Tab], Awaitable[Navigated]]
) -> None:
    url = web.page("<title>back</title>")
    await tab.goto(url)
    with anyio.fail_after(60):
        with pytest.raises(PageFailed):
            await crash(tab)
        assert await again(tab) == Navigated(url, 200, "OK")
        assert await tab.title() == "back"
        assert await tab.evaluate("1 + 1") == 2


async def crash(tab: Tab) -> None:
    tab.session.post("Page.crash")
    await tab.evaluate(FOR_EVER)


async def test_a_url_that_crashes_the_page_is_reported(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<title>before</title>"))
    with anyio.fail_after(60):
        failure = await outcome(tab.goto("chrome://crash", timeout=10))
        assert isinstance(failure, PageFailed)
        url = web.page("<title>after</title>")
        assert await tab.goto(url) == Navigated(url, 200, "OK")


async def test_a_page_that_crashes_during_a_navigation_does_not_stop_it(tab: Tab, web: Web) -> None:
    web.route("/leaving", lambda _: Response(status=204))
    await tab.goto(
        web.page("<script>onpagehide = () => { navigator.sendBeacon('/leaving'); for (;;); }</script>")
    )

    async def crash_on_pagehide() -> None:
        await web.wait_for_request("/leaving")
        tab.session.post("Page.crash")

    url = web.page("<title>after</title>")
    with anyio.fail_after(60):
        async with anyio.create_task_group() as group:
            group.start_soon(crash_on_pagehide)
            assert await tab.goto(url, timeout=20) == Navigated(url, 200, "OK")
        assert await tab.title() == "after"


async def test_a_crashed_frame_of_another_site_leaves_the_page_usable(tab: Tab, web: Web) -> None:
    inner = web.page("<title>inner</title>").replace(web.url, web.other_site)
    await tab.goto(web.page(f"<title>outer</title><iframe src={inner}></iframe>"))
    frame = tab.main_frame.children[0]
    assert await frame.call("title") == "inner"
    with anyio.fail_after(60):
        frame.session.post("Page.crash")
        with pytest.raises(PageFailed):
            await evaluate(frame, FOR_EVER)
        with pytest.raises(PageFailed):
            await frame.call("title")
        assert await tab.title() == "outer"
        await tab.navigation.reload()
        assert await tab.main_frame.children[0].call("title") == "inner"


@pytest.mark.skipif(sys.platform != "linux", reason="the memory limit reads /proc")
async def test_only_the_page_that_used_too_much_memory_is_killed(web: Web) -> None:
    plain = web.page("<title>plain</title>")
    hungry = web.page(
        "<script>const all = []; setInterval(() => all.push(new Uint8Array(2e7).fill(1)), 20)</script>"
    ).replace(web.url, web.other_site)
    async with Browser.launch(LaunchOptions(page_bytes=200 * 1024 * 1024)) as browser:
        context = await browser.new_context()
        other = await context.new_tab(plain)
        with anyio.fail_after(60):
            tab = await context.new_tab(hungry)
            killed = await outcome(tab.evaluate(FOR_EVER))
            await tab.goto(plain)
            crashed = await outcome(crash(other))
    assert killed.message == f"The page {hungry} used more than 200 MB of memory, so its process was killed."
    assert crashed.message == f"The page {plain} crashed."


async def test_a_killed_browser_fails_every_call_of_every_tab_at_once(web: Web) -> None:
    web.route("/never", lambda _: never())
    outcomes: list[Any] = []
    async with Browser.launch() as browser:
        assert browser.pid is not None
        context = await browser.new_context()
        tabs = [await context.new_tab(web.page("")) for _ in range(3)]

        async def record(call: Awaitable[Any]) -> None:
            outcomes.append(await outcome(call))

        with anyio.fail_after(60):
            async with anyio.create_task_group() as group:
                group.start_soon(record, tabs[0].evaluate(FOR_EVER))
                group.start_soon(record, tabs[1].goto(f"{web.url}/never"))
                group.start_soon(record, context.expect_tab().__enter__().wait(timeout=20))
                await web.wait_for_request("/never")
                await tabs[2].evaluate("void setTimeout(() => { for (;;); })")
                group.start_soon(record, tabs[2].snapshot())
                await anyio.wait_all_tasks_blocked()
                os.kill(browser.pid, signal.SIGKILL)
            for call in (
                tabs[0].title(),
                tabs[0].goto("about:blank"),
                context.new_tab(),
                browser.new_context(),
            ):
                await record(call)
            await context.close()
        assert not browser.alive
    assert [(type(failure), str(failure)) for failure in outcomes] == [
        (
            BrowserGone,
            "The browser is gone: the browser closed its pipe. Call again; a new browser starts.",
        )
    ] * 8
    await wait_for_group_exit(browser.pid)
