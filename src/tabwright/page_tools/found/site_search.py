"""Searches a site at the address that it declares (SearchAction, OpenSearch) if it has no search form."""

import html
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urljoin, urlsplit

from tabwright.browser.page.frame import Frame
from tabwright.errors import PageFailed
from tabwright.page_tools.found.frame_query import call_script
from tabwright.page_tools.tool import Outcome

_PLACEHOLDER = re.compile(r"\{[^{}]*\}")
_MAX_LENGTH = 100_000


async def search_by_address(
    frame: Frame, template: str, description: str, arguments: Mapping[str, Any]
) -> Outcome:
    """Navigate to the site's search results."""
    template = template or await _read_template(frame, description)
    query = quote(str(arguments["query"]), safe="")
    path = _PLACEHOLDER.sub("", template.replace(_query_placeholder(template), query))
    address = urljoin(frame.url, path)
    if urlsplit(address).scheme not in ("http", "https"):
        raise PageFailed("The site declares no usable search address.", hint="Look for a search box.")
    await frame.tab.goto(address)
    return Outcome(summary=f"Searched at {urlsplit(address).netloc}.")


def _query_placeholder(template: str) -> str:
    """Return the placeholder of a template that stands for the query."""
    placeholders = _PLACEHOLDER.findall(template)
    named = [one for one in placeholders if re.search(r"(?i)search|query|term|^\{q\}", one)]
    first: str = (named or placeholders or ["{}"])[0]
    return first


async def _read_template(frame: Frame, address: str) -> str:
    """Read the search address from an OpenSearch description, which the page fetches."""
    text = await call_script(frame, "pageToolFetch", address, _MAX_LENGTH)
    found = re.findall(r"<(?:\w+:)?Url\b[^>]*>", str(text or ""))
    for tag in found:
        if "text/html" in tag and (template := re.search(r"""template=["']([^"']+)["']""", tag)):
            unescaped: str = html.unescape(template[1])
            return unescaped
    raise PageFailed("The site's OpenSearch description is invalid.", hint="Look for a search box.")
