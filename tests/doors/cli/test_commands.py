"""Commands without a hub: parsing, usage errors and help."""

import io
import re
import subprocess
import sys
from typing import Any

import pytest

from tabwright.actions import CATALOG
from tabwright.dialects.registry import Dialects
from tabwright.doors.cli import commands, verbs
from tabwright.doors.cli import help as command_help
from tabwright.doors.cli.commands import Command, Field
from tabwright.doors.cli.parse import ELEMENT_NAMES as FLAGS_OF_AN_ELEMENT
from tabwright.doors.cli.parse import UsageError, parse, wants_help
from tabwright.doors.cli.run_action import EXIT_CODES
from tabwright.doors.terminal import Terminal
from tabwright.errors import TabwrightError
from tabwright.schema import ELEMENT_NAMES

SORTS = Command(
    "sort_all",
    "Sort all of it.",
    "test",
    (
        Field("target", "string", "What.", positional=True, required=True),
        Field("depth", "integer", "How deep.", positional=True, required=True),
        Field("keys", "string", "By which.", positional=True, required=True, many=True),
        Field("delay", "number", "Seconds."),
        Field("stable", "boolean", "Keep ties.", default=True),
        Field("order", "string", "Up or down.", choices=("up", "down")),
        Field("marks", "string", "Marks.", many=True, choices=("a", "b")),
        Field("extra_value", "json", "Anything."),
    ),
)


