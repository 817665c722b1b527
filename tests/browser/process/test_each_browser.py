"""What must work in both kinds of browser that we launch: the headless shell and the full Chrome."""

import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest

from tabwright.browser.browser import Browser
from tabwright.browser.page.navigation import Navigated
from tabwright.browser.process.find import is_headless_shell
from tabwright.browser.process.launch import LaunchOptions, choose_executable
from tabwright.browser.tab import Tab
from tabwright.errors import BrowserGone, NotFound, PageFailed
from tests.browser.page.test_hang_watchdog import KILLED, LOOP, SYNCHRONOUS_REQUEST, open_hung_page
from tests.processes import members, wait_for_group_exit
from tests.web import Web


def launch_options(kind: str) -> LaunchOptions:
    """Return the options for that kind of browser; skip the test if it is not installed."""
    options = LaunchOptions(shell=kind == "headless-shell")
    try:
        found = choose_executable(options)
    except NotFound:
        pytest.skip("no browser is installed")
    if is_headless_shell(found) != options.shell:
        pytest.skip(f"no {kind} is installed")
    return options


@pytest.fixture(scope="module", params=["headless-shell", "full-chrome"])
async def kind(request: pytest.FixtureRequest, anyio_backend: str) -> AsyncIterator[Browser]:
    async with Browser.launch(launch_options(request.param)) as browser:
        yield browser


@pytest.fixture
async def page(kind: Browser) -> AsyncIterator[Tab]:
    """A tab in a browser of that kind."""
    context = await kind.new_context()
    yield await context.new_tab()
    await context.close()


@pytest.mark.parametrize("kind_name", ["headless-shell", "full-chrome"])
@pytest.mark.parametrize("killed", [True, False])
async def test_no_process_is_left(kind_name: str, killed: bool) -> None:
    async with Browser.launch(launch_options(kind_name)) as browser:
        assert browser.pid is not None
        assert len(members(browser.pid)) > 1
        if killed:
            os.kill(browser.pid, signal.SIGKILL)
            with anyio.fail_after(60):
                await browser.wait_until_gone()
            with pytest.raises(BrowserGone):
                await browser.new_context()
    await wait_for_group_exit(browser.pid)


async def test_a_crashed_page_is_reported_and_can_be_reloaded(page: Tab, web: Web) -> None:
    url = web.page("<title>back</title>")
    await page.goto(url)
    with anyio.fail_after(60):
        page.session.post("Page.crash")
        with pytest.raises(PageFailed) as crashed:
            await page.evaluate("new Promise(() => {})")
        assert crashed.value.message == f"The page {url} crashed."
        assert await page.navigation.reload() == Navigated(url, 200, "OK")
        assert await page.title() == "back"


async def test_a_script_that_blocks_its_page_is_stopped(page: Tab, web: Web) -> None:
    await open_hung_page(page, web, LOOP)
    with anyio.fail_after(60):
        assert await page.title() == "hung"
    assert page.watchdog.stopped_scripts == 1


async def test_a_page_that_cannot_be_interrupted_is_killed(page: Tab, web: Web) -> None:
    await open_hung_page(page, web, SYNCHRONOUS_REQUEST)
    with anyio.fail_after(60), pytest.raises(PageFailed) as failed:
        await page.title()
    assert failed.value.message == KILLED


async def test_a_window_that_a_click_opens_is_a_tab_of_the_context(page: Tab, web: Web) -> None:
    there = web.page("<title>popup</title>")
    await page.goto(web.page(f"<button onclick=\"window.open('{there}')\">Open</button>"))
    with page.context.expect_tab() as expected:
        await page.element("button").click()
        popup = await expected.wait()
    await popup.navigation.wait(timeout=10)
    assert (popup.url, await popup.title(), popup.opener) == (there, "popup", page)
    await popup.close()
    assert list(page.context.tabs.values()) == [page]


async def open_window(page: Tab, script: str) -> Tab:
    """Run a script that opens a window, with a user gesture, and return the window."""
    with page.context.expect_tab() as expected:
        await page.evaluate(script)
        return await expected.wait()


@pytest.mark.parametrize(
    "html",
    [
        "<script>window.open('/unwanted')</script>",
        "<script>window.open('/unwanted', '_blank', 'noopener')</script>",
        "<script>window.open('/unwanted', 'offer')</script>",
        "<a href=/unwanted target=_blank>Offer</a><script>document.querySelector('a').click()</script>",
        "<form action=/unwanted target=_blank></form><script>document.querySelector('form').submit()</script>",
        "<iframe src=OTHER/frame></iframe>",
    ],
)
async def test_popups_without_a_user_gesture_are_blocked(page: Tab, web: Web, html: str) -> None:
    wanted = web.page("<title>wanted</title>")
    web.page("<a href=/unwanted target=_blank>Offer</a><script>document.links[0].click()</script>", "/frame")
    await page.goto(web.page(html.replace("OTHER", web.other_site)))
    popup = await open_window(page, f"void window.open('{wanted}')")
    await popup.navigation.wait(timeout=10)
    assert list(page.context.tabs.values()) == [page, popup]
    assert "/unwanted" not in [request.path for request in web.requests]


async def test_each_user_gesture_opens_one_window_whatever_opens_it(page: Tab, web: Web) -> None:
    web.page("<title>one</title>", "/one")
    await page.goto(web.page("<a href=/one target=_blank>One</a>"))
    first = await open_window(
        page, "document.links[0].click(); document.links[0].click(); window.open('/one')"
    )
    second = await open_window(page, "window.open('/one'); document.links[0].click()")
    third = await open_window(page, "void [window.open('/one', 'third'), window.open('/one', 'fourth')]")
    for popup in (first, second, third):
        await popup.navigation.wait(timeout=10)
    assert list(page.context.tabs.values()) == [page, first, second, third]
    assert [request.path for request in web.requests].count("/one") == 3


async def test_printing_does_not_block_the_page(page: Tab, web: Web) -> None:
    await page.goto(web.page("<title>printed</title><button onclick='print()'>Print</button>"))
    with anyio.fail_after(60):
        await page.element("button").click()
        assert await page.title() == "printed"


async def test_a_button_that_opens_a_file_chooser_gets_files(page: Tab, web: Web, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Ada")
    asks = "<button onclick='file.click()'>Choose</button><input type=file id=file hidden>"
    await page.goto(web.page(asks))
    await page.element("button").click()  # without files, nothing happens
    assert await page.element("button").upload(tmp_path / "letter.txt") == ["letter.txt"]
    assert await page.evaluate("file.files[0].text()") == "Dear Ada"


async def test_a_granted_notification_permission_is_visible_to_the_page(page: Tab, web: Web) -> None:
    url = web.page("notifies")
    await page.goto(url)
    await page.context.permissions.grant("notifications", origin=url)
    assert await page.evaluate("Notification.requestPermission()") == "granted"
