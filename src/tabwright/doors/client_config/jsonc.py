"""JSON files that people edit: allows comments and trailing commas, and changes only what it must."""

import json
import re
from dataclasses import dataclass
from typing import Any

_SPACE = re.compile(r"(?:[\s\ufeff]|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_MISSING = object()
_WORD = re.compile(r"[^\s,:\[\]{}\"/]+")


@dataclass
class _Node:
    """A value and where it is; of an object also its members, and whether a comma follows the last one."""

    start: int
    end: int = 0
    value: Any = None
    members: dict[str, "_Node"] | None = None
    last: int = 0
    has_trailing_comma: bool = False


def get(text: str, path: tuple[str, ...]) -> Any:
    """Return the value at a path of keys; None if there is none.

    Raises:
        ValueError: the text is not JSON, even with comments and trailing commas allowed.
    """
    value = _parse(text).value
    for depth, key in enumerate(path):
        if not isinstance(value, dict):
            raise _not_object(path, depth)
        if key not in value:
            return None
        value = value[key]
    return value


def put(text: str, path: tuple[str, ...], value: Any) -> str:
    """Set the value at a path of keys, and leave everything else as it is.

    Raises:
        ValueError: the text is not JSON, or something on the path is not an object.
    """
    root = _parse(text)
    if not text.strip("\ufeff \t\r\n"):
        return json.dumps(_nest(path, value), indent=2, ensure_ascii=False) + "\n"
    node, depth = root, 0
    while depth < len(path):
        if node.members is None:
            raise _not_object(path, depth)
        if path[depth] not in node.members:
            return _insert(text, node, path[depth], _nest(path[depth + 1 :], value))
        node, depth = node.members[path[depth]], depth + 1
    if isinstance(value, dict) and node.members and node.members.keys() <= value.keys():
        for key in [key for key, one in value.items() if node.value.get(key, _MISSING) != one]:
            text = put(text, (*path, key), value[key])
        return text
    style = _Style.of(text)
    return text[: node.start] + style.dump(value, style.indent_at(text, node.start)) + text[node.end :]


def _not_object(path: tuple[str, ...], depth: int) -> ValueError:
    return ValueError(f"{'.'.join(path[:depth]) or 'it'} is not an object")


def _nest(path: tuple[str, ...], value: Any) -> Any:
    for key in reversed(path):
        value = {key: value}
    return value


@dataclass(frozen=True)
class _Style:
    """How a file indents and ends its lines."""

    unit: str
    newline: str

    @classmethod
    def of(cls, text: str) -> "_Style":
        indented = re.search(r"\n([ \t]+)\S", text)
        return cls(indented[1] if indented else "  ", "\r\n" if "\r\n" in text else "\n")

    def indent_at(self, text: str, at: int) -> str:
        """Return the indentation of the line of a position."""
        line = text[text.rfind("\n", 0, at) + 1 : at]
        return line[: len(line) - len(line.lstrip(" \t"))]

    def dump(self, value: Any, indent: str) -> str:
        """Return a value as JSON that begins in a line with that indentation."""
        lines = json.dumps(value, indent=self.unit, ensure_ascii=False).split("\n")
        return (self.newline + indent).join(lines)


def _insert(text: str, node: _Node, key: str, value: Any) -> str:
    """Add a member at the end of an object, after the comments there."""
    style, close, name = _Style.of(text), node.end - 1, json.dumps(key, ensure_ascii=False)
    outer = style.indent_at(text, node.start)
    if not node.members or "\n" in text[node.start : node.end]:
        first = min((one.start for one in (node.members or {}).values()), default=0)
        inner = style.indent_at(text, first) if first else outer + style.unit
        begin = style.newline + inner
        body = f"{begin}{name}: {style.dump(value, inner)}"
        content = len(text[:close].rstrip())
        after = style.newline + outer if "\n" not in text[content:close] else text[content:close]
    else:
        body, content, after = f" {name}: {json.dumps(value, ensure_ascii=False)}", close, ""
    comma = "," if node.members and not node.has_trailing_comma else ""
    kept = text[: node.last] + comma + text[node.last : content] if node.members else text[:content]
    return kept + body + ("," if node.has_trailing_comma else "") + after + text[close:]


def _parse(text: str) -> _Node:
    start = _skip(text, 0)
    if start == len(text):
        return _Node(start, start, {}, {})
    node = _parse_value(text, start)
    if _skip(text, node.end) != len(text):
        raise _fault(text, node.end)
    return node


def _parse_value(text: str, at: int) -> _Node:
    if text[at : at + 1] == "{":
        return _parse_object(text, at)
    if text[at : at + 1] == "[":
        return _parse_array(text, at)
    found = _STRING.match(text, at) or _WORD.match(text, at)
    if found is None:
        raise _fault(text, at)
    try:
        return _Node(at, found.end(), json.loads(found[0]))
    except ValueError:
        raise _fault(text, at) from None


def _parse_object(text: str, at: int) -> _Node:
    node = _Node(at, members={}, value={})
    assert node.members is not None
    at = _skip(text, at + 1)
    while text[at : at + 1] != "}":
        if (name := _STRING.match(text, at)) is None:
            raise _fault(text, at)
        at = _skip(text, name.end())
        if text[at : at + 1] != ":":
            raise _fault(text, at)
        member = _parse_value(text, _skip(text, at + 1))
        key = json.loads(name[0])
        node.members[key], node.value[key], node.last = member, member.value, member.end
        at, node.has_trailing_comma = _after_item(text, member.end, "}")
    node.end = at + 1
    return node


def _parse_array(text: str, at: int) -> _Node:
    node = _Node(at, value=[])
    at = _skip(text, at + 1)
    while text[at : at + 1] != "]":
        item = _parse_value(text, at)
        node.value.append(item.value)
        at, _ = _after_item(text, item.end, "]")
    node.end = at + 1
    return node


def _after_item(text: str, at: int, close: str) -> tuple[int, bool]:
    """Return where the next item or the end is, and whether there was a comma."""
    at = _skip(text, at)
    if text[at : at + 1] == ",":
        return _skip(text, at + 1), True
    if text[at : at + 1] != close:
        raise _fault(text, at)
    return at, False


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _fault(text: str, at: int) -> ValueError:
    return ValueError(f"it is not valid JSON at line {text.count(chr(10), 0, at) + 1}")
