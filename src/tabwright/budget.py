"""Every text answer fits its budget: repeated structures fold, long texts are cut at a line.

What is left out stays reachable by a cursor; the session keeps it.
"""

from dataclasses import dataclass

# Four characters make about one token.
CHARACTERS_PER_TOKEN = 4
DEFAULT_TOKENS = 2_000
_ROOM_FOR_NOTICE = 160


@dataclass(frozen=True, slots=True)
class Page:
    """A part of a long output: its text, and the line at which the next part begins (None: it ends)."""

    text: str
    next_line: int | None


def tokens(text: str) -> int:
    """Estimate the tokens of a text."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def page(lines: list[str], *, start: int = 0, most_tokens: int = DEFAULT_TOKENS) -> Page:
    """Return as many lines from `start` on as the budget holds; at least one, cut if it must be."""
    whole = "\n".join(lines[start:])
    most = most_tokens * CHARACTERS_PER_TOKEN
    if len(whole) <= most:
        return Page(whole, None)
    most -= _ROOM_FOR_NOTICE
    taken: list[str] = []
    for line in lines[start:]:
        if taken and most < len(line) + 1:
            break
        taken.append(line if len(line) <= most else line[: max(most, 0)] + "…")
        most -= len(line) + 1
    end = start + len(taken)
    return Page("\n".join(taken), end if end < len(lines) else None)
