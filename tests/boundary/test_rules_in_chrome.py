"""The URL rules in a real browser, for pages and callers."""

import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import anyio
import pytest
from websockets.asyncio.server import ServerConnection, serve

from tabwright.app import running
from tabwright.browser.browser import Browser
from tabwright.browser.process.launch import LaunchOptions
from tabwright.browser.snapshot.observe import observe
from tabwright.call import Answer, Call
from tabwright.errors import Denied, InvalidArgs, PageFailed
from tabwright.policy.callers.principal import Principal
from tabwright.policy.network.boundary import Boundary
from tabwright.policy.network.dialer import Dialer
from tabwright.policy.network.upstream_proxy import UpstreamProxy
from tabwright.policy.network.url_rules import UrlRules
from tabwright.settings import SecuritySettings, Settings
from tests.boundary.conftest import OpenContext
from tests.boundary.test_proxy import world_behind_a_proxy
from tests.boundary.ways_out import over_tls
from tests.web import Request, Response, Web

Run = Callable[..., Awaitable[Answer]]


@pytest.fixture
async def run(web: Web) -> AsyncIterator[Run]:
    """Run actions with rules that allow only the test's server, and only as 127.0.0.1."""
    security = SecuritySettings(allowed_url_patterns=(web.url,))
    async with running(Settings(security=security)) as runner:

        async def run(action: str, **args: str) -> Answer:
            return await runner.run(Call(action=action, args=args, principal=Principal("local:test")))

        yield run


def paths(web: Web) -> list[str]:
    return [request.path for request in web.requests if request.path != "/favicon.ico"]


async def test_refusals_are_reported_before_and_after_a_request_is_sent(web: Web, run: Run) -> None:
    evil = f"{web.other_site}/evil"
    refused = f"{evil} is refused: no pattern of security.allowed_url_patterns allows it."
    web.route("/away", lambda _: Response("", 302, {"location": evil}))
    web.page(f"<title>Home</title><a href={evil}>Out</a>", "/home")
    assert (await run("navigate", url=f"{web.url}/home")).text == f"Navigated to {web.url}/home (200 OK)"
    for action in ("navigate", "new_tab"):
        with pytest.raises(Denied, match="is refused"):
            await run(action, url=evil)
        with pytest.raises(InvalidArgs, match="is not a URL"):
            await run(action, url="not a url")
        with pytest.raises(Denied, match="javascript:"):
            await run(action, url="javascript:alert(1)")
    assert (await run("list_tabs")).text == f"t1 (current): {web.url}/home"
    clicked = await run("click", target="text=Out")
    assert clicked.text.splitlines()[1] == refused
    with pytest.raises(Denied) as redirected:
        await run("navigate", url=f"{web.url}/away")
    assert redirected.value.message == refused
    assert (await run("navigate", url=f"{web.url}/home")).text == f"Navigated to {web.url}/home (200 OK)"
    assert paths(web) == ["/home", "/away", "/home"]


async def test_two_sessions_of_one_browser_keep_their_own_rules(open_context: OpenContext, web: Web) -> None:
    web.page("here", "/a")
    one, other = await open_context(web.url), await open_context(web.other_site)
    assert (await (await one.new_tab(f"{web.url}/a")).title()) == ""
    assert (await (await other.new_tab(f"{web.other_site}/a")).title()) == ""
    for context, url in ((one, web.other_site), (other, web.url)):
        (tab,) = context.tabs.values()
        assert await tab.evaluate(f"fetch('{url}/a', {{mode: 'no-cors'}}).then(r => r.type)") == "opaque"
        with pytest.raises(Denied):
            await tab.goto(f"{url}/a")
    assert [request.headers["host"] for request in web.requests if request.path == "/a"] == [
        web.url[7:],
        web.other_site[7:],
    ]


@pytest.mark.parametrize("as_expression", [False, True])
async def test_https_paths_are_checked_if_a_rule_has_a_path(
    open_context: OpenContext, web: Web, as_expression: bool
) -> None:
    web.page("<title>Docs</title><iframe src=/secret></iframe>", "/docs/a")
    web.page("", "/secret")
    web.route("/docs/away", lambda _: Response("", 302, {"location": "/secret"}))
    async with over_tls(web) as port:
        site = f"https://localhost:{port}"
        context = await open_context(f"^{site}/docs/" if as_expression else f"{site}/docs/*", "localhost:1")
        tab = await context.new_tab(f"{site}/docs/a")
        assert await tab.title() == "Docs"
        for url in (f"{site}/secret", f"{site}/docs/../secret", f"{site}/docs/away"):
            with pytest.raises(Denied, match=r"/secret is refused"):
                await tab.goto(url)
        await tab.goto(f"{site}/docs/a")
        assert await tab.evaluate("fetch('/secret').catch(error => error.message)") == "Failed to fetch"
        assert "/secret" not in paths(web)


