"""What is told of a program's output: text up to a length, JSON whole or not at all."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import orjson

from tabwright.agent_browser.stream import Stream

# Characters of text, and bytes of JSON: an answer with it must fit a message.
MOST_TEXT, MOST_JSON = 25_000, 1_000_000
# As much as is kept to make either of it, a character being four bytes at most.
KEPT = MOST_JSON
# How an object or a list begins, unlike text in brackets.
_JSON = re.compile(rb"""\s*(\{\s*["}]|\[\s*([\[{"\d\]-]|true|false|null))""")
# Deeper than any answer, and not so deep that it cannot be written again.
_DEEPEST = 100


class ProgramOutput(NamedTuple):
    """Text, the JSON that it is, if it is, and whether something was left out."""

    text: str
    parsed: Any = None
    cut: bool = False


def told(stream: Stream, *, elsewhere: bool = False) -> ProgramOutput:
    """Tell what a program wrote; what can be had whole elsewhere is told only if it is short."""
    text = stream.head.decode(errors="replace")
    short = stream.whole and len(text) <= MOST_TEXT
    if not _JSON.match(stream.head):
        return ProgramOutput(text) if short else ProgramOutput(text[:MOST_TEXT], cut=True)
    if not stream.whole:
        # A part of JSON would be taken for less than it is, and no program can read it.
        return ProgramOutput("", cut=True)
    try:
        value = orjson.loads(stream.head)
    except orjson.JSONDecodeError:
        return ProgramOutput(text) if short else ProgramOutput(text[:MOST_TEXT], cut=True)
    if elsewhere and not short:
        return ProgramOutput("", cut=True)
    return ProgramOutput(text, value if _is_shallow(value) else None)


def _is_shallow(value: Any) -> bool:
    level = [value]
    for _ in range(_DEEPEST):
        level = [inner for outer in level for inner in _inside(outer)]
        if not level:
            return True
    return False


def _inside(value: Any) -> Iterator[Any]:
    values = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return (inner for inner in values if isinstance(inner, dict | list))
