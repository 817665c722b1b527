"""Changes, adds or removes one `[[profiles]]` table of a TOML text, and leaves the rest untouched.

Only the lines of that table go through tomlkit. It would count the comment above a table to the table before
it, and delete it together with that one.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from tabwright.errors import Internal, InvalidArgs

_TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}'
    r"|'''.*?'{3,5}"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'[^'\n]*'"
    r"|\#[^\n]*|\n|[\[\]{}]"
    r"|[^\"'#\n\[\]{}]+|.",
    re.DOTALL,
)
KEY = "profiles"


@dataclass(frozen=True, slots=True)
class _Piece:
    """Lines of the profile with that number, or of none."""

    text: str
    profile: int | None = None
    is_head: bool = False


class ProfilesText:
    """The text, split into pieces."""

    def __init__(self, text: str) -> None:
        self._content = tomllib.loads(text)
        self._pieces = list(_pieces(text))
        self._newline = "\r\n" if "\r\n" in text else "\n"

    @property
    def tables(self) -> list[dict[str, Any]]:
        """The profiles as they are written."""
        found = self._content.get(KEY, [])
        return [table for table in found if isinstance(table, dict)] if isinstance(found, list) else []

    def change(self, number: int, values: Mapping[str, Any]) -> str:
        """Return the text with other values in a profile; None removes a value."""
        import tomlkit

        self._require_tables()
        place = next(at for at, piece in enumerate(self._pieces) if piece.profile == number and piece.is_head)
        parsed = tomlkit.parse(self._pieces[place].text)
        table: Any = parsed[KEY][0]
        for key, value in values.items():
            if value is not None:
                table[key] = value
            elif key in table:
                del table[key]
        pieces = list(self._pieces)
        pieces[place] = _Piece(self._with_newline(tomlkit.dumps(parsed)))
        wanted = [{**table, **values} if at == number else table for at, table in enumerate(self.tables)]
        return self._join(pieces, [_without_none(table) for table in wanted])

    def add(self, values: Mapping[str, Any]) -> str:
        """Return the text with one more profile at the end."""
        import tomlkit

        self._require_tables()
        before = self._with_newline("".join(piece.text for piece in self._pieces))
        new = tomlkit.dumps({KEY: [dict(values)]}).replace("\n", self._newline)
        gap = self._newline if before and not before.endswith(self._newline * 2) else ""
        return self._join([_Piece(before), _Piece(gap + new)], [*self.tables, dict(values)])

    def remove(self, number: int) -> str:
        """Return the text without a profile, but with the comments around it."""
        self._require_tables()
        left = [table for at, table in enumerate(self.tables) if at != number]
        return self._join([piece for piece in self._pieces if piece.profile != number], left)

    def _require_tables(self) -> None:
        headers = sum(piece.is_head for piece in self._pieces)
        if KEY in self._content and (headers != len(self.tables) or not isinstance(self._content[KEY], list)):
            raise InvalidArgs(
                "The profiles in the file are not all [[profiles]] tables, so they cannot be changed here.",
                hint="Write each as a table that begins with [[profiles]].",
            )

    def _with_newline(self, text: str) -> str:
        return text if not text or text.endswith("\n") else text + self._newline

    def _join(self, pieces: list[_Piece], tables: list[dict[str, Any]]) -> str:
        """Join the pieces, and check that the result parses to the expected tables."""
        text = "".join(piece.text for piece in pieces)
        wanted = {**self._content, KEY: tables} if tables else _without(self._content, KEY)
        try:
            right = tomllib.loads(text) == wanted
        except tomllib.TOMLDecodeError:
            right = False
        if not right:
            raise Internal(
                "The change would damage the settings file.", hint="Edit it by hand, and report this."
            )
        return text


def _pieces(text: str) -> Iterator[_Piece]:
    """Split a text into the tables of profiles and what is between them."""
    number, lines = -1, list(_logical_lines(text))
    sections = [at for at, line in enumerate(lines) if line.lstrip().startswith("[")]
    yield _Piece("".join(lines[: sections[0]] if sections else lines))
    for start, end in pairwise([*sections, len(lines)]):
        path, is_array = _header(lines[start])
        if path[0] != KEY:
            yield _Piece("".join(lines[start:end]))
            continue
        is_head = path == [KEY] and is_array
        number += is_head
        after = next((at for at in range(end, start, -1) if _has_content(lines[at - 1])), end)
        yield _Piece("".join(lines[start:after]), number, is_head)
        yield _Piece("".join(lines[after:end]))


def _logical_lines(text: str) -> Iterator[str]:
    """Split a text into lines; a value that spans several lines counts as one."""
    start = depth = 0
    for token in _TOKEN.finditer(text):
        match token[0]:
            case "[" | "{":
                depth += 1
            case "]" | "}":
                depth -= 1
            case "\n" if depth == 0:
                yield text[start : token.end()]
                start = token.end()
    if start < len(text):
        yield text[start:]


def _has_content(line: str) -> bool:
    return line.strip() != "" and not line.lstrip().startswith("#")


def _header(line: str) -> tuple[list[str], bool]:
    """Return the path in a table header, and whether it is an array item."""
    path: list[str] = []
    inner: Any = tomllib.loads(line)
    while inner:
        if isinstance(inner, list):
            return path, True
        [(key, inner)] = inner.items()
        path.append(key)
    return path, False


def _without_none(table: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in table.items() if value is not None}


def _without(table: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in table.items() if name != key}
