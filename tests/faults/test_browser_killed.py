"""A browser killed during any kind of call fails it at once, and the session is restored."""

import os
import signal
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio
import orjson
import pytest

from tabwright.browser.process.launch import LaunchOptions
from tabwright.errors import BrowserGone
from tests.fakes.transport import Fault
from tests.faults.hub_core import FaultyLaunch, HubCore, open_hub_core
from tests.processes import wait_for_group_exit
from tests.web import Response, Web

ROWS = "".join(f"<li>row {number} <b>of</b> <a href=#{number}>many</a>" for number in range(400))
PAGE = f"""<title>Shop</title><label>Name <input></label><input type=file>
<button onclick="for (const li of document.querySelectorAll('li')) li.textContent += '.'">Save</button>
<a href=/file download>File</a><script>localStorage.basket = 'full'</script><ul>{ROWS}</ul>"""

ACTIONS: list[tuple[str, dict[str, Any]]] = [
    ("navigate", {"url": "/other"}),
    ("reload", {}),
    ("click", {"target": "text=Save"}),
    ("fill", {"target": "label=Name", "value": "Ann"}),
    ("type_text", {"target": "label=Name", "text": "Ann and Bob"}),
    ("upload", {"target": "css=[type=file]", "paths": ["file.txt"]}),
    ("snapshot", {}),
    ("evaluate", {"script": "new Promise(done => setTimeout(done, 200))"}),
    ("screenshot", {"full_page": True}),
    ("pdf", {}),
    ("wait_for", {"target": "#never", "timeout": 20}),
    ("harvest", {"most": 50}),
    ("new_tab", {}),
    ("get_cookies", {}),
]


@pytest.fixture(scope="module")
def launch() -> FaultyLaunch:
    return FaultyLaunch()


@pytest.fixture(scope="module")
async def hub(
    anyio_backend: str, launch: FaultyLaunch, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[HubCore]:
    async with open_hub_core(tmp_path_factory.mktemp("hub"), launch=launch) as hub:
        (hub.folder / "file.txt").write_text("file")
        yield hub


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("action", "args"), ACTIONS, ids=[action for action, _ in ACTIONS])
async def test_a_browser_killed_during_a_call_fails_only_that_call(
    hub: HubCore, launch: FaultyLaunch, web: Web, action: str, args: dict[str, Any]
) -> None:
    page, other = web.page(PAGE, "/shop"), web.page("<title>Other</title>", "/other")
    args = args | ({"url": other} if "url" in args else {})
    middle = 1
    if action != "wait_for":
        await hub.do("navigate", url=page)
        launch.wire.expect(None)
        await hub.do(action, **args)
        middle = max(1, launch.wire.passed["to"] // 2)
        await hub.clear()
    await hub.do("navigate", url=page)
    await wait_until_saved(hub, "/shop")
    browser = await hub.supervisor.browser()
    folders = folders_of(os.getpid())
    assert browser.pid is not None
    launch.wire.end = lambda: os.kill(browser.pid or 0, signal.SIGKILL)
    launch.wire.expect(Fault("to", middle, "end"))
    with anyio.fail_after(60), pytest.raises(BrowserGone) as gone:
        await hub.do(action, **args)
    assert str(gone.value) == (
        "The browser is gone: the browser closed its pipe. Call again; a new browser starts."
    )
    with anyio.fail_after(60):
        answer = await hub.do("get_storage")
        await wait_for_group_exit(browser.pid)
    assert answer.text.startswith("Session shop is back: 1 tab, from ")
    assert "basket" in answer.text
    assert folders_of(os.getpid()) == folders
    await hub.clear()
    await hub.wait_until_nothing_left()


async def test_a_tab_that_never_got_ready_is_not_used() -> None:
    launch = FaultyLaunch()
    async with launch(LaunchOptions(), None) as browser:
        context = await browser.new_context()
        assert browser.pid is not None
        launch.wire.end = lambda: os.kill(browser.pid or 0, signal.SIGKILL)
        launch.wire.expect(Fault("to", 2, "end"))  # the first message to the new tab
        with anyio.fail_after(60), pytest.raises(BrowserGone):
            await context.new_tab()


async def test_a_full_disk_fails_downloads_but_nothing_else(tmp_path: Path, web: Web) -> None:
    (tmp_path / "downloads").write_text("a file where the folder should be")
    async with open_hub_core(tmp_path) as hub:
        assert "(200 OK)" in (await hub.do("navigate", url=web.page("<title>Works</title>"))).text
        await hub.clear()
        await hub.wait_until_nothing_left()


async def wait_until_saved(hub: HubCore, what: str) -> None:
    """Wait until the session's state was saved, soon after a call."""
    [session] = hub.runner.sessions
    with anyio.fail_after(60):
        while what not in orjson.dumps(session.state).decode():
            await session.context.browser.root.send("Browser.getVersion")


def folders_of(pid: int) -> int:
    return len(list(Path(tempfile.gettempdir()).glob(f"tabwright-{pid}-*")))


async def test_a_browser_killed_during_a_download_leaves_no_wait_and_no_file(hub: HubCore, web: Web) -> None:
    async def endless() -> AsyncIterator[bytes]:
        yield b"x" * 100_000
        await anyio.sleep_forever()

    web.route("/file", lambda _: Response(endless(), headers={"content-disposition": "attachment"}))
    await hub.do("navigate", url=web.page(PAGE, "/shop"))
    await hub.do("click", target="text=File")
    await web.wait_for_request("/file")
    [session] = hub.runner.sessions
    with anyio.fail_after(60):
        await session.context.downloads.until(lambda: any(one.received for one in session.context.downloads))

    async def wait() -> None:
        with pytest.raises(BrowserGone):
            await hub.do("wait_for_download", id="d1")

    with anyio.fail_after(60):
        async with anyio.create_task_group() as group:
            group.start_soon(wait)
            await anyio.wait_all_tasks_blocked()
            await hub.kill_browser()
    with anyio.fail_after(60):
        assert (await hub.do("get_page")).text.startswith("Session shop is back: 1 tab, from ")
    assert [path for path in (hub.folder / "downloads").rglob("*") if path.is_file()] == []
    await hub.clear()
