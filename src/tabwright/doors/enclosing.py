"""The page's words, between marks that no page can write: each answer has a key of its own."""

import re
import secrets

_MARK = "page_text"
# What looks like a mark, whatever its key, loses its bracket.
_FORGED = re.compile(rf"<(?=\s*/?\s*{_MARK})", re.IGNORECASE)
# A number, a word: nothing that could be taken for a sentence.
_WORD = re.compile(r"\S{0,24}")


def enclosed(words: str) -> str:
    """Enclose what a page said."""
    if _WORD.fullmatch(words):
        return words
    key = secrets.token_hex(4)
    return f"<{_MARK} {key}>\n{_FORGED.sub('(', words)}\n</{_MARK} {key}>"
