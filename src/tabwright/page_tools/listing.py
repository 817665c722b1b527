"""The list of a page's tools: put together from all sources, named once each, ranked, and cut."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import orjson

from tabwright.page_tools.signature import signature
from tabwright.page_tools.tool import PageTool

MOST_SHOWN = 20
_LONGEST_NAME = 48
_MOST_NEW = 6
_LONGEST_NEWS = 140
_PREFERENCE = ("recipe", "site", "page")


@dataclass(frozen=True)
class Listing:
    """The tools of a page at one moment, the most useful first."""

    shown: tuple[PageTool, ...] = ()
    rest: tuple[PageTool, ...] = ()

    def __iter__(self) -> Iterator[PageTool]:
        return iter((*self.shown, *self.rest))

    @property
    def mark(self) -> str:
        """What is another as soon as what a client sees of `shown` is."""
        seen = [(tool.name, tool.description, _without_defaults(tool.schema)) for tool in self.shown]
        return hashlib.sha256(orjson.dumps(sorted(seen), option=orjson.OPT_SORT_KEYS)).hexdigest()[:16]


def listing_of(tools: Iterable[PageTool], *, reserved: frozenset[str]) -> Listing:
    """Put the tools of all sources, each in the order of its page, into one list."""
    named = list(_named(_preferred(list(tools)), reserved))
    ranked = sorted(named, key=lambda tool: -tool.rank)
    return Listing(tuple(ranked[:MOST_SHOWN]), tuple(ranked[MOST_SHOWN:]))


def newcomers(before: Listing, now: Listing) -> str:
    """Name what is new in a list, in one line: with their arguments, as far as there is room for them."""
    known = {tool.name for tool in before}
    new = [tool for tool in now.shown if tool.name not in known]
    told: list[str] = []
    for tool in new[:_MOST_NEW]:
        room = _LONGEST_NEWS - sum(map(len, told))
        whole = signature(tool.name, tool.schema)
        told.append(whole if len(whole) <= room else tool.name)
    more = [f"{len(new) - len(told)} more"] if len(told) < len(new) else []
    return ", ".join([*told, *more])


def _preferred(tools: Sequence[PageTool]) -> list[PageTool]:
    """Leave out what a better source tells of the same element."""
    best: dict[tuple[str, int], int] = {}
    for tool in tools:
        place = (tool.frame, tool.element)
        order = _PREFERENCE.index(tool.source)
        best[place] = min(order, best.get(place, order))
    return [
        tool
        for tool in tools
        if not tool.element or _PREFERENCE.index(tool.source) == best[tool.frame, tool.element]
    ]


def _named(tools: Iterable[PageTool], reserved: frozenset[str]) -> Iterator[PageTool]:
    """Give every tool a name of its own, in the order of the page, and none that a built-in tool has."""
    taken: set[str] = set()
    for tool in sorted(tools, key=lambda tool: _PREFERENCE.index(tool.source)):
        wished = _with_end(tool.name, "_on_page") if tool.name in reserved else tool.name
        name, number = wished, 1
        while name in taken:
            number += 1
            name = _with_end(wished, f"_{number}")
        taken.add(name)
        yield tool if name == tool.name else replace(tool, name=name)


def _with_end(name: str, end: str) -> str:
    return name[: _LONGEST_NAME - len(end)].rstrip("_") + end


def _without_defaults(value: Any) -> Any:
    """Return a schema without the values that fields happen to hold."""
    if isinstance(value, dict):
        return {
            name: _without_defaults(inner)
            for name, inner in value.items()
            if name != "default" or isinstance(inner, dict)
        }
    return [_without_defaults(inner) for inner in value] if isinstance(value, list) else value
