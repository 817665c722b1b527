"""Attaching to a browser that someone else started."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import anyio
import anyio.abc
import pytest
from websockets.asyncio.server import ServerConnection, serve

from tabwright.browser.browser import Browser
from tabwright.browser.process.find import find_browser
from tabwright.browser.process.launch import needs_sandbox_off
from tabwright.errors import BrowserGone, InvalidArgs
from tests.web import Web


@dataclass
class ExternalBrowser:
    """A browser that we did not start."""

    process: anyio.abc.Process
    port: str
    websocket: str


@asynccontextmanager
async def external_browser(profile: Path) -> AsyncIterator[ExternalBrowser]:
    sandbox = ["--no-sandbox"] if needs_sandbox_off() else []
    command = [
        str(find_browser()),
        "--headless=new",
        "--remote-debugging-port=0",
        f"--user-data-dir={profile}",
    ]
    async with await anyio.open_process(
        [*command, *sandbox, "about:blank"], start_new_session=True
    ) as process:
        assert process.stderr is not None
        output = ""
        with anyio.fail_after(60):
            while not (found := re.search(r"ws://127\.0\.0\.1:(\d+)\S+", output)):
                output += (await process.stderr.receive()).decode()
        try:
            yield ExternalBrowser(process, found[1], found[0])
        finally:
            with suppress(ProcessLookupError):  # the test may have killed it
                process.kill()


@pytest.fixture
async def running(tmp_path: Path) -> AsyncIterator[ExternalBrowser]:
    async with external_browser(tmp_path / "profile") as running:
        yield running


async def test_a_browser_is_joined_by_port_http_or_websocket_and_stays_open(
    running: ExternalBrowser,
) -> None:
    for address in (running.port, f"http://127.0.0.1:{running.port}/", running.websocket):
        async with Browser.attach(address) as browser:
            assert "Chrome/" in browser.version.product
            assert len(browser.default_context.tabs) == 1
            tab = next(iter(browser.default_context.tabs.values()))
            with anyio.fail_after(60):
                await tab.ready.wait()
            assert await tab.evaluate("location.href") == "about:blank"
        assert not browser.alive
    assert running.process.returncode is None


async def test_on_disconnect_our_contexts_close_and_other_tabs_stay(
    running: ExternalBrowser, web: Web
) -> None:
    url = web.page("<title>theirs</title>")
    async with Browser.attach(running.port) as browser:
        theirs = next(iter(browser.default_context.tabs.values()))
        await theirs.goto(url)
        ours = await browser.new_context()
        await ours.new_tab(web.page("<title>ours</title>"))
    async with Browser.attach(running.port) as browser:
        tabs = [tab for context in browser.contexts for tab in context.tabs.values()]
        assert [await tab.evaluate("document.title") for tab in tabs] == ["theirs"]


async def test_two_connections_can_share_one_browser(running: ExternalBrowser) -> None:
    async with Browser.attach(running.port) as one, Browser.attach(running.port) as other:
        context = await one.new_context()
        tab = await context.new_tab()
        assert await tab.evaluate("1 + 1") == 2
        seen = next(iter(other.default_context.tabs.values()))
        assert await seen.evaluate("2 + 2") == 4


async def test_a_killed_browser_fails_all_waiting_calls(running: ExternalBrowser) -> None:
    async with Browser.attach(running.port) as browser:
        tab = next(iter(browser.default_context.tabs.values()))
        failures: list[BaseException] = []

        async def wait_for_ever() -> None:
            try:
                await tab.evaluate("new Promise(() => {})")
            except BrowserGone as gone:
                failures.append(gone)

        with anyio.fail_after(60):
            async with anyio.create_task_group() as group:
                group.start_soon(wait_for_ever)
                await tab.evaluate("1")
                running.process.kill()
            await browser.wait_until_gone()
        assert [str(failure) for failure in failures] == [
            "The browser is gone: the WebSocket closed (without a close frame). Call again; a new browser starts."
        ]
        with pytest.raises(BrowserGone):
            await browser.new_context()


async def closed_port() -> int:
    async with await anyio.create_tcp_listener(local_host="127.0.0.1") as listener:
        return int(listener.extra(anyio.abc.SocketAttribute.local_port))


async def test_a_closed_port_is_reported_as_no_browser() -> None:
    port = await closed_port()
    for address in (str(port), f"http://127.0.0.1:{port}", f"ws://127.0.0.1:{port}/devtools/browser/x"):
        with pytest.raises(BrowserGone, match="No browser answers at"):
            async with Browser.attach(address):
                raise AssertionError


async def test_a_web_server_is_not_a_browser(web: Web) -> None:
    web.page("hello", "/json/version")
    for address in (web.url, web.url.replace("http", "ws")):
        with pytest.raises(BrowserGone, match="No browser answers at"):
            async with Browser.attach(address):
                raise AssertionError


@pytest.mark.parametrize("address", ["", "localhost:9222", "ftp://x", "ws://", "ws:///devtools", "99999999"])
async def test_an_invalid_address_is_refused(address: str) -> None:
    with pytest.raises((InvalidArgs, BrowserGone)):
        async with Browser.attach(address):
            raise AssertionError


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("ws://127.0.0.1:99999/x", "ws://127.0.0.1:99999/x"),
        ("ws://127.0.0.1:-1/x", "ws://127.0.0.1:-1/x"),
        ("ws://[::1", "ws://[::1"),
        ("ws://h:abc/", "ws://h:abc/"),
        ("ws://", "ws://"),
        (f"ws://{'x' * 64}/", f"ws://{'x' * 64}/"),
        ("wss://user:secret@h:abc/", "wss://•••@h:abc/"),
        ("ws://user:sec/ret@h:abc/", "ws://•••@h:abc/"),
    ],
)
async def test_an_invalid_websocket_address_is_refused_without_its_password(address: str, shown: str) -> None:
    with pytest.raises(InvalidArgs) as refused:
        async with Browser.attach(address):
            raise AssertionError
    assert refused.value.message == f"{shown} is not a WebSocket address."


async def test_errors_do_not_contain_the_password_of_an_address(web: Web) -> None:
    port = await closed_port()
    for scheme, shown in (
        ("ws", f"ws://•••@127.0.0.1:{port}"),
        ("http", f"http://•••@127.0.0.1:{port}/json/version"),
        ("ftp", f"'ftp://•••@127.0.0.1:{port}'"),
    ):
        with pytest.raises((BrowserGone, InvalidArgs)) as failed:
            async with Browser.attach(f"{scheme}://user:secret@127.0.0.1:{port}"):
                raise AssertionError
        assert shown in str(failed.value)
        assert "secret" not in str(failed.value)


async def test_a_websocket_with_another_protocol_is_not_a_browser() -> None:
    async def chat(socket: ServerConnection) -> None:
        await socket.send("hello")
        await socket.wait_closed()

    async with serve(chat, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        with anyio.fail_after(60):
            with pytest.raises(BrowserGone, match="invalid protocol message"):
                async with Browser.attach(f"ws://127.0.0.1:{port}/"):
                    raise AssertionError


async def test_a_huge_answer_does_not_disturb_the_same_socket(running: ExternalBrowser, web: Web) -> None:
    async with Browser.attach(running.websocket) as browser:
        context = await browser.new_context()
        one = await context.new_tab(web.page("<title>One</title>"))
        other = await context.new_tab(web.page("<title>Other</title>"))
        large = one.session.start("Runtime.evaluate", expression="'ä'.repeat(1e7)", returnByValue=True)
        assert await other.title() == "Other"
        assert len((await large)["result"]["value"]) == 10_000_000
        assert [await tab.title() for tab in (one, other)] == ["One", "Other"]
        await context.close()
