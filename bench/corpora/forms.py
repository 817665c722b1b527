"""The forms part: whether fields of real forms are offered as parameters, and log-in forms as `log_in`.

A person wrote down what each field is (`data-manual-scoring`), except boxes to tick, which do not count.
Nor do fields that a person cannot fill in: invisible, disabled or read-only as the page is served, or filled in
by a script. A log-in form has exactly one password field, on a page whose file name says "login".
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from bench.corpora.result import Figure, Measured
from bench.corpora.site import Corpus
from tabwright.browser.tab import Tab
from tabwright.page_tools import Listing, inventory_of

_SCRIPT = (Path(__file__).parent / "form_fields.js").read_text().rstrip().removesuffix(";")
_PASSWORDS = frozenset({"password", "password.current"})


@dataclass
class _Count:
    """How many cases there were, and in how many of them the tools were right."""

    name: str
    target: float
    cases: int = 0
    right: int = 0

    def add(self, *, right: bool) -> bool:
        self.cases += 1
        self.right += right
        return right

    def figure(self) -> Figure:
        share = self.right / self.cases if self.cases else 1.0
        return Figure(self.name, share, self.target, self.cases)


@dataclass
class _Counts:
    recall: _Count = field(default_factory=lambda: _Count("fields offered as parameters", 0.98))
    precision: _Count = field(default_factory=lambda: _Count("parameters that are such fields", 0.97))
    login: _Count = field(default_factory=lambda: _Count("log-in forms named log_in", 0.97))


async def measure(corpus: Corpus) -> Measured:
    """List the tools of every page and compare them with its fields."""
    counts, misses = _Counts(), []
    for path in sorted((corpus.folder / "forms").glob("*.html")):
        await corpus.do("navigate", url=corpus.url(f"forms/{path.name}"))
        tab = await corpus.tab()
        listing = await inventory_of(tab).list_tools()
        page = await _inspect(tab, [number for tool in listing for number in tool.controls.values()])
        misses += [f"{path.name}: {miss}" for miss in _compare(counts, path, listing, page)]
    figures = [count.figure() for count in (counts.recall, counts.precision, counts.login)]
    return Measured(figures, misses)


async def _inspect(tab: Tab, controls: list[int]) -> dict[str, Any]:
    """Return the fields of the page, in the world where the numbers of its elements are known."""
    frame = tab.main_frame
    expression = f"({_SCRIPT})({orjson.dumps(controls).decode()})"
    answer = await frame.ask(
        "Runtime.evaluate", expression=expression, contextId=await frame.world(), returnByValue=True
    )
    page: dict[str, Any] = answer["result"]["value"]
    return page


def _compare(counts: _Counts, path: Path, listing: Listing, page: dict[str, Any]) -> Iterator[str]:
    """Count what one page offers; yield its misses."""
    owners = {number: tool.name for tool in listing for number in tool.controls.values()}
    fillable = [one for one in page["fields"] if one["fillable"]]
    for one in fillable:
        if not counts.recall.add(right=one["number"] in owners):
            yield f"not offered: {one['text']} ({one['scoring']})"
    for one in page["controls"]:
        if one["typed"] and not counts.precision.add(right=one["fillable"]):
            yield f"cannot be filled in: {one['text']} of {owners[one['number']]}"
    passwords = [one["number"] for one in fillable if one["scoring"] in _PASSWORDS]
    if "login" in path.name and len(passwords) == 1:
        name = owners.get(passwords[0], "")
        if not counts.login.add(right=name.startswith("log_in")):
            yield f"not log_in: {name or 'no tool'}; buttons: {', '.join(page['buttons']) or 'unknown'}"
