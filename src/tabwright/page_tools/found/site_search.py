"""Searching a site at the address that it declares (SearchAction, OpenSearch), where it shows no box."""

import html
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urljoin, urlsplit

from tabwright.browser.page.frame import Frame
from tabwright.errors import PageFailed
from tabwright.page_tools.found.frame_query import ask
from tabwright.page_tools.tool import Outcome

_PLACE = re.compile(r"\{[^{}]*\}")
_LARGEST = 100_000


async def search_by_address(
    frame: Frame, template: str, description: str, arguments: Mapping[str, Any]
) -> Outcome:
    """Go to the address at which the site answers a search."""
    known = template or await _described(frame, description)
    address = urljoin(
        frame.url, _PLACE.sub("", known.replace(_term(known), quote(str(arguments["query"]), safe="")))
    )
    if urlsplit(address).scheme not in ("http", "https"):
        raise PageFailed("The site gives no address to search at.", hint="Look for a search box on the page.")
    await frame.tab.goto(address)
    return Outcome(deed=f"Searched at {urlsplit(address).netloc}.")


def _term(template: str) -> str:
    """Return the part of a template that stands for the words."""
    places = _PLACE.findall(template)
    named = [place for place in places if re.search(r"(?i)search|query|term|^\{q\}", place)]
    first: str = (named or places or ["{}"])[0]
    return first


async def _described(frame: Frame, address: str) -> str:
    """Read the address to search at out of an OpenSearch description, which the page fetches."""
    text = await ask(frame, "pageToolFetched", address, _LARGEST)
    found = re.findall(r"<(?:\w+:)?Url\b[^>]*>", str(text or ""))
    for tag in found:
        if "text/html" in tag and (template := re.search(r"""template=["']([^"']+)["']""", tag)):
            unescaped: str = html.unescape(template[1])
            return unescaped
    raise PageFailed("The site's description of its search cannot be read.", hint="Look for a search box.")
