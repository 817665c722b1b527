"""Downloads in real Chromium."""

from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest

from tabwright.browser.browser import Browser
from tabwright.browser.context import Context
from tabwright.browser.storage.downloads import Download
from tabwright.browser.tab import Tab
from tabwright.errors import Blocked, InvalidArgs, NotFound, PageFailed, TimedOut
from tests.web import Response, Web

NO_ICON = "<link rel=icon href='data:,'>"


def attachment(
    body: str | bytes | AsyncIterator[bytes], name: str = "report.csv", **headers: str
) -> Response:
    disposition = f'attachment; filename="{name}"'
    return Response(body, headers={"content-type": "text/csv", "content-disposition": disposition, **headers})


def files(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


async def click_link(tab: Tab, web: Web, link: str) -> Download:
    """Click a link that downloads, and return the download."""
    await tab.goto(web.page(f"{NO_ICON}{link}"))
    known = len(tab.context.downloads)
    await tab.element("a").click()
    with anyio.fail_after(60):
        return await tab.context.downloads.wait_for_start(after=known)


async def test_a_click_downloads_into_the_folder_under_its_own_name(
    context: Context, tab: Tab, web: Web, tmp_path: Path
) -> None:
    folder = tmp_path / "made" / "here"
    await context.downloads.save_to(folder)
    url = web.route("/get", lambda _: attachment("a,b"))
    download = await click_link(tab, web, "<a href=/get>Get</a>")
    path = await context.downloads.wait_for_end(download)
    assert path == folder / "report.csv"
    assert download == Download("d1", download.guid, url, "report.csv", "completed", 3, 3, path, folder)
    assert files(folder) == {"report.csv": "a,b"}
    assert context.downloads.get("d1") is download
    assert list(context.downloads) == [download]


async def test_a_link_to_data_made_by_the_page_is_downloaded(
    context: Context, tab: Tab, web: Web, tmp_path: Path
) -> None:
    await context.downloads.save_to(tmp_path)
    script = "<script>document.links[0].href = URL.createObjectURL(new Blob(['made']))</script>"
    download = await click_link(
        tab, web, f"<a download='made.txt'>Get</a>{script.replace('links[0]', 'querySelector(`a`)')}"
    )
    await context.downloads.wait_for_end(download)
    assert files(tmp_path) == {"made.txt": "made"}


async def test_a_navigation_that_becomes_a_download_reports_it(
    context: Context, tab: Tab, web: Web, tmp_path: Path
) -> None:
    await context.downloads.save_to(tmp_path)
    await tab.goto(web.page(NO_ICON, "/page"))
    url = web.route("/get", lambda _: attachment("a,b"))
    navigated = await tab.goto(url)
    assert navigated.url == f"{web.url}/page"
    assert navigated.download is not None
    assert (navigated.download.url, navigated.download.name) == (url, "report.csv")
    await context.downloads.wait_for_end(navigated.download)
    assert files(tmp_path) == {"report.csv": "a,b"}


async def test_a_popup_that_only_downloads_counts_for_its_context(
    context: Context, tab: Tab, web: Web, tmp_path: Path
) -> None:
    await context.downloads.save_to(tmp_path)
    web.route("/get", lambda _: attachment("a,b"))
    download = await click_link(tab, web, "<a href=/get target=_blank>Get</a>")
    await context.downloads.wait_for_end(download)
    assert files(tmp_path) == {"report.csv": "a,b"}


async def test_files_of_the_same_name_get_a_number(
    context: Context, tab: Tab, web: Web, tmp_path: Path
) -> None:
    await context.downloads.save_to(tmp_path)
    (tmp_path / "report.csv").write_text("mine")
    for number in (2, 3):
        web.route("/get", lambda _, number=number: attachment(f"{number}"))  # type: ignore[misc]  # a default binds the number
        navigated = await tab.goto(f"{web.url}/get")
        assert navigated.download is not None
        await context.downloads.wait_for_end(navigated.download)
    assert files(tmp_path) == {"report.csv": "mine", "report (2).csv": "2", "report (3).csv": "3"}


@pytest.mark.parametrize(
    ("name", "saved"),
    [
        ("../../etc/passwd", "etc_passwd"),
        ("..\\..\\boot.ini", "boot.ini"),
        (".bashrc", "bashrc.txt"),
        ("a\u202egpj.exe", "a_gpj.exe"),
        ("nul.txt", "_nul.txt"),
        ("ü" * 300 + ".txt", "ü" * 73 + ".txt"),
    ],
)
async def test_a_hostile_name_stays_in_the_folder_and_is_harmless(
    tab: Tab, web: Web, tmp_path: Path, name: str, saved: str
) -> None:
    downloads = tab.context.downloads
    await downloads.save_to(tmp_path / "in")
    await tab.goto(web.page(f"{NO_ICON}<a href='data:text/plain,x'>Get</a>"))
    await tab.evaluate(
        "{ const a = document.querySelector('a'); a.download = args[0]; a.click(); return 0 }", name
    )
    with anyio.fail_after(60):
        download = await downloads.wait_for_start(after=0)
    assert await downloads.wait_for_end(download) == tmp_path / "in" / saved
    assert files(tmp_path / "in") == {saved: "x"}


class Slow:
    """A body that sends a part, waits for `go_on`, and sends the rest."""

    def __init__(self) -> None:
        self.go_on = anyio.Event()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield b"x" * 200_000
        await self.go_on.wait()
        yield b"y" * 100_000


async def test_progress_is_reported_and_a_timeout_leaves_it_running(
    context: Context, tab: Tab, web: Web, tmp_path: Path
) -> None:
    await context.downloads.save_to(tmp_path)
    slow = Slow()
    web.route("/get", lambda _: attachment(aiter(slow), **{"content-length": "300000"}))
    navigated = await tab.goto(f"{web.url}/get")
    download = navigated.download
    assert download is not None
    with anyio.fail_after(60):
        await context.downloads.until(lambda: download.received == 200_000)
    assert (download.state, download.total, download.path) == ("inProgress", 300_000, None)
    with pytest.raises(TimedOut) as failure:
        await context.downloads.wait_for_end(download, timeout=0.05)
    assert failure.value.message == '"report.csv" is not complete after 0.05 s: 200,000 bytes so far.'
    slow.go_on.set()
    path = await context.downloads.wait_for_end(download)
    assert path is not None
    assert path.read_bytes() == b"x" * 200_000 + b"y" * 100_000
    assert (download.state, download.received) == ("completed", 300_000)


async def test_a_cancelled_download_leaves_nothing(
    context: Context, tab: Tab, web: Web, tmp_path: Path
) -> None:
    await context.downloads.save_to(tmp_path)
    web.route("/get", lambda _: attachment(aiter(Slow())))
    download = (await tab.goto(f"{web.url}/get")).download
    assert download is not None
    await context.downloads.cancel(download)
    with pytest.raises(PageFailed) as failure:
        await context.downloads.wait_for_end(download)
    assert failure.value.message == 'The download of "report.csv" was cancelled.'
    assert download.state == "canceled"
    with anyio.fail_after(60):
        while files(tmp_path):  # Chrome may start to write after the cancel, and cleans up itself
            await tab.evaluate("1")
    await context.downloads.cancel(download)


async def test_a_download_that_breaks_off_is_reported(
    context: Context, tab: Tab, web: Web, tmp_path: Path
) -> None:
    await context.downloads.save_to(tmp_path)
    web.route("/get", lambda _: attachment("half", **{"content-length": "100000"}))
    download = (await tab.goto(f"{web.url}/get")).download
    assert download is not None
    with pytest.raises(PageFailed, match=r'The download of "report\.csv" was cancelled'):
        await context.downloads.wait_for_end(download, timeout=10)
    assert files(tmp_path) == {}


async def test_without_a_folder_downloads_are_refused_but_reported(
    context: Context, tab: Tab, web: Web
) -> None:
    web.route("/get", lambda _: attachment("a,b"))
    download = (await tab.goto(f"{web.url}/get", timeout=10)).download
    assert download is not None
    with pytest.raises(Blocked) as failure:
        await context.downloads.wait_for_end(download)
    assert str(failure.value) == (
        'The download of "report.csv" was refused: no download folder is set. Choose a folder first.'
    )


async def test_a_new_folder_applies_to_later_downloads(
    context: Context, tab: Tab, web: Web, tmp_path: Path
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    await context.downloads.save_to(first)
    slow = Slow()
    web.route("/slow", lambda _: attachment(aiter(slow), "slow.csv"))
    web.route("/get", lambda _: attachment("b"))
    first_download = (await tab.goto(f"{web.url}/slow")).download
    await context.downloads.save_to(second)
    later = (await tab.goto(f"{web.url}/get")).download
    slow.go_on.set()
    assert first_download is not None
    assert later is not None
    assert await context.downloads.wait_for_end(first_download) == first / "slow.csv"
    assert await context.downloads.wait_for_end(later) == second / "report.csv"


async def test_an_unusable_folder_is_refused(context: Context, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(InvalidArgs, match="cannot be used for downloads"):
        await context.downloads.save_to(tmp_path / "file" / "folder")
    with pytest.raises(NotFound) as failure:
        context.downloads.get("d9")
    assert str(failure.value) == "Unknown download d9. List the downloads, then choose one."


async def test_a_launched_browser_reports_downloads_without_a_folder(web: Web) -> None:
    url = web.route("/file", lambda _: Response("rows", headers={"content-disposition": "attachment"}))
    async with Browser.launch() as browser:
        tab = await browser.default_context.new_tab()
        navigated = await tab.goto(url, timeout=10)
        assert navigated.download is not None
        with pytest.raises(Blocked, match="was refused: no download folder is set"):
            await browser.default_context.downloads.wait_for_end(navigated.download, timeout=10)
