"""The audit log: a line of JSON for every action, without what was typed, for the user's eyes only."""

import json
import logging
import os
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from tabwright.text import format_count

log = logging.getLogger(__name__)

# Texts of these names are shown; all others may be what only the page should see.
_SHOWN = frozenset(
    {
        "target",
        "end",
        "url",
        "id",
        "ref",
        "action",
        "session",
        "tab",
        "cursor",
        "folder",
        "format",
        "paper",
        "ranges",
        "direction",
        "button",
        "wait_until",
        "device",
        "locale",
        "timezone",
        "media",
        "origin",
        "state",
        "kind",
        "by",
        "domain",
        "path",
        "method",
        "pattern",
        "key",
        "paths",
        "profile_id",
        "lang",
        "verb",
    }
)
_LONGEST = 200
_SECRET_NAME = re.compile(
    r"(?i)(token|key|secret|pass|pwd|auth|code|sig|jwt|cred|session|sid|nonce|state|otp|pin|bearer)"
)
_SECRET_VALUE = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9+/_=.~-]{20,}")
# What a part of a path is named before the part that lets its holder in, such as /reset/8f3a.
_SECRET_FOLLOWS = re.compile(
    r"(?i)(token|secret|reset|invit|magic|verif|confirm|activat|unsubscribe|otp|oauth|share)"
)
_UUID = re.compile(r"(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
# Longer than any word or number that people give a page for its name.
_LONG_WORD = re.compile(r"[A-Za-z0-9]{32,}|[0-9]{24,}")
# Between digits and letters, and from small to capital letters: random texts turn every other character.
_TURN = re.compile(r"(?<=[0-9])(?=[A-Za-z])|(?<=[A-Za-z])(?=[0-9])|(?<=[a-z])(?=[A-Z])")
_CAMEL_CASE = re.compile(r"[A-Z]?[a-z]+(?:[A-Z][a-z]{2,})*[0-9]{0,4}")
_RANDOM_CHARACTERS = 16
_MASK = "***"


class AuditLog:
    """Appends lines to a file; a full one makes way, and only some of those are kept."""

    def __init__(self, file: Path, *, most_bytes: int = 10_000_000, kept: int = 4) -> None:
        self._file = file
        self._most_bytes = most_bytes
        self._kept = kept

    def note(self, line: Mapping[str, Any]) -> None:
        """Write one line. That it cannot be written is logged, and no call fails of it."""
        told = {"time": datetime.now(UTC).isoformat(timespec="milliseconds"), **line}
        try:
            self._append(json.dumps(told, default=str).encode() + b"\n")
        except OSError as error:
            log.warning("no audit line can be written: %s", error)

    def _append(self, line: bytes) -> None:
        # Opened for each line: whichever process wrote last may have put another file in its place.
        file = os.open(
            self._file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600
        )
        try:
            os.fchmod(file, 0o600)
            os.write(file, line)
            full = os.fstat(file).st_size >= self._most_bytes
        finally:
            os.close(file)
        if full:
            self._make_way()

    def _make_way(self) -> None:
        for number in range(self._kept - 1, 0, -1):
            older = self._numbered(number)
            if older.exists():
                older.replace(self._numbered(number + 1))
        self._file.replace(self._numbered(1))

    def _numbered(self, number: int) -> Path:
        return self._file.with_name(f"{self._file.stem}.{number}{self._file.suffix}")


def masked(args: Mapping[str, Any]) -> dict[str, Any]:
    """Show what a call was about, never what was typed."""
    return {str(name)[:50]: _masked(str(name), value) for name, value in args.items()}


def _masked(name: str, value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str) and name in _SHOWN and (name != "key" or len(value) > 1):
        return masked_url(value)[:_LONGEST] if ":" in value else value[:_LONGEST]
    if isinstance(value, list) and name in _SHOWN:
        return [_masked(name, one) for one in value[:20]]
    size = len(value) if hasattr(value, "__len__") else 1
    return f"<{format_count(size, 'character' if isinstance(value, str) else 'part')}>"


def masked_url(url: str) -> str:
    """Return an address without what may be secret in it: user and password, tokens in path and query."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return f"<{format_count(len(url), 'character')}>"
    if parts.scheme in ("data", "javascript", "blob"):
        return f"{parts.scheme}:<{format_count(len(url), 'character')}>"
    if not parts.netloc:
        return url
    host = parts.netloc.rpartition("@")[2]
    fragment = _masked_query(parts.fragment) if "=" in parts.fragment else _masked_path(parts.fragment)
    path, query = _masked_path(parts.path), _masked_query(parts.query)
    return parts._replace(netloc=host, path=path, query=query, fragment=fragment).geturl()


def _masked_path(path: str) -> str:
    segments = path.split("/")
    return "/".join(
        _masked_segment(segment, before) for before, segment in zip(["", *segments], segments, strict=False)
    )


def _masked_segment(segment: str, before: str) -> str:
    """Return one part of a path; of `page;sid=1` the parameters are looked at by their names."""
    name, *parameters = segment.split(";")
    shown = [_MASK if _random(name) or _lets_in(name, before) else name]
    for parameter in parameters:
        key, equals, value = parameter.partition("=")
        shown.append(f"{key}={_MASK}" if equals and _secret(key, value) else parameter)
    return ";".join(shown)


def _lets_in(segment: str, before: str) -> bool:
    """Whether a part of a path looks like the code that the part before it announces."""
    return any(map(str.isdigit, segment)) and bool(_SECRET_FOLLOWS.search(before))


def _random(segment: str) -> bool:
    """Whether a part of a path was drawn by lot, unlike titles, names, dates and numbers."""
    text = unquote(segment)
    if _UUID.search(text) or _LONG_WORD.search(text):
        return True
    pieces = re.findall(r"[A-Za-z0-9]+", text)
    drawn = (piece for piece in pieces if not _CAMEL_CASE.fullmatch(piece) and len(_TURN.findall(piece)) > 1)
    return sum(map(len, drawn)) >= _RANDOM_CHARACTERS


def _masked_query(query: str) -> str:
    pairs = parse_qsl(query, keep_blank_values=True)
    shown = [(name, _MASK if _secret(name, value) else value) for name, value in pairs]
    return query if shown == pairs else urlencode(shown, safe="*/:@")


def _secret(name: str, value: str) -> bool:
    return bool(value) and bool(_SECRET_NAME.search(name) or _SECRET_VALUE.fullmatch(value))
