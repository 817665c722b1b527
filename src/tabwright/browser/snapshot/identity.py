"""What a page is when it is not an ordinary one, in one sentence for agents.

identity.js recognises it; the HTTP status is known here only.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

_SENTENCES = {
    "json": "This page is a JSON document.",
    "xml": "This page is an XML document.",
    "pdf": "This page is a PDF document.",
    "image": "This page is an image: take a screenshot to see it.",
    "media": "This page is a video or audio file.",
    "text": "This page is plain text.",
    "browser error": "This is the browser's error page: nothing was loaded.",
    "error": "This looks like an error page.",
    "challenge": "This looks like a bot challenge: a person may have to solve it.",
    "consent": "A consent dialog covers the page: answer it first.",
    "consent page": "This page asks for consent first.",
    "login": "This page is a login form.",
    "login dialog": "A login dialog covers the page.",
    "loading": "This page shows nothing yet; it may still be loading.",
    "canvas": "Most of this page is a canvas: take a screenshot to see it.",
    "video": "Most of this page is a video: take a screenshot to see it.",
    "image map": "Most of this page is an image map: take a screenshot to see it.",
}
_FIRST_ERROR = 400


def describe_identity(kind: str, status: tuple[int | None, str] = (None, "")) -> str:
    """Return the sentence about a page, "" for an ordinary one."""
    number, phrase = status
    failed = number is not None and number >= _FIRST_ERROR
    if failed and kind in ("", "error"):
        return f"The server answered {number} {phrase}".rstrip() + "."
    return _SENTENCES.get(kind, "")


async def read_identity(tab: "Tab") -> tuple[str, str]:
    """Return the title of the page, and the sentence about it apart from its HTTP status."""
    facts = await tab.main_frame.call("describePage")
    return str(facts["title"]), describe_identity(facts["identity"])
