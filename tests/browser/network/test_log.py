"""The network log in real Chromium."""

import time
from collections.abc import Callable

import anyio
import pytest

from tabwright.browser.network.bodies import Body
from tabwright.browser.network.exchange import Exchange
from tabwright.browser.page.evaluate import evaluate
from tabwright.browser.tab import Tab
from tabwright.errors import NotFound, Stale
from tests.web import Request, Response, Web, never

NO_ICON = "<link rel=icon href='data:,'>"


async def until(tab: Tab, reached: Callable[[], bool]) -> None:
    with anyio.fail_after(60):
        await tab.until(reached)


async def finished(tab: Tab, url: str) -> Exchange:
    """Wait for the end of the one request for `url`: Chrome reports it after the page knows."""
    await until(tab, lambda: any(exchange.finished for exchange in tab.network.exchanges(pattern=url)))
    [exchange] = tab.network.exchanges(pattern=url)
    return exchange


async def fetched(tab: Tab, url: str, script: str | None = None) -> Exchange:
    await tab.evaluate(script or f"fetch('{url}').then(r => r.text()).catch(String)")
    return await finished(tab, url)


async def test_an_exchange_has_method_status_type_size_timing_and_initiator(tab: Tab, web: Web) -> None:
    url = web.page(f"{NO_ICON}\n<script>\nfetch('/api', {{method: 'PUT', body: 'x'}})</script>")
    api = web.route("/api", lambda _: Response('{"a":1}', 201, {"content-type": "application/json"}))
    before = time.time()
    await tab.goto(url, wait_until="networkidle")
    exchange = await finished(tab, api)
    assert before - 1 < exchange.started < time.time() + 1
    assert exchange.duration is not None
    assert 0 < exchange.duration < 5
    seen = (exchange.id, exchange.method, exchange.url, exchange.type, exchange.status, exchange.status_text)
    assert seen == ("r2", "PUT", api, "Fetch", 201, "Status")
    assert (exchange.mime, exchange.size > exchange.length == 7) == ("application/json", True)
    assert exchange.initiator == f"script {url}:3"
    assert (exchange.failure, exchange.failed, exchange.from_cache, exchange.from_service_worker) == (
        "",
        False,
        False,
        False,
    )
    assert str(exchange) == f"r2 PUT {api} 201"


async def test_each_redirect_is_an_exchange_with_its_own_headers(tab: Tab, web: Web) -> None:
    web.page(NO_ICON, "/end")
    web.route("/middle", lambda _: Response("", 302, {"location": "/end", "x-hop": "2"}))
    headers = {"location": "/middle", "set-cookie": "hop=1", "x-hop": "1"}
    web.route("/start", lambda _: Response("", 301, headers))
    await tab.goto(f"{web.url}/start")
    exchanges = tab.network.exchanges()
    assert [(e.id, e.url.removeprefix(web.url), e.status, e.redirected_from) for e in exchanges] == [
        ("r1", "/start", 301, None),
        ("r2", "/middle", 302, "r1"),
        ("r3", "/end", 200, "r2"),
    ]
    assert [e.response_headers.get("x-hop") for e in exchanges] == ["1", "2", None]
    assert exchanges[0].response_headers["set-cookie"] == "hop=1"
    assert [e.request_headers.get("Cookie") for e in exchanges] == [None, "hop=1", "hop=1"]
    with pytest.raises(NotFound, match="r1 has no body: it is a redirect"):
        await tab.network.body("r1")


async def test_bodies_are_text_or_bytes(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(f"{NO_ICON}Hällo", "/page"))
    web.route("/data.bin", lambda _: Response(b"\x00\xff", headers={"content-type": "image/png"}))
    data = await fetched(tab, f"{web.url}/data.bin")
    page = await finished(tab, f"{web.url}/page")
    html = f"<!doctype html><meta charset=utf-8>{NO_ICON}Hällo"
    assert await tab.network.body(page.id) == Body(html, len(html))
    assert await tab.network.body(data.id) == Body(b"\x00\xff", 2)


async def test_a_body_is_cut_at_the_limit_and_marked_as_cut(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(NO_ICON))
    web.route("/big", lambda _: Response("x" * 100_000))
    exchange = await fetched(tab, f"{web.url}/big")
    body = await tab.network.body(exchange.id, limit=10)
    assert (body, body.truncated) == (Body("x" * 10, 100_000), True)


