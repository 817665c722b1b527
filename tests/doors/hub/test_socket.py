"""The hub as a process: shared by all clients, private to its user, exits when idle, leaves nothing behind."""

import signal
import stat
from pathlib import Path

import anyio
import psutil
import pytest

from tabwright import __version__
from tabwright.doors.wire.handshake import Hello
from tabwright.doors.wire.hub_client import HubRefused, ask, join
from tests.doors.mcp.agents import hub_of
from tests.processes import kill_and_wait, wait_for_exit
from tests.web import Web


@pytest.fixture
def open_folder(tmp_path: Path) -> Path:
    tmp_path.chmod(0o755)
    return tmp_path


async def test_agents_started_at_the_same_time_share_one_hub(tmp_path: Path) -> None:
    async def start() -> None:
        async with hub.start_proxy() as proxy:
            await proxy.agent.initialize()
            seen.add(hub.pid)

    seen: set[int] = set()
    async with hub_of(tmp_path) as hub:
        async with anyio.create_task_group() as group:
            for _ in range(4):
                group.start_soon(start)
        assert len(seen) == 1
    assert (tmp_path / "hub.log").read_text().count(" listens at ") == 1


async def test_an_idle_hub_is_replaced_by_another_version(tmp_path: Path) -> None:
    async with hub_of(tmp_path) as hub:
        async with hub.start_proxy() as proxy:
            await proxy.agent.initialize()
            old = hub.pid
        welcome = await anyio.to_thread.run_sync(ask, hub.home, Hello("mcp", "0.0.1"))
        assert welcome is not None
        assert welcome.leaving
        assert hub.status() is None
        async with hub.start_proxy() as proxy:
            await proxy.agent.initialize()
            assert hub.pid != old


async def test_a_hub_in_use_refuses_another_version_with_a_reason(tmp_path: Path) -> None:
    async with hub_of(tmp_path) as hub, hub.start_proxy() as proxy:
        await proxy.agent.initialize()
        with pytest.raises(HubRefused) as refused:
            await anyio.to_thread.run_sync(join, hub.home, Hello("mcp", "0.0.1"))
        assert str(refused.value) == (
            f"A hub of version {__version__} (process {hub.pid}) serves 1 client; this is version 0.0.1. "
            "Wait until they are done, or stop it: tabwright hub stop"
        )
        assert (await proxy.agent.request("ping"))["result"] == {}


async def test_only_the_user_can_access_the_socket(open_folder: Path) -> None:
    async with hub_of(open_folder) as hub, hub.start_proxy() as proxy:
        await proxy.agent.initialize()
        assert _mode(open_folder) == 0o700
        assert _mode(hub.home.socket) == 0o600


async def test_a_hub_starts_despite_the_socket_of_a_killed_one(tmp_path: Path) -> None:
    async with hub_of(tmp_path) as hub:
        async with hub.start_proxy() as proxy:
            await proxy.agent.initialize()
            old = hub.pid
            await kill_and_wait(old, signal.SIGKILL)
        assert hub.home.socket.exists()
        async with hub.start_proxy() as proxy:
            await proxy.agent.initialize()
            assert hub.pid != old


async def test_an_idle_hub_exits(tmp_path: Path) -> None:
    async with hub_of(tmp_path, hub_idle_seconds="0.3") as hub:
        async with hub.start_proxy() as proxy:
            await proxy.agent.initialize()
            process = psutil.Process(hub.pid)
        await wait_for_exit(process)
        assert not hub.home.socket.exists()


@pytest.mark.parametrize("signals", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
async def test_the_browser_exits_however_the_hub_ends(
    tmp_path: Path, web: Web, signals: signal.Signals
) -> None:
    async with hub_of(tmp_path) as hub, hub.start_proxy() as proxy:
        await proxy.agent.initialize()
        await proxy.agent.text("navigate", url=web.page("<p>page"))
        process = psutil.Process(hub.pid)
        own = [process, *process.children(recursive=True)]
        assert len(own) > 3
        process.send_signal(signals)
        for one in own:
            await wait_for_exit(one)


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


async def test_a_hub_that_cannot_start_is_reported_with_its_log(tmp_path: Path) -> None:
    (tmp_path / "tabwright.toml").write_text("headless = 'perhaps'")
    async with hub_of(tmp_path) as hub, hub.start_proxy() as proxy:
        code, error = await proxy.exit_output()
        assert code == 1
        assert error == (
            "tabwright: The hub could not be started. Run `tabwright doctor`; "
            f"its log is {tmp_path}/hub.log.\n"
        )
        assert "headless" in hub.home.log.read_text()
