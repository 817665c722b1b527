"""Keeps text answers within a number of tokens: long texts are cut at a line break.

The session stores the whole text; `more` returns the rest.
"""

from dataclasses import dataclass

# Four characters make about one token.
CHARACTERS_PER_TOKEN = 4
DEFAULT_TOKENS = 2_000
_ROOM_FOR_NOTICE = 160


@dataclass(frozen=True, slots=True)
class Page:
    """A part of a long output: its text, and the line where the next part begins; None at the end."""

    text: str
    next_line: int | None


def tokens(text: str) -> int:
    """Estimate the tokens of a text."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def page(lines: list[str], *, start: int = 0, max_tokens: int = DEFAULT_TOKENS) -> Page:
    """Return as many lines from `start` on as fit; at least one, cut if necessary."""
    whole = "\n".join(lines[start:])
    left = max_tokens * CHARACTERS_PER_TOKEN
    if len(whole) <= left:
        return Page(whole, None)
    left -= _ROOM_FOR_NOTICE
    taken: list[str] = []
    for line in lines[start:]:
        if taken and left < len(line) + 1:
            break
        taken.append(line if len(line) <= left else line[: max(left, 0)] + "…")
        left -= len(line) + 1
    end = start + len(taken)
    return Page("\n".join(taken), end if end < len(lines) else None)
