"""Launching browsers."""

import os
import resource
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

import anyio
import anyio.abc
import pytest

from tabwright.browser.browser import Browser
from tabwright.browser.process.launch import LaunchOptions
from tabwright.browser.tab import Tab
from tabwright.errors import Blocked, BrowserGone, InvalidArgs, NotFound
from tests.processes import members, wait_for_group_exit
from tests.web import Response, Web, run_server


@pytest.fixture
def temporary_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """A function that lists the temporary folders of this test's browsers."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return lambda: sorted(path.name for path in tmp_path.glob("tabwright-*"))


def write_script(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


async def test_a_browser_runs_without_a_window_and_reports_its_version(browser: Browser) -> None:
    assert browser.headless
    assert browser.alive
    assert "Chrome/" in browser.version.product
    assert "HeadlessChrome" in browser.version.user_agent


async def test_nothing_is_left_of_a_browser_without_a_profile(
    temporary_folders: Callable[[], list[str]],
) -> None:
    async with Browser.launch() as browser:
        assert len(temporary_folders()) == 1
        assert browser.pid is not None
        assert len(members(browser.pid)) > 1
    assert temporary_folders() == []
    assert members(browser.pid) == []
    assert not browser.alive


async def test_nothing_is_left_when_the_block_raises_and_its_error_passes_unchanged(
    temporary_folders: Callable[[], list[str]],
) -> None:
    with pytest.raises(NotFound, match="mine"):
        async with Browser.launch() as browser:
            raise NotFound("mine")
    assert browser.pid is not None
    assert (temporary_folders(), members(browser.pid)) == ([], [])


async def test_nothing_is_left_when_the_launch_is_cancelled(
    temporary_folders: Callable[[], list[str]],
) -> None:
    with anyio.move_on_after(0.1):
        async with Browser.launch():
            await anyio.sleep_forever()
    assert temporary_folders() == []


async def test_a_profile_folder_keeps_what_pages_stored(tmp_path: Path, web: Web) -> None:
    options = LaunchOptions(profile=tmp_path / "deep" / "profile")
    url = web.page("<title>shop</title>")
    async with Browser.launch(options) as browser:
        tab = await browser.default_context.new_tab(url)
        await tab.evaluate("document.cookie = 'basket=3; max-age=9999'; localStorage.name = 'Ada'")
    assert browser.pid is not None
    await wait_for_group_exit(browser.pid)
    async with Browser.launch(options) as browser:
        tab = await browser.default_context.new_tab(url)
        assert await tab.evaluate("[document.cookie, localStorage.name]") == ["basket=3", "Ada"]
    assert (tmp_path / "deep" / "profile").is_dir()


async def test_browsers_run_in_parallel_and_share_nothing(web: Web) -> None:
    url = web.page("")
    async with Browser.launch() as one, Browser.launch() as other:
        assert one.pid != other.pid
        first = await one.default_context.new_tab(url)
        second = await other.default_context.new_tab(url)
        await first.evaluate("document.cookie = 'who=one'")
        assert await second.evaluate("document.cookie") == ""


async def test_pages_see_the_language_and_the_time_zone_of_the_launch(web: Web) -> None:
    url = web.page("")
    async with Browser.launch(LaunchOptions(language="pt-BR", timezone="Asia/Tokyo")) as browser:
        tab = await browser.default_context.new_tab(url)
        seen = (
            "[navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone, new Date(0).getHours()]"
        )
        assert await tab.evaluate(seen) == ["pt-BR", "Asia/Tokyo", 9]
    assert web.requests[0].headers["accept-language"].startswith("pt-BR")


@asynccontextmanager
async def forward_proxy(requests: list[str]) -> AsyncIterator[str]:
    """A proxy that answers every request itself and records the request lines."""

    async def serve(stream: anyio.abc.ByteStream) -> None:
        async with stream:
            try:
                head = (await stream.receive()).decode("latin-1")
            except anyio.EndOfStream:
                return  # a connection that the browser opened in advance
            requests.append(head.split("\r\n")[0])
            body = "<title>through the proxy</title>"
            await stream.send(
                f"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {len(body)}\r\n"
                f"connection: close\r\n\r\n{body}".encode()
            )

    async with run_server(serve) as port:
        yield f"http://127.0.0.1:{port}"


async def test_a_proxy_gets_the_requests_of_a_launched_browser(web: Web) -> None:
    requests: list[str] = []
    async with forward_proxy(requests) as proxy:
        options = LaunchOptions(proxy=proxy, proxy_bypass="<-loopback>")
        async with Browser.launch(options) as browser:
            tab = await browser.default_context.new_tab(f"{web.url}/page")
            assert await tab.title() == "through the proxy"
    assert f"GET {web.url}/page HTTP/1.1" in requests
    assert web.requests == []


async def test_a_context_can_have_its_own_proxy(browser: Browser, web: Web) -> None:
    web.route("/page", lambda _: Response("<title>direct</title>"))
    requests: list[str] = []
    async with forward_proxy(requests) as proxy:
        context = await browser.new_context(proxy=proxy, proxy_bypass="<-loopback>")
        direct = await browser.new_context()
        assert await (await context.new_tab(f"{web.url}/page")).title() == "through the proxy"
        assert await (await direct.new_tab(f"{web.url}/page")).title() == "direct"
        await context.close()
        await direct.close()


async def test_extra_arguments_reach_the_browser() -> None:
    async with Browser.launch(LaunchOptions(args=("--user-agent=Hello/1",))) as browser:
        assert browser.version.user_agent == "Hello/1"


async def test_a_browser_starts_when_the_temporary_folder_has_a_long_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = tmp_path / ("x" * 100)
    deep.mkdir()
    monkeypatch.setenv("TMPDIR", str(deep))
    async with Browser.launch() as browser:
        assert browser.alive


async def test_a_bad_argument_starts_nothing(temporary_folders: Callable[[], list[str]]) -> None:
    with pytest.raises(InvalidArgs, match="is not a browser argument"):
        async with Browser.launch(LaunchOptions(args=("http://example.com",))):
            raise AssertionError
    assert temporary_folders() == []


async def test_a_profile_that_cannot_be_a_folder_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(InvalidArgs) as refused:
        async with Browser.launch(LaunchOptions(profile=file)):
            raise AssertionError
    assert refused.value.message == f"{file} cannot be a profile folder: File exists."


async def test_a_missing_temporary_folder_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "missing"))
    with pytest.raises(BrowserGone) as failed:
        async with Browser.launch():
            pass
    assert str(failed.value) == (
        "The browser cannot start without a temporary folder: No such file or directory. "
        "Free disk space, or set TMPDIR to a writable folder."
    )


async def test_a_profile_in_use_is_reported(tmp_path: Path) -> None:
    options = LaunchOptions(profile=tmp_path)
    async with Browser.launch(options) as browser:
        with pytest.raises(Blocked) as refused:
            async with Browser.launch(options):
                raise AssertionError
        assert refused.value.message == f"Another browser has {tmp_path} open: process {browser.pid}."


@pytest.mark.parametrize(
    ("text", "output"),
    [
        ("exit 0", "none"),
        ("echo cannot open display >&2; exit 1", "cannot open display"),
        ("printf 'not a message\\0' >&4; exec sleep 1000", "none"),
        ("echo thinking; exec sleep 1000", "thinking"),
        ("sleep 1000 & echo child; wait", "child"),
    ],
)
async def test_a_program_that_is_not_a_browser_is_reported_with_its_last_output(
    tmp_path: Path, temporary_folders: Callable[[], list[str]], text: str, output: str
) -> None:
    pid_file = tmp_path / "pid"
    program = write_script(tmp_path / "program", f"echo $$ > {pid_file}; {text}")
    with anyio.fail_after(60):
        with pytest.raises(BrowserGone) as gone:
            async with Browser.launch(LaunchOptions(executable=program, start_timeout=2)):
                raise AssertionError
    assert gone.value.message == f"The browser did not start. Its last output: {output}"
    assert members(int(pid_file.read_text())) == []
    assert temporary_folders() == []


def open_descriptors() -> list[int]:
    """Return the open descriptors of this process, including the one that lists them."""
    return [int(link.name) for link in Path("/dev/fd").iterdir()]


@contextmanager
def descriptors_left(free: int) -> Iterator[None]:
    """Use up all descriptors that we may open, except a few."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(open_descriptors()) + 20, hard))
    taken: list[int] = []
    try:
        with suppress(OSError):
            while True:
                taken.append(os.open(os.devnull, os.O_RDONLY))
        for descriptor in taken[:free]:
            os.close(descriptor)
        del taken[:free]
        yield
    finally:
        for descriptor in taken:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize("free", range(8))
