"""Installing a browser, with fake package managers and a fake download server."""

import io
import json
import os
import stat
import sys
import zipfile
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tabwright.browser.process import find
from tabwright.browser.process import install as browser_install
from tabwright.browser.process.find import downloaded_browsers
from tabwright.errors import Denied, NotFound
from tabwright.home import Home
from tests.programs import bare_path, package_manager, program
from tests.web import Response, Web, serve_web

pytestmark = pytest.mark.anyio

NOWHERE = "http://127.0.0.1:1/"


async def install(progress: "Progress", chosen: Path | None = None, **options: Any) -> Path:
    """Install a browser; one that is downloaded goes to the home of the test."""
    return await browser_install.install_browser(progress, chosen, downloads=Home.find().browsers, **options)


# This computer's own headless shell is not found, and nothing is downloaded from the Internet.
install_browser = partial(install, versions_url=NOWHERE, shell_paths=())
INSTALLING = "Installing Chromium's headless shell, which is optional"
OPTIONAL = (
    "Optional and not installed: Chromium's headless shell, faster where no window is needed "
    "(Debian: apt install chromium-headless-shell)."
)


class Progress:
    """Collects the lines of progress."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    async def __call__(self, line: str) -> None:
        self.lines.append(line)


def find_browser() -> Path:
    """Find a browser, also one that was downloaded to the home of the test."""
    return find.find_browser(downloads=Home.find().browsers)


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder in the PATH; it has what scripts need, but no browser."""
    if any(map(os.path.exists, ("/snap/bin/chromium", "/opt/google/chrome/chrome"))):
        pytest.skip("A browser is installed outside the PATH.")
    monkeypatch.setenv("PATH", bare_path(tmp_path))
    monkeypatch.setenv("TABWRIGHT_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("os.geteuid", lambda: 0)
    return tmp_path


async def test_an_installed_browser_is_kept_and_the_headless_shell_is_added(
    programs: Path,
) -> None:
    chromium = program(programs, "chromium", "exit 0")
    program(programs, "apt-get", 'echo "$@"')
    progress = Progress()
    assert await install_browser(progress) == chromium
    assert progress.lines == [
        INSTALLING,
        "update",
        "install -y --no-install-recommends chromium-headless-shell",
    ]


async def test_an_installed_headless_shell_is_kept_too(programs: Path) -> None:
    chromium = program(programs, "chromium", "exit 0")
    program(programs, "chrome-headless-shell", "exit 0")
    program(programs, "apt-get", 'echo "$@"')
    progress = Progress()
    assert (await install_browser(progress), progress.lines) == (chromium, [])


async def test_no_headless_shell_is_added_to_a_chosen_browser_or_when_unwanted(
    programs: Path,
) -> None:
    chromium = program(programs, "chromium", "exit 0")
    program(programs, "apt-get", 'echo "$@"')
    progress = Progress()
    assert await install_browser(progress, chromium) == chromium
    assert await install(progress, versions_url=NOWHERE, shell_paths=None) == chromium
    assert progress.lines == []


async def test_without_root_rights_the_headless_shell_is_reported_as_optional(
    programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    chromium = program(programs, "chromium", "exit 0")
    program(programs, "apt-get", "exit 1")
    progress = Progress()
    assert (await install_browser(progress), progress.lines) == (chromium, [OPTIONAL])


async def test_the_package_manager_installs_one_and_its_output_is_reported(programs: Path) -> None:
    package_manager(programs)
    progress = Progress()
    assert await install_browser(progress) == programs / "chromium"
    output = ["update", "install", "10%", "90%"]
    assert progress.lines == [*output, INSTALLING, *output]


@pytest.mark.parametrize("fault", ["echo no such package; exit 100", "echo asleep; exec sleep 60"])
async def test_a_headless_shell_that_cannot_be_installed_is_not_an_error(programs: Path, fault: str) -> None:
    (programs / "sleep").symlink_to("/bin/sleep")
    unknown = f'[ "$4" = chromium-headless-shell ] && {{ {fault}; }}'
    program(programs, "apt-get", f"{unknown}; cp {programs}/apt-get {programs}/chromium")
    progress = Progress()
    assert await install_browser(progress, command_timeout=1.0) == programs / "chromium"
    assert progress.lines == [INSTALLING, fault.partition(";")[0].removeprefix("echo "), OPTIONAL]


async def test_brew_installs_chrome_on_macos_only(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(programs, "brew", f'echo "$@"; cp {programs}/brew {programs}/google-chrome')
    with pytest.raises(NotFound, match="no known package manager"):
        await install_browser(Progress())
    monkeypatch.setattr(sys, "platform", "darwin")
    progress = Progress()
    assert await install_browser(progress) == programs / "google-chrome"
    assert progress.lines == ["install --cask google-chrome", OPTIONAL]


async def test_the_last_output_of_a_failed_package_manager_is_reported(programs: Path) -> None:
    program(programs, "dnf", "echo No route to the mirror; exit 3")
    with pytest.raises(NotFound) as caught:
        await install_browser(Progress())
    assert caught.value.message.startswith("dnf install -y chromium failed: No route to the mirror ")


async def test_without_a_package_manager_the_error_says_what_to_do(programs: Path) -> None:
    with pytest.raises(NotFound, match="no known package manager") as caught:
        await install_browser(Progress())
    assert "Chrome for Testing is not available: " in caught.value.message
    assert "apt install chromium" in caught.value.hint


def make_archive(*more: tuple[str, int, str], program: str = "#!/bin/sh\necho Chrome") -> bytes:
    """Return an archive like that of Chrome for Testing: file modes and links are in its entries."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, mode, text in (
            ("chrome-linux64/chrome", stat.S_IFREG | 0o755, program),
            ("chrome-linux64/icudtl.dat", stat.S_IFREG | 0o644, "data"),
            *more,
        ):
            entry = zipfile.ZipInfo(name)
            entry.external_attr = mode << 16
            archive.writestr(entry, text)
    return content.getvalue()


def serve_archive(web: Web, archive: bytes, version: str = "140.0.7000.1", **more: str) -> str:
    """Serve it as Google does, and return the URL of the list of versions."""
    headers = {"content-type": "application/zip", **more}
    url = web.route("/chrome-linux64.zip", lambda _: Response(archive, headers=headers))
    others = [{"platform": name, "url": f"{web.url}/none.zip"} for name in ("mac-arm64", "win64")]
    stable: dict[str, Any] = {
        "channel": "Stable",
        "version": version,
        "revision": "1",
        "downloads": {"chrome": [*others, {"platform": "linux64", "url": url}]},
    }
    listed = json.dumps({"timestamp": "2026-01-01T00:00:00.000Z", "channels": {"Stable": stable}})
    return web.route("/list.json", lambda _: Response(listed, headers={"content-type": "application/json"}))


@pytest.fixture
def rootless(programs: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A computer without root rights; the fixture is the folder that we download browsers to."""
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    program(programs, "apt-get", "exit 1")
    return programs / "state" / "chrome"


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


async def test_without_root_rights_chrome_is_downloaded_and_found_from_then_on(rootless: Path) -> None:
    link = ("chrome-linux64/current", stat.S_IFLNK | 0o777, "icudtl.dat")
    progress = Progress()
    async with serve_web() as web:
        found = await install(progress, versions_url=serve_archive(web, make_archive(link)), shell_paths=None)
        assert found == rootless / "140.0.7000.1/chrome-linux64/chrome"
        assert progress.lines == [
            "Installing a browser needs root rights.",
            "Chrome for Testing 140.0.7000.1, from 127.0.0.1",
            "100% of 1 MB",
        ]
        assert find_browser() == found
        assert (found.parent / "current").read_text() == "data"
        assert names(rootless) == ["140.0.7000.1"]
        (rootless / "9.0.0.1/chrome-linux64").mkdir(parents=True)
        (rootless / "9.0.0.1/chrome-linux64/chrome").write_text("older")
        assert find_browser() == found


@pytest.mark.parametrize(
    ("archive", "headers", "version", "reason"),
    [
        (b"no archive", {}, "1.2", "File is not a zip file"),
        (make_archive(), {"content-length": "9999"}, "1.2", "bytes of 9,999 were received"),
        (make_archive(), {"content-length": str(2**31)}, "1.2", "announces 2147483648 bytes"),
        (make_archive(), {}, "../../bin", "'../../bin' is not a version"),
        (
            make_archive(("chrome-linux64/out", stat.S_IFLNK, "../../../..")),
            {},
            "1.2",
            "points outside the archive",
        ),
        (make_archive(program="#!/bin/sh\necho no libnss3 >&2; exit 127"), {}, "1.2", "start: no libnss3"),
    ],
)
async def test_an_incomplete_or_invalid_download_is_refused(
    rootless: Path, archive: bytes, headers: dict[str, str], version: str, reason: str
) -> None:
    async with serve_web() as web:
        with pytest.raises(Denied) as caught:
            await install(
                Progress(), versions_url=serve_archive(web, archive, version, **headers), shell_paths=None
            )
    assert caught.value.message.startswith("Installing a browser needs root rights. ")
    assert reason in caught.value.message
    assert list(downloaded_browsers(Home.find().browsers)) == []
