"""Selectors as people know them from Playwright and jQuery, as steps of ours.

CSS with text pseudo-classes (`li:has-text("Tea") button`), and locators (`getByLabel("Name")`).
"""

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from tabwright.errors import InvalidArgs

Step = dict[str, Any]

# Each with whether the text must be the whole text of the element.
_TEXT_PSEUDO_CLASSES: Final = {"has-text": False, "text": False, "contains": False, "text-is": True}
_PSEUDO_CLASS: Final = re.compile(r":(has-text|text-is|text|contains)\(|:(visible)(?![\w(-])")
_COMBINATORS: Final = " \t\n>+~"
_QUOTED: Final = r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`)"""
_LOCATOR: Final = re.compile(
    rf"(?:page\.)?(getBy\w+|locator)\(\s*{_QUOTED}\s*"
    rf"(?:,\s*\{{\s*(?:name\s*:\s*{_QUOTED}\s*,?)?\s*(?:exact\s*:\s*(?P<exact>true|false)\s*,?)?\s*\}}\s*)?\)"
)
_LOCATORS: Final = {
    "getByText": "text",
    "getByLabel": "label",
    "getByPlaceholder": "placeholder",
    "getByAltText": "alt",
    "getByTitle": "title",
    "getByTestId": "testid",
}


def rewrite_locator(text: str) -> str:
    """Return a locator in our notation; any other selector unchanged."""
    found = _LOCATOR.fullmatch(text)
    if found is None:
        return text
    kind, value, name = found[1], found[2][1:-1], found[3]
    if kind == "locator":
        return value
    if kind == "getByRole":
        return f'role={value}[name="{name[1:-1]}"]' if name else f"role={value}"
    if kind not in _LOCATORS:
        return text
    return f'{_LOCATORS[kind]}="{value}"' if found["exact"] == "true" else f"{_LOCATORS[kind]}={value}"


def parse_css(css: str) -> list[Step]:
    """Split CSS at its text pseudo-classes into steps: find, filter by text, search inside.

    Raises:
        InvalidArgs: it cannot be split; the hint has the equivalent.
    """
    pieces, rest = _split_at_pseudo_classes(css)
    if not pieces:
        return [{"by": "css", "value": css}]
    if any(char == "," for _, char in _outside_brackets(css)):
        raise _unsupported(css)
    steps: list[Step] = []
    for piece in pieces:
        found = list(_parse_between(css, piece.before, first=not steps))
        descendant = piece.before[-1:].isspace() and not piece.before.rstrip().endswith(">")
        alone = descendant or not (found or steps)
        steps += [*found, *_filter(piece, alone=alone)]
    return [*steps, *_parse_between(css, rest, first=False)]


class _Piece(NamedTuple):
    """A text pseudo-class, and the CSS between it and the one before."""

    before: str
    kind: str
    text: str


def _parse_between(css: str, part: str, *, first: bool) -> Iterator[Step]:
    """Yield the steps of the CSS before, between or after pseudo-classes."""
    compound, part = ("", part) if first else _split_compound(part)
    if compound:
        yield {"by": "matching", "value": compound}
    part = part.strip()
    if part[:1] in ("+", "~") or part[-1:] in ("+", "~"):
        raise _unsupported(css)
    child_follows = part.endswith(">") and part != ">"
    part = part.removesuffix(">").rstrip() if child_follows else part
    if part.startswith(">"):
        part = f":scope > {part[1:].strip() or '*'}"
    if part:
        yield {"by": "css", "value": part}
    if child_follows:
        yield {"by": "css", "value": ":scope > *"}


def _filter(piece: _Piece, *, alone: bool) -> list[Step]:
    """Return the steps of a pseudo-class; `alone`, it applies to all elements."""
    if piece.kind == "visible":
        return [*([{"by": "css", "value": "*"}] if alone else []), {"by": "visible"}]
    exact = _TEXT_PSEUDO_CLASSES[piece.kind]
    return [{"by": "text" if alone else "containing", "value": piece.text, "exact": exact}]


def _split_at_pseudo_classes(css: str) -> tuple[list[_Piece], str]:
    """Return the text pseudo-classes that are not inside brackets or quotes, and the CSS after the last."""
    pieces: list[_Piece] = []
    rest = css
    while (found := _next_pseudo_class(rest)) is not None:
        text, after = _read_text(rest, found) if found[1] else ("", rest[found.end() :])
        pieces.append(_Piece(rest[: found.start()], found[1] or found[2], text))
        rest = after
    return pieces, rest


def _next_pseudo_class(css: str) -> re.Match[str] | None:
    colons = (index for index, char in _outside_brackets(css) if char == ":")
    return next((found for index in colons if (found := _PSEUDO_CLASS.match(css, index))), None)


def _read_text(css: str, found: re.Match[str]) -> tuple[str, str]:
    """Return the text of a pseudo-class, and what follows it."""
    start = found.end()
    end = next((index for index, char in _outside_brackets(css, start) if char == ")"), -1)
    text = css[start:end].strip()
    if end < 0 or len(text.strip("\"'")) == 0:
        raise InvalidArgs(f":{found[1]}() has no text.", hint=f'Write :{found[1]}("text").')
    quoted = len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'"
    return re.sub(r"\\(.)", r"\1", text[1:-1]) if quoted else text, css[end + 1 :]


def _split_compound(css: str) -> tuple[str, str]:
    """Split CSS before its first combinator."""
    ends = (index for index, char in _outside_brackets(css) if char in _COMBINATORS)
    end = next(ends, len(css))
    return css[:end], css[end:]


def _outside_brackets(css: str, start: int = 0) -> Iterator[tuple[int, str]]:
    """Yield the characters that are not inside brackets or quotes, with their positions."""
    depth, quote, index = 0, "", start
    while index < len(css):
        char = css[index]
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char in "([":
            depth += 1
        elif depth == 0:
            yield index, char
        elif char in ")]":
            depth -= 1
        index += 2 if char == "\\" else 1


def _unsupported(css: str) -> InvalidArgs:
    return InvalidArgs(
        f"{css} combines a text pseudo-class with a list or with siblings.",
        hint="Use one selector, such as li:has-text(Tea) >> button, or a ref.",
    )
