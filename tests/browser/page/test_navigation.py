"""Navigating, reloading, going back and forward in real Chromium."""

import re
import ssl
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

from tabwright.browser.page.navigation import Navigated, WaitUntil
from tabwright.browser.tab import Tab
from tabwright.errors import InvalidArgs, NotFound, PageFailed, TimedOut
from tests.web import Request, Response, Web, never, run_server


async def test_goto_returns_the_final_url_and_the_status(tab: Tab, web: Web) -> None:
    url = web.page("<title>Shop</title>")
    assert await tab.goto(url) == Navigated(url, 200, "OK")
    assert (tab.url, await tab.title()) == (url, "Shop")


async def test_goto_a_missing_page_returns_status_404(tab: Tab, web: Web) -> None:
    assert await tab.goto(f"{web.url}/nowhere") == Navigated(f"{web.url}/nowhere", 404, "Not Found")


async def test_goto_a_redirect_returns_the_final_url(tab: Tab, web: Web) -> None:
    end = web.page("the end", "/end")
    start = web.route("/start", lambda _: Response(status=302, headers={"location": "/end"}))
    assert await tab.goto(start) == Navigated(end, 200, "OK")


async def test_a_redirect_by_script_is_followed(tab: Tab, web: Web) -> None:
    end = web.page("the end", "/end")
    start = web.page("<script>location.replace('/end')</script>")
    assert await tab.goto(start) == Navigated(end, 200, "OK")


async def test_a_fragment_is_a_navigation_within_the_document(tab: Tab, web: Web) -> None:
    url = web.page("<p id=here>here</p>")
    await tab.goto(url)
    assert await tab.goto(f"{url}#here") == Navigated(f"{url}#here", same_document=True)
    assert tab.url == f"{url}#here"


async def test_the_url_follows_the_history_api(tab: Tab, web: Web) -> None:
    url = web.page("app")
    await tab.goto(url)
    await tab.evaluate("history.pushState({}, '', '/inbox/7')")
    assert tab.url == f"{web.url}/inbox/7"


async def test_domcontentloaded_does_not_wait_for_images(tab: Tab, web: Web) -> None:
    web.route("/slow.png", lambda _: never())
    url = web.page("<img src=/slow.png>")
    assert await tab.goto(url, wait_until="domcontentloaded") == Navigated(url, 200, "OK")


async def test_networkidle_waits_for_requests_that_scripts_make_after_load(tab: Tab, web: Web) -> None:
    web.route("/api", lambda _: Response("ready"))
    url = web.page(
        """<body><script>
        addEventListener('load', async () => {
            await (await fetch('/api')).text();
            document.body.textContent = await (await fetch('/api')).text();
        })
        </script>"""
    )
    await tab.goto(url, wait_until="networkidle")
    assert await tab.evaluate("document.body.textContent") == "ready"


async def test_a_request_within_the_quiet_time_starts_the_wait_again(tab: Tab, web: Web) -> None:
    event = {"requestId": "1", "loaderId": "1", "timestamp": 0, "wallTime": 0, "initiator": {"type": "other"}}
    request = {"method": "GET", "url": f"{web.url}/api", "headers": {}}
    idle = anyio.Event()

    async def wait() -> None:
        await tab.traffic.idle(quiet=0.1)
        idle.set()

    async with anyio.create_task_group() as group:
        group.start_soon(wait)
        await anyio.lowlevel.checkpoint()
        tab.session.dispatch("Network.requestWillBeSent", event | {"request": request})
        with pytest.raises(TimeoutError), anyio.fail_after(0.5):
            await idle.wait()
        tab.session.dispatch("Network.loadingFinished", event | {"encodedDataLength": 0})
        with anyio.fail_after(60):
            await idle.wait()


async def test_networkidle_does_not_wait_for_an_event_stream(tab: Tab, web: Web) -> None:
    async def endless() -> AsyncIterator[bytes]:
        yield b"data: 1\n\n"
        await anyio.sleep_forever()

    web.route("/events", lambda _: Response(endless(), headers={"content-type": "text/event-stream"}))
    url = web.page("<script>new EventSource('/events')</script>")
    assert await tab.goto(url, wait_until="networkidle", timeout=10) == Navigated(url, 200, "OK")