@pytest.mark.parametrize(
    ("words", "fields"),
    [
        (["@e1", "2", "name"], {"target": "@e1", "depth": 2, "keys": ["name"]}),
        (["@e1", "-2", "a", "b"], {"target": "@e1", "depth": -2, "keys": ["a", "b"]}),
        (
            ["@e1", "--delay", "0.5", "2", "--order=up", "a", "b"],
            {"target": "@e1", "depth": 2, "keys": ["a", "b"], "delay": 0.5, "order": "up"},
        ),
        (
            ["@e1", "2", "a", "--no-stable", "--marks", "a", "--marks", "b"],
            {"target": "@e1", "depth": 2, "keys": ["a"], "stable": False, "marks": ["a", "b"]},
        ),
        (
            ["@e1", "2", "a", "--extra-value", '{"b": [1]}'],
            {"target": "@e1", "depth": 2, "keys": ["a"], "extra_value": {"b": [1]}},
        ),
        (
            ["@e1", "2", "a", "--extra-value", "{plain"],
            {"target": "@e1", "depth": 2, "keys": ["a"], "extra_value": "{plain"},
        ),
        (["--", "--odd", "2", "-x"], {"target": "--odd", "depth": 2, "keys": ["-x"]}),
        (["@e1", "2", ""], {"target": "@e1", "depth": 2, "keys": [""]}),
        (["2", "a", "--selector", "#b"], {"target": "#b", "depth": 2, "keys": ["a"]}),
        (["--ref", "e7", "2", "a"], {"target": "e7", "depth": 2, "keys": ["a"]}),
        (["--target=@e7", "2", "a"], {"target": "@e7", "depth": 2, "keys": ["a"]}),
    ],
)
def test_words_are_parsed_into_fields(words: list[str], fields: dict[str, Any]) -> None:
    assert parse(SORTS, words) == fields


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ([], "the following arguments are required: TARGET, DEPTH, KEYS"),
        (["@e1", "two", "a"], "argument DEPTH: 'two' is not a whole number"),
        (["@e1", "2", "a", "--delay", "soon"], "argument --delay: 'soon' is not a number"),
        (
            ["@e1", "2", "a", "--order", "sideways"],
            "argument --order: invalid choice: 'sideways' (choose from 'up', 'down')",
        ),
        (["@e1", "2", "a", "--dela", "1"], "unrecognized arguments: --dela"),
        (["@e1", "2", "a", "--delay"], "argument --delay: expected one argument"),
    ],
)
def test_wrong_words_are_reported(words: list[str], complaint: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(SORTS, words)
    assert str(caught.value) == complaint


def test_a_command_without_fields_takes_no_words() -> None:
    bare = Command("bare", "Do.", "test")
    assert parse(bare, []) == {}
    with pytest.raises(UsageError) as caught:
        parse(bare, ["a", "b"])
    assert str(caught.value) == "unrecognized arguments: a b"


def test_every_class_of_error_has_its_own_exit_code() -> None:
    assert set(EXIT_CODES) == set(TabwrightError.__subclasses__())
    assert sorted(EXIT_CODES.values()) == list(range(2, 11))


def test_a_command_imports_nothing_heavy() -> None:
    heavy = {"pydantic", "mcp", "anyio", "asyncio", "orjson", "dataclasses", "click"}
    heavy |= {"tabwright.actions", "tabwright.browser", "tabwright.settings", "tabwright.runner"}
    script = "import sys, tabwright.__main__, tabwright.doors.cli.run_action; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert heavy & set(done.stdout.split()) == set()


def test_help_counts_only_before_the_double_dash() -> None:
    assert wants_help(["@e1", "--help"])
    assert not wants_help(["@e1", "--", "--help"])


def test_help_fits_80_columns() -> None:
    terminal = Terminal(io.StringIO(), io.StringIO())
    screens = [command_help.overview(terminal), command_help.list_all(terminal)]
    screens += [
        command_help.describe(command, terminal) for command in (*commands.list_actions(), *commands.OWN)
    ]
    assert [line for screen in screens for line in screen.splitlines() if len(line) > 80] == []


def test_the_help_has_a_line_for_each_command() -> None:
    shown = command_help.list_all(Terminal(io.StringIO(), io.StringIO()))
    listed = [line.split()[0] for line in shown.splitlines() if re.match(r"  [a-z]", line)]
    words = [command.word for command in (*commands.OWN, *commands.list_actions())]
    assert listed[: len(words)] == sorted(words, key=listed.index)
    assert set(listed) == {*words, *verbs.first_words()}
    assert len(listed) == len(set(listed))


def test_the_help_of_mcp_and_config_names_all_dialects() -> None:
    names = ", ".join(Dialects(CATALOG)._factories)  # noqa: SLF001 - what a client can choose
    for name in ("mcp", "config"):
        command = commands.find_own(name)
        assert command is not None
        shown = command_help.describe(command, Terminal(io.StringIO(), io.StringIO()))
        assert f"Tools to offer: {names}; or several, such as browser,plain." in " ".join(shown.split())


def test_no_hint_suggests_what_was_typed() -> None:
    for command in (*commands.list_actions(), *commands.OWN):
        for field in command.fields:
            if field.positional and field.help:
                hint = command_help.explain_misuse(command, f"unrecognized arguments: {field.flag}")
                assert not hint.startswith(f"Did you mean {field.flag}?")


def test_help_of_a_command_lists_every_field() -> None:
    assert command_help.describe(SORTS, Terminal(io.StringIO(), io.StringIO())) == (
        "Sort all of it.\n"
        "\n"
        "Usage: tabwright sort-all TARGET DEPTH KEYS … [--delay N] [--[no-]stable]\n"
        "       [--order up|down] [--marks a|b …] [--extra-value JSON]\n"
        "\n"
        "Arguments\n"
        "  TARGET                    What.\n"
        "  DEPTH                     How deep.\n"
        "  KEYS                      By which. One or more.\n"
        "\n"
        "Options\n"
        "  --delay N                 Seconds.\n"
        "  --[no-]stable             Keep ties. (default: on)\n"
        "  --order up|down           Up or down.\n"
        "  --marks a|b               Marks. May be repeated.\n"
        "  --extra-value JSON        Anything."
    )


def test_hidden_options_are_not_listed() -> None:
    hub = commands.find_own("hub")
    assert hub is not None
    assert "ready" not in command_help.describe(hub, Terminal(io.StringIO(), io.StringIO()))


def test_fields_are_built_from_their_schema() -> None:
    shape = {"type": "array", "items": {"enum": ["a", "b"], "type": "string"}, "default": []}
    assert commands.field_of("marks", {**shape, "description": "Marks."}, required=False) == Field(
        "marks", "string", "Marks.", many=True, choices=("a", "b"), default=[]
    )
    either = {"anyOf": [{"type": "integer"}, {"type": "string"}], "description": "Either."}
    assert commands.field_of("either", either, required=True) == Field(
        "either", "json", "Either.", positional=True, required=True
    )


def test_an_element_has_the_names_that_it_has_over_mcp() -> None:
    assert FLAGS_OF_AN_ELEMENT == ELEMENT_NAMES
