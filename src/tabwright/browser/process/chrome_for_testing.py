"""Chrome for Testing, where no package manager brings a browser: downloaded and unpacked below our own state.

It needs no rights; it is found by `discover` afterwards, and does not update itself.
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

from tabwright.browser.process.find import downloads, unpacked
from tabwright.errors import NotFound
from tabwright.text import format_count

ADDRESS = "https://googlechromelabs.github.io/chrome-for-testing/last-known-good-versions-with-downloads.json"
_BY_HAND = "Download a Chrome by hand and name its path in TABWRIGHT_BROWSER."
_PLATFORMS = {
    ("linux", "x86_64"): "linux64",
    ("darwin", "arm64"): "mac-arm64",
    ("darwin", "x86_64"): "mac-x64",
}
_FAULTS = (ValueError, LookupError, zipfile.BadZipFile, subprocess.TimeoutExpired)
_PATIENCE = 30.0  # seconds without a byte
_PIECE = 1 << 20
_MOST = 1 << 30  # bytes; it is about 200 MB
_LONGEST_LIST = 1 << 20


async def get_chrome(say: Callable[[str], Awaitable[None]], address: str = ADDRESS) -> Path:
    """Download the stable Chrome for Testing and return its program; `say` hears how it goes.

    Raises:
        NotFound: there is none for this computer, or it did not come whole.
    """
    try:
        version, url = await anyio.to_thread.run_sync(_offered, address)
        await say(f"Chrome for Testing {version}, from {urlsplit(url).hostname}")
        folder = downloads()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryDirectory(dir=folder) as half:
            with (Path(half) / "chrome.zip").open("w+b") as file:
                await _download(url, file, say)
                await anyio.to_thread.run_sync(_unpack, file, Path(half) / "chrome")
            await anyio.to_thread.run_sync(_try, Path(half) / "chrome")
            shutil.rmtree(folder / version, ignore_errors=True)
            (Path(half) / "chrome").rename(folder / version)
    except (OSError, HTTPException, *_FAULTS) as error:
        raise NotFound(f"Chrome for Testing could not be had: {error}.", hint=_BY_HAND) from error
    return next(unpacked(folder / version))


def _try(folder: Path) -> None:
    """Start it once: a computer that no package manager looks after may lack libraries that it needs."""
    program = next(unpacked(folder), None)
    if program is None:
        raise LookupError("there is no program in it")
    run = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=60, check=False)  # noqa: S603 - what we unpacked
    if run.returncode != 0:
        said = (run.stderr.strip().splitlines() or ["no words"])[-1]
        raise ValueError(f"it does not start: {said:.300}")


def _offered(address: str) -> tuple[str, str]:
    """Return version and address of the one for this computer."""
    ours = _PLATFORMS.get((sys.platform, platform.machine()))
    if ours is None:
        raise LookupError(f"there is none for {sys.platform} on {platform.machine()}")
    with _opened(address) as answer:
        stable: dict[str, Any] = json.loads(answer.read(_LONGEST_LIST))["channels"]["Stable"]
    version = str(stable["version"])
    if not version.replace(".", "").isdecimal():
        raise ValueError(f"{version!r:.40} is no version")
    for one in stable["downloads"]["chrome"]:
        if one["platform"] == ours and urlsplit(one["url"]).scheme == urlsplit(address).scheme:
            return version, str(one["url"])
    raise LookupError(f"there is none for {ours}")


def _opened(address: str) -> HTTPResponse:
    """Ask for an address; a redirect may not leave https."""
    answer: HTTPResponse = urlopen(address, timeout=_PATIENCE)  # noqa: S310 - https, or what a test serves
    if urlsplit(answer.url).scheme != urlsplit(address).scheme:
        answer.close()
        raise ValueError(f"{address} leads to {answer.url}")
    return answer


async def _download(url: str, file: IO[bytes], say: Callable[[str], Awaitable[None]]) -> None:
    """Fetch it piece by piece, and refuse what is not as long as was said."""
    with await anyio.to_thread.run_sync(_opened, url) as answer:
        whole, told = int(answer.headers["Content-Length"] or 0), 0
        if not 0 < whole <= _MOST:
            raise ValueError(f"{url} would be {whole} bytes")
        while piece := await anyio.to_thread.run_sync(answer.read, _PIECE):
            file.write(piece)
            tenth = file.tell() * 10 // whole
            if tenth > told:
                told = tenth
                await say(f"{tenth * 10}% of {max(1, whole >> 20)} MB")
        if file.tell() != whole:
            raise ValueError(f"{format_count(file.tell(), 'byte')} came of {whole:,}")


def _unpack(archive: IO[bytes], folder: Path) -> None:
    """Unpack with rights and links, which the standard library drops; a link that leads out is refused."""
    with zipfile.ZipFile(archive) as files:
        for entry in files.infolist():
            path, mode = Path(files.extract(entry, folder)), entry.external_attr >> 16
            if stat.S_ISLNK(mode):
                target = path.read_text()
                path.unlink()
                if not (path.parent / target).resolve().is_relative_to(folder.resolve()):
                    raise ValueError(f"{entry.filename} leads out of the archive")
                path.symlink_to(target)
            elif path.is_file():
                path.chmod(0o755 if mode & stat.S_IXUSR else 0o644)
