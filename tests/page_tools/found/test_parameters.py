"""A field of a page becomes a JSON Schema with everything that the page states about it."""

from typing import Any

import pytest

from tabwright.page_tools.found.facts import Field, Option
from tabwright.page_tools.found.parameters import schema_of
from tabwright.page_tools.tool import Schema


def schema(kind: str, **facts: Any) -> Schema:
    return schema_of(Field(ref=1, kind=kind, **facts))


def choices(*labels: str, on: str = "", **facts: Any) -> dict[str, Any]:
    return {"options": tuple(Option(label=label, selected=label == on) for label in labels), **facts}


@pytest.mark.parametrize(
    ("made", "wanted"),
    [
        (schema("text", minlength=2, maxlength=9), {"type": "string", "minLength": 2, "maxLength": 9}),
        (schema("text", pattern="[A-Z]{2}"), {"type": "string", "pattern": "^(?:[A-Z]{2})$"}),
        (schema("text", value="tide"), {"type": "string", "default": "tide"}),
        (schema("email"), {"type": "string", "format": "email"}),
        (schema("email", multiple=True), {"type": "string"}),
        (schema("url"), {"type": "string", "format": "uri"}),
        (schema("number"), {"type": "integer"}),
        (schema("number", step="any"), {"type": "number"}),
        (
            schema("number", min="0", step="0.01", value="1"),
            {"type": "number", "minimum": 0.0, "default": 1.0},
        ),
        (
            schema("number", min="0", max="100", step="5", value="50"),
            {"type": "integer", "minimum": 0, "maximum": 100, "default": 50, "multipleOf": 5},
        ),
        (schema("number", min="1", step="2"), {"type": "integer", "minimum": 1}),
        (schema("date"), {"type": "string", "format": "date"}),
        (schema("datetime"), {"type": "string", "format": "date-time"}),
        (
            schema("color", value="#2277aa"),
            {"type": "string", "pattern": "^#[0-9a-f]{6}$", "default": "#2277aa"},
        ),
        (schema("check", value="true"), {"type": "boolean", "default": True}),
        (
            schema("radio", **choices("A", "B", on="B")),
            {"type": "string", "enum": ["A", "B"], "default": "B"},
        ),
        (
            schema("checks", **choices("A", "B", on="A")),
            {
                "type": "array",
                "items": {"type": "string", "enum": ["A", "B"]},
                "uniqueItems": True,
                "default": ["A"],
            },
        ),
        (schema("combobox", typable=True), {"type": "string"}),
        (schema("text", examples=("Rome",)), {"type": "string", "examples": ["Rome"]}),
    ],
)
def test_each_kind_of_field_has_its_type(made: Schema, wanted: Schema) -> None:
    assert made == wanted


def test_disabled_options_and_placeholders_are_left_out() -> None:
    options = (
        Option(label="Choose a size", empty=True, selected=True),
        Option(label="40"),
        Option(label="41", disabled=True),
        Option(label="Any", empty=True),
    )
    assert schema("select", options=options) == {"type": "string", "enum": ["40", "Any"]}
    assert schema("select", options=options, required=True) == {"type": "string", "enum": ["40"]}


def test_too_many_options_become_examples() -> None:
    many = choices(*(f"Place {n}" for n in range(80)), count=5_000)
    assert schema("select", **many) == {"type": "string", "examples": [f"Place {n}" for n in range(5)]}


@pytest.mark.parametrize(
    "facts",
    [
        {"secret": True},
        {"autocomplete": "one-time-code"},
        {"autocomplete": "section-1 billing cc-number"},
        {"label": "CVV"},
    ],
)
def test_sensitive_fields_are_write_only(facts: dict[str, Any]) -> None:
    made = schema("text", value="4242", **facts)
    assert made["writeOnly"] is True
    assert "default" not in made


def test_text_of_the_page_is_quoted_and_shortened() -> None:
    made = schema("text", label="Straße", hint="x" * 300)
    assert made["description"] == f"From the page: “Straße; {'x' * 112}…”"
    assert schema("date", min="2026-01-01")["description"] == "Dates from 2026-01-01."
