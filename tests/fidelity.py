"""Compares a snapshot with Chrome's accessibility tree by role and name."""

import asyncio
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from tabwright.browser.page.frame import Handle
from tabwright.browser.snapshot.nodes import Node
from tabwright.browser.snapshot.snapshot import Snapshot
from tabwright.browser.tab import Tab

# Chrome's internal role names, and ours.
_ROLES = {
    "ColorWell": "color",
    "DisclosureTriangle": "summary",
    "DisclosureTriangleGrouped": "summary",
    "EmbeddedObject": "embed",
    "LabelText": "label",
    "MathMLMath": "math",
    "PluginObject": "object",
    "SvgRoot": "svg",
}
# Text and boxes, which are not compared.
_PLAIN = frozenset(
    {
        "generic",
        "none",
        "StaticText",
        "InlineTextBox",
        "LineBreak",
        "ListMarker",
        "RootWebArea",
        "MenuListPopup",
    }
    | {"LayoutTable", "LayoutTableRow", "LayoutTableCell", "Section"}
)
# Their content is drawn by the browser, not written by the page.
_OPAQUE = frozenset(
    {"Audio", "Canvas", "Date", "DateTime", "InputTime", "MathMLMath", "PluginObject", "Video"}
)
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ue000-\uf8ff]")


class Thing(NamedTuple):
    """Role and name of a node, which both trees have."""

    role: str
    name: str


@dataclass(frozen=True)
class Agreement:
    """Two trees compared. Precision: our nodes that Chrome has; recall: Chrome's visible nodes that we have."""

    ours: Counter[Thing]
    all_of_chrome: Counter[Thing]
    visible_in_chrome: Counter[Thing]

    @property
    def precision(self) -> float:
        return (self.ours & self.all_of_chrome).total() / max(1, self.ours.total())

    @property
    def recall(self) -> float:
        return (self.ours & self.visible_in_chrome).total() / max(1, self.visible_in_chrome.total())

    @property
    def extra(self) -> list[Thing]:
        return list((self.ours - self.all_of_chrome).elements())

    @property
    def missing(self) -> list[Thing]:
        return list((self.visible_in_chrome - self.ours).elements())


async def compare(tab: Tab) -> Agreement:
    """Compare our snapshot of the tab's main frame with Chrome's tree of it."""
    snapshot = await tab.snapshot()
    # Once the tree was disabled, as after a snapshot with custom elements, Chrome answers only while it is enabled.
    await tab.session.send("Accessibility.enable")
    tree = await tab.session.send("Accessibility.getFullAXTree")
    await tab.session.send("Accessibility.disable")
    nodes = list(_compared_nodes(tree["nodes"]))
    flags = await _visibility(tab, [node for _, node in nodes])
    everything = Counter(thing for thing, _ in nodes)
    visible = Counter(thing for (thing, _), shown in zip(nodes, flags, strict=True) if shown)
    return Agreement(Counter(_snapshot_nodes(snapshot)), everything, visible)


def _snapshot_nodes(snapshot: Snapshot) -> Iterator[Thing]:
    waiting: list[Node] = list(snapshot.nodes)
    while waiting:
        node = waiting.pop()
        if node.role not in ("text", "generic") and not node.outside:
            yield Thing(node.role, _plain(node.name))
        if node.role != "iframe":
            waiting.extend(node.children)


def _compared_nodes(nodes: list[dict[str, Any]]) -> Iterator[tuple[Thing, int]]:
    by_id = {node["nodeId"]: node for node in nodes}
    waiting = [nodes[0]]
    while waiting:
        node = waiting.pop()
        role = str(node.get("role", {}).get("value", ""))
        exposed = not node.get("ignored") and "backendDOMNodeId" in node
        if exposed and (known := _role(node, role)):
            yield Thing(known, _plain(str(node.get("name", {}).get("value", "")))), node["backendDOMNodeId"]
        # The options of a closed list are not on the page.
        if not (exposed and role in _OPAQUE) and role != "MenuListPopup":
            waiting.extend(by_id[child] for child in node.get("childIds", ()) if child in by_id)


def _role(node: dict[str, Any], role: str) -> str:
    facts = {fact["name"]: fact["value"].get("value") for fact in node.get("properties", ())}
    if role == "generic" and facts.get("editable") == "richtext" and facts.get("focusable"):
        return "textbox"  # an editable box has no role in Chrome
    return "" if role in _PLAIN else _ROLES.get(role, role.lower())


def _plain(name: str) -> str:
    return re.sub(r"\s+", " ", _INVISIBLE.sub("", name)).strip()[:1000]


async def _visibility(tab: Tab, nodes: list[int]) -> list[bool]:
    frame, session = tab.main_frame, tab.session
    world = await frame.world()
    resolved = await asyncio.gather(
        *(session.start("DOM.resolveNode", backendNodeId=node, executionContextId=world) for node in nodes)
    )
    handles = [Handle(each["object"]["objectId"]) for each in resolved]
    answer: list[bool] = await frame.call("areVisible", *handles, hang_timeout=30) if handles else []
    return answer
