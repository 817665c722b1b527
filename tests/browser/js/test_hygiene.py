"""core/hygiene.js: text is returned without invisible characters, also when it is generated at random."""

import unicodedata

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tabwright.browser.tab import Tab
from tabwright.text import quote_line
from tests.browser.js.conftest import World
from tests.web import Web

PERSIAN = "می\u200cخواهم"  # noqa: RUF001 - that is how Persian is written
HINDI = "न्\u200dयाय"
FAMILY = "👩\u200d👩\u200d👧"


async def cleaned(tab: Tab, *texts: str) -> list[str]:
    return [await tab.main_frame.call("clean", text) for text in texts]


@pytest.mark.same_tab
@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("zero\u200bwidth\u2060\ufeff", "zerowidth"),
        ("bidi\u202egnp\u202c\u2066x\u2069\u200f\u061c", "bidignpx"),
        ("tag" + "".join(chr(0xE0000 + ord(c)) for c in "ignore all"), "tag"),
        ("selectors" + "".join(chr(0xFE00 + n) for n in range(15)) + "\U000e0101\U000e01ef", "selectors"),
        ("soft\u00adhyphen", "softhyphen"),
        ("control\x00\x07\x1b\x7f\x85next", "control next"),
        ("filler\u3164\u115f\u1160\uffa0", "filler"),
        ("joined\u200dlatin\u200c", "joinedlatin"),
        ("icon \ue900 font \U000f0001", "icon font"),
        (" lots \t of\u00a0\u2003 space\r\n ", "lots of space"),
        ("line\u2028and\u2029paragraph", "line and paragraph"),
        (PERSIAN, PERSIAN),
        (PERSIAN.replace("\u200c", "\u200c\u200c"), PERSIAN.replace("\u200c", "")),
        (HINDI, HINDI),
        (FAMILY, FAMILY),
        ("heart ❤\ufe0f, keycap 1\ufe0f\u20e3", "heart ❤\ufe0f, keycap 1\ufe0f\u20e3"),
        ("❤\ufe0f\ufe0f\ufe0f", "❤\ufe0f"),
        ("a\ufe0f", "a"),
        ("🏴\U000e0067\U000e0062\U000e007f", "🏴"),
        ("", ""),
    ],
)
async def test_text_is_returned_without_invisible_characters(tab: Tab, given: str, shown: str) -> None:
    assert await cleaned(tab, given) == [shown]


async def test_python_removes_every_character_that_the_page_script_removes(world: World) -> None:
    removed = await world.run(
        "Array.from({ length: 0x110000 }, (_, code) => code)"
        ".filter(code => code < 0xd800 || code > 0xdfff)"
        ".filter(code => tabwright.clean(`a${String.fromCodePoint(code)}b`) === 'ab')"
    )
    assert len(removed) > 4_000
    # Python counts the separators 0x1c to 0x1f as white space.
    assert [hex(code) for code in removed if quote_line(f"a{chr(code)}b") not in ('"ab"', '"a b"')] == []


@pytest.mark.parametrize(
    ("text", "most", "shown"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "abc…"),
        ("", 3, ""),
        ("ab🙂d", 3, "ab…"),
        ("ab🙂d", 4, "ab🙂…"),
    ],
)
async def test_long_text_is_cut_between_characters(world: World, text: str, most: int, shown: str) -> None:
    assert await world.run(f"tabwright.cut('{text}', {most})") == shown


async def test_squeeze_keeps_one_space_at_either_end(world: World) -> None:
    assert await world.run("tabwright.squeeze(' \\n a  b\\t')") == " a b "
    assert await world.run("tabwright.squeeze(null)") == ""


async def test_lone_surrogate_is_removed(tab: Tab) -> None:
    assert await tab.main_frame.call("clean", "x") == "x"
    await tab.evaluate("document.body.textContent = 'a' + String.fromCharCode(0xd800) + 'b'; return 1")
    assert str(await tab.snapshot()).splitlines()[1] == '- "ab"'


async def test_all_strings_of_a_snapshot_are_cleaned_and_counted(tab: Tab, web: Web) -> None:
    dirty = "a\u200bb"
    await tab.goto(
        web.page(
            f"<p>{dirty}</p><button>{dirty}</button><input aria-label='{dirty}' value='{dirty}' placeholder='{dirty}x'>"
            f"<a href='https://x.test/{dirty}'>l</a><img alt='{dirty}' src=x width=9 height=9>"
        )
    )
    snapshot = await tab.snapshot()
    assert "\u200b" not in snapshot.render(compact=False)
    assert str(snapshot).splitlines()[1:4] == [
        '- "ab"',
        '- @e1: button "ab"',
        '- @e2: textbox "ab" = "ab" (placeholder: "abx")',
    ]
    assert snapshot.left_out.stripped_characters >= 5