async def test_a_timeout_reports_a_server_that_does_not_answer(tab: Tab, web: Web) -> None:
    url = web.route("/silent", lambda _: never())
    with pytest.raises(TimedOut) as caught:
        await tab.goto(url, timeout=0.5)
    assert caught.value.message == "The page did not reach load in 0.5 s: the server has not answered."
    assert await tab.goto(web.page("next")) == Navigated(tab.url, 200, "OK")


@pytest.mark.parametrize(
    ("html", "missing"),
    [
        ("<img src=/slow>", "1 image"),
        ("<script async src=/slow></script>", "1 script"),
        ("<script defer src=/slow></script>", "1 script"),
        ("<script type=module src=/slow></script>", "1 script"),
        ("<iframe src=/slow></iframe>", "1 frame"),
        ("<iframe srcdoc='<img src=/slow>'></iframe>", "1 image"),
        ("<link rel=stylesheet href=/slow>", "1 stylesheet"),
        ("<img src=/slow?1><img src=/slow?2><script async src=/slow></script>", "2 images, 1 script"),
    ],
)
async def test_a_page_is_usable_before_all_its_parts_arrive(
    tab: Tab, web: Web, html: str, missing: str
) -> None:
    web.route("/slow", lambda _: never())
    host = web.url.removeprefix("http://")
    named = ", ".join(f"{part} of {host}" for part in missing.split(", "))
    url = web.page(f"{html}<p>words</p><button onclick=\"this.textContent='Sent'\">Send</button>")
    assert await tab.goto(url) == Navigated(url, 200, "OK", still_loading=named)
    await tab.element("text=Send").click()
    assert await tab.evaluate("document.querySelector('button').textContent") == "Sent"


async def test_every_way_to_a_page_ends_when_the_page_is_usable(tab: Tab, web: Web) -> None:
    web.route("/slow", lambda _: never())
    missing = f"1 image of {web.url.removeprefix('http://')}"
    url = web.page("<p>words</p><img src=/slow>", headers={"cache-control": "no-store"})
    await tab.goto(url, wait_until="domcontentloaded")
    assert await tab.navigation.reload() == Navigated(url, 200, "OK", still_loading=missing)
    await tab.goto(web.page("another"))
    assert await tab.navigation.back() == Navigated(url, 200, "OK", still_loading=missing)
    assert await tab.navigation.wait() == Navigated(url, 200, "OK", still_loading=missing)


@pytest.mark.parametrize("wait_until", ["load", "networkidle"])
async def test_an_explicit_wait_that_a_usable_page_does_not_reach_is_reported(
    tab: Tab, web: Web, wait_until: WaitUntil
) -> None:
    web.route("/slow", lambda _: never())
    missing = f"1 image of {web.url.removeprefix('http://')}"
    url = web.page("<img src=/slow>")
    assert await tab.goto(url, wait_until=wait_until, timeout=1) == Navigated(
        url, 200, "OK", still_loading=missing
    )
    with pytest.raises(TimedOut) as caught:
        await tab.navigation.wait(wait_until, timeout=0.2)
    assert caught.value.message == (
        f"The page did not reach {wait_until} in 0.2 s: still loading {missing} ({web.url}/slow)."
    )


async def test_an_explicit_load_waits_longer_than_the_default(tab: Tab, web: Web) -> None:
    may_answer = anyio.Event()

    async def slow(request: Request) -> Response:
        await may_answer.wait()
        return Response(status=404)

    web.route("/slow", slow)
    url = web.page("<img src=/slow>")
    missing = f"1 image of {web.url.removeprefix('http://')}"
    assert await tab.goto(url) == Navigated(url, 200, "OK", still_loading=missing)
    may_answer.set()
    assert await tab.goto(url, wait_until="load", timeout=60) == Navigated(url, 200, "OK")


