"""Downloads of a browser context: their folder, progress and outcome."""

import itertools
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import anyio

from tabwright.aio import Signal, deadline
from tabwright.cdp import Params
from tabwright.errors import Blocked, InvalidArgs, NotFound, PageFailed, TimedOut
from tabwright.text import format_count, quote_line

if TYPE_CHECKING:
    from tabwright.browser.context import Context

State = Literal["inProgress", "completed", "canceled"]

_UNSAFE = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*]')
_MAX_NAME_BYTES = 150
# How many bytes the downloads of one context may take together, by default, and how many there may be.
MAX_BYTES = 2_000 * 1024 * 1024
MAX_DOWNLOADS = 1_000
_CALL_TIMEOUT = 5.0
# Names that Windows takes for a device.
DEVICE_NAME = re.compile(r"(?i)(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?")


@dataclass(slots=True)
class Download:
    """One download."""

    id: str
    guid: str
    url: str
    name: str
    state: State = "inProgress"
    received: int = 0
    total: int | None = None
    path: Path | None = None
    folder: Path | None = None
    collected: bool = False
    over_limit: bool = False


class Downloads:
    """The downloads of the context, refused until `save_to()` sets a folder."""

    def __init__(self, context: "Context") -> None:
        self._context = context
        self.max_bytes = MAX_BYTES
        self._folder: Path | None = None
        self._by_guid: dict[str, Download] = {}
        self._numbers = itertools.count(1)
        self._changed = Signal()

    def __iter__(self) -> Iterator[Download]:
        return iter(tuple(self._by_guid.values()))

    def __len__(self) -> int:
        return len(self._by_guid)

    async def save_to(self, folder: Path) -> None:
        """Accept downloads into `folder` from now on; before that, they are refused."""
        try:
            self._folder = await anyio.to_thread.run_sync(_make_folder, folder)
        except OSError as error:
            raise InvalidArgs(
                f"{folder} cannot be used for downloads: {error.strerror}.", hint="Choose another folder."
            ) from error
        with deadline(_CALL_TIMEOUT, "The browser did not set the download folder.", hint="Try again."):
            # Chrome names the file by an id: a name chosen by a site never decides where bytes are written.
            await self._context.browser.root.send(
                "Browser.setDownloadBehavior",
                behavior="allowAndName",
                eventsEnabled=True,
                downloadPath=str(self._folder),
                **self._context.id_params,
            )

    async def cancel(self, download: Download) -> None:
        """Stop a download."""
        await self._context.browser.root.send(
            "Browser.cancelDownload", guid=download.guid, **self._context.id_params
        )

    def end(self) -> None:
        """End with the context, and remove partial files: Chrome does not."""
        for download in self:
            if download.state == "inProgress":
                download.state = "canceled"
                _remove_partial(download)
        self._changed.fire()

    def get(self, download_id: str) -> Download:
        """Return the download with that id."""
        for download in self._by_guid.values():
            if download.id == download_id:
                return download
        raise NotFound(f"Unknown download {download_id}.", hint="List the downloads, then choose one.")

    def collect(self) -> list[Path]:
        """Return the files completed since the last call."""
        fresh = [download for download in self if download.path is not None and not download.collected]
        for download in fresh:
            download.collected = True
        return [download.path for download in fresh if download.path is not None]

    async def until(self, reached: Callable[[], bool]) -> None:
        """Wait for a condition on the downloads; the caller sets the deadline."""

        def check() -> bool:
            if not reached() and self._context.browser.root.lost is not None:
                raise self._context.browser.root.lost
            return reached()

        await self._changed.until(check)

    async def wait_for_start(self, *, after: int) -> Download:
        """Wait for a download to start, beyond the `after` that were known before."""
        await self.until(lambda: len(self._by_guid) > after)
        return list(self._by_guid.values())[after]

    async def wait_for_end(self, download: Download, *, timeout: float = 60.0) -> Path | None:
        """Wait until a download is complete; return its file, or None in the user's own browser."""
        try:
            with anyio.fail_after(timeout):
                await self.until(lambda: download.state != "inProgress")
        except TimeoutError as error:
            received = format_count(download.received, "byte")
            raise TimedOut(
                f"{quote_line(download.name)} is not complete after {timeout:g} s: {received} so far.",
                hint="Wait longer; the download continues.",
            ) from error
        if download.state == "completed" and self._context.browser.ownership.of_user:
            return None
        if download.folder is None:
            raise Blocked(
                f"The download of {quote_line(download.name)} was refused: no download folder is set.",
                hint="Choose a folder first.",
            )
        if download.over_limit:
            raise Blocked(
                f"The download of {quote_line(download.name)} was stopped: the limit of a session is "
                f"{self.max_bytes // (1024 * 1024)} MB.",
                hint="Raise files.maxDownloadMb, or use another session.",
            )
        if download.path is None:
            if self._context.browser.root.lost is not None:
                raise self._context.browser.root.lost
            raise PageFailed(
                f"The download of {quote_line(download.name)} was cancelled.", hint="Start it again."
            )
        return download.path

    def on_start(self, event: Params) -> None:
        """Add a download; Chrome reports it on the browser's own session."""
        if len(self._by_guid) >= MAX_DOWNLOADS:
            self._stop(event["guid"])
            return
        name = safe_name(event["suggestedFilename"])
        self._by_guid[event["guid"]] = Download(
            f"d{next(self._numbers)}", event["guid"], event["url"], name, folder=self._folder
        )
        self._changed.fire()

    def on_progress(self, event: Params) -> bool:
        """Update a download; return whether it is one of this context."""
        download = self._by_guid.get(event["guid"])
        if download is None:
            return False
        download.received = int(event["receivedBytes"])
        download.total = int(event["totalBytes"]) or None
        if event["state"] == "completed" and download.folder is not None:
            # The folder may have changed just after the start: Chrome reports where the file is.
            written = Path(event.get("filePath") or download.folder / download.guid)
            download.path = _settle_name(written, download.folder, download.name)
        if event["state"] == "canceled":
            _remove_partial(download)  # Chrome does it too, a moment later
        download.state = event["state"]
        if sum(one.received for one in self) > self.max_bytes and download.state == "inProgress":
            download.over_limit = True
            self._stop(download.guid)
        self._changed.fire()
        return True

    def _stop(self, guid: str) -> None:
        self._context.browser.root.post("Browser.cancelDownload", guid=guid, **self._context.id_params)


