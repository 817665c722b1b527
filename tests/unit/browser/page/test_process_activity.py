"""Whether the processes of a browser were busy between two readings."""

import subprocess
import sys

import anyio
import pytest

from tabwright.browser.page.process_activity import Activity, read_activity
from tabwright.cdp import Connection
from tests.fakes.chrome import FakeChrome


@pytest.mark.parametrize(
    ("later", "busy"),
    [
        (Activity(10.0, 5), False),
        (Activity(10.01, 5), False),  # what an idle page uses
        (Activity(10.1, 5), True),
        (Activity(10.0, 6), True),  # its program is still being read from disk
        (Activity(10.0, 5, ready=True), True),  # it waits for a processor
    ],
)
def test_a_process_that_computes_or_waits_for_disk_or_processor_is_busy(later: Activity, busy: bool) -> None:
    assert later.is_busy_since(Activity(10.0, 5)) is busy


@pytest.mark.parametrize(
    ("page", "seconds"),
    [(None, 7.0), (12, 2.0), (99, 7.0)],
    ids=["not known", "known", "known wrongly"],
)
async def test_the_activity_of_a_page_is_that_of_its_process_if_known(
    page: int | None, seconds: float
) -> None:
    processes = [(10, "browser", 100.0), (11, "renderer", 5.0), (12, "renderer", 2.0)]
    assert (await read(processes, page)).seconds == seconds


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux reports the state of other processes")
@pytest.mark.parametrize(("script", "ready"), [("while True: pass", True), ("input()", False)])
async def test_a_page_that_computes_is_ready_however_little_time_it_gets(script: str, ready: bool) -> None:
    program = [sys.executable, "-c", f"print('started', flush=True)\n{script}"]
    async with await anyio.open_process(program, stdin=subprocess.PIPE) as process:
        assert process.stdout is not None
        await process.stdout.receive()
        processes = [(process.pid, "renderer", 1.0)]
        with anyio.fail_after(60):
            while (await read(processes, process.pid)).ready is not ready:
                await anyio.lowlevel.checkpoint()
        process.kill()


async def read(processes: list[tuple[int, str, float]], page: int | None) -> Activity:
    """Read the activity of a browser with these processes: id, type, processor seconds."""
    chrome = FakeChrome()
    infos = [{"id": pid, "type": kind, "cpuTime": used} for pid, kind, used in processes]
    activities: list[Activity] = []
    async with Connection.open(chrome) as connection, anyio.create_task_group() as group:
        await chrome.running.wait()

        async def ask() -> None:
            activities.append(await read_activity(connection.root, page))

        group.start_soon(ask)
        chrome.answer(await chrome.call("SystemInfo.getProcessInfo"), processInfo=infos)
    return activities[0]