async def test_a_timeout_names_the_request_that_the_page_waits_for(tab: Tab, web: Web) -> None:
    web.route("/slow.png", lambda _: never())
    await tab.goto(web.page("<img src=/slow.png>"), wait_until="domcontentloaded")
    with pytest.raises(TimedOut) as caught:
        await tab.navigation.wait("load", timeout=1)
    assert caught.value.message == (
        f"The page did not reach load in 1 s: still loading 1 image of {web.url.removeprefix('http://')} "
        f"({web.url}/slow.png)."
    )


@pytest.mark.parametrize(
    ("html", "missing"),
    [
        ("<script src=/slow></script><p>words</p>", "1 script"),
        ("<p>words</p><script src=/slow></script>", "1 script"),
        ("<link rel=stylesheet href=/slow><script>1</script><p>words</p>", "1 stylesheet"),
    ],
)
async def test_a_document_that_waits_for_a_script_is_not_usable(
    tab: Tab, web: Web, html: str, missing: str
) -> None:
    web.route("/slow", lambda _: never())
    url = web.page(html)
    with pytest.raises(TimedOut) as caught:
        await tab.goto(url, timeout=1)
    assert caught.value.message == (
        f"The page did not reach load in 1 s: the document of {url} is not usable yet: "
        f"it waits for {missing} of {web.url.removeprefix('http://')} ({web.url}/slow)."
    )


async def test_a_page_cannot_pretend_that_its_content_is_there(tab: Tab, web: Web) -> None:
    web.route("/slow", lambda _: never())
    url = web.page("<form name=readyState></form><script src=/slow></script><p>words</p>")
    with pytest.raises(TimedOut, match="is not usable yet"):
        await tab.goto(url, timeout=1)


async def test_a_timeout_reports_a_document_that_never_ends(tab: Tab, web: Web) -> None:
    async def endless() -> AsyncIterator[bytes]:
        yield b"<!doctype html><p>first words" + b" " * 2000
        await anyio.sleep_forever()

    url = web.route("/endless", lambda _: Response(endless()))
    with pytest.raises(TimedOut) as caught:
        await tab.goto(url, timeout=1)
    assert (
        caught.value.message
        == f"The page did not reach load in 1 s: the document of {url} is still being received."
    )


@pytest.mark.same_tab
@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://nowhere.invalid/", "the host name was not found (ERR_NAME_NOT_RESOLVED)"),
        ("http://127.0.0.1:9/", "Chrome forbids this port (ERR_UNSAFE_PORT)"),
        ("http://127.0.0.1:22222222/", None),
        ("nonsense", None),
        ("", None),
        ("http://127.0.0.1/\nhost: evil", None),
    ],
)
async def test_a_url_that_cannot_be_loaded_is_explained(tab: Tab, url: str, reason: str | None) -> None:
    if reason is None:
        with pytest.raises(InvalidArgs):
            await tab.goto(url)
    else:
        with pytest.raises(PageFailed, match=re.escape(f"{url} could not be loaded: {reason}.")):
            await tab.goto(url)


async def test_a_closed_port_is_refused(tab: Tab) -> None:
    async with await anyio.create_tcp_listener(local_host="127.0.0.1") as listener:
        port = listener.extra(anyio.abc.SocketAttribute.local_port)
    with pytest.raises(PageFailed) as caught:
        await tab.goto(f"http://127.0.0.1:{port}/")
    assert caught.value.message == (
        f"http://127.0.0.1:{port}/ could not be loaded: the server refused the connection (ERR_CONNECTION_REFUSED)."
    )


async def test_an_endless_redirect_is_a_page_failure(tab: Tab, web: Web) -> None:
    url = web.route("/round", lambda _: Response(status=302, headers={"location": "/round"}))
    with pytest.raises(PageFailed, match="redirected too many times"):
        await tab.goto(url)


async def test_a_page_that_redirects_without_end_is_stopped(tab: Tab, web: Web) -> None:
    def again(request: Request) -> Response:
        return Response(f"<script>location.href = '/on?{int(request.query or 0) + 1}'</script>")

    with pytest.raises(PageFailed, match="keeps redirecting to another page"):
        await tab.goto(web.route("/on", again))
    assert await tab.goto(web.page("calm")) == Navigated(tab.url, 200, "OK")