async def test_a_body_that_chrome_dropped_is_a_clear_error(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(NO_ICON))
    web.route("/api", lambda _: Response("hi"))
    exchange = await fetched(tab, f"{web.url}/api")
    assert await tab.network.body(exchange.id) == Body("hi", 2)
    await tab.goto(f"{web.other_site}/nowhere")
    with pytest.raises(NotFound) as failure:
        await tab.network.body(exchange.id)
    assert str(failure.value) == (
        f"Chrome no longer has the response body of {exchange.id}. "
        "Chrome drops bodies with their page, and large ones earlier; load the page again."
    )


async def test_an_incomplete_body_is_refused(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(NO_ICON))
    slow = web.route("/slow", lambda _: never())
    await tab.evaluate("void fetch('/slow')")
    await until(tab, lambda: bool(tab.network.exchanges(pattern=slow)))
    [exchange] = tab.network.exchanges(pattern=slow)
    assert str(exchange) == f"{exchange.id} GET {slow} under way"
    with pytest.raises(Stale, match="still being received"):
        await tab.network.body(exchange.id)


async def test_request_bodies_can_be_read(tab: Tab, web: Web) -> None:
    api = web.route("/api", lambda _: Response(""))
    await tab.goto(web.page(f"{NO_ICON}<form method=post action=/api><input name=a value=ü></form>"))
    small = await fetched(tab, api, "fetch('/api', {method: 'POST', body: 'a=1'}).then(r => r.text())")
    assert await tab.network.post_data(small.id) == Body("a=1", 3)
    tab.network.clear()
    big = await fetched(
        tab, api, "fetch('/api', {method: 'POST', body: 'b'.repeat(100000)}).then(r => r.text())"
    )
    assert await tab.network.post_data(big.id, limit=3) == Body("bbb", 100_000)
    tab.network.clear()
    commits = tab.navigation.commits
    await tab.evaluate("void document.forms[0].submit()")
    await tab.navigation.next(after=commits)
    assert await tab.network.post_data((await finished(tab, api)).id) == Body("a=%C3%BC", 8)
    none = await fetched(tab, f"{web.url}/none")
    with pytest.raises(NotFound, match=f"{none.id} sent no data"):
        await tab.network.post_data(none.id)


async def test_failures_are_described_in_words(tab: Tab, web: Web) -> None:
    def broken(_: Request) -> Response:
        return Response("half", headers={"content-length": "1000"})

    policy = {"content-security-policy": "img-src 'none'"}
    await tab.goto(web.page(NO_ICON, headers=policy))
    web.route("/broken", broken)
    web.route("/private", lambda _: Response("secret"))
    assert (await fetched(tab, "http://127.0.0.1:2/")).failure == (
        "the server refused the connection (ERR_CONNECTION_REFUSED)"
    )
    assert (await fetched(tab, f"{web.url}/broken")).failure == (
        "the response ended early (ERR_CONTENT_LENGTH_MISMATCH)"
    )
    assert (await fetched(tab, f"{web.other_site}/private")).failure == (
        "the server does not allow this page to read it (CORS: MissingAllowOriginHeader)"
    )
    picture = f"{web.url}/picture"
    script = f"new Promise(ok => {{ const i = new Image(); i.onerror = () => ok(0); i.src = '{picture}' }})"
    assert (await fetched(tab, picture, script)).failure == "the page's content security policy forbids it"
    cancelled = f"{web.url}/slow"
    web.route("/slow", lambda _: never())
    script = "fetch('/slow', {signal: AbortSignal.timeout(50)}).catch(() => 0)"
    assert (await fetched(tab, cancelled, script)).failure == "it was cancelled (ERR_ABORTED)"


@pytest.mark.parametrize("site", ["same", "other"])
async def test_requests_end_with_their_page(tab: Tab, web: Web, site: str) -> None:
    web.route("/slow", lambda _: never())
    code = Response("fetch('/slow?worker')", headers={"content-type": "text/javascript"})
    web.route("/w.js", lambda _: code)
    web.page("<script>fetch('/slow?frame')</script>", "/inside")
    script = "<script>fetch('/slow?page'); new Worker('/w.js')</script>"
    await tab.goto(web.page(f"{NO_ICON}{script}<iframe src='{web.other_site}/inside'></iframe>"))
    pattern = "*/slow?*"
    await until(tab, lambda: len(tab.network.exchanges(pattern=pattern)) == 3)
    await tab.goto(web.page(NO_ICON, "/next") if site == "same" else f"{web.other_site}/nowhere")
    await until(tab, lambda: all(exchange.finished for exchange in tab.network.exchanges(pattern=pattern)))
    failures = {exchange.failure for exchange in tab.network.exchanges(pattern=pattern)}
    assert failures <= {"the page was closed first", "it was cancelled (ERR_ABORTED)"}


