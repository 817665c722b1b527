"""Contexts and tabs."""

from contextlib import suppress

import anyio
import pytest

from tabwright.browser.browser import Browser
from tabwright.browser.context import Context
from tabwright.browser.process.launch import LaunchOptions
from tabwright.browser.tab import Tab
from tabwright.errors import Blocked, NotFound, TimedOut
from tests.web import Response, Web


async def test_contexts_share_neither_cookies_nor_storage(browser: Browser, web: Web) -> None:
    url = web.page("")
    one, other = await browser.new_context(), await browser.new_context()
    first, second = await one.new_tab(url), await other.new_tab(url)
    await first.evaluate("document.cookie = 'a=1'; localStorage.a = '1'; sessionStorage.a = '1'")
    assert await second.evaluate("[document.cookie, localStorage.length, sessionStorage.length]") == [
        "",
        0,
        0,
    ]
    third = await one.new_tab(url)
    assert await third.evaluate("[document.cookie, localStorage.a, sessionStorage.length]") == [
        "a=1",
        "1",
        0,
    ]
    await one.close()
    await other.close()


async def test_a_closed_context_deletes_everything_and_opens_no_tabs(browser: Browser, web: Web) -> None:
    context = await browser.new_context()
    tab = await context.new_tab(web.page(""))
    await context.close()
    assert context not in browser.contexts
    assert dict(context.tabs) == {}
    with pytest.raises(NotFound, match=f"Tab {tab.id} is closed"):
        await tab.evaluate("1")
    with pytest.raises(NotFound, match="The browser opened no tab"):
        await context.new_tab()
    await context.close()


async def test_tabs_keep_their_ids_and_no_id_is_reused(context: Context, web: Web) -> None:
    first, second = await context.new_tab(), await context.new_tab()
    assert len({first.id, second.id}) == 2
    await first.goto(web.page(""))
    await first.goto(web.other_site + "/page1")
    assert context.tab(first.id) is first
    await second.close()
    third = await context.new_tab()
    assert third.id not in (first.id, second.id)
    assert list(context.tabs) == [first.id, third.id]


async def test_the_error_for_an_unknown_tab_id_lists_the_open_tabs(context: Context, tab: Tab) -> None:
    with pytest.raises(NotFound) as missing:
        context.tab("t0")
    assert missing.value.message == f"There is no tab t0; open tabs: {tab.id}."


async def test_a_new_tab_with_a_url_is_loaded(context: Context, web: Web) -> None:
    url = web.page("<title>there</title>")
    tab = await context.new_tab(url)
    assert (tab.url, await tab.title()) == (url, "there")


@pytest.mark.parametrize("act", ["window.open('/popup')", "document.querySelector('a').click()"])
async def test_a_popup_is_a_tab_of_the_same_context_with_its_opener(
    context: Context, tab: Tab, web: Web, act: str
) -> None:
    web.page("<title>popup</title>", "/popup")
    await tab.goto(web.page("<a href=/popup target=_blank rel=opener>go</a>"))
    with context.expect_tab() as expected:
        await tab.evaluate(f"void {act}")
    popup = await expected.wait()
    await popup.navigation.wait()
    assert (popup.url, await popup.title()) == (f"{web.url}/popup", "popup")
    assert popup.opener is tab
    assert popup.context is context
    assert context.tab(popup.id) is popup


async def test_a_page_opens_one_window_per_user_gesture_and_can_navigate_others(
    context: Context, tab: Tab, web: Web
) -> None:
    web.page("<title>popup</title>", "/popup")
    web.page("<title>other</title>", "/other")
    await tab.goto(
        web.page(
            """<iframe name=inner></iframe><script>
            const tried = [["/popup", "shop"], ["/popup"], ["/other", "shop"], ["/other", "inner"], ["#here", "_self"]]
            const refused = () => tried.map(([url, name]) => window.open(url, name) === null)
            const alone = window.open("/popup") === null
            </script><button onclick="made = refused()">Open</button>"""
        )
    )
    assert await tab.evaluate("alone")
    with context.expect_tab() as expected:
        await tab.element("text=Open").click()
    popup = await expected.wait()
    await popup.until(lambda: popup.url == f"{web.url}/other")
    assert await tab.evaluate("made") == [False, True, False, False, False]
    assert list(context.tabs.values()) == [tab, popup]


