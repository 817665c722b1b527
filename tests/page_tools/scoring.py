"""Scores a list of page tools against the expectations for the page."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from tests.page_tools.corpus import Parameter, State, Tool

_TOOL_NAME = re.compile(r"[a-z][a-z0-9_]{1,47}")
_KEY = re.compile(r"[a-z0-9_]{1,34}")
_MAX_DESCRIPTION = 200
# Keywords that a schema must not have unless expected; of the others, only expected ones are compared.
_TELLING = ("type", "format", "enum", "writeOnly")


@dataclass(frozen=True)
class Offered:
    """A listed tool."""

    name: str
    description: str
    schema: Mapping[str, Any]

    @property
    def properties(self) -> Mapping[str, Any]:
        """Its parameters."""
        found: Mapping[str, Any] = self.schema.get("properties", {})
        return found


@dataclass
class Count:
    """The number of correct, expected and listed things."""

    right: int = 0
    expected: int = 0
    offered: int = 0

    def add(self, other: "Count") -> None:
        """Add the counts of another list."""
        self.right += other.right
        self.expected += other.expected
        self.offered += other.offered

    @property
    def precision(self) -> float:
        """The share of listed things that are correct."""
        return self.right / self.offered if self.offered else 1.0

    @property
    def recall(self) -> float:
        """The share of expected things that were listed."""
        return self.right / self.expected if self.expected else 1.0


@dataclass
class Score:
    """The counts of one or more lists, and a text for every difference."""

    tools: Count = field(default_factory=Count)
    parameters: Count = field(default_factory=Count)
    types: Count = field(default_factory=Count)
    faults: list[str] = field(default_factory=list)

    def add(self, other: "Score") -> None:
        """Add another list."""
        self.tools.add(other.tools)
        self.parameters.add(other.parameters)
        self.types.add(other.types)
        self.faults += other.faults


@dataclass(frozen=True)
class Match:
    """An expected tool, the listed tool that matches it, and the mapping of their keys."""

    tool: Tool
    offered: Offered
    keys: Mapping[str, str]


def matches(state: State, offered: Sequence[Offered]) -> list[Match]:
    """Find the listed tool for each expected one; a better name wins over a later tool."""
    free = list(offered)
    found = []
    for tool in sorted(state.tools, key=lambda tool: "*" in tool.names):
        if (best := _best(tool, free)) is not None:
            free.remove(best)
            found.append(Match(tool, best, _keys(tool.parameters, best)))
    return found


def score(state: State, offered: Sequence[Offered]) -> Score:
    """Compare the listed tools with the expected ones."""
    total = Score(faults=list(_violations(state, offered)))
    matched = matches(state, offered)
    answer = {match.offered.name for match in matched}
    missing = [tool for tool in state.tools if tool not in [match.tool for match in matched]]
    total.faults += [f"missing: {tool.names[0]}" for tool in missing if not tool.optional]
    for tool in offered:
        if tool.name not in answer and not any(fnmatchcase(tool.name, may) for may in state.optional):
            total.faults.append(f"not expected: {tool.name}({', '.join(tool.properties)})")
            total.tools.offered += 1
    needed = [match for match in matched if not match.tool.optional]
    total.tools.add(Count(len(needed), sum(not tool.optional for tool in state.tools), len(needed)))
    for match in needed:
        total.add(_score_parameters(match))
    return total


def _best(tool: Tool, free: Sequence[Offered]) -> Offered | None:
    for name in tool.names:
        for candidate in free:
            if name == "*":
                if tool.at and tool.at in candidate.description:
                    return candidate
            elif candidate.name == name:
                return candidate
    return None


def _keys(parameters: Sequence[Parameter], offered: Offered) -> dict[str, str]:
    """Map expected keys to listed ones: by name, then by the page's text, then any key that is left."""
    free = dict(offered.properties)
    keys: dict[str, str] = {}
    for find in (_by_key, _by_description, _by_any):
        for parameter in parameters:
            if parameter.key not in keys and (key := find(parameter, free)) is not None:
                keys[parameter.key] = key
                del free[key]
    return keys


def _by_key(parameter: Parameter, free: Mapping[str, Any]) -> str | None:
    return next((key for key in (parameter.key, *parameter.also) if key in free), None)


