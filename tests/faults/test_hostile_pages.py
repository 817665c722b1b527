"""Pages that do too much of everything: each costs one clear answer, and the session works on."""

import zlib
from collections.abc import AsyncIterator
from typing import Any

import anyio
import pytest

from tabwright.browser.process.launch import LaunchOptions
from tabwright.errors import TabwrightError
from tabwright.sessions.registry import Limits
from tests.faults.desk import Desk, desk_in
from tests.web import Response, Web, never

MEGABYTE = 1024 * 1024


@pytest.fixture(scope="module")
async def desk_of_all(anyio_backend: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Desk]:
    limits = Limits(download_bytes=4 * MEGABYTE)
    options = LaunchOptions(page_bytes=200 * MEGABYTE)
    async with desk_in(tmp_path_factory.mktemp("desk"), limits=limits, options=options) as desk:
        yield desk


@pytest.fixture
async def desk(desk_of_all: Desk, web: Web) -> AsyncIterator[Desk]:
    """A desk whose session works after whatever a page did, and of which nothing is left."""
    browser = await desk_of_all.supervisor.browser()
    yield desk_of_all
    assert await desk_of_all.supervisor.browser() is browser
    with anyio.fail_after(40):
        for session in ("shop", "other"):
            next_page = web.page("<title>Next</title>")
            answer = await desk_of_all.do("navigate", session=session, url=next_page)
            assert answer.text == f"Navigated to {next_page} (200 OK)"
        await desk_of_all.clear()
        await desk_of_all.nothing_left()
    assert all(path.suffix != ".crdownload" for path in (desk_of_all.folder / "downloads").rglob("*"))


async def outcome(desk: Desk, action: str, **args: Any) -> str:
    """Run an action; return its text, or the class of its failure and its words."""
    try:
        return (await desk.do(action, **args)).text
    except TabwrightError as error:
        return f"{error.kind.__name__}: {error.message}"


async def test_a_crash_is_told_to_the_call_under_way_and_to_the_next(desk: Desk, web: Web) -> None:
    url = web.page("<title>Page</title>")
    await desk.do("navigate", url=url)
    [session] = desk.runner.sessions
    told: list[str] = []

    async def wait() -> None:
        told.append(await outcome(desk, "wait_for", target="#never"))

    with anyio.fail_after(20):
        async with anyio.create_task_group() as group:
            group.start_soon(wait)
            await anyio.wait_all_tasks_blocked()
            session.tabs[0].session.post("Page.crash")
        told.append(await outcome(desk, "snapshot"))
        assert told == [f"PageFailed: The page {url} crashed."] * 2
        assert await outcome(desk, "reload") == f"Navigated to {url} (200 OK)"


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "script",
    ["for (;;);", "(async () => { for (;;) await null })()", "/^(a+)+$/.test('a'.repeat(60) + 'b')"],
    ids=["loop", "microtasks", "expression"],
)
async def test_a_script_without_end_is_stopped(desk: Desk, web: Web, script: str) -> None:
    button = f'<title>Page</title><button onclick="setTimeout(() => {{ {script} }})">Hang</button>'
    await desk.do("navigate", url=web.page(button))
    with anyio.fail_after(30):
        assert (await outcome(desk, "click", target="text=Hang")).startswith('Clicked button "Hang".')
        assert "Hang" in await outcome(desk, "snapshot")
        told = await outcome(desk, "evaluate", script=script, timeout=1)
        assert told in (
            "TimedOut: The script did not end in 1 s.",
            "PageFailed: The page hung and could not be interrupted, so its process was killed.",
        )


async def test_alerts_without_end_are_a_page_that_can_be_left(desk: Desk, web: Web) -> None:
    storm = web.page("<title>Storm</title><script>for (;;) alert('again')</script>")
    with anyio.fail_after(40):
        told = [await outcome(desk, "navigate", url=storm)]
        while told[-1].startswith("Accepted") or len(told) == 1:
            told.append(await outcome(desk, "answer_dialog"))
    assert told[0] == 'Blocked: The page shows an alert dialog "again".'
    assert told[-1] == "PageFailed: The page opens dialogs without end, so its process was killed."
    assert len(told) < 20


async def test_a_thousand_windows_are_one(desk: Desk, web: Web) -> None:
    web.page("<title>Popup</title>", "/popup")
    button = "<button onclick=\"for (let n = 0; n < 1000; n++) window.open('/popup')\">Open</button>"
    await desk.do("navigate", url=web.page(button))
    with anyio.fail_after(60):
        await outcome(desk, "click", target="text=Open", timeout=30)
        assert len((await outcome(desk, "list_tabs")).splitlines()) == 2


