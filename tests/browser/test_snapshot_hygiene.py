"""Strings leave the page without characters that nobody can see; generated strings go through real Chromium."""

import unicodedata

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tabwright.browser.tab import Tab
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
async def test_only_what_is_seen_leaves(tab: Tab, given: str, shown: str) -> None:
    assert await cleaned(tab, given) == [shown]


async def test_half_a_character_does_not_leave(tab: Tab) -> None:
    assert await tab.main_frame.call("clean", "x") == "x"
    await tab.evaluate("document.body.textContent = 'a' + String.fromCharCode(0xd800) + 'b'; return 1")
    assert str(await tab.snapshot()).splitlines()[1] == '- "ab"'


async def test_every_string_is_cleaned_and_the_characters_counted(tab: Tab, web: Web) -> None:
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


async def shown(tab: Tab, texts: list[str]) -> list[str]:
    """What a snapshot makes of paragraphs with these texts."""
    await tab.evaluate(
        "document.body.replaceChildren(...args[0].map(text => Object.assign(document.createElement('p'), {textContent: text})));"
        "return 1",
        texts,
    )
    return [node.name for node in (await tab.snapshot()).walk() if node.role == "text"]


async def test_no_format_or_control_character_leaves_by_itself(tab: Tab) -> None:
    unseen = [chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) in ("Cf", "Cc")]
    unseen += map(
        chr, (*range(0xE0000, 0xE1000), *range(0xFE00, 0xFE10), 0x034F, 0x115F, 0x1160, 0x3164, 0xFFA0)
    )
    kept = {
        text
        for text in await shown(tab, [f"a{character}b" for character in unseen])
        if text not in ("ab", "a b")
    }
    assert kept <= {f"a{character}b" for character in DRAWN}


async def test_no_text_keeps_what_nobody_can_see(tab: Tab) -> None:
    samples: list[str] = []

    @settings(max_examples=100, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(st.text(SNEAKY, min_size=1, max_size=40), max_size=20))
    def collect(texts: list[str]) -> None:
        samples.extend(texts)

    collect()
    once = await shown(tab, samples)
    assert once
    assert await shown(tab, once) == once
    for text in once:
        assert text == text.strip()
        assert {unicodedata.category(character) for character in text} & {"Cc", "Co", "Cs"} == set()
        assert not any(
            pair in text for pair in ("\u200c\u200c", "\u200d\u200d", "\ufe0f\ufe0f", "\u200b", "  ")
        )
