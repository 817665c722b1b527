"""Checks the paths of files to create: each name must mean the same on every system."""

import re
import unicodedata

from tabwright.browser.storage.downloads import DEVICE_NAME
from tabwright.errors import InvalidArgs

# Characters that Windows forbids in names or gives a meaning.
_FOREIGN = re.compile(r'[\\:*?"<>|]')
# Characters that look like a slash, a dot or a colon, beyond what Unicode normalization covers.
_LOOK_ALIKES = frozenset(
    "\u2044\u2215\u29f8\u27cb\u2571\u3033\u29f5\u29f9\u27cd\u2572\u2236\ua789\u02d0\u0589\u05c3"
)
_SPECIAL = frozenset("./\\:")


def plain_path(path: str) -> str:
    """Return a relative path without empty and single-dot parts.

    Raises:
        InvalidArgs: it is absolute, goes up, or has a part that means something else on other systems.
    """
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if fault := _find_fault(path, parts):
        raise InvalidArgs(
            f"{path[:200]!r} {fault}.", hint="Name a file below your folder, such as out/page.json."
        )
    return "/".join(parts)


def _find_fault(path: str, parts: list[str]) -> str:
    if not parts or path.endswith("/") or parts[-1] != path.rpartition("/")[2]:
        return "does not name a file"
    if path.startswith(("/", "~")):
        return "is not relative to your folder"
    if ".." in parts:
        return "is outside of your folder"
    if _FOREIGN.search(path) or any(map(_is_foreign, parts)):
        return "means something else on other systems"
    if any(map(_is_strange, path)):
        return "has characters that are not what they look like"
    return ""


def _is_foreign(part: str) -> bool:
    return part[-1] in ". " or part[0] == " " or bool(DEVICE_NAME.fullmatch(part))


def _is_strange(character: str) -> bool:
    """Whether a character is invisible, or looks like a path separator."""
    if character.isascii():
        return not character.isprintable()
    return (
        unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs")
        or character in _LOOK_ALIKES
        or not _SPECIAL.isdisjoint(unicodedata.normalize("NFKC", character))
    )
