"""Parsing selectors."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwright.browser.find.selector import Target, parse_target
from tabwright.errors import InvalidArgs


@given(st.text(max_size=60))
def test_any_text_is_parsed_or_rejected(text: str) -> None:
    with contextlib.suppress(InvalidArgs):
        assert parse_target(text).steps


@pytest.mark.parametrize(
    ("text", "steps", "nth"),
    [
        ("@e7", ({"by": "ref", "number": 7},), None),
        ("e12", ({"by": "ref", "number": 12},), None),
        ("a[href='x=y']", ({"by": "css", "value": "a[href='x=y']"},), None),
        ("css=text", ({"by": "css", "value": "text"},), None),
        ("(//a)[1]", ({"by": "xpath", "value": "(//a)[1]"},), None),
        ('text="A = B"', ({"by": "text", "value": "A = B", "exact": True},), None),
        ("label=Name", ({"by": "label", "value": "Name", "exact": False},), None),
        ("role=Button", ({"by": "role", "value": "button", "name": None, "exact": False},), None),
        (
            "role=link[name=More > less]",
            ({"by": "role", "value": "link", "name": "More > less", "exact": False},),
            None,
        ),
        ("p >> nth=-2", ({"by": "css", "value": "p"},), -2),
        (
            "@e7 >> first >> css=b",
            ({"by": "ref", "number": 7}, {"by": "nth", "index": 0}, {"by": "css", "value": "b"}),
            None,
        ),
    ],
)
def test_a_selector_is_parsed_into_steps(
    text: str, steps: tuple[dict[str, object], ...], nth: int | None
) -> None:
    assert parse_target(text) == Target(text, steps, nth)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("p >> @e7", "In 'p >> @e7' a ref follows another step."),
        ("first", "'first' needs a selector before it."),
        (" ", "The target is empty."),
    ],
)
def test_a_malformed_selector_is_rejected(text: str, message: str) -> None:
    with pytest.raises(InvalidArgs) as refusal:
        parse_target(text)
    assert refusal.value.message == message
