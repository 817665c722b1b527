"""Paths as a caller may write them for files that are made: plain names, whatever system reads them later."""

import re
import unicodedata

from tabwright.browser.storage.downloads import DEVICE_NAME
from tabwright.errors import InvalidArgs

# What Windows takes for a drive, a stream or a part of a path.
_FOREIGN = re.compile(r'[\\:*?"<>|]')
# What looks like a slash, a dot or a colon to a person, beyond what Unicode itself takes for the same.
_LOOK_ALIKES = frozenset(
    "\u2044\u2215\u29f8\u27cb\u2571\u3033\u29f5\u29f9\u27cd\u2572\u2236\ua789\u02d0\u0589\u05c3"
)
_MEANT = frozenset("./\\:")


def plain_path(path: str) -> str:
    """Return a relative path without empty and single-dot parts.

    Raises:
        InvalidArgs: it is absolute, goes up, or has a part that is not what it looks like everywhere.
    """
    parts = [part for part in path.split("/") if part not in ("", ".")]
    fault = _fault(path, parts)
    if fault:
        raise InvalidArgs(
            f"{path[:200]!r} {fault}.", hint="Name a file below your folder, such as out/page.json."
        )
    return "/".join(parts)


def _fault(path: str, parts: list[str]) -> str:
    if not parts or path.endswith("/") or parts[-1] != path.rpartition("/")[2]:
        return "names no file"
    if path.startswith(("/", "~")):
        return "does not begin in your folder"
    if ".." in parts:
        return "goes up"
    if _FOREIGN.search(path) or any(map(_is_foreign, parts)):
        return "means something else on other systems"
    if any(map(_is_strange, path)):
        return "has characters that are not what they look like"
    return ""


def _is_foreign(part: str) -> bool:
    return part[-1] in ". " or part[0] == " " or bool(DEVICE_NAME.fullmatch(part))


def _is_strange(character: str) -> bool:
    """Whether a character cannot be seen, or looks like one that parts paths."""
    if character.isascii():
        return not character.isprintable()
    return (
        unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs")
        or character in _LOOK_ALIKES
        or not _MEANT.isdisjoint(unicodedata.normalize("NFKC", character))
    )
