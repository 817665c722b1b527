"""Getting a browser, from stand-ins for the package managers and for the place that Chrome is downloaded from."""

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

from tabwright.browser.process.find import downloaded, find_browser
from tabwright.browser.process.install import install_browser as install
from tabwright.errors import Denied, NotFound
from tests.programs import bare_path, package_manager, program
from tests.web import Response, Web, serving

pytestmark = pytest.mark.anyio

NOWHERE = "http://127.0.0.1:1/"
# No shell is found, wherever this computer has one, and nothing is downloaded from elsewhere.
install_browser = partial(install, address=NOWHERE, shell_places=())
GETTING = "Getting Chromium's headless shell beside it, which is optional"
OPTIONAL = (
    "Optional, and not here: Chromium's headless shell, quicker where no window is asked for (Debian: apt "
    "install chromium-headless-shell)."
)


class Heard:
    """Hears what is said."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    async def __call__(self, line: str) -> None:
        self.lines.append(line)


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder in which programs are found; what a script needs is in it, a browser is not."""
    if any(map(os.path.exists, ("/snap/bin/chromium", "/opt/google/chrome/chrome"))):
        pytest.skip("A browser is installed here where it is found without a path.")
    monkeypatch.setenv("PATH", bare_path(tmp_path))
    monkeypatch.setenv("TABWRIGHT_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("os.geteuid", lambda: 0)
    return tmp_path


async def test_a_browser_that_is_there_is_left_alone_and_the_headless_shell_comes_beside_it(
    programs: Path,
) -> None:
    chromium = program(programs, "chromium", "exit 0")
    program(programs, "apt-get", 'echo "$@"')
    heard = Heard()
    assert await install_browser(heard) == chromium
    assert heard.lines == [
        GETTING,
        "update",
        "install -y --no-install-recommends chromium-headless-shell",
    ]


async def test_a_headless_shell_that_is_there_is_left_alone_too(programs: Path) -> None:
    chromium = program(programs, "chromium", "exit 0")
    program(programs, "chrome-headless-shell", "exit 0")
    program(programs, "apt-get", 'echo "$@"')
    heard = Heard()
    assert (await install_browser(heard), heard.lines) == (chromium, [])


async def test_nothing_comes_beside_a_browser_that_was_chosen_or_where_the_shell_is_unwanted(
    programs: Path,
) -> None:
    chromium = program(programs, "chromium", "exit 0")
    program(programs, "apt-get", 'echo "$@"')
    heard = Heard()
    assert await install_browser(heard, chromium) == chromium
    assert await install(heard, address=NOWHERE, shell_places=None) == chromium
    assert heard.lines == []


async def test_without_the_right_to_install_it_the_headless_shell_is_said_to_be_optional(
    programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    chromium = program(programs, "chromium", "exit 0")
    program(programs, "apt-get", "exit 1")
    heard = Heard()
    assert (await install_browser(heard), heard.lines) == (chromium, [OPTIONAL])


async def test_the_package_manager_brings_one_and_is_heard(programs: Path) -> None:
    package_manager(programs)
    heard = Heard()
    assert await install_browser(heard) == programs / "chromium"
    brought = ["update", "install", "10%", "90%"]
    assert heard.lines == [*brought, GETTING, *brought]


@pytest.mark.parametrize("fault", ["echo no such package; exit 100", "echo asleep; exec sleep 60"])
async def test_a_headless_shell_that_does_not_come_is_done_without(programs: Path, fault: str) -> None:
    (programs / "sleep").symlink_to("/bin/sleep")
    unknown = f'[ "$4" = chromium-headless-shell ] && {{ {fault}; }}'
    program(programs, "apt-get", f"{unknown}; cp {programs}/apt-get {programs}/chromium")
    heard = Heard()
    assert await install_browser(heard, patience=1.0) == programs / "chromium"
    assert heard.lines == [GETTING, fault.partition(";")[0].removeprefix("echo "), OPTIONAL]


async def test_on_a_mac_brew_brings_chrome_and_nowhere_else(
    programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(programs, "brew", f'echo "$@"; cp {programs}/brew {programs}/google-chrome')
    with pytest.raises(NotFound, match="no package manager that we know"):
        await install_browser(Heard())
    monkeypatch.setattr(sys, "platform", "darwin")
    heard = Heard()
    assert await install_browser(heard) == programs / "google-chrome"
    assert heard.lines == ["install --cask google-chrome", OPTIONAL]


async def test_the_last_words_of_a_package_manager_that_fails_are_told(programs: Path) -> None:
    program(programs, "dnf", "echo No route to the mirror; exit 3")
    with pytest.raises(NotFound) as caught:
        await install_browser(Heard())
    assert caught.value.message.startswith("dnf install -y chromium failed: No route to the mirror ")


async def test_without_any_way_to_one_a_person_is_told_what_to_do(programs: Path) -> None:
    with pytest.raises(NotFound, match="no package manager that we know") as caught:
        await install_browser(Heard())
    assert "Chrome for Testing could not be had: " in caught.value.message
    assert "apt install chromium" in caught.value.hint


def zipped(*more: tuple[str, int, str], program: str = "#!/bin/sh\necho Chrome") -> bytes:
    """An archive of the shape of Chrome for Testing: rights and links are in its entries."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, mode, content in (
            ("chrome-linux64/chrome", stat.S_IFREG | 0o755, program),
            ("chrome-linux64/icudtl.dat", stat.S_IFREG | 0o644, "data"),
            *more,
        ):
            entry = zipfile.ZipInfo(name)
            entry.external_attr = mode << 16
            archive.writestr(entry, content)
    return held.getvalue()


def offer(web: Web, archive: bytes, version: str = "140.0.7000.1", **more: str) -> str:
    """Serve it as its makers do, and return the address of the list."""
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
    """A computer on which we may install nothing; returns our own folder of it."""
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    program(programs, "apt-get", "exit 1")
    return programs / "state" / "chrome"


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


async def test_without_rights_chrome_is_downloaded_and_found_from_then_on(rootless: Path) -> None:
    link = ("chrome-linux64/current", stat.S_IFLNK | 0o777, "icudtl.dat")
    heard = Heard()
    async with serving() as web:
        found = await install(heard, address=offer(web, zipped(link)), shell_places=None)
        assert found == rootless / "140.0.7000.1/chrome-linux64/chrome"
        assert heard.lines == [
            "Installing a browser takes the rights of root.",
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
        (zipped(), {"content-length": "9999"}, "1.2", "bytes came of 9,999"),
        (zipped(), {"content-length": str(2**31)}, "1.2", "would be 2147483648 bytes"),
        (zipped(), {}, "../../bin", "'../../bin' is no version"),
        (zipped(("chrome-linux64/out", stat.S_IFLNK, "../../../..")), {}, "1.2", "leads out of the archive"),
        (zipped(program="#!/bin/sh\necho no libnss3 >&2; exit 127"), {}, "1.2", "start: no libnss3"),
    ],
)
async def test_a_download_that_is_not_whole_or_not_what_it_says_is_refused(
    rootless: Path, archive: bytes, headers: dict[str, str], version: str, reason: str
) -> None:
    async with serving() as web:
        with pytest.raises(Denied) as caught:
            await install(Heard(), address=offer(web, archive, version, **headers), shell_places=None)
    assert caught.value.message.startswith("Installing a browser takes the rights of root. ")
    assert reason in caught.value.message
    assert list(downloaded()) == []
