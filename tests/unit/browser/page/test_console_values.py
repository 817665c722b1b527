"""Formatting JavaScript values as text."""

from hypothesis import given
from hypothesis import strategies as st

from tabwright.browser.page.console_values import console_text, without_stack
from tabwright.text import cut


def test_an_error_keeps_all_lines_of_its_message_but_not_its_stack() -> None:
    assert without_stack("Error: a\nb\n    at f (x.js:1:1)\n    at g") == "Error: a\nb"


def test_placeholders_without_a_value_are_kept() -> None:
    assert (
        console_text([{"type": "string", "value": "%s and %d"}, {"type": "string", "value": "a"}])
        == "a and %d"
    )


def test_an_object_without_a_preview_is_named() -> None:
    assert console_text([{"type": "object", "className": "Egg", "description": "Egg"}]) == "Egg"


def test_more_properties_than_chrome_sends_are_marked() -> None:
    preview = {"overflow": True, "properties": [{"name": "a", "type": "number", "value": "1"}]}
    assert console_text([{"type": "object", "description": "Object", "preview": preview}]) == "{a: 1, …}"


@given(st.lists(st.text().map(lambda text: {"type": "string", "value": text}), max_size=5))
def test_any_strings_are_rendered_within_the_bound(args: list[dict[str, str]]) -> None:
    assert len(console_text(args)) <= 2001


@given(st.text(), st.integers(0, 50))
def test_a_cut_keeps_the_beginning(text: str, most: int) -> None:
    assert cut(text, most) in (text, text[:most] + "…")