async def test_a_websocket_works_only_where_it_is_allowed(open_context: OpenContext, web: Web) -> None:
    async def echo(socket: ServerConnection) -> None:
        async for message in socket:
            await socket.send(message)

    async with serve(echo, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        context = await open_context(web.url, f"http://127.0.0.1:{port}/talk")
        tab = await context.new_tab(web.page(""))
        say = """return new Promise(done => {
            const socket = new WebSocket(args[0]);
            socket.onopen = () => socket.send("hello");
            socket.onmessage = event => done(event.data);
            socket.onerror = () => done("failed");
        })"""
        assert await tab.evaluate(say, f"ws://127.0.0.1:{port}/talk") == "hello"
        assert await tab.evaluate(say, f"ws://127.0.0.1:{port}/other") == "failed"
        assert await tab.evaluate(say, f"ws://localhost:{port}/talk") == "failed"
        assert await tab.evaluate(say, f"wss://127.0.0.1:{port}/talk") == "failed"


async def test_pages_work_as_without_a_boundary(open_context: OpenContext, web: Web, tmp_path: Path) -> None:
    web.route("/echo", lambda request: Response(request.body))
    web.route("/file", lambda _: Response(b"x" * 3_000_000, headers={"content-disposition": "attachment"}))
    web.route("/silence", no_answer)
    context = await open_context(web.url)
    await context.downloads.save_to(tmp_path)
    tab = await context.new_tab(web.page("<title>Page</title>"))
    sent = (
        "fetch('/echo', {method: 'POST', body: 'y'.repeat(2000000)}).then(r => r.text()).then(t => t.length)"
    )
    assert await tab.evaluate(sent) == 2_000_000
    many = "Promise.all([...Array(60).keys()].map(n => fetch('/echo?' + n).then(r => r.status)))"
    assert await tab.evaluate(many) == [200] * 60
    arrived = await tab.goto(f"{web.url}/file")
    assert arrived.download is not None
    saved = await context.downloads.wait_for_end(arrived.download)
    assert saved is not None
    assert saved.stat().st_size == 3_000_000
    assert (await tab.goto(f"{web.url}/nowhere")).status == 404
    with pytest.raises(PageFailed, match=r"closed the connection without a response \(ERR_EMPTY_RESPONSE\)"):
        await tab.goto(f"{web.url}/silence")


async def no_answer(_: Request) -> Response:
    raise anyio.EndOfStream


async def test_unreachable_servers_are_reported_as_without_a_boundary(open_context: OpenContext) -> None:
    context = await open_context("*", "127.0.0.1")
    tab = await context.new_tab()
    with pytest.raises(PageFailed, match=r"ERR_CONNECTION_REFUSED"):
        await tab.goto("http://127.0.0.1:59999/")
    with pytest.raises(PageFailed, match=r"ERR_CONNECTION_REFUSED"):
        await tab.goto("https://127.0.0.1:59999/")
    for scheme in ("http", "https"):
        with pytest.raises(PageFailed, match=r"name was not found \(ERR_NAME_NOT_RESOLVED\)"):
            await tab.goto(f"{scheme}://nowhere.example/")
        with pytest.raises(Denied, match=r"rebinds\.test is refused: its address is loopback"):
            await tab.goto(f"{scheme}://rebinds.test/")


async def test_a_public_page_is_loaded_through_the_users_proxy(web: Web) -> None:
    seen: list[str] = []
    web.page("<title>World</title>", "/a")
    async with world_behind_a_proxy(web, seen) as port:
        dialer = Dialer(UpstreamProxy.parse(f"http://me:secret@127.0.0.1:{port}"))
        rules = UrlRules(["http://site.test", web.url])
        async with (
            Boundary.open(rules, dialer) as boundary,
            Browser.launch(LaunchOptions(), boundary) as browser,
        ):
            tab = await (await browser.new_context()).new_tab("http://site.test/a")
            assert await tab.title() == "World"
            assert (await tab.goto(f"{web.url}/a")).status == 200
    assert [head.split(" ")[1] for head in seen if "favicon" not in head] == ["http://site.test/a"]


async def test_proxies_of_the_environment_are_used(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    web.page("<title>World</title>", "/a")
    async with world_behind_a_proxy(web, seen) as port:
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{port}")
        security = SecuritySettings(allowed_url_patterns=("http://site.test", web.url))
        async with running(Settings(security=security)) as runner:
            for url in ("http://site.test/a", f"{web.url}/a"):
                call = Call(action="navigate", args={"url": url}, principal=Principal("local:test"))
                assert (await runner.run(call)).text == f"Navigated to {url} (200 OK)"
    assert [head.split(" ")[1] for head in seen if "favicon" not in head] == ["http://site.test/a"]


async def test_a_forbidden_link_in_a_new_window_is_refused(open_context: OpenContext, web: Web) -> None:
    context = await open_context(web.url)
    tab = await context.new_tab(web.page(f"<a target=_blank href={web.other_site}/x>Open</a>"))
    _, effects = await observe(tab, lambda: tab.element("text=Open").click())
    (opened,) = [popup for popup in context.tabs.values() if popup is not tab]
    with pytest.raises(Denied, match="is refused"):
        await opened.navigation.wait()
    assert effects.tabs != []
    assert paths(web) == ["/page1"]


async def test_a_gate_closes_with_its_context_or_its_browser(boundary: Boundary, web: Web) -> None:
    async with Browser.launch(LaunchOptions(), boundary) as browser:
        gates = [await boundary.gate(UrlRules([web.url])) for _ in range(2)]
        closed, lost = [await browser.new_context(gate=gate) for gate in gates]
        for context in (closed, lost):
            await context.new_tab(web.page(""))
        await closed.close()
        await wait_until_closed(gates[0].port)
        assert browser.pid is not None
        os.kill(browser.pid, signal.SIGKILL)
        await wait_until_closed(gates[1].port)


async def wait_until_closed(port: int) -> None:
    """Wait until connections to a port are refused."""
    with anyio.fail_after(60), suppress(OSError):
        while True:
            async with await anyio.connect_tcp("127.0.0.1", port):
                pass
