"""Text for messages: counts, quoting of page text, cutting."""

import re

# A page may log megabytes; a reader needs the beginning.
MAX_TEXT = 2_000


def format_count(number: int, noun: str) -> str:
    """Return a number with its noun: 1 tab, 2 matches, 1,204 more rows."""
    return f"{number:,} {noun if number == 1 else _plural(noun)}"


def _plural(noun: str) -> str:
    if noun.endswith(("s", "x", "ch", "sh")):
        return f"{noun}es"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}s"


# Invisible, but printable for Python: fillers and variation selectors. A test compares them with hygiene.js.
_INVISIBLE = re.compile(
    "[\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180d\\u180f\\u3164\\ufe00-\\ufe0f\\uffa0\\ufffc\\U000e0100-\\U000e01ef]"
)


def quote(text: str) -> str:
    """Quote a string from the page."""
    if not text.isprintable():
        text = "".join(char if char.isprintable() else " " for char in text)
    if "\\" in text or '"' in text:
        text = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


def quote_line(text: str, max_length: int = 200) -> str:
    """Quote page text as one line, without invisible characters, cut at `max_length`."""
    visible = "".join(char for char in _INVISIBLE.sub("", text) if char.isspace() or char.isprintable())
    return quote(cut(" ".join(visible.split()), max_length))


def cut(text: str, max_length: int = MAX_TEXT) -> str:
    """Return `text`, cut and marked with … if it is too long."""
    return text if len(text) <= max_length else f"{text[:max_length]}…"
