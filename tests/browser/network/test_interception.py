"""Blocking and mocking requests, extra headers and being offline, in real Chromium."""

import base64
from collections.abc import AsyncIterator

import anyio
import pytest

from tabwright.browser.browser import Browser
from tabwright.browser.context import Context
from tabwright.browser.page.evaluate import evaluate
from tabwright.browser.page.frame import Frame
from tabwright.browser.tab import Tab
from tabwright.errors import InvalidArgs, NotFound, PageFailed
from tests.web import Request, Response, Web, never, run_server

NO_ICON = "<link rel=icon href='data:,'>"


async def fetched(place: Tab | Frame, url: str, options: str = "{}") -> str:
    """Return the status and text that a page gets, or its error."""
    frame = place.main_frame if isinstance(place, Tab) else place
    script = f"fetch('{url}', {options}).then(async r => r.status + ' ' + await r.text()).catch(String)"
    return str(await evaluate(frame, script))


FAILED = "TypeError: Failed to fetch"


async def test_a_blocked_request_is_not_sent_and_has_a_reason(context: Context, tab: Tab, web: Web) -> None:
    await tab.goto(web.page(NO_ICON))
    rule = await context.interception.block("*/ads/*")
    assert str(rule) == "i1 block */ads/*"
    assert await fetched(tab, "/ads/1") == FAILED
    assert await fetched(tab, "/ok") == "404 no /ok"
    assert [request.path for request in web.requests if "ads" in request.path] == []
    [exchange] = tab.network.exchanges(pattern="*/ads/*")
    with anyio.fail_after(60):
        await tab.until(lambda: exchange.finished)
    assert exchange.failure == "a rule of this session blocked it"


async def test_navigation_to_a_blocked_address_fails_with_the_reason(
    context: Context, tab: Tab, web: Web
) -> None:
    await context.interception.block(f"{web.url}/secret*")
    with pytest.raises(PageFailed) as failure:
        await tab.goto(f"{web.url}/secret")
    assert failure.value.message == (
        f"{web.url}/secret could not be loaded: "
        "a rule of this session blocked the request (ERR_BLOCKED_BY_CLIENT)."
    )


async def test_a_redirect_to_a_blocked_address_is_blocked(context: Context, tab: Tab, web: Web) -> None:
    web.route("/start", lambda _: Response("", 302, {"location": "/ads/1"}))
    await tab.goto(web.page(NO_ICON))
    await context.interception.block("*/ads/*")
    assert await fetched(tab, "/start") == FAILED
    assert [request.path for request in web.requests if "ads" in request.path] == []


async def test_a_mock_answers_instead_of_the_server(context: Context, tab: Tab, web: Web) -> None:
    await tab.goto(web.page(NO_ICON))
    await context.interception.mock(
        "*/api/items?page=*", status=203, headers={"X-From": "us"}, body='{"items": ["ü"]}'
    )
    script = """
        const r = await fetch('/api/items?page=2');
        return [r.status, r.headers.get('x-from'), r.headers.get('content-type'), await r.json()];
    """
    assert await tab.evaluate(script) == [203, "us", "application/json", {"items": ["ü"]}]
    assert await fetched(tab, "/api/items!page=2") == "404 no /api/items!page=2"


async def test_a_mock_can_be_a_page_of_a_host_that_does_not_exist(context: Context, tab: Tab) -> None:
    await context.interception.mock("https://nowhere.invalid/*", body="<title>Made up</title>")
    navigated = await tab.goto("https://nowhere.invalid/a")
    assert (navigated.url, navigated.status, await tab.title()) == (
        "https://nowhere.invalid/a",
        200,
        "Made up",
    )


async def test_bytes_and_unusual_statuses_can_be_mocked(context: Context, tab: Tab, web: Web) -> None:
    await tab.goto(web.page(NO_ICON))
    await context.interception.mock("*/a.bin", status=599, body=b"\x00\xff")
    script = "fetch('/a.bin').then(async r => [r.status, ...new Uint8Array(await r.arrayBuffer())])"
    assert await tab.evaluate(script) == [599, 0, 255]


