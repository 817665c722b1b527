"""Whether the processes of a browser were at work between two looks."""

import anyio
import pytest

from tabwright.browser.page.process_activity import Work, work_of
from tabwright.cdp import Connection
from tests.fakes.chrome import FakeChrome


@pytest.mark.parametrize(
    ("later", "worked"),
    [
        (Work(10.0, 5), False),
        (Work(10.01, 5), False),  # what an idle page uses
        (Work(10.1, 5), True),
        (Work(10.0, 6), True),  # its program is still being read from the disk
    ],
)
def test_a_process_that_computes_or_waits_for_the_disk_is_at_work(later: Work, worked: bool) -> None:
    assert later.since(Work(10.0, 5)) is worked


@pytest.mark.parametrize(
    ("page", "seconds"),
    [(None, 7.0), (12, 2.0), (99, 7.0)],
    ids=["not known", "known", "known wrongly"],
)
async def test_the_work_of_a_page_is_that_of_its_own_process_where_it_is_known(
    page: int | None, seconds: float
) -> None:
    chrome = FakeChrome()
    processes = [(10, "browser", 100.0), (11, "renderer", 5.0), (12, "renderer", 2.0)]
    told = [{"id": pid, "type": kind, "cpuTime": used} for pid, kind, used in processes]
    works: list[Work] = []
    async with Connection.open(chrome) as connection, anyio.create_task_group() as group:
        await chrome.running.wait()

        async def ask() -> None:
            works.append(await work_of(connection.root, page))

        group.start_soon(ask)
        chrome.answer(await chrome.call("SystemInfo.getProcessInfo"), processInfo=told)
    assert [work.seconds for work in works] == [seconds]
