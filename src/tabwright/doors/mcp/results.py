"""The page's words, between marks that no page can write: each answer has a key of its own."""

import re
import secrets

_MARK = "page_text"
# What looks like a mark, whatever its key, loses its bracket.
_FORGED = re.compile(rf"<(?=\s*/?\s*{_MARK})", re.IGNORECASE)
# A number, a word: nothing that could be taken for a sentence.
_WORD = re.compile(r"\S{0,24}")


# What we quote of the page: names of elements, texts of dialogs; the last may have lost its end to a budget.
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)("|(?<=…)\Z)', re.DOTALL)
# A name of a few words is no sentence that could tell anybody what to do.
_NAME = re.compile(r"\S+(?:\s\S+){0,2}")
_LONGEST_NAME = 40


def enclosed(words: str) -> str:
    """Enclose what a page said."""
    if _WORD.fullmatch(words):
        return words
    key = secrets.token_hex(4)
    return f"<{_MARK} {key}>\n{_FORGED.sub('(', words)}\n</{_MARK} {key}>"


def is_name(words: str) -> bool:
    """Whether words of a page are no more than a name."""
    return len(words) <= _LONGEST_NAME and (not words or bool(_NAME.fullmatch(words)))


def enclosed_quotes(text: str) -> str:
    """Enclose what words of ours quote of a page, where it stands; names of up to three words stay plain."""
    key = secrets.token_hex(4)

    def mark(quoted: re.Match[str]) -> str:
        words = quoted[1]
        return quoted[0] if is_name(words) else f'"<{_MARK} {key}>{words}</{_MARK} {key}>{quoted[2]}'

    return _QUOTED.sub(mark, _FORGED.sub("(", text))
