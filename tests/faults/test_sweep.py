"""One protocol message lost, delayed or duplicated anywhere in a call: nothing hangs, and nothing is left."""

import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import anyio
import pytest

from tabwright.errors import Blocked, BrowserGone, NotFound, PageFailed, Stale, TimedOut
from tests.fakes.transport import KINDS, WAYS, Fault, Way
from tests.faults.hub_core import FaultyLaunch, HubCore, open_hub_core
from tests.web import Web

PAGE = """<title>Page</title><h1>Page</h1><label>Name <input></label>
<button onclick="setTimeout(() => this.textContent = 'done')">Save</button>"""

# Seconds that one call may take; creating and closing things has its own limits.
DEADLINE = 2.0
# Faults per scenario in an ordinary run, sampled by the same rule each time.
SAMPLE = 5

# Errors that a fault may cause; not InvalidArgs or Internal.
CLEAR = (NotFound, Stale, Blocked, TimedOut, PageFailed, BrowserGone)

Scenario = Callable[[HubCore, str], Awaitable[object]]


async def snapshot_and_click(hub: HubCore, url: str) -> None:
    await hub.do("navigate", url=url, timeout=1)
    await hub.do("snapshot")
    await hub.do("click", target="text=Save", timeout=1)


async def fill(hub: HubCore, url: str) -> None:
    await hub.do("navigate", url=url, timeout=1)
    await hub.do("fill", target="label=Name", value="Ann", timeout=1)


async def open_and_close(hub: HubCore, url: str) -> None:
    await hub.do("new_tab", url=url)
    second = await hub.do("new_tab")
    await hub.do("close_tab", id=second.result.model_dump()["tabs"][-1]["id"])


async def take_screenshot(hub: HubCore, url: str) -> None:
    await hub.do("navigate", url=url, timeout=1)
    await hub.do("screenshot", full_page=True)


@pytest.fixture
def launch() -> FaultyLaunch:
    return FaultyLaunch()


@pytest.fixture
async def hub(tmp_path: Path, launch: FaultyLaunch) -> AsyncIterator[HubCore]:
    async with open_hub_core(tmp_path, launch=launch, deadline=DEADLINE) as hub:
        await hub.supervisor.browser()
        yield hub


@pytest.mark.parametrize("scenario", [snapshot_and_click, fill, open_and_close, take_screenshot])
async def test_a_lost_or_duplicate_message_neither_hangs_a_call_nor_leaks(
    hub: HubCore, launch: FaultyLaunch, web: Web, scenario: Scenario, pytestconfig: pytest.Config
) -> None:
    url = web.page(PAGE)
    await scenario(hub, url)
    await hub.clear()
    launch.wire.expect(None)
    await scenario(hub, url)
    passed = dict(launch.wire.passed)
    await hub.clear()
    faults = sample_faults(passed, everything=pytestconfig.getoption("--whole-sweep"))
    harm = [await inject(hub, launch, scenario, url, fault) for fault in faults]
    assert [line for line in harm if line] == []


async def test_a_busy_session_does_not_wait_for_one_that_is_slow_to_create(
    hub: HubCore, launch: FaultyLaunch
) -> None:
    await hub.do("get_page")
    launch.wire.expect(Fault("to", 1, "held"))
    async with anyio.create_task_group() as group:
        group.start_soon(lambda: hub.do("get_page", session="slow"))
        with anyio.fail_after(60):
            while not launch.wire.met:
                await anyio.lowlevel.checkpoint()
            assert (await hub.do("get_page")).text == 'about:blank ""'
        launch.wire.release()
    assert {session.name for session in hub.runner.sessions} == {"shop", "slow"}


async def test_a_context_that_was_created_twice_exists_once(hub: HubCore, launch: FaultyLaunch) -> None:
    launch.wire.expect(Fault("to", 1, "twice"))
    assert (await hub.do("get_page")).text == 'about:blank ""'
    assert launch.wire.met["method"] == "Target.createBrowserContext"
    await hub.clear()
    await hub.wait_until_nothing_left()


async def inject(hub: HubCore, launch: FaultyLaunch, scenario: Scenario, url: str, fault: Fault) -> str:
    """Inject one fault: calls fail in time and the next one works; return what went wrong."""
    launch.wire.expect(fault)
    try:
        with anyio.fail_after(60), suppress(*CLEAR):
            await scenario(hub, url)
        launch.wire.expect(None)
        with anyio.fail_after(60):
            await hub.do("list_tabs")
            answer = await hub.do("get_page", session="fresh")
            await hub.clear()
        assert answer.text == 'about:blank ""'
        await hub.wait_until_nothing_left()
    except Exception as error:
        await hub.clear()
        return f"{fault} {launch.wire.met!r:.300}: {error!r}"
    return ""


def sample_faults(passed: dict[Way, int], *, everything: bool) -> list[Fault]:
    faults = [Fault(way, n + 1, kind) for way in WAYS for n in range(passed[way]) for kind in KINDS]
    return faults if everything else random.Random(1).sample(faults, SAMPLE)