async def test_cache_and_service_worker_are_marked(tab: Tab, web: Web) -> None:
    headers = {"cache-control": "max-age=1000"}
    cached = web.route("/cached", lambda _: Response("c", headers=headers))
    await tab.goto(web.page(NO_ICON))
    assert (await fetched(tab, cached)).from_cache is False
    tab.network.clear()
    again = await fetched(tab, cached)
    assert (again.from_cache, again.size) == (True, 0)
    code = "onfetch = event => event.respondWith(new Response('made up')); onactivate = () => clients.claim()"
    web.route("/sw.js", lambda _: Response(code, headers={"content-type": "text/javascript"}))
    await tab.evaluate("""
        await navigator.serviceWorker.register('/sw.js');
        if (!navigator.serviceWorker.controller)
          await new Promise(ok => navigator.serviceWorker.oncontrollerchange = ok);
        return 0;
    """)
    made_up = await fetched(tab, f"{web.url}/api")
    assert (made_up.status, made_up.from_service_worker) == (200, True)
    assert await tab.network.body(made_up.id) == Body("made up", 7)


async def test_frames_of_other_sites_and_workers_are_in_the_log_with_bodies(tab: Tab, web: Web) -> None:
    code = "fetch('/from-worker').then(r => r.text()).then(() => postMessage(1))"
    web.route("/w.js", lambda _: Response(code, headers={"content-type": "text/javascript"}))
    web.route("/from-worker", lambda _: Response("w"))
    web.route("/from-frame", lambda _: Response("f"))
    web.page(f"{NO_ICON}inside", "/inside")
    await tab.goto(web.page(f"{NO_ICON}<iframe src='{web.other_site}/inside'></iframe>"))
    [frame] = tab.main_frame.children
    await evaluate(frame, "fetch('/from-frame').then(r => r.text())")
    await tab.evaluate("new Promise(ok => { (globalThis.w = new Worker('/w.js')).onmessage = () => ok(0) })")
    paths = ("/from-frame", "/from-worker", "/w.js", "/inside")
    bodies = [await tab.network.body((await finished(tab, f"*{path}")).id) for path in paths]
    inside = f"<!doctype html><meta charset=utf-8>{NO_ICON}inside"
    assert [body.content for body in bodies] == ["f", "w", code, inside]


async def test_a_web_socket_is_in_the_log(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(NO_ICON))
    url = web.url.replace("http", "ws") + "/socket"
    script = f"new Promise(ok => {{ new WebSocket('{url}').onclose = () => ok(0) }})"
    exchange = await fetched(tab, url, script)
    assert str(exchange) == (
        f"{exchange.id} GET {url} Error during WebSocket handshake: Unexpected response code: 404"
    )
    assert (exchange.type, exchange.failed, exchange.finished) == ("WebSocket", True, True)


async def test_the_log_is_filtered_by_pattern_type_and_failure(tab: Tab, web: Web) -> None:
    web.route("/api/a", lambda _: Response("a"))
    await tab.goto(web.page(f"{NO_ICON}<img src=/gone.png>", "/page"))
    await fetched(tab, f"{web.url}/api/a")
    mark = tab.network.count
    await fetched(tab, f"{web.url}/api/b")

    def urls(**filters: object) -> list[str]:
        return [e.url.removeprefix(web.url) for e in tab.network.exchanges(**filters)]  # type: ignore[arg-type]  # each test line is checked by running it

    assert urls(pattern="*/api/*") == ["/api/a", "/api/b"]
    assert urls(type="image") == ["/gone.png"]
    assert urls(failed=True) == ["/gone.png", "/api/b"]
    assert urls(failed=False) == ["/page", "/api/a"]
    assert urls(since=mark) == ["/api/b"]
    assert urls(pattern="*api*", type="Fetch", failed=True) == ["/api/b"]


async def test_the_last_thousand_are_logged_and_numbers_continue(tab: Tab, web: Web) -> None:
    url = web.page(NO_ICON)
    await tab.goto(url)
    await tab.evaluate("""
        const blob = URL.createObjectURL(new Blob(["x"]));
        for (let i = 0; i < 1100; i += 50)
          await Promise.all(Array.from({length: 50}, () => fetch(blob).then(r => r.text())));
        return 0;
    """)
    await until(tab, lambda: tab.network.count == 1101)
    exchanges = tab.network.exchanges()
    assert (len(exchanges), exchanges[0].id, exchanges[-1].id) == (1000, "r102", "r1101")
    with pytest.raises(NotFound) as failure:
        tab.network.get("r1")
    assert str(failure.value) == "Unknown request r1. List the requests, then choose one."
    tab.network.clear()
    assert tab.network.exchanges() == []