async def test_a_cross_origin_mock_is_readable_and_answers_preflights(
    context: Context, tab: Tab, web: Web
) -> None:
    await tab.goto(web.page(NO_ICON))
    await context.interception.mock(f"{web.other_site}/api", headers={"X-Total": "7"}, body="[]")
    script = f"""
        const r = await fetch('{web.other_site}/api', {{
          method: 'DELETE', headers: {{'X-Custom': '1', 'content-type': 'application/json'}},
          credentials: 'include',
        }});
        return [r.status, r.headers.get('x-total'), await r.text()];
    """
    assert await tab.evaluate(script) == [200, "7", "[]"]
    assert [request.method for request in web.requests if request.path == "/api"] == []


async def test_a_blocked_request_of_another_origin_sends_no_preflight(
    context: Context, tab: Tab, web: Web
) -> None:
    await tab.goto(web.page(NO_ICON))
    await context.interception.block(f"{web.other_site}/*")
    assert await fetched(tab, f"{web.other_site}/api", "{method: 'PUT'}") == FAILED
    assert [request.method for request in web.requests if request.path == "/api"] == []


async def test_rules_apply_to_later_tabs_popups_frames_and_workers(
    context: Context, tab: Tab, web: Web
) -> None:
    await context.interception.mock("*/api", body="mocked")
    web.page(f"{NO_ICON}<script>first = fetch('/api').then(r => r.text())</script>", "/inside")
    worker = "fetch('/api').then(r => r.text()).then(t => postMessage(t))"
    web.route("/w.js", lambda _: Response(worker, headers={"content-type": "text/javascript"}))
    page = web.page(f"{NO_ICON}<iframe src='{web.other_site}/inside'></iframe>")
    await tab.goto(page)
    [frame] = tab.main_frame.children
    assert await evaluate(frame, "first") == "mocked"
    from_worker = "new Promise(ok => { new Worker('/w.js').onmessage = event => ok(event.data) })"
    assert await tab.evaluate(from_worker) == "mocked"
    shared = (
        "onconnect = ({ports: [port]}) => fetch('/api').then(r => r.text()).then(t => port.postMessage(t))"
    )
    web.route("/shared.js", lambda _: Response(shared, headers={"content-type": "text/javascript"}))
    from_shared = (
        "new Promise(ok => { new SharedWorker('/shared.js').port.onmessage = event => ok(event.data) })"
    )
    assert await tab.evaluate(from_shared) == "mocked"
    with context.expect_tab() as expected:
        await tab.evaluate("void open('/inside')")
    popup = await expected.wait()
    await popup.navigation.wait()
    assert await popup.evaluate("first") == "mocked"
    another = await context.new_tab(f"{web.url}/inside")
    assert await another.evaluate("first") == "mocked"
    assert [request.path for request in web.requests if request.path == "/api"] == []


async def test_a_service_worker_cannot_bypass_a_rule(context: Context, tab: Tab, web: Web) -> None:
    code = "onfetch = event => event.respondWith(fetch('/api')); onactivate = () => clients.claim()"
    web.route("/sw.js", lambda _: Response(code, headers={"content-type": "text/javascript"}))
    web.route("/api", lambda _: Response("from the server"))
    await tab.goto(web.page(NO_ICON))
    await context.interception.mock("*/api", body="mocked")
    await tab.evaluate("""
        await navigator.serviceWorker.register('/sw.js');
        if (!navigator.serviceWorker.controller)
          await new Promise(ok => navigator.serviceWorker.oncontrollerchange = ok);
        return 0;
    """)
    assert await fetched(tab, "/anything") == "200 mocked"


async def test_rules_of_one_context_do_not_affect_another(
    browser: Browser, context: Context, web: Web
) -> None:
    await context.interception.block("*")
    other = await browser.new_context()
    try:
        tab = await other.new_tab(web.page(NO_ICON))
        assert await fetched(tab, "/x") == "404 no /x"
    finally:
        await other.close()


async def test_changed_rules_apply_at_once_and_the_latest_counts(
    context: Context, tab: Tab, web: Web
) -> None:
    await tab.goto(web.page(NO_ICON))
    rules = context.interception
    await rules.mock("*/api", body="one")
    assert await fetched(tab, "/api") == "200 one"
    second = await rules.block("*/api*")
    assert await fetched(tab, "/api") == FAILED
    assert [str(rule) for rule in rules.rules] == ["i1 mock */api 200", "i2 block */api*"]
    await rules.remove(second.id)
    assert await fetched(tab, "/api") == "200 one"
    await rules.clear()
    assert list(rules.rules) == []
    assert await fetched(tab, "/api") == "404 no /api"
    with pytest.raises(NotFound) as failure:
        await rules.remove("i1")
    assert str(failure.value) == "Unknown rule i1; rules: none. Choose one of them."


