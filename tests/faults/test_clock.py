"""The clock is changed by a day during work: deadlines, idle times and saved sessions."""

import time
from pathlib import Path

import anyio
import pytest

from tabwright.errors import TimedOut
from tests.faults.hub_core import HubCore, open_hub_core
from tests.web import Web, never

DAY = 24 * 60 * 60.0


@pytest.mark.parametrize("jump", [DAY, -DAY], ids=["ahead", "back"])
async def test_a_clock_jump_of_a_day_ends_no_wait_and_no_session(
    tmp_path: Path, web: Web, monkeypatch: pytest.MonkeyPatch, jump: float
) -> None:
    page, stuck = web.page("<title>Basket</title>", "/basket"), web.route("/stuck", lambda _: never())
    real = time.time
    async with open_hub_core(tmp_path) as hub:
        await hub.do("navigate", url=page)
        async with anyio.create_task_group() as group:
            group.start_soon(waits_for_its_timeout, hub, stuck)
            await web.wait_for_request("/stuck")
            monkeypatch.setattr(time, "time", lambda: real() + jump)
        tabs = await hub.do("list_tabs")
        assert tabs.text == f"t1 (current): {page}"
        await hub.kill_browser()
        back = await hub.do("list_tabs")
        assert back.text.startswith("Session shop is back: 1 tab, from ")
        assert len(tuple(hub.runner.sessions)) == 2
    async with open_hub_core(tmp_path) as hub:
        again = await hub.do("list_tabs")
        assert again.text.startswith("Session shop is back: 1 tab, from ")
        assert " s ago." in again.text


async def waits_for_its_timeout(hub: HubCore, url: str) -> None:
    start = time.monotonic()
    with pytest.raises(TimedOut, match=r"^The page did not reach load in 2 s: "):
        await hub.do("navigate", session="stuck", url=url, timeout=2.0)
    assert 2.0 <= time.monotonic() - start < 20.0
