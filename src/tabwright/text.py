"""Text for messages: counts, quoting of page text, cutting."""

import unicodedata

from tabwright.hygiene import is_short_name, strip_invisible

# A page may log megabytes; a reader needs the beginning.
MAX_TEXT = 2_000


def format_count(number: int, noun: str) -> str:
    """Return a number with its noun: 1 tab, 2 matches, 1,204 more rows."""
    return f"{number:,} {noun if number == 1 else _plural(noun)}"


def format_seconds(seconds: float) -> str:
    """Return a duration in one unit: 45 s, 30 min, 1.5 h."""
    for size, unit in ((3_600, "h"), (60, "min")):
        if seconds > size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.3g} s"


def _plural(noun: str) -> str:
    if noun.endswith(("s", "x", "ch", "sh")):
        return f"{noun}es"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}s"


def quote(text: str) -> str:
    """Quote a string from the page."""
    if not text.isprintable():
        text = "".join(char if _is_drawn(char) else " " for char in strip_invisible(text))
    if "\\" in text or '"' in text:
        text = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


def quote_name(name: str) -> str:
    """Return a name that a page chose: as it is if it is short, else quoted, so that doors can mark it."""
    return name if is_short_name(name) and name.isprintable() else quote(name)


def quote_line(text: str, max_length: int = 200) -> str:
    """Quote page text as one line, without invisible characters, cut at `max_length`."""
    visible = "".join(char for char in strip_invisible(text) if char.isspace() or _is_drawn(char))
    return quote(cut(" ".join(visible.split()), max_length))


def _is_drawn(char: str) -> bool:
    """Whether a character is drawn, or joins those next to it: the format characters that are left do."""
    return char.isprintable() or unicodedata.category(char) == "Cf"


def cut(text: str, max_length: int = MAX_TEXT) -> str:
    """Return `text`, cut and marked with … if it is too long."""
    return text if len(text) <= max_length else f"{text[:max_length]}…"
