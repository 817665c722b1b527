"""Whether the processes of a browser were busy between two readings."""

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
    ],
)
def test_a_process_that_computes_or_waits_for_the_disk_is_busy(later: Activity, busy: bool) -> None:
    assert later.is_busy_since(Activity(10.0, 5)) is busy


@pytest.mark.parametrize(
    ("page", "seconds"),
    [(None, 7.0), (12, 2.0), (99, 7.0)],
    ids=["not known", "known", "known wrongly"],
)
async def test_the_activity_of_a_page_is_that_of_its_process_if_known(
    page: int | None, seconds: float
) -> None:
    chrome = FakeChrome()
    processes = [(10, "browser", 100.0), (11, "renderer", 5.0), (12, "renderer", 2.0)]
    infos = [{"id": pid, "type": kind, "cpuTime": used} for pid, kind, used in processes]
    read: list[Activity] = []
    async with Connection.open(chrome) as connection, anyio.create_task_group() as group:
        await chrome.running.wait()

        async def ask() -> None:
            read.append(await read_activity(connection.root, page))

        group.start_soon(ask)
        chrome.answer(await chrome.call("SystemInfo.getProcessInfo"), processInfo=infos)
    assert [activity.seconds for activity in read] == [seconds]
