"""Aliases: what a row lists, which call it makes, and how errors name its arguments."""

from typing import Literal

import pytest

from tabwright.actions import CATALOG
from tabwright.call import Call
from tabwright.dialects.alias import MS, REQUIRED, Alias, Arguments, Meaning, Param
from tabwright.dialects.alias_table import AliasTable, PictureLimits
from tabwright.errors import InvalidArgs
from tabwright.schema import validate


def wait(args: Arguments) -> Meaning:
    return ("pause" if "seconds" in args else "wait_for"), args


CLICK = Alias(
    "tap",
    "click",
    "Tap it.",
    (Param("where", "target", "What to tap"), Param("patience", "timeout", unit=MS)),
    fixed={"count": 2},
)
GO = Alias(
    "go",
    "navigate",
    "Go.",
    (Param("url"), Param("until", "wait_until", default="networkidle", type=Literal["load", "networkidle"])),
    session=None,
)
WAIT = Alias(
    "wait",
    "wait_for",
    "Wait.",
    (Param("where", "target", default=None), Param("time", "pause.seconds", default=None, unit=MS)),
    translate=wait,
)
PICTURE = Alias("see", "screenshot", "See.", (Param("where", "target", default=REQUIRED),))
TABLE = AliasTable(
    CATALOG,
    (CLICK, GO, WAIT, PICTURE),
    Param("place", "session", "Where"),
    limits=PictureLimits(max_side=100, max_bytes=1_000),
)


def call(tool: str, **arguments: object) -> Call:
    found = TABLE.request(tool, arguments)
    assert found is not None
    return found


def error_of(tool: str, **arguments: object) -> str:
    """Return the error of a call, from the table or from the validation of the runner."""
    try:
        made = call(tool, **arguments)
        validate(CATALOG[made.action].args, made.args, made.names)
    except InvalidArgs as error:
        return str(error)
    return ""


def test_a_tool_lists_types_and_defaults_of_the_action_in_its_own_names_and_units() -> None:
    tap, go, _, _ = TABLE.tools()
    assert (tap.name, tap.description, tap.read_only, tap.destructive) == ("tap", "Tap it.", False, True)
    assert tap.schema == {
        "type": "object",
        "properties": {
            "where": {"type": "string", "description": "What to tap"},
            "patience": {"type": "number", "default": 5000},
            "place": {"type": "string", "description": "Where"},
        },
        "required": ["where"],
    }
    assert go.schema["properties"] == {
        "url": {"type": "string", "format": "uri"},
        "until": {"type": "string", "enum": ["load", "networkidle"], "default": "networkidle"},
    }


def test_arguments_are_renamed_converted_and_completed() -> None:
    assert call("tap", where="@e1", patience=1500, place="shop") == Call(
        "click",
        {"target": "@e1", "timeout": 1.5, "count": 2},
        names=call("tap", where="@e1").names,
        session="shop",
    )
    assert call("go", url="https://a.test/").args == {
        "url": "https://a.test/",
        "wait_until": "networkidle",
    }
    assert call("see", where="h1").args == {"target": "h1", "max_side": 100, "max_bytes": 1_000}


def test_a_function_chooses_the_action() -> None:
    assert (call("wait", where="h1").action, call("wait", time=20).action) == ("wait_for", "pause")
    assert call("wait", time=20).args == {"seconds": 0.02}


@pytest.mark.parametrize("empty", [None, ""])
def test_an_empty_argument_is_not_given(empty: object) -> None:
    assert call("tap", where="@e1", patience=empty, place=empty) == call("tap", where="@e1")
    assert call("go", url="https://a.test/", until=empty) == call("go", url="https://a.test/")
    assert error_of("tap", where=None) == "where: Field required. Fields: where, patience, place."


def test_an_unknown_tool_has_no_call() -> None:
    assert TABLE.request("fly", {}) is None


@pytest.mark.parametrize(
    ("tool", "arguments", "error"),
    [
        ("tap", {"where": ""}, "where: String should have at least 1 character. Fields: where, patience."),
        ("tap", {"where": "a", "patience": 0}, "patience: Input should be greater than 0."),
        ("tap", {"where": "a", "patience": 1e9}, "patience: Input should be less than or equal to 600000."),
        ("tap", {"where": "a", "patience": "soon"}, "patience: Input should be a valid number"),
        ("tap", {"where": "a", "target": "b"}, "target: Extra inputs are not permitted."),
        ("tap", {"where": "a", "count": 3}, "count: Extra inputs are not permitted."),
        ("tap", {"where": "a", "place": "x" * 101}, "place: String should have at most 100 characters."),
        ("go", {"url": "x", "until": "commit"}, "until: Input should be 'load' or 'networkidle'."),
        ("go", {"place": "x"}, "place: Extra inputs are not permitted; url: Field required."),
        ("wait", {"time": 60_000}, "time: Input should be less than or equal to 30000. Fields: time."),
        ("wait", {}, "where: Field required. Fields: where."),
    ],
)
def test_errors_name_arguments_as_the_client_wrote_them(
    tool: str, arguments: dict[str, object], error: str
) -> None:
    assert error_of(tool, **arguments).startswith(error)
