"""Downloads of a browser context: where they go, how far they are, what became of them."""

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
_MAX_NAME = 150
# What the downloads of one context may take together, unless told otherwise, and how many there may be.
MOST_BYTES = 2_000 * 1024 * 1024
MOST = 1_000
_PATIENCE = 5.0
_DEVICE = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")


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
    too_much: bool = False


class Downloads:
    """All downloads of one context, into one folder."""

    def __init__(self, context: "Context") -> None:
        self._context = context
        self.most_bytes = MOST_BYTES
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
            self._folder = await anyio.to_thread.run_sync(_made, folder)
        except OSError as error:
            raise InvalidArgs(
                f"{folder} cannot hold downloads: {error.strerror}.", hint="Choose another folder."
            ) from error
        # Chrome names the file by an id: a name chosen by a site never decides where bytes are written.
        await self._set_behavior("allowAndName", self._folder)

    async def refuse(self) -> None:
        """Refuse downloads; they are still seen."""
        self._folder = None
        await self._set_behavior("deny", None)

    async def cancel(self, download: Download) -> None:
        """Stop a download."""
        await self._context.browser.root.send("Browser.cancelDownload", guid=download.guid, **self._where)

    def end(self) -> None:
        """Note that the context is gone; of what was under way nobody else removes the half files."""
        for download in self:
            if download.state == "inProgress":
                download.state = "canceled"
                _remove_half(download)
        self._changed.fire()

    def get(self, download_id: str) -> Download:
        """Return the download of that id."""
        for download in self._by_guid.values():
            if download.id == download_id:
                return download
        raise NotFound(f"There is no download {download_id}.", hint="List the downloads, then choose one.")

    def collect(self) -> list[Path]:
        """Return the files that were completed since this was last asked."""
        fresh = [download for download in self if download.path is not None and not download.collected]
        for download in fresh:
            download.collected = True
        return [download.path for download in fresh if download.path is not None]

    async def until(self, reached: Callable[[], bool]) -> None:
        """Wait until something about the downloads is so; the caller's deadline bounds it."""

        def look() -> bool:
            if not reached() and self._context.browser.root.lost is not None:
                raise self._context.browser.root.lost
            return reached()

        await self._changed.until(look)

    async def begun(self, *, after: int) -> Download:
        """Wait for the first download beyond the `after` that were known before."""
        await self.until(lambda: len(self._by_guid) > after)
        return list(self._by_guid.values())[after]

    async def finished(self, download: Download, *, timeout: float = 60.0) -> Path | None:
        """Wait until a download is complete; return where it is, unless it is the user's own affair."""
        try:
            with anyio.fail_after(timeout):
                await self.until(lambda: download.state != "inProgress")
        except TimeoutError as error:
            received = format_count(download.received, "byte")
            raise TimedOut(
                f"{quote_line(download.name)} is not complete after {timeout:g} s: {received} so far.",
                hint="Wait longer; the download goes on.",
            ) from error
        if download.state == "completed" and self._context.browser.address:
            return None
        if download.folder is None:
            raise Blocked(
                f"The download of {quote_line(download.name)} was refused: this session saves no downloads.",
                hint="Choose a folder for them first.",
            )
        if download.too_much:
            raise Blocked(
                f"The download of {quote_line(download.name)} was stopped: those of a session may take "
                f"{self.most_bytes // (1024 * 1024)} MB together.",
                hint="Raise files.maxDownloadMb, or use another session.",
            )
        if download.path is None:
            if self._context.browser.root.lost is not None:
                raise self._context.browser.root.lost
            raise PageFailed(
                f"The download of {quote_line(download.name)} was called off.", hint="Start it again."
            )
        return download.path

    def will_begin(self, event: Params) -> None:
        """Note a download; Chrome tells of it on the browser's own session."""
        if len(self._by_guid) >= MOST:
            self._stop(event["guid"])
            return
        name = safe_name(event["suggestedFilename"])
        self._by_guid[event["guid"]] = Download(
            f"d{next(self._numbers)}", event["guid"], event["url"], name, folder=self._folder
        )
        self._changed.fire()

    def progress(self, event: Params) -> bool:
        """Note how far a download is; return whether it is one of ours."""
        download = self._by_guid.get(event["guid"])
        if download is None:
            return False
        download.received = int(event["receivedBytes"])
        download.total = int(event["totalBytes"]) or None
        if event["state"] == "completed" and download.folder is not None:
            # A folder chosen a moment after the beginning may have won: Chrome tells where the bytes are.
            written = Path(event.get("filePath") or download.folder / download.guid)
            download.path = _settle_name(written, download.folder, download.name)
        if event["state"] == "canceled":
            _remove_half(download)  # Chrome does so too, a moment later
        download.state = event["state"]
        if sum(one.received for one in self) > self.most_bytes and download.state == "inProgress":
            download.too_much = True
            self._stop(download.guid)
        self._changed.fire()
        return True

    def _stop(self, guid: str) -> None:
        self._context.browser.root.post("Browser.cancelDownload", guid=guid, **self._where)

    @property
    def _where(self) -> Params:
        return {"browserContextId": self._context.id} if self._context.id else {}

    async def _set_behavior(self, behavior: str, folder: Path | None) -> None:
        where = self._where | ({"downloadPath": str(folder)} if folder is not None else {})
        with deadline(_PATIENCE, "The browser does not answer about downloads.", hint="Try again."):
            await self._context.browser.root.send(
                "Browser.setDownloadBehavior", behavior=behavior, eventsEnabled=True, **where
            )


def _remove_half(download: Download) -> None:
    if download.folder is not None:
        (download.folder / f"{download.guid}.crdownload").unlink(missing_ok=True)


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder.resolve()


def safe_name(suggested: str) -> str:
    """Turn a site's file name into one that stays in its folder and means nothing to the system."""
    visible = "".join(char for char in suggested if unicodedata.category(char) not in ("Cf", "Cc", "Cs"))
    name = _UNSAFE.sub("_", visible).lstrip(" ._").rstrip(" .")
    # File systems count bytes; the end is kept, since it says what kind of file it is.
    name = name.encode()[-_MAX_NAME:].decode(errors="ignore").lstrip(" .") or "download"
    return f"_{name}" if _DEVICE.fullmatch(name) else name


def _settle_name(source: Path, folder: Path, name: str) -> Path:
    """Give a complete file its readable name, beside any of that name that is there already."""
    stem, suffix = Path(name).stem, Path(name).suffix
    for number in itertools.count(1):
        target = folder / (name if number == 1 else f"{stem} ({number}){suffix}")
        try:
            target.hardlink_to(source)  # fails when the name is taken, where rename would replace
        except FileExistsError:
            continue
        except OSError:
            return source
        source.unlink()
        return target
    raise AssertionError
