"""Hostile pages: each gets one clear answer, and the session keeps working."""

import zlib
from collections.abc import AsyncIterator
from typing import Any

import anyio
import pytest

from tabwright.browser.process.launch import LaunchOptions
from tabwright.errors import TabwrightError
from tabwright.sessions.limits import Limits
from tests.faults.hub_core import HubCore, open_hub_core
from tests.web import Response, Web, never

MEGABYTE = 1024 * 1024


@pytest.fixture(scope="module")
async def shared_hub(anyio_backend: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[HubCore]:
    limits = Limits(download_bytes=4 * MEGABYTE)
    options = LaunchOptions(page_bytes=200 * MEGABYTE)
    async with open_hub_core(tmp_path_factory.mktemp("hub"), limits=limits, options=options) as hub:
        yield hub


@pytest.fixture
async def hub(shared_hub: HubCore, web: Web) -> AsyncIterator[HubCore]:
    """A hub whose session works after each test, and that leaves nothing behind."""
    browser = await shared_hub.supervisor.browser()
    yield shared_hub
    assert await shared_hub.supervisor.browser() is browser
    with anyio.fail_after(60):
        for session in ("shop", "other"):
            next_page = web.page("<title>Next</title>")
            answer = await shared_hub.do("navigate", session=session, url=next_page)
            assert answer.text == f"Navigated to {next_page} (200 OK)"
        await shared_hub.clear()
        await shared_hub.wait_until_nothing_left()
    assert all(path.suffix != ".crdownload" for path in (shared_hub.folder / "downloads").rglob("*"))


async def outcome(hub: HubCore, action: str, **args: Any) -> str:
    """Run an action; return its text, or the class and message of its error."""
    try:
        return (await hub.do(action, **args)).text
    except TabwrightError as error:
        return f"{error.kind.__name__}: {error.message}"


async def test_a_crash_fails_the_running_call_and_the_next(hub: HubCore, web: Web) -> None:
    url = web.page("<title>Page</title>")
    await hub.do("navigate", url=url)
    [session] = hub.runner.sessions
    reply: list[str] = []

    async def wait() -> None:
        reply.append(await outcome(hub, "wait_for", target="#never"))

    with anyio.fail_after(60):
        async with anyio.create_task_group() as group:
            group.start_soon(wait)
            await anyio.wait_all_tasks_blocked()
            session.tabs[0].session.post("Page.crash")
        reply.append(await outcome(hub, "snapshot"))
        assert reply == [f"PageFailed: The page {url} crashed."] * 2
        assert await outcome(hub, "reload") == f"Navigated to {url} (200 OK)"


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "script",
    ["for (;;);", "(async () => { for (;;) await null })()", "/^(a+)+$/.test('a'.repeat(60) + 'b')"],
    ids=["loop", "microtasks", "expression"],
)
async def test_an_endless_script_is_stopped(hub: HubCore, web: Web, script: str) -> None:
    button = f'<title>Page</title><button onclick="setTimeout(() => {{ {script} }})">Hang</button>'
    await hub.do("navigate", url=web.page(button))
    with anyio.fail_after(60):
        assert (await outcome(hub, "click", target="text=Hang")).startswith('Clicked button "Hang".')
        assert "Hang" in await outcome(hub, "snapshot")
        reply = await outcome(hub, "evaluate", script=script, timeout=1)
        assert reply in (
            "TimedOut: The script did not finish in 1 s.",
            "PageFailed: The page hung and could not be interrupted, so its process was killed.",
        )


async def test_a_page_with_endless_alerts_can_be_left(hub: HubCore, web: Web) -> None:
    storm = web.page("<title>Storm</title><script>for (;;) alert('again')</script>")
    with anyio.fail_after(60):
        reply = [await outcome(hub, "navigate", url=storm)]
        while reply[-1].startswith("Accepted") or len(reply) == 1:
            reply.append(await outcome(hub, "answer_dialog"))
    assert reply[0] == 'Blocked: The page shows an alert dialog "again".'
    assert reply[-1] == "PageFailed: The page opens dialogs without end, so its process was killed."
    assert len(reply) < 20


async def test_of_a_thousand_windows_one_opens(hub: HubCore, web: Web) -> None:
    web.page("<title>Popup</title>", "/popup")
    button = "<button onclick=\"for (let n = 0; n < 1000; n++) window.open('/popup')\">Open</button>"
    await hub.do("navigate", url=web.page(button))
    with anyio.fail_after(60):
        await outcome(hub, "click", target="text=Open", timeout=30)
        assert len((await outcome(hub, "list_tabs")).splitlines()) == 2