async def test_a_lack_of_descriptors_is_reported_and_nothing_stays_open(tmp_path: Path, free: int) -> None:
    program = write_script(tmp_path / "program", "exec sleep 1000")
    before = len(open_descriptors())
    with descriptors_left(free), pytest.raises(BrowserGone) as failed:
        async with Browser.launch(LaunchOptions(executable=program, start_timeout=2)):
            raise AssertionError
    assert failed.value.message.startswith(
        f"{program} could not be started" if free else "The browser cannot start without a temporary folder"
    )
    assert failed.value.message.endswith(": Too many open files.")
    assert len(open_descriptors()) == before


async def test_a_file_that_the_system_cannot_run_is_reported(tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_text("neither a script nor a program")
    program.chmod(0o755)
    with pytest.raises(BrowserGone, match=r"program could not be started: .*Exec format error"):
        async with Browser.launch(LaunchOptions(executable=program)):
            raise AssertionError


@pytest.mark.usefixtures("screen")
async def test_a_browser_with_a_window_runs_on_a_display() -> None:
    async with Browser.launch(LaunchOptions(headless=False)) as browser:
        tab = await browser.default_context.new_tab()
        assert "Headless" not in await tab.evaluate("navigator.userAgent")
        assert await tab.evaluate("outerHeight - innerHeight") > 50  # there is a window around the page
    assert browser.pid is not None
    await wait_for_group_exit(browser.pid)


async def test_a_page_has_the_screen_of_a_desktop(tab: Tab) -> None:
    assert await tab.evaluate("[innerWidth, innerHeight]") == [1280, 720]
