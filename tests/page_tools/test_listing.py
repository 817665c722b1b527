"""All sources make one list: unique names, none built in, declared tools preferred, at most 20 shown, 12 of them found."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tabwright.page_tools.found.facts import Position
from tabwright.page_tools.found.rank import rank
from tabwright.page_tools.listing import MAX_SHOWN, build_listing
from tabwright.page_tools.signature import signature
from tabwright.page_tools.tool import Origin, Outcome, PageTool

CLOSED = frozenset({"click"})


async def nothing(_: Mapping[str, Any]) -> Outcome:
    return Outcome(summary="Nothing.")


def tool(
    name: str, *, source: Origin = "page", element: int = 0, rank: float = 0.0, **field: Any
) -> PageTool:
    schema = {"type": "object", "properties": {"a": {"type": "string", **field}}}
    return PageTool(
        name=name,
        description="Does it.",
        schema=schema,
        source=source,
        frame="f",
        run=nothing,
        element=element,
        rank=rank,
    )


@given(st.lists(st.sampled_from(["click", "star", "star_2", "x" * 48]), max_size=40))
def test_names_are_unique_and_never_built_in(names: list[str]) -> None:
    listing = build_listing([tool(name) for name in names], reserved=CLOSED)
    made = [one.name for one in listing]
    assert len(set(made)) == len(names)
    assert "click" not in made
    assert all(len(name) <= 48 for name in made)
    assert len(listing.shown) <= MAX_SHOWN


def test_the_most_important_tools_come_first_and_the_rest_is_available() -> None:
    listing = build_listing([tool(f"t{n}", rank=n) for n in range(25)], reserved=CLOSED)
    assert [one.name for one in listing.shown[:2]] == ["t24", "t23"]
    assert [one.name for one in listing.rest] == [f"t{n}" for n in range(12, -1, -1)]


def test_of_the_tools_found_only_a_few_of_a_kind_and_no_minor_ones_are_shown() -> None:
    lists = [replace(tool(f"open_{n}", rank=n), kind="open") for n in range(6)]
    menu = replace(tool("menu", rank=9), minor=True)
    listing = build_listing([*lists, menu, tool("search", rank=1)], reserved=CLOSED)
    assert [one.name for one in listing.shown] == ["open_5", "open_4", "open_3", "open_2", "search"]
    assert [one.name for one in listing.rest] == ["menu", "open_1", "open_0"]


def test_declared_tools_are_all_shown() -> None:
    listing = build_listing([tool(f"t{n}", rank=n, source="site") for n in range(25)], reserved=CLOSED)
    assert (len(listing.shown), len(listing.rest)) == (20, 5)


def test_a_declared_tool_replaces_the_found_tool_of_the_same_form() -> None:
    ours, theirs = tool("send", element=7), tool("book", source="site", element=7)
    listing = build_listing([ours, theirs, tool("other", element=8)], reserved=CLOSED)
    assert sorted(one.name for one in listing) == ["book", "other"]


def test_the_fingerprint_ignores_current_field_values() -> None:
    mark = build_listing([tool("send", default="x")], reserved=CLOSED).fingerprint
    assert build_listing([tool("send", default="y")], reserved=CLOSED).fingerprint == mark
    assert build_listing([tool("send", maxLength=3)], reserved=CLOSED).fingerprint != mark
    assert build_listing([tool("post")], reserved=CLOSED).fingerprint != mark


def test_a_consent_banner_ranks_last() -> None:
    worst = rank("menu", Position(landmark="footer", onscreen=False), inner=True)
    assert rank("form", Position(landmark="dialog", consent=True), inner=False) < worst
    assert rank("search", Position(landmark="header"), inner=False) > rank(
        "button", Position(landmark="main"), inner=False
    )


def test_a_tool_is_rendered_as_one_line() -> None:
    schema = {
        "properties": {
            "query": {"type": "string"},
            "sort": {"type": "string", "enum": ["New", "Old"], "default": "New"},
            "pax": {"type": "integer", "minimum": 1, "maximum": 9},
            "on": {"type": "boolean", "default": False},
            "pin": {"type": "string", "writeOnly": True},
            "tags": {"type": "array", "items": {"type": "string", "enum": [f"tag {n}" for n in range(12)]}},
        },
        "required": ["query"],
    }
    assert signature("search", schema, "Search.") == (
        "search(query: string, sort?: New|Old = New, pax?: integer 1..9, on?: boolean = false, "
        "pin?: string, write only, tags?: [tag 0|tag 1|tag 2|tag 3|tag 4|tag 5|tag 6|tag 7|… 4 more]) — Search."
    )