async def test_a_paused_request_of_a_closed_page_blocks_nothing(context: Context, tab: Tab, web: Web) -> None:
    web.route("/slow", lambda _: never())
    await context.interception.mock("*/api", body="x")
    url = web.page(
        f"{NO_ICON}<script>for (let i = 0; i < 50; i++) fetch('/api' + (i % 2 ? '' : '2'))</script>"
    )
    for _ in range(5):
        await tab.goto(url, wait_until="commit")
    doomed = await context.new_tab()
    await doomed.goto(url, wait_until="commit")
    await doomed.close()
    await context.interception.block("*/other")
    assert await fetched(tab, "/api") == "200 x"


@pytest.mark.same_tab
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"pattern": ""}, "The URL pattern is empty."),
        ({"pattern": "*", "status": 99}, "Invalid HTTP status 99."),
        ({"pattern": "*", "headers": {"a b": "c"}}, "Invalid header name 'a b'."),
        ({"pattern": "*", "headers": {"a": "b\r\nc: d"}}, "The value of header a has control characters."),
    ],
)
async def test_an_invalid_mock_is_refused_and_changes_nothing(
    context: Context, arguments: dict[str, object], message: str
) -> None:
    with pytest.raises(InvalidArgs) as failure:
        await context.interception.mock(**arguments)  # type: ignore[arg-type]  # wrong on purpose
    assert failure.value.message == message
    assert context.interception.rules == ()


async def test_extra_headers_are_sent_with_every_request(context: Context, tab: Tab, web: Web) -> None:
    await context.headers.set({"X-Agent": "one"})
    assert context.headers.current == {"X-Agent": "one"}
    worker = "fetch('/from-worker').then(() => postMessage(0))"
    web.route("/w.js", lambda _: Response(worker, headers={"content-type": "text/javascript"}))
    web.page("x", "/inside")
    await tab.goto(web.page(f"{NO_ICON}<iframe src='{web.other_site}/inside'></iframe>", "/page"))
    await tab.evaluate("new Promise(ok => { new Worker('/w.js').onmessage = () => ok(0) })")
    sent = {request.path: request.headers.get("x-agent") for request in web.requests}
    assert sent == {"/page": "one", "/inside": "one", "/w.js": "one", "/from-worker": "one"}
    await context.headers.set({})
    await fetched(tab, "/after")
    assert (await web.wait_for_request("/after")).headers.get("x-agent") is None


async def test_headers_for_one_origin_are_sent_only_there(context: Context, tab: Tab, web: Web) -> None:
    await context.interception.set_headers(f"{web.url}/any/path", {"Authorization": "Bearer t", "X-A": "1"})
    open_to_all = {"access-control-allow-origin": "*"}
    web.route("/other", lambda _: Response("o", headers=open_to_all))
    web.route("/away", lambda _: Response("", 302, {"location": f"{web.other_site}/other"}))
    await tab.goto(web.page(f"{NO_ICON}<script>document.cookie='c=1'</script>", "/page"))
    assert await fetched(tab, "/here", "{headers: {'x-a': 'mine', 'x-b': '2'}}") == "404 no /here"
    assert await fetched(tab, "/away") == "200 o"
    sent = {r.path: [r.headers.get(name) for name in ("authorization", "x-a")] for r in web.requests}
    assert sent == {
        "/page": ["Bearer t", "1"],
        "/here": ["Bearer t", "1"],
        "/away": ["Bearer t", "1"],
        "/other": [None, None],
    }
    here = await web.wait_for_request("/here")
    assert (here.headers["x-b"], here.headers["cookie"]) == ("2", "c=1")
    await context.interception.set_headers(web.url, {})
    await fetched(tab, "/after")
    assert "authorization" not in (await web.wait_for_request("/after")).headers


