"""Downloading Chrome for Testing into our state folder, where no package manager installs a browser.

It needs no root rights. `find` finds it afterwards. It does not update itself.
"""

import json
import platform
import shutil
import stat
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Awaitable, Callable
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit
from urllib.request import urlopen

import anyio.to_thread

from tabwright.browser.process.find import unpacked_programs
from tabwright.errors import NotFound
from tabwright.text import format_count

VERSIONS_URL = (
    "https://googlechromelabs.github.io/chrome-for-testing/last-known-good-versions-with-downloads.json"
)
_MANUAL_HINT = "Download Chrome yourself and set TABWRIGHT_BROWSER to its path."
_PLATFORMS = {
    ("linux", "x86_64"): "linux64",
    ("darwin", "arm64"): "mac-arm64",
    ("darwin", "x86_64"): "mac-x64",
}
_ERRORS = (OSError, HTTPException, ValueError, LookupError, zipfile.BadZipFile, subprocess.TimeoutExpired)
_READ_TIMEOUT = 30.0
_START_TIMEOUT = 60.0
_CHUNK_SIZE = 1 << 20
_MAX_ARCHIVE_SIZE = 1 << 30  # the real one has about 200 MB
_MAX_VERSIONS_SIZE = 1 << 20

Report = Callable[[str], Awaitable[None]]


async def download_chrome(report: Report, folder: Path, versions_url: str = VERSIONS_URL) -> Path:
    """Download the stable Chrome for Testing into a folder, report the progress, and return its program.

    Raises:
        NotFound: there is none for this computer, or the download failed.
    """
    try:
        version, url = await anyio.to_thread.run_sync(_find_download, versions_url)
        await report(f"Chrome for Testing {version}, from {urlsplit(url).hostname}")
        await anyio.Path(folder).mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryDirectory(dir=folder) as temporary:
            unpacked = Path(temporary) / "chrome"
            with (Path(temporary) / "chrome.zip").open("w+b") as file:
                await _download(url, file, report)
                await anyio.to_thread.run_sync(_unpack, file, unpacked)
            await anyio.to_thread.run_sync(_check_starts, unpacked)
            shutil.rmtree(folder / version, ignore_errors=True)
            unpacked.rename(folder / version)
    except _ERRORS as error:
        raise NotFound(f"Chrome for Testing is not available: {error}.", hint=_MANUAL_HINT) from error
    return next(unpacked_programs(folder / version))


def _check_starts(folder: Path) -> None:
    """Start it once: without a package manager, libraries that it needs may be missing."""
    program = next(unpacked_programs(folder), None)
    if program is None:
        raise LookupError("the archive contains no program")
    command = [str(program), "--version"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=_START_TIMEOUT, check=False)  # noqa: S603 - we unpacked it
    if run.returncode != 0:
        last = (run.stderr.strip().splitlines() or ["no output"])[-1]
        raise ValueError(f"it does not start: {last:.300}")


def _find_download(versions_url: str) -> tuple[str, str]:
    """Return the version and the URL of the archive for this computer."""
    wanted = _PLATFORMS.get((sys.platform, platform.machine()))
    if wanted is None:
        raise LookupError(f"there is none for {sys.platform} on {platform.machine()}")
    with _open_url(versions_url) as response:
        stable: dict[str, Any] = json.loads(response.read(_MAX_VERSIONS_SIZE))["channels"]["Stable"]
    version = str(stable["version"])
    if not version.replace(".", "").isdecimal():
        raise ValueError(f"{version!r:.40} is not a version")
    for download in stable["downloads"]["chrome"]:
        same_scheme = urlsplit(download["url"]).scheme == urlsplit(versions_url).scheme
        if download["platform"] == wanted and same_scheme:
            return version, str(download["url"])
    raise LookupError(f"there is none for {wanted}")


def _open_url(url: str) -> HTTPResponse:
    """Request a URL; a redirect must not change the scheme, which is https."""
    response: HTTPResponse = urlopen(url, timeout=_READ_TIMEOUT)  # noqa: S310 - https, or http in a test
    if urlsplit(response.url).scheme != urlsplit(url).scheme:
        response.close()
        raise ValueError(f"{url} redirects to {response.url}")
    return response


async def _download(url: str, file: IO[bytes], report: Report) -> None:
    """Download in chunks; fail when the length differs from the announced one."""
    with await anyio.to_thread.run_sync(_open_url, url) as response:
        size, reported = int(response.headers["Content-Length"] or 0), 0
        if not 0 < size <= _MAX_ARCHIVE_SIZE:
            raise ValueError(f"{url} announces {size} bytes")
        while chunk := await anyio.to_thread.run_sync(response.read, _CHUNK_SIZE):
            file.write(chunk)
            tenths = file.tell() * 10 // size
            if tenths > reported:
                reported = tenths
                await report(f"{tenths * 10}% of {max(1, size >> 20)} MB")
        if file.tell() != size:
            raise ValueError(f"only {format_count(file.tell(), 'byte')} of {size:,} were received")


def _unpack(archive: IO[bytes], folder: Path) -> None:
    """Unpack with file modes and links, which `zipfile` drops; refuse a link that points outside."""
    with zipfile.ZipFile(archive) as files:
        for entry in files.infolist():
            path, mode = Path(files.extract(entry, folder)), entry.external_attr >> 16
            if stat.S_ISLNK(mode):
                target = path.read_text()
                path.unlink()
                if not (path.parent / target).resolve().is_relative_to(folder.resolve()):
                    raise ValueError(f"{entry.filename} points outside the archive")
                path.symlink_to(target)
            elif path.is_file():
                path.chmod(0o755 if mode & stat.S_IXUSR else 0o644)
