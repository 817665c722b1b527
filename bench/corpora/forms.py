"""The forms part: whether fields of real forms are offered as parameters, and log-in forms as `log_in`.

A person wrote down what each field is (`data-manual-scoring`), except boxes to tick, which do not count.
Nor do fields that a person cannot fill in: invisible, disabled or read-only as the page is served, or meant
for scripts. A page whose file name says "login" has a log-in form if it has exactly one password field,
or none, one field for the user and a button that says "Log in" or "Sign in".
"""

import re
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
_LOGIN_BUTTON = re.compile(r"(?i)\b(log|sign) ?[io]n\b")
_USERS = frozenset({"username", "emailAddress", "username OR emailAddress"})


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
    login = _login_field(fillable, page["buttons"]) if "login" in path.name else None
    if login is not None:
        name = owners.get(login, "")
        if not counts.login.add(right=name.startswith("log_in")):
            yield f"not log_in: {name or 'no tool'}; buttons: {', '.join(page['buttons']) or 'unknown'}"


def _login_field(fields: list[dict[str, Any]], buttons: list[str]) -> int | None:
    """Return the field that identifies the log-in form, if the page has exactly one."""
    passwords = [one["number"] for one in fields if one["scoring"] in _PASSWORDS]
    users = [one["number"] for one in fields if one["scoring"] in _USERS]
    found = passwords or (users if any(map(_LOGIN_BUTTON.search, buttons)) else [])
    return found[0] if len(found) == 1 else None
