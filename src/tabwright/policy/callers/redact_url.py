"""Removes secrets from URLs and from the arguments of calls, before they are logged or shown."""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from tabwright.text import format_count

# Arguments whose text is shown; any other text may be private.
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
_MAX_LENGTH = 200
_SECRET_NAME = re.compile(
    r"(?i)(token|key|secret|pass|pwd|auth|code|sig|jwt|cred|session|sid|nonce|state|otp|pin|bearer)"
)
_SECRET_VALUE = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9+/_=.~-]{20,}")
# Names of a path segment whose next segment grants access, such as /reset/8f3a.
_SECRET_FOLLOWS = re.compile(
    r"(?i)(token|secret|reset|invit|magic|verif|confirm|activat|unsubscribe|otp|oauth|share)"
)
_UUID = re.compile(r"(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
# Longer than any word or number in the name of a page.
_LONG_WORD = re.compile(r"[A-Za-z0-9]{32,}|[0-9]{24,}")
# Changes between digits and letters, and from lower to upper case: frequent in random text.
_TURN = re.compile(r"(?<=[0-9])(?=[A-Za-z])|(?<=[A-Za-z])(?=[0-9])|(?<=[a-z])(?=[A-Z])")
_CAMEL_CASE = re.compile(r"[A-Z]?[a-z]+(?:[A-Z][a-z]{2,})*[0-9]{0,4}")
_RANDOM_CHARACTERS = 16
_MASK = "***"


def redact_args(args: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call without typed text."""
    return {str(name)[:50]: _redact_value(str(name), value) for name, value in args.items()}


def _redact_value(name: str, value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str) and name in _SHOWN and (name != "key" or len(value) > 1):
        return redact_url(value)[:_MAX_LENGTH] if ":" in value else value[:_MAX_LENGTH]
    if isinstance(value, list) and name in _SHOWN:
        return [_redact_value(name, one) for one in value[:20]]
    size = len(value) if hasattr(value, "__len__") else 1
    return f"<{format_count(size, 'character' if isinstance(value, str) else 'part')}>"


def redact_url(url: str) -> str:
    """Return a URL without its user, its password, and tokens in path, query and fragment."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return f"<{format_count(len(url), 'character')}>"
    if parts.scheme in ("data", "javascript", "blob"):
        return f"{parts.scheme}:<{format_count(len(url), 'character')}>"
    if not parts.netloc:
        return url
    host = parts.netloc.rpartition("@")[2]
    fragment = _redact_query(parts.fragment) if "=" in parts.fragment else _redact_path(parts.fragment)
    path, query = _redact_path(parts.path), _redact_query(parts.query)
    return parts._replace(netloc=host, path=path, query=query, fragment=fragment).geturl()


def _redact_path(path: str) -> str:
    segments = path.split("/")
    return "/".join(
        _redact_segment(segment, before) for before, segment in zip(["", *segments], segments, strict=False)
    )


def _redact_segment(segment: str, before: str) -> str:
    """Redact one path segment; parameters as in `page;sid=1` are judged by their names."""
    name, *parameters = segment.split(";")
    shown = [_MASK if _is_random(name) or _grants_access(name, before) else name]
    for parameter in parameters:
        key, equals, value = parameter.partition("=")
        shown.append(f"{key}={_MASK}" if equals and _is_secret(key, value) else parameter)
    return ";".join(shown)


def _grants_access(segment: str, before: str) -> bool:
    """Whether a segment looks like the code that the segment before it announces."""
    return any(map(str.isdigit, segment)) and bool(_SECRET_FOLLOWS.search(before))


def _is_random(segment: str) -> bool:
    """Whether a segment looks random, unlike titles, names, dates and numbers."""
    text = unquote(segment)
    if _UUID.search(text) or _LONG_WORD.search(text):
        return True
    pieces = re.findall(r"[A-Za-z0-9]+", text)
    random = (piece for piece in pieces if not _CAMEL_CASE.fullmatch(piece) and len(_TURN.findall(piece)) > 1)
    return sum(map(len, random)) >= _RANDOM_CHARACTERS


def _redact_query(query: str) -> str:
    pairs = parse_qsl(query, keep_blank_values=True)
    shown = [(name, _MASK if _is_secret(name, value) else value) for name, value in pairs]
    return query if shown == pairs else urlencode(shown, safe="*/:@")


def _is_secret(name: str, value: str) -> bool:
    return bool(value) and bool(_SECRET_NAME.search(name) or _SECRET_VALUE.fullmatch(value))
