"""Parsing of refs, and the fingerprints that they heal by, without a browser."""

import pytest

from tabwright.browser.find.refs import Sighting, document_of, fingerprints, parse, sightings
from tabwright.browser.snapshot.nodes import Node
from tabwright.errors import InvalidArgs


def node(role: str, name: str = "", *children: Node, number: int = 0) -> Node:
    return Node(role, name, number, 0, {}, children)


@pytest.mark.parametrize("ref", ["@e7", "e7", " @e7 "])
def test_a_ref_has_a_number(ref: str) -> None:
    assert parse(ref) == 7


@pytest.mark.parametrize(
    "ref", ["", "@", "@e", "@e0", "@e07", "7", "@E7", "@e7x", "@e-1", "@e1e1", "@e99999999999", "#e7", "@e٣"]
)
def test_anything_else_is_not_a_ref(ref: str) -> None:
    with pytest.raises(InvalidArgs, match="is not a ref"):
        parse(ref)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("https://x.test/a?b=1", "https://x.test/a#c", True),
        ("https://x.test/a", "https://x.test/b", False),
        ("https://x.test/a", "http://x.test/a", False),
    ],
)
def test_query_and_fragment_do_not_make_another_document(one: str, other: str, same: bool) -> None:
    assert (document_of(one) == document_of(other)) is same


def record(*nodes: Node) -> dict[int, Sighting]:
    return dict(sightings("frame", "https://x.test/", nodes))


def test_the_place_is_the_parts_around_and_the_heading_above() -> None:
    page = node(
        "main",
        "",
        node("heading", "Cart", number=1),
        node("list", "", node("listitem", "", node("button", "Buy", number=2))),
    )
    found = {one.number: fingerprint for one, fingerprint in fingerprints("https://x.test/", (page,))}
    assert found[2].place == (
        ("main", ""),
        ("list", ""),
        ("listitem", "Buy"),
        ("heading", "Cart"),
    )
    assert record(page)[2].unique


def test_twins_in_one_place_are_not_unique() -> None:
    found = record(
        node("button", "Buy", number=1), node("button", "Buy", number=2), node("button", "Sell", number=3)
    )
    assert [found[number].unique for number in (1, 2, 3)] == [False, False, True]


def test_what_is_inside_a_frame_belongs_to_the_frame() -> None:
    assert list(record(node("iframe", "Ad", node("button", "Buy", number=2), number=1))) == [1]
