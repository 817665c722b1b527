"""Every known way out of a page, tried in the browser against a listener that the rules forbid."""

from collections.abc import AsyncIterator

import anyio
import pytest

from tabwright.browser.browser import Browser
from tabwright.browser.context import Context
from tabwright.browser.process.find import is_headless_shell
from tabwright.browser.process.launch import LaunchOptions, choose_executable
from tabwright.policy.network.boundary import Boundary
from tests.boundary.conftest import OpenContext
from tests.boundary.ways_out import Attempt, Forbidden, forbidden, over_tls, refusals, serve_attempts
from tests.web import Web

# These need their own tab; the others run together in frames of one page.
IN_A_TAB = {"N037", "N038", "N041", "N043", "N044", "N046", "N047", "N097", "M016", "M018"}
# Sent over UDP, which never reaches a gate.
AS_PACKETS = {"N074", "N076", "N077"}
# Chromium 156, with the arguments that we start it with, does not try these.
NOT_TRIED = {
    *("N037", "N038", "N097"),  # icons and manifests are loaded only by a browser with a window
    *("N041", "N044", "M016"),  # early lookups and connections are left to the proxy
    *("N046", "N047", "M018", "M037"),  # prerendering is switched off, or not done through a proxy
    *("N080", "N085", "N088", "M031"),  # reports of errors, attribution, fenced frames, background fetch
    *("N089", "M011", "N091", "M004", "M036"),  # segments, tracks, source maps, framesets, redirected sockets
}
NOT_TRIED_BY_A_SHELL = {"N079", "N082"}  # reports of what a policy forbids, manifests of payment
BY_ADDRESS = {"N094", "N095", "M028", "M033", "M034", "N083"}


@pytest.fixture(params=["shell", "whole"])
def options(request: pytest.FixtureRequest) -> LaunchOptions:
    return LaunchOptions(shell=request.param == "shell", args=("--ignore-certificate-errors",))


@pytest.fixture
async def gated_browser(boundary: Boundary, options: LaunchOptions) -> AsyncIterator[Browser]:
    """Launch each kind of browser in turn, because each has its own ways out."""
    async with Browser.launch(options, boundary) as browser:
        yield browser


async def test_no_way_out_of_a_page_reaches_what_the_rules_forbid(
    open_context: OpenContext, web: Web, options: LaunchOptions
) -> None:
    skipped = NOT_TRIED | (NOT_TRIED_BY_A_SHELL if is_headless_shell(choose_executable(options)) else set())
    async with forbidden() as target, over_tls(web) as port:
        site, secure = f"http://allowed.localhost:{web.url[17:]}", f"https://allowed.localhost:{port}"
        pages = serve_attempts(web, target, site, secure)
        context = await open_context(site, secure)
        with refusals() as refused:
            for origin in (site, secure):
                await show_in_frames(context, web, origin, [page for page in pages if not needs_tab(page[0])])
            for attempt, url in pages:
                if needs_tab(attempt):
                    await show_in_tab(context, target, attempt, url)
            names = {attempt.id for attempt, _ in pages}
            left = await refused.cover(names - AS_PACKETS - skipped - BY_ADDRESS)
            places = (
                *(f"http://{host}:{target.port}" for host in ("127.0.0.1", "[::ffff:7f00:1]", "[::1]")),
                *(f"https://127.0.0.1:{target.port}", "https://evil.localhost"),
            )
            assert left | await refused.cover(set(places)) == set()
        assert target.seen == []
        pictures = {request.path for request in web.requests if request.path.startswith("/ok/")}
        assert len(pictures) > len(pages) - 6  # some pages are closed before they request theirs


async def test_webrtc_reaches_the_listener_without_a_boundary(
    browser: Browser, context: Context, web: Web
) -> None:
    """Check that the UDP attempts work at all: the same pages without a boundary."""
    async with forbidden() as target:
        pages = serve_attempts(web, target, web.url, web.url)
        tab = await context.new_tab(next(url for attempt, url in pages if attempt.id == "N074"))
        with anyio.fail_after(60):
            await target.touched.wait()
        assert target.seen[0].startswith(b"UDP ")
        await tab.close()


def needs_tab(attempt: Attempt) -> bool:
    return attempt.id in IN_A_TAB or "gesture" in attempt.options or "close" in attempt.options


async def show_in_frames(context: Context, web: Web, site: str, pages: list[tuple[Attempt, str]]) -> None:
    frames = (f"<iframe src={url}></iframe>" for _, url in pages if url.startswith(site))
    path = f"/frames-{site[:5].strip(':')}"
    web.page("".join(frames), path)
    tab = await context.new_tab()
    await tab.goto(site + path, wait_until="commit")


async def show_in_tab(context: Context, target: Forbidden, attempt: Attempt, url: str) -> None:
    tab = await context.new_tab()
    await tab.goto(url, timeout=60)
    if gesture := attempt.options.get("gesture"):
        script = target.fill(gesture, attempt, url)
        await tab.session.send("Runtime.evaluate", expression=script, userGesture=True)
    if attempt.options.get("close"):
        if "serviceWorker" in attempt.html:
            await tab.evaluate("navigator.serviceWorker.getRegistrations().then(all => all.length)")
        await tab.close()
