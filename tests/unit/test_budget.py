"""The token budget: long texts are cut at a line break, and repeated structures are folded."""

from hypothesis import given
from hypothesis import strategies as st

from tabwright.browser.snapshot.fold import Folding
from tabwright.browser.snapshot.nodes import Node
from tabwright.budget import CHARACTERS_PER_TOKEN, Page, page, tokens


def node(role: str, name: str = "", *children: Node) -> Node:
    return Node(role, name, 0, 0, {}, children)


def test_a_short_text_stays_whole() -> None:
    assert page(["one", "two"]) == Page("one\ntwo", None)


def test_a_long_text_is_cut_at_a_line_and_has_the_next_line() -> None:
    lines = [f"line {number} {'x' * 90}" for number in range(50)]
    first = page(lines, max_tokens=100)
    assert first == Page("\n".join(lines[:2]), 2)
    assert page(lines, start=2, max_tokens=100).text.startswith("line 2 ")


@given(st.lists(st.text(max_size=300), min_size=1, max_size=50), st.integers(min_value=50, max_value=500))
def test_every_line_is_on_a_page_within_the_budget(lines: list[str], max_tokens: int) -> None:
    lines = [line.replace("\n", " ") for line in lines]
    start: int | None = 0
    seen = 0
    while start is not None:
        part = page(lines, start=start, max_tokens=max_tokens)
        assert len(part.text) <= max_tokens * CHARACTERS_PER_TOKEN + 1
        seen += (part.next_line if part.next_line is not None else len(lines)) - start
        start = part.next_line
    assert seen == len(lines)


def test_similar_siblings_fold_to_samples_and_a_count() -> None:
    header = node("row", "", node("columnheader", "Name"))
    rows = [node("row", "", node("cell", f"row {number}")) for number in range(2000)]
    table = Folding((node("table", "", header, *rows),)).fold(10)
    assert [child.name or child.children[0].name for child in table[0].children] == [
        "Name",
        "row 0",
        "row 1",
        "row 2",
        "… 1,997 more rows like these",
    ]


def test_different_siblings_do_not_fold() -> None:
    mixed = [node("link", "a"), node("button", "b")] * 20
    assert Folding(tuple(mixed)).fold(3) == tuple(mixed)


def test_tokens_are_a_quarter_of_the_characters() -> None:
    assert (tokens(""), tokens("abcd"), tokens("abcde")) == (0, 1, 2)
