"""Text of pages in answers: invisible characters, and names that are too short to be an instruction.

This is the only definition of invisible characters. The scripts of the page get the same pattern
(`browser.page.isolated_world`), and every answer passes `call.Answer`, which uses the functions below.
"""

import json
import re
from collections.abc import Callable, Iterable
from functools import cache
from itertools import pairwise

Ranges = Iterable[tuple[int, int]]

# Invisible, reordering, or meaningless on their own: controls, soft hyphen, fillers, joiners, marks of
# direction, tags, variation selectors, halves of surrogate pairs, non-characters.
_INVISIBLE = (
    *((0x00, 0x08), (0x0E, 0x1F), (0x7F, 0x84), (0x86, 0x9F), (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C)),
    *((0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E)),
    *((0x2060, 0x206F), (0x3164, 0x3164), (0xD800, 0xDFFF), (0xFDD0, 0xFDEF), (0xFE00, 0xFE0F)),
    *((0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFC), (0x13430, 0x1343F), (0x1BCA0, 0x1BCA3)),
    *((0x1D173, 0x1D17A), (0xE0000, 0xE0FFF)),
    *((plane + 0xFFFE, plane + 0xFFFF) for plane in range(0, 0x110000, 0x10000)),
)
# Blocks of the scripts in which joiners are part of words: Arabic, Syriac, N'Ko, Mongolian, those of India,
# Sri Lanka, Tibet, Myanmar and Cambodia.
_JOINING = (
    *((0x620, 0x74F), (0x750, 0x77F), (0x7C0, 0x7FF), (0x840, 0x85F), (0x860, 0x86F), (0x870, 0x8FF)),
    *((0x900, 0xDFF), (0xF00, 0xFFF), (0x1000, 0x109F), (0x1780, 0x17B3), (0x17B6, 0x17FF), (0x1810, 0x18AF)),
    *(
        (0xA8E0, 0xA8FF),
        (0xA9E0, 0xA9FF),
        (0xAA60, 0xAA7F),
        (0xFB50, 0xFDCF),
        (0xFDF0, 0xFDFF),
        (0xFE70, 0xFEFC),
    ),
    (0x11000, 0x11FFF),
)
_EMOJI = (
    *((0xA9, 0xA9), (0xAE, 0xAE), (0x203C, 0x203C), (0x2049, 0x2049), (0x2122, 0x2122), (0x2139, 0x2139)),
    *(
        (0x2194, 0x21AA),
        (0x231A, 0x23FF),
        (0x24C2, 0x24C2),
        (0x25AA, 0x25FE),
        (0x2600, 0x27BF),
        (0x2934, 0x2935),
    ),
    *((0x2B05, 0x2B55), (0x3030, 0x3030), (0x303D, 0x303D), (0x3297, 0x3299), (0x1F000, 0x1FAFF)),
)
# The only flags of regions in use: England, Scotland, Wales. Other tag sequences could carry hidden text.
_FLAGS = ("gbeng", "gbsct", "gbwls")


def write_pattern(escape: Callable[[int], str]) -> str:
    """Return the pattern of invisible characters, in the notation of a language.

    Group 1 is what to remove; a match without it is needed where it stands.
    """

    def choice(ranges: Ranges) -> str:
        return "[" + "".join(f"{escape(first)}-{escape(last)}" for first, last in ranges) + "]"

    def tags(name: str) -> str:
        return "".join(escape(0xE0000 + ord(letter)) for letter in name) + escape(0xE007F)

    invisible, emoji = choice(_INVISIBLE), choice(_EMOJI)
    joiner, text_style, emoji_style = escape(0x200D), escape(0xFE0E), escape(0xFE0F)
    needed = (
        f"(?:(?<={emoji})|(?<={emoji}{emoji_style})){joiner}(?={emoji})",
        f"(?<={choice(_JOINING)})[{escape(0x200C)}{joiner}](?!{invisible})",
        f"(?<={emoji})[{text_style}{emoji_style}]",
        f"(?<=[0-9#*]){emoji_style}(?={escape(0x20E3)})",
        f"(?<={escape(0x1F3F4)})(?:{'|'.join(map(tags, _FLAGS))})",
    )
    return f"(?={invisible})(?:{'|'.join(needed)}|({invisible}))"


def javascript_pattern() -> str:
    """Return the pattern for a JavaScript regular expression with the flag u."""
    return write_pattern(lambda code: f"\\u{{{code:x}}}")


@cache  # compiled on first use, because commands of the shell start faster without it
def _pattern() -> re.Pattern[str]:
    return re.compile(write_pattern(lambda code: f"\\U{code:08x}"))


def strip_invisible(text: str) -> str:
    """Return a text of the page without its invisible characters."""
    return count_invisible(text)[0]


def count_invisible(text: str) -> tuple[str, int]:
    """Return a text without its invisible characters, and how many were removed."""
    removed = 0

    def remove(found: re.Match[str]) -> str:
        nonlocal removed
        if found[1] is None:
            return found[0]
        removed += 1
        return ""

    return _pattern().sub(remove, text), removed


def escape_invisible(text: str) -> str:
    r"""Return an exact value with its invisible characters written as JSON escapes, such as \u200b."""
    return _pattern().sub(lambda found: found[0] if found[1] is None else json.dumps(found[1])[1:-1], text)


# One number or word, which cannot be taken for an instruction.
_MAX_WORD_LENGTH = 24
_MAX_NAME_LENGTH = 40
_MAX_WORDS = 3
# At least two letters; identifiers of single letters and digits say nothing.
_WORD = re.compile(r"[^\W\d_](?:['\u2019]?[^\W\d_])+")
# Scripts that are written without spaces: Thai to Burmese, Khmer, kana, Han. Two characters count as a word.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+"
)


def is_short_name(text: str) -> bool:
    """Whether a name has at most three words, so that it cannot be taken for an instruction."""
    return len(text) <= _MAX_NAME_LENGTH and count_words(text) <= _MAX_WORDS


def is_single_word(text: str) -> bool:
    """Whether a text is empty, or one number, word or short identifier."""
    return len(text) <= _MAX_WORD_LENGTH and not re.search(r"\s", text) and is_short_name(text)


def count_words(text: str) -> int:
    """Count the words of a text, however they are joined: by spaces, punctuation, capitals or nothing."""
    runs = _UNSPACED.findall(text)
    spaced = "".join(
        f" {char}" if before.islower() and char.isupper() else char for before, char in pairwise(f" {text}")
    )
    joined = len(_WORD.findall(_UNSPACED.sub(" ", spaced))) + sum((len(run) + 1) // 2 for run in runs)
    return max(len(text.split()), joined)
