"""However we end, no process of the browser outlives us."""

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
from tests.browser.process.test_each_browser import options_of
from tests.processes import all_gone, members

OWNER = """
import sys
import anyio
from tabwright.app import ending_on_signals
from tabwright.browser.browser import Browser
from tabwright.browser.process.launch import LaunchOptions

async def main():
    options = LaunchOptions(shell=sys.argv[2] == "headless-shell")
    async with ending_on_signals(), Browser.launch(options) as browser:
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
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A place of the test's own for throw-away folders."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    yield tmp_path
    monkeypatch.undo()
    tempfile.tempdir = None


def folders(place: Path) -> list[str]:
    return sorted(folder.name for folder in place.glob("tabwright-*"))


@asynccontextmanager
async def owner(way: str, kind: str = "headless-shell") -> AsyncIterator[tuple[anyio.abc.Process, int]]:
    """A Python process that runs a browser, and that browser's process group."""
    async with await anyio.open_process([sys.executable, "-c", OWNER, way, kind], stderr=None) as process:
        assert process.stdout is not None
        with anyio.fail_after(60):
            group = int((await process.stdout.receive()).decode())
        try:
            yield process, group
        finally:
            with suppress(ProcessLookupError):
                process.kill()


@pytest.mark.parametrize(("way", "code"), [("return", 0), ("exception", 1), ("exit", 1)])
async def test_nothing_is_left_when_the_owner_ends_by_itself(place: Path, way: str, code: int) -> None:
    async with owner(way) as (process, group):
        with anyio.fail_after(30):
            assert await process.wait() == code
        assert members(group) == []
    assert folders(place) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("way", ["wait", "busy"])
async def test_nothing_is_left_when_the_owner_is_told_to_end(
    place: Path, way: str, number: signal.Signals
) -> None:
    async with owner(way) as (process, group):
        assert len(members(group)) > 1
        assert len(folders(place)) == 1
        process.send_signal(number)
        with anyio.fail_after(30):
            await process.wait()
        assert members(group) == []
    assert folders(place) == []


@pytest.mark.parametrize(
    ("way", "kind"), [("wait", "headless-shell"), ("busy", "headless-shell"), ("busy", "whole-chrome")]
)
async def test_no_process_is_left_when_the_owner_is_killed_and_the_next_launch_sweeps_up(
    place: Path, way: str, kind: str
) -> None:
    options_of(kind)
    async with owner(way, kind) as (process, group):
        process.kill()
        await process.wait()
        await all_gone(group)
    assert len(folders(place)) == 1
    async with owner("wait") as (running, _), Browser.launch():
        left = [name for name in folders(place) if str(process.pid) in name.split("-")]
        assert left == []
        assert len(folders(place)) == 2
        running.terminate()
        await running.wait()
    assert folders(place) == []


async def test_a_folder_that_somebody_holds_is_left_alone_though_its_number_means_nothing(
    place: Path,
) -> None:
    """As in another container, whose processes we cannot see."""
    foreign = place / "tabwright-999999999-x"
    foreign.mkdir()
    held = os.open(foreign, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    async with Browser.launch():
        assert foreign.name in folders(place)
    os.close(held)
    async with Browser.launch():
        assert foreign.name not in folders(place)


async def test_when_the_main_process_dies_the_rest_of_the_browser_goes_with_it(place: Path) -> None:
    async with Browser.launch() as browser:
        assert browser.pid is not None
        os.kill(browser.pid, signal.SIGKILL)
        await all_gone(browser.pid)
    assert folders(place) == []