async def test_a_header_with_a_line_break_is_refused(context: Context) -> None:
    with pytest.raises(InvalidArgs, match="The value of header X has control characters"):
        await context.headers.set({"X": "a\nb"})
    with pytest.raises(InvalidArgs, match="'shop' is not an origin"):
        await context.interception.set_headers("shop", {"X": "a"})


def guarded(request: Request) -> Response:
    expected = "Basic " + base64.b64encode(b"ann:s3cret").decode()
    if request.headers.get("authorization") == expected:
        return Response(f"{NO_ICON}<title>Inside</title>")
    return Response("who are you", 401, {"www-authenticate": 'Basic realm="shop"'})


async def is_refused(tab: Tab, url: str) -> bool:
    """Whether a site asks for a password: a headless shell shows the site's own page for it."""
    wanted = "the server requires a user name and password (ERR_INVALID_AUTH_CREDENTIALS)"
    try:
        return (await tab.goto(url)).status == 401
    except PageFailed as failure:
        return failure.message == f"{url} could not be loaded: {wanted}."


async def test_a_site_that_asks_for_a_password_gets_it(context: Context, tab: Tab, web: Web) -> None:
    url = web.route("/guarded", guarded)
    assert await is_refused(tab, url)
    await context.interception.set_credentials("ann", "s3cret", origin=web.url)
    assert (await tab.goto(url)).status == 200
    assert await tab.title() == "Inside"


async def test_a_wrong_password_is_tried_once(context: Context, tab: Tab, web: Web) -> None:
    url = web.route("/guarded", guarded)
    await context.interception.set_credentials("ann", "wrong")
    assert (await tab.goto(url)).status == 401
    assert len([request for request in web.requests if request.path == "/guarded"]) == 2


async def test_a_password_is_sent_to_its_origin_only(context: Context, tab: Tab, web: Web) -> None:
    web.route("/guarded", guarded)
    await context.interception.set_credentials("ann", "s3cret", origin=web.other_site)
    assert await is_refused(tab, f"{web.url}/guarded")
    assert (await tab.goto(f"{web.other_site}/guarded")).status == 200
    with pytest.raises(InvalidArgs, match="The user name is empty"):
        await context.interception.set_credentials("", "x")


@pytest.fixture
async def proxy() -> AsyncIterator[str]:
    """An HTTP proxy that answers everything itself once it gets the password."""
    expected = b"proxy-authorization: basic " + base64.b64encode(b"pat:pw").lower()

    async def serve(stream: anyio.abc.ByteStream) -> None:
        async with stream:
            head = b""
            while b"\r\n\r\n" not in head:
                head += await stream.receive()
            if expected in head.lower():
                answer = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n\r\nproxied"
            else:
                answer = (
                    "HTTP/1.1 407 Who\r\nproxy-authenticate: Basic realm=p\r\n"
                    "content-length: 0\r\nconnection: close\r\n\r\n"
                )
            await stream.send(answer.encode())

    async with run_server(serve) as port:
        yield f"127.0.0.1:{port}"


async def test_a_proxy_that_asks_for_a_password_gets_it(browser: Browser, proxy: str) -> None:
    context = await browser.new_context(proxy=f"http://{proxy}")
    try:
        await context.interception.set_credentials("pat", "pw")
        tab = await context.new_tab("http://shop.example/")
        assert await tab.evaluate("document.body.textContent") == "proxied"
    finally:
        await context.close()


async def test_offline_applies_to_all_tabs_and_frames_until_it_ends(
    context: Context, tab: Tab, web: Web
) -> None:
    web.page("x", "/inside")
    await tab.goto(web.page(f"{NO_ICON}<iframe src='{web.other_site}/inside'></iframe>"))
    [frame] = tab.main_frame.children
    await context.set_offline(True)
    assert [await fetched(place, "/x") for place in (tab, frame)] == [FAILED, FAILED]
    assert await tab.evaluate("navigator.onLine") is False
    later = await context.new_tab()
    with pytest.raises(PageFailed) as failure:
        await later.goto(f"{web.url}/inside")
    assert failure.value.message == (
        f"{web.url}/inside could not be loaded: there is no network connection (ERR_INTERNET_DISCONNECTED)."
    )
    await context.set_offline(False)
    assert [await fetched(place, "/x") for place in (tab, frame)] == ["404 no /x", "404 no /x"]
    assert (await later.goto(f"{web.url}/inside")).status == 200