async def test_the_very_first_request_of_a_popup_is_observed(context: Context, tab: Tab, web: Web) -> None:
    web.page("<link rel=icon href='data:,'><script src=/first.js></script>", "/popup")
    web.route("/first.js", lambda _: Response("window.ran = 1", headers={"content-type": "text/javascript"}))
    await tab.goto(web.page(""))
    with context.expect_tab() as expected:
        await tab.evaluate("void window.open('/popup')")
    popup = await expected.wait()
    await popup.navigation.wait()
    assert popup.navigation.status == (200, "OK")
    assert popup.traffic.started == 2


async def test_waiting_for_a_tab_that_does_not_open_times_out(context: Context, tab: Tab) -> None:
    with context.expect_tab() as expected:
        await tab.evaluate("1")
    with pytest.raises(TimedOut, match=r"No new tab opened in 0\.1 s\."):
        await expected.wait(timeout=0.1)


async def test_closing_a_tab_takes_effect_at_once_and_can_be_repeated(context: Context, tab: Tab) -> None:
    await tab.close()
    assert tab.closed.is_set()
    assert dict(context.tabs) == {}
    await tab.close()
    for call in (tab.evaluate("1"), tab.title(), tab.goto("about:blank"), tab.snapshot(), tab.activate()):
        with pytest.raises(NotFound, match=f"Tab {tab.id} is closed"):
            await call


async def test_a_tab_closed_by_its_page_fails_its_calls_at_once(context: Context, tab: Tab, web: Web) -> None:
    web.page("", "/popup")
    await tab.goto(web.page(""))
    with context.expect_tab() as expected:
        await tab.evaluate("void (window.popup = window.open('/popup'))")
    popup = await expected.wait()
    await popup.navigation.wait()
    with anyio.fail_after(60):
        with pytest.raises(NotFound, match=f"Tab {popup.id} is closed"):
            await popup.evaluate("window.close(); return new Promise(() => {})")
        await popup.closed.wait()
    assert list(context.tabs) == [tab.id]


async def test_a_page_cannot_open_more_windows_than_the_limit(web: Web) -> None:
    for number in range(10):
        web.page(
            f"<script>window.open('/popup{number + 1}'); window.open('/more')</script>", f"/popup{number}"
        )
    async with Browser.launch(LaunchOptions(args=("--disable-popup-blocking",))) as browser:
        context = await browser.new_context()
        context.max_tabs = 5
        tab = await context.new_tab(f"{web.url}/popup0")
        with anyio.fail_after(60):
            await web.wait_for_request("/popup1")
            while len(context.tabs) < 5:
                with suppress(Blocked):
                    await context.new_tab()
            with pytest.raises(Blocked):
                await context.new_tab()
            assert await tab.evaluate("1 + 1") == 2
        assert "/popup9" not in [request.path for request in web.requests]


async def test_a_tab_beyond_the_limit_is_refused(context: Context, tab: Tab) -> None:
    context.max_tabs = 1
    with pytest.raises(Blocked) as refused:
        await context.new_tab()
    assert str(refused.value) == "The limit of 1 tab is reached. Close one first."


async def test_a_tab_or_context_whose_caller_is_gone_is_closed(browser: Browser) -> None:
    async def targets() -> tuple[int, int]:
        contexts = await browser.root.send("Target.getBrowserContexts")
        pages = await browser.root.send("Target.getTargets", filter=[{"type": "page"}])
        return len(contexts["browserContextIds"]), len(pages["targetInfos"])

    before = await targets()
    context = await browser.new_context()
    with pytest.raises(TimedOut):
        await context.new_tab(timeout=0)
    with pytest.raises(TimedOut):
        await browser.new_context(timeout=0)
    with anyio.fail_after(60):
        await context.new_tab()
        while len(context.tabs) > 1:
            await browser.root.send("Browser.getVersion")
    await context.close()
    assert await targets() == before
