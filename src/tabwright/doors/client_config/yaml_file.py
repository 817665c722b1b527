"""YAML files that people edit: changes one entry of a block mapping by its lines, and keeps all others.

Only one client needs this, too little for a library that keeps comments. What these lines do not cover, such
as flow style or several documents, is refused, and the user adds the text by hand.
"""

import json
import re
from typing import Any, NamedTuple

_KEY = re.compile(r"""["']?([\w.-]+)["']?[ ]*:(?:[ ]+(.*))?$""")
_NOTHING = ("", "{}", "null", "~")


class _Entry(NamedTuple):
    """The lines of an entry, from its key to the next one, and the indentation of its key."""

    start: int
    end: int
    indent: int


def get(text: str, path: tuple[str, str]) -> dict[str, Any] | None:
    """Return the entry at a path; values that are not simple are returned as they are written.

    Raises:
        ValueError: the text is not what this module understands.
    """
    lines = text.splitlines()
    entry = _find(lines, path[0], path[1])
    return None if entry is None else {key: _value(lines, of) for key, of in _fields(lines, entry).items()}


def put(text: str, path: tuple[str, str], value: dict[str, Any]) -> str:
    """Set the entry at a path, and leave everything else as it is.

    Raises:
        ValueError: the text is not what this module understands.
    """
    lines, (table, name) = text.splitlines(), path
    entry, block = _find(lines, table, name), _find(lines, table)
    if entry is not None:
        lines[entry.start : entry.end] = _change(lines, entry, value)
    elif block is not None:
        indents = [one.indent for one in _children(lines, block).values()]
        at = _content_end(lines, block)
        lines[at:at] = _render(name, value, indents[0] if indents else 2)
        lines[block.start] = lines[block.start] if not _inline(lines[block.start]) else f"{table}:"
    else:
        lines += [f"{table}:", *_render(name, value, 2)]
    newline = "\r\n" if "\r\n" in text else "\n"
    return newline.join([*lines, ""])


def _find(lines: list[str], table: str, name: str = "") -> _Entry | None:
    """Return the lines of a table, or of an entry in it."""
    block = _children(lines, _Entry(-1, len(lines), -1)).get(table)
    if block is None:
        return None
    if _inline(lines[block.start]) not in _NOTHING:
        raise ValueError(f"{table} is not a block mapping")
    return _children(lines, block).get(name) if name else block


def _change(lines: list[str], entry: _Entry, value: dict[str, Any]) -> list[str]:
    """Return the lines of an entry with other fields; comments stay."""
    fields = _fields(lines, entry)
    first = min((one.start for one in fields.values()), default=entry.end)
    indent = next((one.indent for one in fields.values()), entry.indent + 2)
    changed = lines[entry.start : first]
    for key, one in fields.items():
        end = _content_end(lines, one)
        if key in value:
            same = _value(lines, one) == value[key]
            changed += lines[one.start : end] if same else [_line(key, value[key], indent)]
        changed += lines[end : one.end]
    new = [_line(key, one, indent) for key, one in value.items() if key not in fields]
    at = max((n + 1 for n, line in enumerate(changed) if _is_content(line)), default=1)
    return [*changed[:at], *new, *changed[at:]]


def _render(name: str, value: dict[str, Any], indent: int) -> list[str]:
    return [f"{' ' * indent}{name}:", *(_line(key, one, indent + 2) for key, one in value.items())]


def _line(key: str, value: Any, indent: int) -> str:
    """Return a field on one line: JSON is YAML."""
    return f"{' ' * indent}{key}: {json.dumps(value, ensure_ascii=False)}"


def _children(lines: list[str], block: _Entry) -> dict[str, _Entry]:
    """Return the entries of a block mapping by key, in order."""
    found: dict[str, _Entry] = {}
    indent, last = None, ""
    for number in range(block.start + 1, block.end):
        line = lines[number].lstrip("\ufeff")
        if not _is_content(line) or (number == 0 and line.rstrip() == "---"):
            continue
        indent = _indent(line) if indent is None else indent
        if _indent(line) > indent or (last and line[indent:].startswith("- ")):
            continue
        if _indent(line) < indent or (key := _KEY.match(line[indent:])) is None:
            raise ValueError(f"line {number + 1} is not an entry of a block mapping")
        if last:
            found[last] = found[last]._replace(end=number)
        last = key[1]
        found[last] = _Entry(number, block.end, indent)
    return found


def _fields(lines: list[str], entry: _Entry) -> dict[str, _Entry]:
    if _inline(lines[entry.start]):
        raise ValueError(f"the entry in line {entry.start + 1} is not a block mapping")
    return _children(lines, entry)


def _value(lines: list[str], field: _Entry) -> Any:
    """Return the value of a field: a scalar, JSON, a list of scalars, or else its lines."""
    inline = _inline(lines[field.start])
    below = lines[field.start + 1 : _content_end(lines, field)]
    items = [line.strip() for line in below if _is_content(line)]
    if not inline and items and all(item.startswith("- ") for item in items):
        return [_scalar(item[2:].strip()) for item in items]
    return "\n".join([inline, *below]) if items else _scalar(inline)


def _scalar(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text[1:-1].replace("''", "'") if text[:1] == text[-1:] == "'" and len(text) > 1 else text


def _inline(line: str) -> str:
    """Return what follows the key on its line, without a comment."""
    found = _KEY.match(line.strip())
    return re.sub(r"(^|\s)#.*$", "", (found[2] or "") if found else "").strip()


def _content_end(lines: list[str], entry: _Entry) -> int:
    """Return the line after the last one of an entry that is not blank or a comment."""
    return max(n + 1 for n in range(entry.start, entry.end) if n == entry.start or _is_content(lines[n]))


def _is_content(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