async def test_a_response_without_content_keeps_the_page(tab: Tab, web: Web) -> None:
    here = web.page("here")
    await tab.goto(here)
    nothing = web.route("/nothing", lambda _: Response(status=204))
    assert await tab.goto(nothing) == Navigated(here, 204, "No Content")


async def test_a_response_that_is_not_http_is_a_page_failure(tab: Tab, web: Web) -> None:
    async def speak(stream: anyio.abc.ByteStream) -> None:
        await stream.receive()
        await stream.send(b"\x00\x01\x02 what?\r\n\r\n")

    async with run_server(speak) as port:
        with pytest.raises(PageFailed, match="not valid HTTP"):
            await tab.goto(f"http://127.0.0.1:{port}/")


async def test_an_untrusted_certificate_is_named(tab: Tab) -> None:
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(Path(__file__).parents[2] / "self_signed.pem")

    async def answer(stream: anyio.abc.ByteStream) -> None:
        await stream.aclose()

    async with run_server(answer, tls) as port:
        with pytest.raises(PageFailed, match="not signed by a trusted authority"):
            await tab.goto(f"https://127.0.0.1:{port}/")


async def test_back_and_forward_follow_the_history(tab: Tab, web: Web) -> None:
    first, second = web.page("first"), web.page("second")
    await tab.goto(first)
    await tab.goto(second)
    assert await tab.navigation.back() == Navigated(first, 200, "OK")
    assert await tab.navigation.forward() == Navigated(second, 200, "OK")


async def test_back_works_within_a_single_page_app(tab: Tab, web: Web) -> None:
    url = web.page("app")
    await tab.goto(url)
    await tab.evaluate("history.pushState({}, '', '#inbox')")
    assert await tab.navigation.back() == Navigated(url, 200, "OK", same_document=True)


async def test_back_at_the_first_page_is_not_found(tab: Tab) -> None:
    with pytest.raises(NotFound) as caught:
        await tab.navigation.back()
    assert caught.value.message == "There is no page to go back to."


def serve_once(web: Web, path: str, later: Response) -> str:
    """Serve a page at the first request, and another response from then on."""
    requests: list[Request] = []

    def answer(request: Request) -> Response:
        requests.append(request)
        return (
            later if len(requests) > 1 else Response("<p>a page</p>", headers={"cache-control": "no-store"})
        )

    return web.route(path, answer)


FILE = Response("a,b", headers={"content-disposition": "attachment; filename=rows.csv"})


async def test_a_reload_without_content_keeps_the_page(tab: Tab, web: Web) -> None:
    url = serve_once(web, "/changing", Response(status=204))
    await tab.goto(url)
    assert await tab.navigation.reload(timeout=20) == Navigated(url, 204, "No Content")
    assert await tab.evaluate("document.body.textContent") == "a page"


async def test_a_reload_that_becomes_a_download_returns_it(tab: Tab, web: Web, tmp_path: Path) -> None:
    await tab.context.downloads.save_to(tmp_path)
    url = serve_once(web, "/changing", FILE)
    await tab.goto(url)
    reloaded = await tab.navigation.reload(timeout=20)
    (download,) = tab.context.downloads
    assert reloaded == Navigated(url, download=download)
    assert download.name == "rows.csv"


async def test_a_reload_that_is_cancelled_is_a_page_failure(tab: Tab, web: Web) -> None:
    requests: list[Request] = []

    async def once(request: Request) -> Response:
        requests.append(request)
        return Response("a page") if len(requests) == 1 else await never()

    await tab.goto(web.route("/once", once))

    async def cancel() -> None:
        while len(requests) < 2:
            await web.wait_for_request("/once")
            await anyio.lowlevel.checkpoint()
        await tab.navigation.stop()

    async with anyio.create_task_group() as group:
        group.start_soon(cancel)
        with pytest.raises(PageFailed, match=r"could not be loaded: .*ERR_ABORTED"):
            await tab.navigation.reload(timeout=20)