def _by_description(parameter: Parameter, free: Mapping[str, Any]) -> str | None:
    if not parameter.at:
        return None
    words = {
        key: f"{schema.get('title', '')} {schema.get('description', '')}" for key, schema in free.items()
    }
    fitting = [key for key, text in words.items() if parameter.at in text]
    return min(fitting, key=lambda key: len(words[key]), default=None)


def _by_any(parameter: Parameter, free: Mapping[str, Any]) -> str | None:
    return next(iter(free), None) if "*" in parameter.also else None


def _score_parameters(match: Match) -> Score:
    """Compare the parameters of one tool."""
    total = Score()
    name, tool = match.offered.name, match.tool
    may = tool.optional_parameters
    extra = [
        key
        for key in match.offered.properties
        if key not in match.keys.values() and not any(fnmatchcase(key, pattern) for pattern in may)
    ]
    missing = [parameter.key for parameter in tool.parameters if parameter.key not in match.keys]
    if tool.parameters or not may:
        total.parameters = Count(len(match.keys), len(tool.parameters), len(match.keys) + len(extra))
        if tool.parameters or tool.calls:
            total.faults += [f"{name}: extra parameter {key}" for key in extra]
        else:  # an expectation with only a name
            total.parameters.offered = 0
    total.faults += [f"{name}: missing parameter {key}" for key in missing]
    for parameter in tool.parameters:
        if (key := match.keys.get(parameter.key)) is not None:
            total.add(_score_schema(f"{name}.{key}", parameter, _facts(match.offered, key)))
    return total


def _score_schema(place: str, parameter: Parameter, got: Mapping[str, Any]) -> Score:
    """Compare the schema of a parameter with the expected one."""
    total = Score()
    for fact, value in parameter.facts.items():
        total.types.expected += 1
        if _agrees(fact, value, got.get(fact)):
            total.types.right += 1
            total.types.offered += 1
        else:
            total.types.offered += fact in got
            total.faults.append(f"{place}: {fact} should be {value!r}, is {got.get(fact)!r}")
    for fact in _TELLING:
        if fact in got and fact not in (*parameter.facts, *parameter.may):
            total.types.offered += 1
            total.faults.append(f"{place}: {fact} should not be there, is {got[fact]!r}")
    return total


def _facts(offered: Offered, key: str) -> dict[str, Any]:
    schema = dict(offered.properties[key])
    if "enum" in schema:
        schema.setdefault("type", "string")
    if "enum" in schema.get("items", {}):
        schema["items_enum"] = schema["items"]["enum"]
    return {**schema, "required": key in offered.schema.get("required", ())}


def _agrees(fact: str, wanted: Any, got: Any) -> bool:
    if fact == "type" and isinstance(wanted, list):
        return got in wanted
    if fact in {"enum", "items_enum"}:  # a placeholder such as "Choose…" may be there or not
        return got is not None and set(wanted) <= set(got) and len(got) <= len(wanted) + 1
    if fact == "examples":
        return got is not None and set(wanted) <= set(got)
    return bool(wanted == got)


def _violations(state: State, offered: Sequence[Offered]) -> Iterator[str]:
    """Find violations of rules that hold for every list."""
    names = [tool.name for tool in offered]
    yield from (f"listed twice: {name}" for name in sorted({name for name in names if names.count(name) > 1}))
    if len(offered) > state.most:
        yield f"{len(offered)} tools, at most {state.most} are right"
    for tool in offered:
        yield from _tool_violations(tool, state.never)


def _tool_violations(tool: Offered, never: Iterable[str]) -> Iterator[str]:
    if not _TOOL_NAME.fullmatch(tool.name):
        yield f"not a name: {tool.name!r}"
    if len(tool.description) > _MAX_DESCRIPTION:
        yield f"{tool.name}: a description of {len(tool.description)} characters"
    yield from (f"{tool.name}: not a key: {key!r}" for key in tool.properties if not _KEY.fullmatch(key))
    for key, schema in tool.properties.items():
        if schema.get("writeOnly") and "default" in schema:
            yield f"{tool.name}.{key}: reveals a secret"
    for part in never:
        yield from (f"must not be offered: {word}" for word in (tool.name, *tool.properties) if part in word)
