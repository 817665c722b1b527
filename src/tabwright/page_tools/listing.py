"""The list of a page's tools: merged from all sources, with unique names, ranked and cut to size."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import orjson

from tabwright.page_tools.signature import signature
from tabwright.page_tools.tool import PageTool

MAX_SHOWN = 20
# Of the tools that we find, a person would name about ten as the main things to do.
_MAX_FOUND = 12
_MAX_OF_KIND = {
    "open": 4,
    "contents": 1,
    "chapters": 1,
    "places": 2,
    "sort": 1,
    "item": 6,
    "table": 3,
    "button": 8,
    "menu": 2,
    "tabs": 3,
    "select": 2,
}
_MIN_FOUND = 3
_MAX_NAME_LENGTH = 48
_MAX_NEW_TOOLS = 6
_MAX_NEW_TOOLS_LENGTH = 140
_PREFERENCE = ("recipe", "site", "page")


@dataclass(frozen=True)
class Listing:
    """The tools of a page at one moment, the most useful first."""

    shown: tuple[PageTool, ...] = ()
    rest: tuple[PageTool, ...] = ()

    def __iter__(self) -> Iterator[PageTool]:
        return iter((*self.shown, *self.rest))

    @property
    def fingerprint(self) -> str:
        """Changes whenever names, descriptions or schemas in `shown` do; current field values don't count."""
        seen = [(tool.name, tool.description, _without_defaults(tool.schema)) for tool in self.shown]
        return hashlib.sha256(orjson.dumps(sorted(seen), option=orjson.OPT_SORT_KEYS)).hexdigest()[:16]


def build_listing(tools: Iterable[PageTool], *, reserved: frozenset[str]) -> Listing:
    """Merge the tools of all sources, each in page order, into one ranked list."""
    named = list(_with_unique_names(_without_duplicates(list(tools)), reserved))
    ranked = sorted(named, key=lambda tool: -tool.rank)
    shown = _main_tools(ranked)
    chosen = {tool.name for tool in shown}
    return Listing(tuple(shown), tuple(tool for tool in ranked if tool.name not in chosen))


def _main_tools(ranked: Sequence[PageTool]) -> list[PageTool]:
    """Return what is shown at first: all declared and recorded tools, and the main ones of those found."""
    kinds: Counter[str] = Counter()
    found: list[PageTool] = []
    for tool in ranked:
        room = kinds[tool.kind] < _MAX_OF_KIND.get(tool.kind, _MAX_FOUND)
        if tool.source == "page" and not tool.minor and room and len(found) < _MAX_FOUND:
            kinds[tool.kind] += 1
            found.append(tool)
    lists = [tool for tool in ranked if tool.source == "page" and tool.kind == "open"]
    names = {tool.name for tool in (found or lists[:_MIN_FOUND])}
    return [tool for tool in ranked if tool.source != "page" or tool.name in names][:MAX_SHOWN]


def render_new_tools(before: Listing, now: Listing) -> str:
    """Render the tools that are new in a list as one line, with their arguments where these fit."""
    known = {tool.name for tool in before}
    new = [tool for tool in now.shown if tool.name not in known]
    rendered: list[str] = []
    for tool in new[:_MAX_NEW_TOOLS]:
        room = _MAX_NEW_TOOLS_LENGTH - sum(map(len, rendered))
        whole = signature(tool.name, tool.schema)
        rendered.append(whole if len(whole) <= room else tool.name)
    more = [f"{len(new) - len(rendered)} more"] if len(rendered) < len(new) else []
    return ", ".join([*rendered, *more])


def _without_duplicates(tools: Sequence[PageTool]) -> list[PageTool]:
    """Of several tools for the same element, keep those from the preferred source."""
    best: dict[tuple[str, int], int] = {}
    for tool in tools:
        key = (tool.frame, tool.element)
        order = _PREFERENCE.index(tool.source)
        best[key] = min(order, best.get(key, order))
    return [
        tool
        for tool in tools
        if not tool.element or _PREFERENCE.index(tool.source) == best[tool.frame, tool.element]
    ]


def _with_unique_names(tools: Iterable[PageTool], reserved: frozenset[str]) -> Iterator[PageTool]:
    """Give every tool a unique name that no built-in tool has, in page order, minor tools last."""
    taken: set[str] = set()
    for tool in sorted(tools, key=lambda tool: (_PREFERENCE.index(tool.source), tool.minor)):
        wanted = _with_suffix(tool.name, "_on_page") if tool.name in reserved else tool.name
        name, number = wanted, 1
        while name in taken:
            number += 1
            name = _with_suffix(wanted, f"_{number}")
        taken.add(name)
        yield tool if name == tool.name else replace(tool, name=name)


def _with_suffix(name: str, suffix: str) -> str:
    return name[: _MAX_NAME_LENGTH - len(suffix)].rstrip("_") + suffix


def _without_defaults(value: Any) -> Any:
    """Return a schema without the current values of its fields."""
    if isinstance(value, dict):
        return {
            name: _without_defaults(inner)
            for name, inner in value.items()
            if name != "default" or isinstance(inner, dict)
        }
    return [_without_defaults(inner) for inner in value] if isinstance(value, list) else value