def _remove_partial(download: Download) -> None:
    if download.folder is not None:
        (download.folder / f"{download.guid}.crdownload").unlink(missing_ok=True)


def _make_folder(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder.resolve()


def safe_name(suggested: str) -> str:
    """Turn a site's file name into one that stays in its folder and has no special meaning."""
    visible = "".join(char for char in suggested if unicodedata.category(char) not in ("Cf", "Cc", "Cs"))
    name = _UNSAFE.sub("_", visible).lstrip(" ._").rstrip(" .")
    # File systems limit bytes; the end stays, since it has the file type.
    name = name.encode()[-_MAX_NAME_BYTES:].decode(errors="ignore").lstrip(" .") or "download"
    return f"_{name}" if DEVICE_NAME.fullmatch(name) else name


def _settle_name(source: Path, folder: Path, name: str) -> Path:
    """Give a complete file its readable name, with a number if that name is taken."""
    stem, suffix = Path(name).stem, Path(name).suffix
    for number in itertools.count(1):
        target = folder / (name if number == 1 else f"{stem} ({number}){suffix}")
        try:
            target.hardlink_to(source)  # fails if the name is taken; rename would replace it
        except FileExistsError:
            continue
        except OSError:
            return source
        source.unlink()
        return target
    raise AssertionError
