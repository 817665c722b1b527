"""Uploads and downloads."""

from pathlib import Path
from typing import Annotated

from pydantic import Field

from tabwright.action import Args, Effect, Result, action
from tabwright.aio import deadline
from tabwright.browser.storage import downloads as engine
from tabwright.browser.tab import Tab
from tabwright.fields import FileToRead, FolderToFill, Target, Timeout
from tabwright.results import Done
from tabwright.sessions.session import Session


class Upload(Args):
    """Arguments of `upload`."""

    target: Target
    paths: Annotated[list[str], FileToRead()] = Field(
        min_length=1, max_length=100, description="Files to upload, from your folder."
    )
    timeout: Timeout = 5.0


class DropFiles(Args):
    """Arguments of `drop_files`."""

    target: Target
    paths: Annotated[list[str], FileToRead()] = Field(
        min_length=1, max_length=100, description="Files to drop, from your folder."
    )
    timeout: Timeout = 5.0


class SaveDownloads(Args):
    """Arguments of `save_downloads`."""

    folder: Annotated[str, FolderToFill()] = Field(
        min_length=1, max_length=4_000, description="Folder for downloads, inside your own."
    )


class WaitForDownload(Args):
    """Arguments of `wait_for_download`."""

    id: str = Field(pattern=r"^d\d+$", description="Id of the download, such as d1.")
    timeout: Timeout = 60.0


class Download(Args):
    """Arguments of `download`."""

    target: Target
    timeout: Timeout = 60.0


class DownloadLine(Result):
    """One download."""

    own_lines = 0

    id: str = Field(description="Its id.")
    name: str = Field(description="Name of the file.")
    url: str = Field(description="Its URL.")
    state: str = Field(description="inProgress, completed or canceled.")
    received: int = Field(description="Bytes received.")
    total: int | None = Field(description="Total bytes, if known.")
    path: str = Field(description="Path, once complete; empty if the user's own Chrome saved it.")

    def __str__(self) -> str:
        return f"{self.id} {self.name} {self.state} {self.received} B {self.path}".rstrip()


class DownloadList(Result):
    """The downloads of a session."""

    own_lines = 0

    downloads: list[DownloadLine] = Field(description="All of them, oldest first.")

    def __str__(self) -> str:
        return "\n".join(map(str, self.downloads)) or "There are no downloads."


@action(Effect.ACT, does=("upload", "press"), group="Files")
async def upload(tab: Tab, args: Upload) -> Done:
    """Upload files to a file input, or to a button that asks for them."""
    element = tab.element(args.target)
    names = await element.upload(*args.paths, timeout=args.timeout)
    return Done(deed=f"Uploaded {', '.join(names)} to", target=element.label)


@action(Effect.ACT, does=("upload", "press"), group="Files")
async def drop_files(tab: Tab, args: DropFiles) -> Done:
    """Drop files onto an element, as a user drags them there from another window."""
    element = tab.element(args.target)
    names = await element.drop_files(*args.paths, timeout=args.timeout)
    return Done(deed=f"Dropped {', '.join(names)} on", target=element.label)


@action(Effect.ACT, does=("download", "press"), group="Files", patient=True)
async def download(tab: Tab, args: Download) -> DownloadLine:
    """Click an element and wait for the download that this starts."""
    downloads = tab.context.downloads
    known = len(downloads)
    await tab.element(args.target).click()
    with deadline(args.timeout, f"No download started within {args.timeout:g} s.", hint="Take a snapshot."):
        started = await downloads.wait_for_start(after=known)
    await downloads.wait_for_end(started, timeout=args.timeout)
    return _line(started)


@action(Effect.ACT, does=("configure",), group="Files", idempotent=True)
async def save_downloads(session: Session, args: SaveDownloads) -> Done:
    """Save downloads to a folder from now on."""
    await session.context.downloads.save_to(Path(args.folder))
    return Done(deed="Downloads are saved to", target=args.folder)


@action(Effect.READ, does=("look",), group="Files")
async def list_downloads(session: Session, args: Args) -> DownloadList:
    """List the downloads."""
    return DownloadList(downloads=[_line(download) for download in session.context.downloads])


@action(Effect.READ, does=("look",), group="Files", patient=True)
async def wait_for_download(session: Session, args: WaitForDownload) -> DownloadLine:
    """Wait until a download is complete."""
    download = session.context.downloads.get(args.id)
    await session.context.downloads.wait_for_end(download, timeout=args.timeout)
    return _line(download)


def _line(download: engine.Download) -> DownloadLine:
    return DownloadLine(
        id=download.id,
        name=download.name,
        url=download.url,
        state=download.state,
        received=download.received,
        total=download.total,
        path=str(download.path or ""),
    )