async def test_a_redirect_loop_is_reported(hub: HubCore, web: Web) -> None:
    circle = web.route("/circle", lambda _: Response(status=302, headers={"location": "/circle"}))
    here = web.page("<title>Round</title><script>location.search = Math.random()</script>")
    with anyio.fail_after(60):
        assert "the server redirected too many times" in await outcome(hub, "navigate", url=circle)
        assert (await outcome(hub, "navigate", url=here)).startswith("PageFailed: ")


async def test_print_and_beforeunload_dialogs_block_no_call(hub: HubCore, web: Web) -> None:
    page = web.page("<title>Page</title><button onclick='print()'>Print</button>")
    await hub.do("navigate", url=page)
    with anyio.fail_after(60):
        assert (await outcome(hub, "click", target="text=Print")).startswith('Clicked button "Print".')
        await hub.do("evaluate", script="onbeforeunload = event => event.preventDefault()")
        for _ in range(2):
            assert (
                await outcome(hub, "navigate", url=page) == "Blocked: The page shows a beforeunload dialog."
            )
        assert (await outcome(hub, "answer_dialog")).startswith("Accepted the beforeunload dialog")


async def test_a_silent_server_is_reported_in_time(hub: HubCore, web: Web) -> None:
    with anyio.fail_after(60):
        reply = await outcome(hub, "navigate", url=web.route("/never", lambda _: never()), timeout=1)
    assert reply == "TimedOut: The page did not reach load in 1 s: the server has not answered."


@pytest.mark.parametrize(
    "page",
    [
        "<script>fetch('/endless').then(answer => answer.arrayBuffer())</script>",
        "<script>fetch('/bomb').then(answer => answer.arrayBuffer()).then(all => window.all = all)</script>",
        "<script>const all = []; setInterval(() => all.push(new Uint8Array(2e7).fill(1)), 20)</script>",
    ],
    ids=["response", "compressed", "buffers"],
)
async def test_a_page_that_uses_too_much_memory_loses_its_process(hub: HubCore, web: Web, page: str) -> None:
    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield b"x" * MEGABYTE

    web.route("/endless", lambda _: Response(endless()))
    web.route("/bomb", lambda _: Response(bomb(), headers={"content-encoding": "gzip"}))
    url = web.page(f"<title>Hungry</title>{page}")
    with anyio.fail_after(60):
        await outcome(hub, "navigate", url=url)
        reply = await outcome(hub, "wait_for", target="#never", timeout=50)
    assert reply == f"PageFailed: The page {url} used more than 200 MB of memory, so its process was killed."


def bomb() -> bytes:
    """A few hundred kilobytes that decompress to 400 megabytes."""
    packer = zlib.compressobj(1, wbits=31)
    return b"".join([*(packer.compress(bytes(MEGABYTE)) for _ in range(400)), packer.flush()])


async def test_an_endless_download_is_stopped_at_the_session_limit(hub: HubCore, web: Web) -> None:
    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield b"x" * MEGABYTE

    web.route("/file", lambda _: Response(endless(), headers={"content-disposition": "attachment"}))
    await hub.do("navigate", url=web.page("<a href=/file download>File</a>"))
    with anyio.fail_after(60):
        await hub.do("click", target="text=File")
        await web.wait_for_request("/file")
        assert await outcome(hub, "wait_for_download", id="d1") == (
            'Blocked: The download of "file.html" was stopped: the limit of a session is 4 MB.'
        )
        assert (await outcome(hub, "list_downloads")).startswith("d1 file.html canceled ")


async def test_a_flood_of_downloads_is_limited_to_ten(hub: HubCore, web: Web) -> None:
    """Chrome asks the user before the eleventh; nobody answers."""
    web.route("/file", lambda _: Response("x", headers={"content-disposition": "attachment"}))
    flood = "for (let n = 0; n < 200; n++) { link.href = '/file?' + n; link.click() }"
    await hub.do(
        "navigate", url=web.page(f'<a id=link download></a><button onclick="{flood}">Flood</button>')
    )
    with anyio.fail_after(60):
        await hub.do("click", target="text=Flood")
        [session] = hub.runner.sessions
        await session.context.downloads.until(lambda: len(session.context.downloads) == 10)
        assert len((await outcome(hub, "list_downloads")).splitlines()) == 10


async def test_a_console_flood_and_a_huge_result_are_bounded(hub: HubCore, web: Web) -> None:
    await hub.do("navigate", url=web.page("<title>Loud</title>"))
    with anyio.fail_after(60):
        await hub.do("evaluate", script="for (let n = 0; n < 20000; n++) console.log('line ' + n); 1")
        huge = await outcome(hub, "evaluate", script="'x'.repeat(2e8)")
        assert huge.startswith("PageFailed: ")
        assert len(huge) < 500
        assert len(await outcome(hub, "get_console")) < 20_000