async def test_back_to_a_page_that_became_a_download_returns_it(tab: Tab, web: Web, tmp_path: Path) -> None:
    await tab.context.downloads.save_to(tmp_path)
    await tab.goto(serve_once(web, "/changing", FILE))
    here = web.page("here", headers={"cache-control": "no-store"})
    await tab.goto(here)
    result = await tab.navigation.back(timeout=20)
    (download,) = tab.context.downloads
    assert result == Navigated(here, download=download)


async def test_back_to_a_page_without_content_keeps_the_page(tab: Tab, web: Web) -> None:
    await tab.goto(serve_once(web, "/changing", Response(status=204)))
    here = web.page("here")
    await tab.goto(here)
    assert await tab.navigation.back(timeout=20) == Navigated(here, 204, "No Content")


async def test_waiting_for_a_navigation_returns_the_download_that_a_click_starts(tab: Tab, web: Web) -> None:
    requested, may_answer = anyio.Event(), anyio.Event()

    async def slow(request: Request) -> Response:
        requested.set()
        await may_answer.wait()
        return FILE

    web.route("/rows", slow)
    here = web.page("<a href=/rows>Rows</a>")
    await tab.goto(here)
    commits = tab.navigation.commits
    await tab.evaluate("document.querySelector('a').click()")
    with anyio.fail_after(60):
        await requested.wait()
        await tab.until(lambda: tab.navigation.under_way)
    may_answer.set()
    result = await tab.navigation.next(after=commits, timeout=20)
    (download,) = tab.context.downloads
    assert result == Navigated(here, download=download)


async def test_the_timeout_of_back_includes_the_time_until_a_busy_page_responds(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("first"))
    await tab.goto(web.page("<script>onload = () => setTimeout(() => { for (;;); }, 0)</script>"))
    with pytest.raises(TimedOut):
        await tab.navigation.back(timeout=0.3)


async def test_reload_requests_the_page_again(tab: Tab, web: Web) -> None:
    url = web.page("again")
    await tab.goto(url)
    assert await tab.navigation.reload() == Navigated(url, 200, "OK")
    assert [request.path for request in web.requests if request.path != "/favicon.ico"] == [
        "/page1",
        "/page1",
    ]


@pytest.mark.parametrize(("ignore_cache", "times"), [(False, 1), (True, 2)])
async def test_a_reload_can_ignore_the_cache(tab: Tab, web: Web, ignore_cache: bool, times: int) -> None:
    style = Response("p { color: red }", headers={"content-type": "text/css", "cache-control": "max-age=999"})
    web.route("/style.css", lambda _: style)
    await tab.goto(web.page("<link rel=stylesheet href=/style.css><p>red</p>"))
    await tab.navigation.reload(ignore_cache=ignore_cache)
    assert [request.path for request in web.requests].count("/style.css") == times


async def test_waiting_for_a_navigation_that_a_click_starts(tab: Tab, web: Web) -> None:
    end = web.page("the end", "/end")
    await tab.goto(web.page("<a href=/end>go</a>"))
    before = tab.navigation.commits
    await tab.evaluate("document.querySelector('a').click()")
    assert await tab.navigation.next(after=before) == Navigated(end, 200, "OK")


async def test_data_and_blank_pages_have_no_status(tab: Tab) -> None:
    assert await tab.goto("about:blank") == Navigated("about:blank")


async def test_a_page_with_many_frames_loads_and_responds_without_delay(tab: Tab, web: Web) -> None:
    web.page("<p>inside</p>", "/inside")
    url = web.page(
        f"<button onclick=\"this.title = 'done'\">Go</button>{'<iframe src=/inside></iframe>' * 60}"
    )
    assert await tab.goto(url, timeout=20) == Navigated(url, 200, "OK")
    await tab.evaluate("for (let i = 0; i < 60; i++) location.hash = i")
    assert tab.navigation.loaded
    assert not tab.navigation.under_way
    with anyio.fail_after(60):
        await tab.element("button").click()
    assert await tab.evaluate("document.querySelector('button').title") == "done"