async def test_going_in_circles_is_told(desk: Desk, web: Web) -> None:
    circle = web.route("/circle", lambda _: Response(status=302, headers={"location": "/circle"}))
    here = web.page("<title>Round</title><script>location.search = Math.random()</script>")
    with anyio.fail_after(40):
        assert "the server redirected too many times" in await outcome(desk, "navigate", url=circle)
        assert (await outcome(desk, "navigate", url=here)).startswith("PageFailed: ")


async def test_printing_and_leaving_hold_nobody_up(desk: Desk, web: Web) -> None:
    page = web.page("<title>Page</title><button onclick='print()'>Print</button>")
    await desk.do("navigate", url=page)
    with anyio.fail_after(20):
        assert (await outcome(desk, "click", target="text=Print")).startswith('Clicked button "Print".')
        await desk.do("evaluate", script="onbeforeunload = event => event.preventDefault()")
        for _ in range(2):
            assert (
                await outcome(desk, "navigate", url=page) == "Blocked: The page shows a beforeunload dialog."
            )
        assert (await outcome(desk, "answer_dialog")).startswith("Accepted the beforeunload dialog")


async def test_a_server_that_says_nothing_is_told_in_time(desk: Desk, web: Web) -> None:
    with anyio.fail_after(10):
        told = await outcome(desk, "navigate", url=web.route("/never", lambda _: never()), timeout=1)
    assert told == "TimedOut: The page did not reach load in 1 s: the server has not answered."


@pytest.mark.parametrize(
    "page",
    [
        "<script>fetch('/endless').then(answer => answer.arrayBuffer())</script>",
        "<script>fetch('/bomb').then(answer => answer.arrayBuffer()).then(all => window.all = all)</script>",
        "<script>const all = []; setInterval(() => all.push(new Uint8Array(2e7).fill(1)), 20)</script>",
    ],
    ids=["response", "compressed", "buffers"],
)
async def test_a_page_that_takes_all_memory_loses_its_process(desk: Desk, web: Web, page: str) -> None:
    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield b"x" * MEGABYTE

    web.route("/endless", lambda _: Response(endless()))
    web.route("/bomb", lambda _: Response(bomb(), headers={"content-encoding": "gzip"}))
    url = web.page(f"<title>Hungry</title>{page}")
    with anyio.fail_after(60):
        await outcome(desk, "navigate", url=url)
        told = await outcome(desk, "wait_for", target="#never", timeout=50)
    assert told == f"PageFailed: The page {url} used more than 200 MB of memory, so its process was killed."


def bomb() -> bytes:
    """Some hundred kilobytes that are 400 megabytes."""
    packer = zlib.compressobj(1, wbits=31)
    return b"".join([*(packer.compress(bytes(MEGABYTE)) for _ in range(400)), packer.flush()])


async def test_a_file_without_end_is_stopped_at_what_a_session_may_take(desk: Desk, web: Web) -> None:
    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield b"x" * MEGABYTE

    web.route("/file", lambda _: Response(endless(), headers={"content-disposition": "attachment"}))
    await desk.do("navigate", url=web.page("<a href=/file download>File</a>"))
    with anyio.fail_after(60):
        await desk.do("click", target="text=File")
        await web.requested("/file")
        assert await outcome(desk, "wait_for_download", id="d1") == (
            'Blocked: The download of "file.html" was stopped: the limit of a session is 4 MB.'
        )
        assert (await outcome(desk, "list_downloads")).startswith("d1 file.html canceled ")


async def test_a_flood_of_files_is_ten(desk: Desk, web: Web) -> None:
    """Chrome asks a person before the eleventh; nobody answers."""
    web.route("/file", lambda _: Response("x", headers={"content-disposition": "attachment"}))
    flood = "for (let n = 0; n < 200; n++) { link.href = '/file?' + n; link.click() }"
    await desk.do(
        "navigate", url=web.page(f'<a id=link download></a><button onclick="{flood}">Flood</button>')
    )
    with anyio.fail_after(60):
        await desk.do("click", target="text=Flood")
        [session] = desk.runner.sessions
        await session.context.downloads.until(lambda: len(session.context.downloads) == 10)
        assert len((await outcome(desk, "list_downloads")).splitlines()) == 10


async def test_a_console_flood_and_a_huge_result_are_bounded(desk: Desk, web: Web) -> None:
    await desk.do("navigate", url=web.page("<title>Loud</title>"))
    with anyio.fail_after(60):
        await desk.do("evaluate", script="for (let n = 0; n < 20000; n++) console.log('line ' + n); 1")
        huge = await outcome(desk, "evaluate", script="'x'.repeat(2e8)")
        assert huge.startswith("PageFailed: ")
        assert len(huge) < 500
        assert len(await outcome(desk, "get_console")) < 20_000
