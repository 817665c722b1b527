"""Fields of an extension's messages, checked: another program wrote them, perhaps with mistakes."""

from typing import Any

import orjson

from tabwright.cdp import Params

_MAX_ID = 2**53
_MAX_TEXT_LENGTH = 10_000
_MAX_TOOLS = 100
# Bytes of JSON, for all tools of a tab.
_MAX_TOOLS_SIZE = 256 * 1024


def read_id(value: Any) -> int:
    """Return an id that Chrome gave a tab or a window.

    Raises:
        ValueError: it is not one.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= _MAX_ID:
        raise ValueError("not an id")
    if value != int(value):
        raise ValueError("not a whole number")
    return int(value)


def read_optional_id(value: Any) -> int | None:
    """Return an id, or None for anything else."""
    try:
        return read_id(value)
    except ValueError:
        return None


def read_text(value: Any) -> str:
    """Return a text within limits; "" for anything else."""
    return value[:_MAX_TEXT_LENGTH] if isinstance(value, str) else ""


def read_time(value: Any) -> float:
    """Return a time in milliseconds; 0 for anything else."""
    valid = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _MAX_ID
    return float(value) if valid else 0.0


def read_tools(value: Any) -> tuple[Params, ...]:
    """Return the tools that an extension declares for a tab, as far as they have names and fit the limits.

    Raises:
        ValueError: it is not a list.
    """
    if not isinstance(value, list):
        raise ValueError("tools is not a list")  # noqa: TRY004 - as for every invalid field
    tools: list[Params] = []
    size = 0
    for tool in value[:_MAX_TOOLS]:
        if isinstance(tool, dict) and isinstance(tool.get("name"), str) and tool["name"]:
            size += len(orjson.dumps(tool))
            if size > _MAX_TOOLS_SIZE:
                break
            tools.append(tool)
    return tuple(tools)
