"""Arguments are checked against the schema of a tool, and no error repeats a value."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwright.errors import InvalidArgs
from tabwright.page_tools.schema_check import PatternCheck, check_arguments, coerce_arguments
from tabwright.page_tools.tool import Schema

SCHEMA: Schema = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 2, "maxLength": 5, "pattern": "^(?:[a-z]*)$"},
        "pax": {"type": "integer", "minimum": 1, "maximum": 9},
        "day": {"type": "string", "format": "date"},
        "cabin": {"type": "string", "enum": ["Economy", "First"]},
        "tags": {"type": "array", "items": {"type": "string", "enum": ["A", "B"]}, "uniqueItems": True},
        "gift": {"type": "boolean"},
    },
    "required": ["name"],
    "additionalProperties": False,
}


def fault(**arguments: Any) -> str:
    with pytest.raises(InvalidArgs) as refused:
        check_arguments("book", SCHEMA, {"name": "ada", **arguments})
    return refused.value.message


def test_each_fault_names_its_field() -> None:
    assert fault(pax=12) == "book: pax must be at most 9."
    assert fault(pax="two") == "book: pax must be a whole number."
    assert fault(day="tomorrow") == "book: day must be a date such as 2026-05-31."
    assert fault(cabin="Third") == 'book: cabin must be one of: "Economy", "First".'
    assert fault(tags=["C"]) == 'book: tags.0 must be one of: "A", "B".'
    assert fault(tags=["A", "A"]) == "book: tags must not repeat a choice."
    assert fault(name="secret words") == "book: name must have at most 5 characters."
    assert fault(other=1, pax=0) == "book: unknown: other; pax must be at least 1."


def test_a_missing_argument_is_named_with_all_arguments() -> None:
    with pytest.raises(InvalidArgs) as refused:
        check_arguments("book", SCHEMA, {})
    assert str(refused.value) == "book: name missing. Its arguments: name, pax, day, cabin, tags, gift."


def test_patterns_are_checked_by_the_browser() -> None:
    assert check_arguments("book", SCHEMA, {"name": "ada"}) == [PatternCheck("name", "^(?:[a-z]*)$", "ada")]


def test_arguments_are_converted_where_the_meaning_is_clear() -> None:
    given = {"pax": "2", "gift": "True", "cabin": " first", "tags": "A", "name": 12}
    assert coerce_arguments(SCHEMA, given) == {
        "pax": 2,
        "gift": True,
        "cabin": "First",
        "tags": ["A"],
        "name": "12",
    }


def test_an_invalid_schema_is_reported_and_fetches_nothing() -> None:
    for schema in ({"type": "nonsense"}, {"$ref": "http://127.0.0.1:9/schema"}, {"properties": {"a": 3}}):
        with pytest.raises(InvalidArgs, match="schema for this tool is invalid"):
            check_arguments("tool", schema, {"a": 1})


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from([*SCHEMA["properties"], "other"]), ANYTHING, max_size=4))
def test_any_arguments_are_accepted_or_rejected(arguments: dict[str, Any]) -> None:
    given = coerce_arguments(SCHEMA, arguments)
    try:
        check_arguments("book", SCHEMA, given)
    except InvalidArgs:
        return
    assert isinstance(given["name"], str)
    assert given.get("pax", 1) in range(1, 10)
