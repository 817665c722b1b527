"""Finding an installed Chromium-based browser: in the PATH, among applications, or downloaded by us."""

import shutil
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from tabwright.errors import NotFound

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
_HEADLESS_SHELL_COMMANDS = ("chrome-headless-shell", "headless_shell")
# Debian's command for it is a shell script, which would stay between us and the process.
HEADLESS_SHELL_PATHS = (Path("/usr/lib/chromium/chromium-headless-shell"),)
# Chrome for Testing, in the folder of its version.
_DOWNLOADED = (
    "chrome-linux64/chrome",
    "chrome-mac-*/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
)
_MAC_APPS = ("Google Chrome", "Chromium", "Microsoft Edge", "Brave Browser")


def find_browser(
    chosen: Path | None = None,
    *,
    downloads: Path | None = None,
    app_paths: Iterable[Path] | None = None,
) -> Path:
    """Return the browser to launch: the chosen one, else the first command, application or download.

    Args:
        chosen: the user's choice; no other is looked for.
        downloads: the folder of the browsers that we downloaded.
        app_paths: where applications are; by default where this platform installs them.

    Raises:
        NotFound: the chosen program does not exist, or no browser was found.
    """
    if chosen is not None:
        found = shutil.which(chosen.expanduser())
        if found is None:
            raise NotFound(
                f"{chosen} is not an executable program.", hint="Correct the setting `browser`, or remove it."
            )
        return Path(found)
    for command in _COMMANDS:
        if found := shutil.which(command):
            return Path(found)
    applications = _app_paths() if app_paths is None else app_paths
    for path in filter(Path.is_file, chain(applications, downloaded_browsers(downloads))):
        return path
    raise NotFound(
        "No Chrome, Chromium, Edge or Brave was found.",
        hint="Run `tabwright install-browser`, or set TABWRIGHT_BROWSER to the path of one.",
    )


def find_headless_shell(*, paths: Iterable[Path] = HEADLESS_SHELL_PATHS) -> Path | None:
    """Return the headless shell, if installed: Chromium without windows, menus and extensions."""
    for command in _HEADLESS_SHELL_COMMANDS:
        if found := shutil.which(command):
            return Path(found)
    return next(filter(Path.is_file, paths), None)


def downloaded_browsers(downloads: Path | None) -> Iterator[Path]:
    """Yield the browsers that we downloaded, the newest first."""
    folders = downloads.glob("*.*") if downloads is not None else ()
    versions = [folder for folder in folders if folder.name.replace(".", "").isdecimal()]
    for version in sorted(versions, key=lambda folder: [*map(int, folder.name.split("."))], reverse=True):
        yield from unpacked_programs(version)


def unpacked_programs(folder: Path) -> Iterator[Path]:
    """Yield the program of an unpacked Chrome for Testing, if it is there."""
    for pattern in _DOWNLOADED:
        yield from folder.glob(pattern)


def is_headless_shell(executable: Path) -> bool:
    """Whether a program is a headless shell, judged by its name."""
    return "headless" in executable.name


def _app_paths() -> Iterator[Path]:
    if sys.platform == "darwin":
        for root in (Path("/Applications"), Path.home() / "Applications"):
            for app in _MAC_APPS:
                yield root / f"{app}.app" / "Contents" / "MacOS" / app
    else:
        yield Path("/snap/bin/chromium")
        yield Path("/opt/google/chrome/chrome")
