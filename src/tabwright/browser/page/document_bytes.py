"""Fetching the document that a tab shows in Chrome's viewer, where no page can be read."""

from typing import TYPE_CHECKING

from tabwright.browser.page.frame import DocumentGone
from tabwright.browser.page.isolated_world import script
from tabwright.errors import PageFailed, Stale

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab


async def fetch_document(tab: "Tab", most: int) -> str | None:
    """Return the bytes in base64, or None if the tab shows an ordinary page.

    The page itself requests them once more, so cookies and the rules of the session apply.

    Raises:
        PageFailed: they cannot be fetched, or are more than `most`.
    """
    frame = tab.main_frame
    try:
        world = await frame.world()
        frame.session.post(
            "Runtime.evaluate", expression=script("standalone/document_bytes.js"), contextId=world
        )
        answer = await frame.call_here("documentBytes", most)
    except DocumentGone as gone:
        raise Stale("The page navigated away.", hint="Wait for it to load, then try again.") from gone
    if answer is not None and "fault" in answer:
        raise PageFailed(
            f"The document cannot be fetched: {answer['fault']}.", hint="Download it, then read the download."
        )
    return None if answer is None else str(answer["body"])
