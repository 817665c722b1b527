"""Navigation and footers that a tab showed before on the same site: snapshots name them and leave them out.

On the page that showed them first they are always shown, as is everything in a snapshot of one element.
"""

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from tabwright.browser.snapshot.nodes import Node, words
from tabwright.browser.snapshot.snapshot import Snapshot
from tabwright.browser.snapshot.text import FOLD, Outline

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

_LANDMARKS = words("banner complementary contentinfo navigation")
_MIN_LINES = 6
_MAX_REMEMBERED = 200
# Refs are new on every page, and the current page is marked in the navigation.
_VARYING = re.compile(r"@e\d+: | \(current[^)]*\)")


class ShownLandmarks:
    """The landmarks that the snapshots of a tab have shown."""

    def __init__(self, _tab: "Tab") -> None:
        # By origin and text: the page that showed it first.
        self._pages: dict[tuple[str, str], str] = {}

    def fold(self, taken: Snapshot) -> Snapshot:
        """Return the snapshot without the content of landmarks that another page of the site has shown."""
        nodes = tuple(self._fold(node, taken.url) for node in taken.nodes)
        unchanged = all(one is other for one, other in zip(nodes, taken.nodes, strict=True))
        return taken if unchanged else taken.with_nodes(nodes)

    def _fold(self, node: Node, url: str) -> Node:
        if node.role in _LANDMARKS and node.number and (lines := self._lines_shown_before(node, url)):
            note = f"… {lines} lines as on an earlier page: snapshot {node.ref}"
            return node._replace(children=(Node(FOLD, note, 0, 0, {}, ()),))
        children = tuple(self._fold(child, url) for child in node.children)
        if all(one is other for one, other in zip(children, node.children, strict=True)):
            return node
        return node._replace(children=children)

    def _lines_shown_before(self, node: Node, url: str) -> int:
        """Return how many lines a landmark has, 0 if they were not shown on another page."""
        parts, page = urlsplit(url), url.partition("#")[0]
        origin = f"{parts.scheme}://{parts.netloc}"
        lines = [line.text for line in Outline(node.children, origin=origin).compact_lines()]
        if len(lines) < _MIN_LINES:
            return 0
        key = (origin, _VARYING.sub("", "\n".join(lines)))
        if key not in self._pages and len(self._pages) < _MAX_REMEMBERED:
            self._pages[key] = page
        return len(lines) if self._pages.get(key, page) != page else 0
