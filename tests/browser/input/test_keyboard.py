"""The keyboard, in real Chromium."""

import string

import pytest

from tabwright.browser.tab import Tab
from tabwright.errors import Blocked, InvalidArgs, NotFound
from tests.web import Web

KEYS = """<input><script>
  const seen = [];
  for (const type of ["keydown", "keyup"])
    addEventListener(type, event => seen.push([type, event.key, event.code, event.keyCode, event.isTrusted]));
</script>"""


async def test_every_printable_character_is_typed_exactly(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<textarea></textarea>"))
    text = string.digits + string.ascii_letters + string.punctuation + " "
    await tab.element("textarea").type(text)
    assert await tab.element("textarea").value() == text


async def test_typing_sends_real_key_events(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(KEYS))
    await tab.element("input").type("a!")
    assert await tab.evaluate("seen") == [
        ["keydown", "a", "KeyA", 65, True],
        ["keyup", "a", "KeyA", 65, True],
        ["keydown", "Shift", "ShiftLeft", 16, True],
        ["keydown", "!", "Digit1", 49, True],
        ["keyup", "!", "Digit1", 49, True],
        ["keyup", "Shift", "ShiftLeft", 16, True],
    ]


async def test_characters_without_a_key_are_inserted(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<textarea></textarea>"))
    await tab.element("textarea").type("Grüße, 世界 😀\nline\ttwo", delay=0.001)
    assert await tab.element("textarea").value() == "Grüße, 世界 😀\nline"
    await tab.element("textarea").fill("Grüße\r\nline\ttwo")
    assert await tab.element("textarea").value() == "Grüße\nline\ttwo"


async def test_typing_starts_at_the_end_of_the_text(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<input value=one><input type=email value=a@b><div contenteditable>one</div>"))
    await tab.element("input >> nth=0").type(" two")
    await tab.element("input >> nth=1").type(".c")
    await tab.element("div").type(" two")
    assert await tab.evaluate("[...document.querySelectorAll('input')].map(field => field.value)") == [
        "one two",
        "a@b.c",
    ]
    assert await tab.element("div").text() == "one two"


async def test_enter_submits_a_form(tab: Tab, web: Web) -> None:
    there = web.page("<h1>Found</h1>", "/find")
    await tab.goto(web.page(f"""<form action="{there}"><input name=q></form>"""))
    commits = tab.navigation.commits
    await tab.element("input").type("dogs\n")
    assert (await tab.navigation.next(after=commits)).url == f"{there}?q=dogs"


async def test_chords_edit_text(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<input value='one two'><input>"))
    first, second = tab.element("input >> first"), tab.element("input >> last")
    await first.press("ControlOrMeta+a")
    await tab.keyboard.press("ControlOrMeta+c")
    assert await tab.evaluate("getSelection().toString()") == "one two"
    await tab.keyboard.press("Delete")
    assert await first.value() == ""
    await tab.keyboard.press("ControlOrMeta+z")
    assert await first.value() == "one two"
    await second.press("ControlOrMeta+v")
    assert await second.value() == "one two"
    await second.press("Backspace")
    await second.press("Shift+Home")
    await tab.keyboard.type("new")
    assert await second.value() == "new"


async def test_tab_and_shift_tab_move_the_focus(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<input id=a><input id=b>"))
    await tab.element("#a").press("Tab")
    assert await tab.evaluate("document.activeElement.id") == "b"
    await tab.keyboard.press("Shift+Tab")
    assert await tab.evaluate("document.activeElement.id") == "a"


async def test_a_chord_holds_its_modifiers_around_the_key(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(KEYS))
    await tab.keyboard.press("Ctrl+Shift+k")
    assert await tab.evaluate("seen.map(([type, key]) => type + ' ' + key)") == [
        "keydown Control",
        "keydown Shift",
        "keydown K",
        "keyup K",
        "keyup Shift",
        "keyup Control",
    ]


async def test_a_held_key_stays_held_until_released(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<input><button onclick='this.textContent = event.shiftKey'>x</button>"))
    await tab.element("input").focus()
    await tab.keyboard.down("Shift")
    await tab.keyboard.press("a")
    await tab.element("button").click()
    await tab.keyboard.up("Shift")
    assert await tab.element("button").text() == "true"
    assert await tab.element("input").value() == "A"
    await tab.element("button").click()
    assert await tab.element("button").text() == "false"


async def test_a_key_pressed_again_repeats(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page("<input><script>const seen = []; onkeydown = event => seen.push(event.repeat)</script>")
    )
    await tab.element("input").focus()
    await tab.keyboard.down("a")
    await tab.keyboard.down("a")
    await tab.keyboard.up("a")
    assert await tab.evaluate("seen") == [False, True]
    assert await tab.element("input").value() == "aa"


async def test_keys_go_to_a_frame_of_another_site_that_has_the_focus(tab: Tab, web: Web) -> None:
    web.page("<input>", "/inner")
    await tab.goto(web.page(f"""<input id=outer><iframe src="{web.other_site}/inner"></iframe>"""))
    inner = tab.element("input:not(#outer)")
    await inner.type("In side")
    await inner.press("Home")
    await tab.keyboard.insert_text("Far ")
    assert await inner.value() == "Far In side"
    assert await tab.element("#outer").value() == ""


async def test_a_key_that_opens_a_dialog_counts_as_pressed(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<input onkeydown=\"alert('key')\">"))
    await tab.element("input").press("a")
    assert tab.dialogs.open is not None
    with pytest.raises(Blocked, match=r'^The page shows an alert dialog "key"\.'):
        await tab.keyboard.press("b")
    await tab.dialogs.accept()


async def test_a_long_text_is_inserted_as_a_whole(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<textarea></textarea>"))
    text = "lorem ipsum " * 10_000
    await tab.element("textarea").type(text)
    assert await tab.element("textarea").value() == text


async def test_ten_million_characters_are_rejected_at_once(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<textarea></textarea>"))
    with pytest.raises(InvalidArgs, match=r"^The text has 10,000,000 characters; at most 1,000,000"):
        await tab.element("textarea").type("x" * 10_000_000)


@pytest.mark.same_tab
@pytest.mark.parametrize("chord", ["Entre", "Control+", "", "a+b+c", "Control+Shift"])
async def test_any_key_name_is_pressed_or_rejected(tab: Tab, chord: str) -> None:
    if chord == "Control+Shift":
        await tab.keyboard.press(chord)
        return
    with pytest.raises(InvalidArgs):
        await tab.keyboard.press(chord)


async def test_an_element_that_cannot_be_focused_is_blocked(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<p>Words</p>"))
    with pytest.raises(Blocked) as refusal:
        await tab.element("p").press("a")
    assert str(refusal.value) == (
        'paragraph "Words" cannot be focused. Choose an element that accepts keyboard input.'
    )


async def test_the_keyboard_of_a_closed_tab_is_not_found(tab: Tab) -> None:
    await tab.close()
    with pytest.raises(NotFound, match=rf"^Tab {tab.id} is closed\."):
        await tab.keyboard.type("hello")
