"""Names and roles on pages of web-platform-tests, next to Chrome's own.

A case is stable if Chrome itself gives the expected answer; only those count.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bench.corpora.result import Figure, Measured
from bench.corpora.site import Corpus
from tabwright.browser.page.frame import Handle
from tabwright.browser.tab import Tab

_FOLDER = "names"
_TARGET = 0.985
_MARK = "data-tw"
# Roles of ours and of Chrome that the specifications write in another way, or not at all.
_ROLES = {
    "": "generic",
    "img": "image",
    "presentation": "none",
    "labeltext": "label",
    "svgroot": "svg",
    "disclosuretriangle": "summary",
    "disclosuretrianglegrouped": "summary",
}


@dataclass(frozen=True)
class _Case:
    file: str
    n: int
    label: str | None
    role: str | None


@dataclass(frozen=True)
class _Answer:
    name: str
    role: str


@dataclass
class _Score:
    stable: int = 0
    right: int = 0

    def figure(self, name: str) -> Figure:
        return Figure(name, self.right / max(1, self.stable), _TARGET, self.stable)


async def measure(corpus: Corpus) -> Measured:
    """Compare every case of every page."""
    names, roles = _Score(), _Score()
    misses: list[str] = []
    for file, cases in _cases_by_file(corpus).items():
        await corpus.do("navigate", url=corpus.url(f"{_FOLDER}/{file}"))
        elements = await _Elements.find(await corpus.tab())
        for case in filter(elements.has, cases):
            ours, chrome = await elements.ours(case.n), await elements.chrome(case.n)
            if case.label is not None and chrome.name == case.label:
                misses += _count(names, case, "name", case.label, ours.name)
            if case.role is not None and chrome.role == case.role:
                misses += _count(roles, case, "role", case.role, ours.role)
    return Measured([names.figure("names"), roles.figure("roles")], misses)


def _count(score: _Score, case: _Case, kind: str, expected: str, ours: str) -> Iterator[str]:
    score.stable += 1
    if ours == expected:
        score.right += 1
    else:
        yield f"{case.file} {_MARK}={case.n}: {kind} {expected!r} expected, {ours!r} found"


def _cases_by_file(corpus: Corpus) -> dict[str, list[_Case]]:
    cases = defaultdict(list)
    for entry in json.loads((corpus.folder / _FOLDER / "cases.json").read_text()):
        label, role = entry["label"], entry["role"]
        case = _Case(
            entry["file"],
            entry["n"],
            None if label is None else _squeeze(label),
            None if role is None else _normal_role(role),
        )
        cases[case.file].append(case)
    return cases


class _Elements:
    """The marked elements of a page, also those in shadow roots, by their number."""

    def __init__(self, tab: Tab, nodes: dict[int, int]) -> None:
        self._tab = tab
        self._nodes = nodes

    @classmethod
    async def find(cls, tab: Tab) -> "_Elements":
        document = await tab.session.send("DOM.getDocument", depth=-1, pierce=True)
        return cls(tab, dict(_marked_nodes(document["root"])))

    def has(self, case: _Case) -> bool:
        """Whether the page has the element; some are commented out."""
        return case.n in self._nodes

    async def ours(self, n: int) -> _Answer:
        """Ask our scripts."""
        frame = self._tab.main_frame
        resolved = await frame.ask(
            "DOM.resolveNode", backendNodeId=self._nodes[n], executionContextId=await frame.world()
        )
        handle = Handle(resolved["object"]["objectId"])
        name, role = await frame.call("nameOf", handle), await frame.call("roleOf", handle)
        return _Answer(_squeeze(name["text"]), _normal_role(role))

    async def chrome(self, n: int) -> _Answer:
        """Ask Chrome's accessibility tree."""
        tree = await self._tab.session.send(
            "Accessibility.getPartialAXTree", backendNodeId=self._nodes[n], fetchRelatives=False
        )
        node = tree["nodes"][0]
        name, role = (str(node.get(key, {}).get("value", "")) for key in ("name", "role"))
        return _Answer(_squeeze(name), _normal_role(role))


def _marked_nodes(root: dict[str, Any]) -> Iterator[tuple[int, int]]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        attributes = node.get("attributes", [])
        facts = dict(zip(attributes[::2], attributes[1::2], strict=True))
        if _MARK in facts:
            yield int(facts[_MARK]), node["backendNodeId"]
        waiting += [*node.get("children", ()), *node.get("shadowRoots", ())]


def _squeeze(name: str) -> str:
    return re.sub(r"\s+", " ", name).strip()


def _normal_role(role: str) -> str:
    return _ROLES.get(role.lower(), role.lower())
