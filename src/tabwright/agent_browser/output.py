"""Renders a program's output: text up to a length, JSON whole or not at all."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import orjson

from tabwright.agent_browser.stream import Stream

# Characters of text, and bytes of JSON, so that an answer fits into a message.
MAX_TEXT, MAX_JSON = 25_000, 1_000_000
# Bytes to read for either; a character has at most four.
READ_BYTES = MAX_JSON
# How an object or a list begins, unlike text in brackets.
_JSON = re.compile(rb"""\s*(\{\s*["}]|\[\s*([\[{"\d\]-]|true|false|null))""")
# Deeper than any answer, but not too deep to serialise.
_MAX_DEPTH = 100


class ProgramOutput(NamedTuple):
    """Text, its JSON value if it is JSON, and whether something was left out."""

    text: str
    parsed: Any = None
    cut: bool = False


def render(stream: Stream, *, saved: bool = False) -> ProgramOutput:
    """Render what a program wrote; with `saved`, JSON is included only if it is short."""
    text = stream.head.decode(errors="replace")
    short = stream.whole and len(text) <= MAX_TEXT
    if not _JSON.match(stream.head):
        return ProgramOutput(text) if short else ProgramOutput(text[:MAX_TEXT], cut=True)
    if not stream.whole:
        # Partial JSON is unreadable for programs and misleading for models.
        return ProgramOutput("", cut=True)
    try:
        value = orjson.loads(stream.head)
    except orjson.JSONDecodeError:
        return ProgramOutput(text) if short else ProgramOutput(text[:MAX_TEXT], cut=True)
    if saved and not short:
        return ProgramOutput("", cut=True)
    return ProgramOutput(text, value if _is_shallow(value) else None)


def _is_shallow(value: Any) -> bool:
    level = [value]
    for _ in range(_MAX_DEPTH):
        level = [inner for outer in level for inner in _inside(outer)]
        if not level:
            return True
    return False


def _inside(value: Any) -> Iterator[Any]:
    values = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return (inner for inner in values if isinstance(inner, dict | list))
