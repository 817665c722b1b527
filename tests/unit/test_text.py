"""Numbers with their nouns."""

import pytest

from tabwright.text import format_count


@pytest.mark.parametrize(
    ("number", "noun", "expected"),
    [
        (0, "tab", "0 tabs"),
        (1, "tab", "1 tab"),
        (2, "tab", "2 tabs"),
        (1, "match", "1 match"),
        (2, "match", "2 matches"),
        (2, "checkbox", "2 checkboxes"),
        (2, "entry", "2 entries"),
        (2, "key", "2 keys"),
        (1_204, "more row", "1,204 more rows"),
    ],
)
def test_only_one_is_singular(number: int, noun: str, expected: str) -> None:
    assert format_count(number, noun) == expected
