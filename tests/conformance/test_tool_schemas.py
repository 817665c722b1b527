"""Every listed schema is acceptable to every client, and every tool has the right hints."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tabwright.action import Effect
from tabwright.actions import CATALOG
from tabwright.dialects.browser import Browser
from tabwright.dialects.dialect import Tool
from tabwright.dialects.registry import Dialects
from tabwright.dialects.simple_schema import simplify
from tabwright.dialects.tabs.client_view import ClientView
from tabwright.dialects.tabs.dialect import Tabs
from tabwright.page_tools.webmcp.schema import bound_schema
from tabwright.schema import drop_empty, schema_of

Schema = dict[str, Any]
RULES: dict[str, Any] = tomllib.loads((Path(__file__).with_name("schema_rules.toml")).read_text())
TOOLS = [
    *(
        tool
        for name in ("browser", "plain", "browsion", "agent_browser")
        for tool in Dialects(CATALOG).choose({"dialect": name}).tools()
    ),
    *Tabs(CATALOG, ClientView(fixed=True)).tools(),
]
# What pages declare, and their forms have.
PAGE_SCHEMAS = [
    {"type": ["string", "null"], "minLength": 1, "pattern": "^a"},
    {"type": ["string", "number"], "description": "Either"},
    {"enum": [1, 2, 3], "type": "integer"},
    {"const": 5},
    {"type": "array"},
    {"type": "array", "items": {"type": "object", "properties": {"a": {}}, "additionalProperties": False}},
    {"oneOf": [{"type": "string"}, {"type": "null"}]},
    {"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "integer"}}], "title": "Ids"},
    {"allOf": [{"type": "object", "properties": {"b": {"type": "boolean", "default": True}}}]},
    {"type": "string", "format": "color"},
    {"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.5},
    {"properties": {"deep": {"type": "object", "properties": {"deeper": {"enum": ["a", "b"]}}}}},
    {},
    True,
]


def page_tool() -> Tool:
    fields = {f"field{number}": schema for number, schema in enumerate(PAGE_SCHEMAS)}
    declared, _ = bound_schema({"type": "object", "properties": fields, "required": ["field0"]})
    hints = {"read_only": False, "destructive": True, "idempotent": False, "open_world": True}
    return Tool(name="page_tool", description="Of a page.", schema=simplify(declared), **hints)


def parts(schema: Schema, path: str) -> Iterator[tuple[str, Schema]]:
    yield path, schema
    for name, field in schema.get("properties", {}).items():
        yield from parts(field, f"{path}.{name}")
    if "items" in schema:
        yield from parts(schema["items"], f"{path}[]")
    for kind in schema.get("anyOf", ()):
        yield from parts(kind, f"{path}|")


def faults(tool: Tool, rules: dict[str, Any]) -> Iterator[str]:
    """Yield what a client refuses in a tool."""
    if not re.fullmatch(rules.get("tool_names", ".*"), tool.name):
        yield f"{tool.name}: name"
    yield from (f"{tool.name}: root {word}" for word in rules.get("root_without", ()) if word in tool.schema)
    for path, part in parts(tool.schema, tool.name):
        yield from (f"{path}: {fault}" for fault in part_faults(path, part, rules))


def part_faults(path: str, part: Schema, rules: dict[str, Any]) -> Iterator[str]:
    yield from (f"keyword {word}" for word in part if word not in rules["keywords"])
    kind = part.get("type")
    if "type_required" in rules and kind is None and "anyOf" not in part:
        yield "no type"
    if "single_type" in rules and kind is not None and kind not in rules["types"]:
        yield f"type {kind}"
    if "items_required" in rules and kind == "array" and not part.get("items"):
        yield "no items"
    if "any_of_alone" in rules and "anyOf" in part and len(part) > 1:
        yield "anyOf is not alone"
    if "text_enums" in rules and not all(isinstance(choice, str) for choice in part.get("enum", ())):
        yield "a choice that is not text"
    yield from limit_faults(path, part, rules)


def limit_faults(path: str, part: Schema, rules: dict[str, Any]) -> Iterator[str]:
    if len(part.get("enum", ())) > rules.get("max_enum", 10_000):
        yield "too many choices"
    if path.count(".") > rules.get("max_depth", 100):
        yield "too deep"
    known = [*rules.get("formats", ()), *rules.get("tolerated_formats", ())]
    if known and part.get("format", known[0]) not in known:
        yield f"format {part['format']}"
    if "property_names" in rules:
        names = part.get("properties", {})
        yield from (f"name {name}" for name in names if not re.fullmatch(rules["property_names"], name))
    is_open = part.get("type") == "object" and "." in path and not part.get("properties")
    if is_open and path not in rules.get("open_objects", [path]):
        yield "an object with any keys"


@pytest.mark.parametrize("client", RULES)
def test_every_simple_schema_is_acceptable_to(client: str) -> None:
    assert [fault for tool in TOOLS for fault in faults(tool, RULES[client])] == []


@pytest.mark.parametrize("client", [client for client in RULES if client != "openai_strict"])
def test_the_schemas_of_page_tools_are_acceptable_to(client: str) -> None:
    assert list(faults(page_tool(), RULES[client])) == []


def test_the_rules_refuse_what_clients_refused() -> None:
    bad = {"type": "object", "properties": {"args": {"type": "array"}, "n": {"type": "integer", "enum": [1]}}}
    hints = {"read_only": False, "destructive": True, "idempotent": False, "open_world": True}
    tool = Tool(name="bad", description="", schema={**bad, "additionalProperties": False}, **hints)
    assert set(faults(tool, RULES["gemini"])) == {
        "bad: keyword additionalProperties",
        "bad.args: no items",
        "bad.n: a choice that is not text",
    }
    assert "bad.args: no items" in set(faults(tool, RULES["vscode"]))


def test_every_parameter_of_the_default_tools_is_described() -> None:
    tools = Browser(CATALOG).tools()
    fields = {
        f"{tool.name}.{name}": field for tool in tools for name, field in tool.schema["properties"].items()
    }
    assert [path for path, field in fields.items() if not field.get("description")] == []


def test_an_optional_text_that_may_be_empty_is_empty_by_default() -> None:
    """Otherwise "" would not count as not given; the text of a prompt may be empty."""
    odd = []
    for action in CATALOG:
        schema = schema_of(action.args)
        for name, field in schema["properties"].items():
            optional = name not in schema.get("required", ())
            if optional and drop_empty(schema, {name: ""}) and field.get("default") != "":
                odd.append(f"{action.name}.{name}")
    assert odd == ["answer_dialog.text"]


# Tools with hints that are not obvious: read-only, destructive, idempotent, open world.
HINTS = {
    "browser_navigate": (False, False, True, True),
    "browser_snapshot": (True, False, True, True),
    "browser_screenshot": (True, False, True, True),
    "browser_click": (False, True, False, True),
    "browser_fill": (False, False, True, True),
    "browser_press": (False, True, False, True),
    "browser_scroll": (False, False, False, True),
    "browser_wait": (True, False, True, True),
    "browser_evaluate": (False, True, False, True),
    "browser_tabs": (False, True, False, True),
    "browser_close": (False, True, True, False),
    "list_page_tools": (True, False, True, True),
    "call_page_tool": (False, True, False, True),
    "browser_more": (False, True, False, True),
}


def test_the_default_tools_have_the_right_hints() -> None:
    assert {
        tool.name: (tool.read_only, tool.destructive, tool.idempotent, tool.open_world)
        for tool in Browser(CATALOG).tools()
    } == HINTS


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_hints_do_not_contradict_each_other(tool: Tool) -> None:
    assert not (tool.read_only and tool.destructive)
    assert tool.idempotent or not tool.read_only


def test_hints_of_actions_follow_what_they_do() -> None:
    tools = {tool.name: tool for tool in Dialects(CATALOG).choose({"dialect": "plain"}).tools()}
    for action in CATALOG:
        tool = tools[action.name]
        assert tool.read_only == (action.effect is Effect.READ)
        assert tool.destructive or action.effect is not Effect.DESTROY
        assert tool.destructive or "press" not in action.may_do
    local = {
        "list_sessions",
        "find_actions",
        "delete_profile",
        "close_session",
        "set_offline",
        "list_downloads",
    }
    assert {name for name in local if tools[name].open_world} == set()