# Signs of Arabic and other scripts that Unicode calls format characters although they are drawn.
DRAWN = {
    *map(chr, range(0x600, 0x606)),
    "\u06dd",
    "\u070f",
    "\u0890",
    "\u0891",
    "\u08e2",
    "\U000110bd",
    "\U000110cd",
}
SNEAKY = st.one_of(
    st.sampled_from(
        [*"\u200b\u200c\u200d\u202e\u2066\ufeff\ufe0f\u00ad\U000e0041", "❤", "👩", "م", "न", "1", " "]
    ),
    st.characters(exclude_categories=["Cs"]),
)


JOINERS = "\u200c\u200d"
# In addition to format and control characters: fillers, variation selectors, unassigned code points.
BLANK = {
    *map(chr, (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0)),
    *map(chr, (*range(0x180B, 0x1810), *range(0x2060, 0x2070), *range(0xFE00, 0xFE10))),
    *map(chr, (*range(0xFFF0, 0xFFFD), *range(0xFDD0, 0xFDF0), *range(0xE0000, 0xE1000))),
    *map(chr, range(0x13430, 0x13440)),  # of Egyptian signs; some are new to Unicode
    *(chr(plane + last) for plane in range(0, 0x110000, 0x10000) for last in (0xFFFE, 0xFFFF)),
}


def is_unseen(character: str) -> bool:
    """Whether a character is invisible, and neither white space nor a private-use glyph."""
    if unicodedata.category(character) == "Co" or character in "\t\n\v\f\r\x85" or character in DRAWN:
        return False
    return unicodedata.category(character) in ("Cf", "Cc") or character in BLANK


def stays(text: str, at: int) -> bool:
    """Whether an invisible character may stay: it joins its neighbours, or selects their variant."""
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    if text[at] in JOINERS:
        return bool(before and after) and not before.isascii() and not after.isascii()
    return text[at] in "\ufe0e\ufe0f" and bool(before)


async def read_texts(tab: Tab, texts: list[str]) -> list[str]:
    """Return the paragraphs with these texts as a snapshot shows them."""
    return (await read(tab, texts))[0]


async def read(tab: Tab, texts: list[str]) -> tuple[list[str], int]:
    """Return the paragraphs as a snapshot shows them, and how many characters it removed."""
    await tab.evaluate(
        "document.body.replaceChildren(...args[0].map(text => Object.assign(document.createElement('p'), {textContent: text})));"
        "return 1",
        texts,
    )
    snapshot = await tab.snapshot()
    names = [node.name for node in snapshot.walk() if node.role == "text"]
    return names, snapshot.left_out.stripped_characters


async def test_every_format_and_control_character_is_removed(tab: Tab) -> None:
    unseen = [chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) in ("Cf", "Cc")]
    unseen += map(
        chr, (*range(0xE0000, 0xE1000), *range(0xFE00, 0xFE10), 0x034F, 0x115F, 0x1160, 0x3164, 0xFFA0)
    )
    visible = {
        text
        for text in await read_texts(tab, [f"a{character}b" for character in unseen])
        if text not in ("ab", "a b")
    }
    assert visible <= {f"a{character}b" for character in DRAWN}


async def test_random_text_keeps_no_invisible_character(tab: Tab) -> None:
    samples: list[str] = []

    @settings(max_examples=100, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(st.text(SNEAKY, min_size=1, max_size=40), max_size=20))
    def collect(texts: list[str]) -> None:
        samples.extend(f"x{text}" for text in texts)  # paragraphs that show nothing are left out

    collect()
    once, stripped = await read(tab, samples)
    assert once
    left = sum(map(is_unseen, "".join(once)))
    assert stripped == sum(map(is_unseen, "".join(samples))) - left
    assert await read(tab, once) == (once, 0)
    for text in once:
        assert text == text.strip()
        assert {unicodedata.category(character) for character in text} & {"Cc", "Co", "Cs"} == set()
        assert [hex(ord(c)) for at, c in enumerate(text) if is_unseen(c) and not stays(text, at)] == []
        assert not any(
            pair in text for pair in ("\u200c\u200c", "\u200d\u200d", "\ufe0f\ufe0f", "\u200b", "  ")
        )
