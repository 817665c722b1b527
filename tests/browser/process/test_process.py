"""No process of the browser outlives its owner, however the owner exits."""

import fcntl
import os
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import anyio
import anyio.abc
import pytest

from tabwright.browser.browser import Browser
from tests.browser.process.test_each_browser import launch_options
from tests.processes import members, wait_for_group_exit

OWNER = """
import sys
import anyio
from tabwright.app import stop_on_signals
from tabwright.browser.browser import Browser
from tabwright.browser.process.launch import LaunchOptions

async def main():
    options = LaunchOptions(shell=sys.argv[2] == "headless-shell")
    async with stop_on_signals(), Browser.launch(options) as browser:
        tab = await browser.default_context.new_tab()
        print(browser.pid, flush=True)
        match sys.argv[1]:
            case "return": return
            case "exception": raise RuntimeError("mine")
            case "exit": sys.exit(1)
            case "busy": await tab.evaluate("for (;;);")
            case _: await anyio.sleep_forever()

anyio.run(main)
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder for temporary folders, used by this test only."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    yield tmp_path
    monkeypatch.undo()
    tempfile.tempdir = None


def folders(temporary: Path) -> list[str]:
    return sorted(folder.name for folder in temporary.glob("tabwright-*"))


@asynccontextmanager
async def owner(ending: str, kind: str = "headless-shell") -> AsyncIterator[tuple[anyio.abc.Process, int]]:
    """Start a Python process that runs a browser; yield both the process and the browser's process group."""
    async with await anyio.open_process([sys.executable, "-c", OWNER, ending, kind], stderr=None) as process:
        assert process.stdout is not None
        with anyio.fail_after(60):
            group = int((await process.stdout.receive()).decode())
        try:
            yield process, group
        finally:
            with suppress(ProcessLookupError):
                process.kill()


@pytest.mark.parametrize(("ending", "code"), [("return", 0), ("exception", 1), ("exit", 1)])
async def test_nothing_is_left_when_the_owner_exits(temporary: Path, ending: str, code: int) -> None:
    async with owner(ending) as (process, group):
        with anyio.fail_after(60):
            assert await process.wait() == code
        assert members(group) == []
    assert folders(temporary) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("ending", ["wait", "busy"])
async def test_nothing_is_left_when_the_owner_gets_a_signal(
    temporary: Path, ending: str, number: signal.Signals
) -> None:
    async with owner(ending) as (process, group):
        assert len(members(group)) > 1
        assert len(folders(temporary)) == 1
        process.send_signal(number)
        with anyio.fail_after(60):
            await process.wait()
        assert members(group) == []
    assert folders(temporary) == []


@pytest.mark.parametrize(
    ("ending", "kind"), [("wait", "headless-shell"), ("busy", "headless-shell"), ("busy", "full-chrome")]
)
async def test_no_process_outlives_a_killed_owner_and_the_next_launch_cleans_up(
    temporary: Path, ending: str, kind: str
) -> None:
    launch_options(kind)
    async with owner(ending, kind) as (process, group):
        process.kill()
        await process.wait()
        await wait_for_group_exit(group)
    assert len(folders(temporary)) == 1
    async with owner("wait") as (running, _), Browser.launch():
        left = [name for name in folders(temporary) if str(process.pid) in name.split("-")]
        assert left == []
        assert len(folders(temporary)) == 2
        running.terminate()
        await running.wait()
    assert folders(temporary) == []


async def test_a_locked_folder_is_not_deleted_even_if_its_owner_is_not_visible(
    temporary: Path,
) -> None:
    """As in another container, whose processes we cannot see."""
    foreign = temporary / "tabwright-999999999-x"
    foreign.mkdir()
    lock = os.open(foreign, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    async with Browser.launch():
        assert foreign.name in folders(temporary)
    os.close(lock)
    async with Browser.launch():
        assert foreign.name not in folders(temporary)


async def test_when_the_main_process_dies_the_rest_of_the_browser_dies_too(temporary: Path) -> None:
    async with Browser.launch() as browser:
        assert browser.pid is not None
        os.kill(browser.pid, signal.SIGKILL)
        await wait_for_group_exit(browser.pid)
    assert folders(temporary) == []
