"""Find a Chromium-based browser on this computer."""

import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from tabwright.errors import NotFound
from tabwright.home import Home

_COMMANDS = (
    "google-chrome-stable",
    "google-chrome",
    "chromium",
    "chromium-browser",
    "microsoft-edge-stable",
    "microsoft-edge",
    "brave-browser",
    "brave",
)
_SHELL_COMMANDS = ("chrome-headless-shell", "headless_shell")
# Debian's command for it is a script that stays between us and the process.
SHELL_PLACES = (Path("/usr/lib/chromium/chromium-headless-shell"),)
# Chrome for Testing, in the folder of its version.
_DOWNLOADED = (
    "chrome-linux64/chrome",
    "chrome-mac-*/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
)
_MAC_APPS = ("Google Chrome", "Chromium", "Microsoft Edge", "Brave Browser")
_WINDOWS_PLACES = (
    r"Google\Chrome\Application\chrome.exe",
    r"Chromium\Application\chrome.exe",
    r"Microsoft\Edge\Application\msedge.exe",
    r"BraveSoftware\Brave-Browser\Application\brave.exe",
)


def find_browser(chosen: Path | None = None, *, elsewhere: Iterable[Path] | None = None) -> Path:
    """Return the browser to launch: the chosen one, else the first command, else the first file `elsewhere`.

    Where nobody says, `elsewhere` is where this platform keeps applications.

    Raises:
        NotFound: the chosen file is not there, or nothing was found.
    """
    if chosen is not None:
        found = shutil.which(chosen.expanduser())
        if found is None:
            raise NotFound(
                f"{chosen} is not a program that can be run.",
                hint="Correct the setting `browser`, or remove it.",
            )
        return Path(found)
    for place in _commands():
        return place
    for place in filter(Path.is_file, _platform_places() if elsewhere is None else elsewhere):
        return place
    raise NotFound(
        "No Chrome, Chromium, Edge or Brave was found.",
        hint="Run `tabwright install-browser`, or name the path of one in TABWRIGHT_BROWSER.",
    )


def find_shell(*, elsewhere: Iterable[Path] = SHELL_PLACES) -> Path | None:
    """Return the headless shell: Chromium without windows, menus and extensions, if it is installed."""
    for command in _SHELL_COMMANDS:
        if found := shutil.which(command):
            return Path(found)
    return next(filter(Path.is_file, elsewhere), None)


def downloads() -> Path:
    """Return where the browsers are that we downloaded ourselves."""
    return Home.find().state / "chrome"


def downloaded() -> Iterator[Path]:
    """Yield the browsers that we downloaded ourselves, the newest first."""
    versions = [folder for folder in downloads().glob("*.*") if folder.name.replace(".", "").isdecimal()]
    for version in sorted(versions, key=lambda folder: [*map(int, folder.name.split("."))], reverse=True):
        yield from unpacked(version)


def unpacked(folder: Path) -> Iterator[Path]:
    """Yield the program of a Chrome for Testing that was unpacked there."""
    for pattern in _DOWNLOADED:
        yield from folder.glob(pattern)


def is_shell(executable: Path) -> bool:
    """Whether a browser is a headless shell, by its name."""
    return "headless" in executable.name


def _commands() -> Iterator[Path]:
    for command in _COMMANDS:
        if found := shutil.which(command):
            yield Path(found)


def _platform_places() -> Iterator[Path]:
    if sys.platform == "darwin":
        for root in (Path("/Applications"), Path.home() / "Applications"):
            for app in _MAC_APPS:
                yield root / f"{app}.app" / "Contents" / "MacOS" / app
    elif sys.platform == "win32":
        for root in (
            Path(r"C:\Program Files"),
            Path(r"C:\Program Files (x86)"),
            Path.home() / r"AppData\Local",
        ):
            for place in _WINDOWS_PLACES:
                yield root / place
    else:
        yield Path("/snap/bin/chromium")
        yield Path("/opt/google/chrome/chrome")
    yield from downloaded()
