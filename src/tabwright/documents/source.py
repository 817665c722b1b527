"""The bytes of a document: the one that a tab shows, a download, or a file of the caller."""

import base64
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

import anyio

from tabwright.aio import deadline
from tabwright.browser.page.document_bytes import fetch_document
from tabwright.browser.tab import Tab
from tabwright.documents.document import MAX_BYTES, Document, parse
from tabwright.errors import InvalidArgs, PageFailed

_FETCH_TIMEOUT = 60.0


@dataclass(frozen=True)
class DocumentChoice:
    """Which document to read instead of the page, and which of its pages."""

    download: str | None = None
    file: str | None = None
    pages: str | None = None


async def read_document(tab: Tab, choice: DocumentChoice) -> Document | None:
    """Return the chosen document, or the one that the tab shows; None if it shows an ordinary page."""
    if choice.download is not None:
        download = tab.context.downloads.get(choice.download)
        path = await tab.context.downloads.wait_for_end(download)
        if path is None:
            raise InvalidArgs("The user's own Chrome saved this download.", hint="Read its file instead.")
        return await parse(await _read_file(path), download.name, choice.pages)
    if choice.file is not None:
        return await parse(await _read_file(Path(choice.file)), Path(choice.file).name, choice.pages)
    with deadline(_FETCH_TIMEOUT, "The document of this tab is still loading.", hint="Try again later."):
        found = await fetch_document(tab, MAX_BYTES)
    if found is None:
        if choice.pages is not None:
            raise InvalidArgs("The tab does not show a document with pages.", hint="Leave out pages.")
        return None
    return await parse(base64.b64decode(found), _name(tab.url), choice.pages)


def _name(url: str) -> str:
    return unquote(PurePosixPath(urlsplit(url).path).name) or "document"


async def _read_file(path: Path) -> bytes:
    try:
        async with await anyio.open_file(path, "rb") as file:
            content = await file.read(MAX_BYTES + 1)
    except OSError as error:
        raise InvalidArgs(f"{path.name} cannot be read: {error.strerror}.", hint="Name a file.") from error
    if len(content) > MAX_BYTES:
        raise PageFailed(
            f"{path.name} is larger than {MAX_BYTES // 2**20} MB.", hint="Ask for a smaller file."
        )
    return content
