"""The key map: every character of a US keyboard, and chords as people write them."""

import contextlib
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwright.browser.input.keys import (
    KEYS,
    MODIFIERS,
    Chord,
    Key,
    key_for,
    key_named,
    parse_chord,
    with_shift,
)
from tabwright.errors import InvalidArgs

PRINTABLE = string.digits + string.ascii_letters + string.punctuation + " "


@given(st.sampled_from(PRINTABLE))
def test_every_printable_character_has_a_key_that_types_it(character: str) -> None:
    key = key_for(character)
    assert key is not None
    assert key.text == key.key == character


@given(st.sampled_from(PRINTABLE))
def test_a_shifted_character_is_its_key_with_shift(character: str) -> None:
    key = key_named(character)
    if key.shifted:
        below = next(other for other in KEYS.values() if other.code == key.code and not other.shifted)
        assert with_shift(below) == key


@given(st.lists(st.sampled_from(sorted(MODIFIERS)), unique=True), st.sampled_from(sorted(KEYS)))
def test_a_chord_survives_formatting_and_parsing(modifiers: list[str], name: str) -> None:
    chord = parse_chord("+".join((*modifiers, name)))
    assert parse_chord(str(chord)) == chord
    assert chord.modifiers == tuple(sorted(modifiers))
    assert key_named(chord.key).code == key_named(name).code


@given(st.text(max_size=20))
def test_any_text_is_a_chord_or_is_rejected(text: str) -> None:
    with contextlib.suppress(InvalidArgs):
        chord = parse_chord(text)
        assert parse_chord(str(chord)) == chord


@given(st.characters(min_codepoint=0x250))
def test_a_character_without_a_us_key_has_none(character: str) -> None:
    assert key_for(character) is None


@pytest.mark.parametrize(
    ("written", "chord"),
    [
        ("Control+a", Chord(("Control",), "a")),
        ("ctrl+shift+T", Chord(("Control", "Shift"), "t")),
        ("Ctrl+A", Chord(("Control",), "a")),
        ("A", Chord((), "A")),
        ("Shift+Tab", Chord(("Shift",), "Tab")),
        ("Cmd+Left", Chord(("Meta",), "ArrowLeft")),
        ("Ctrl++", Chord(("Control",), "+")),
        ("esc", Chord((), "Escape")),
        ("+", Chord((), "+")),
        ("Alt+Space", Chord(("Alt",), " ")),
        ("NumpadEnter", Chord((), "NumpadEnter")),
        ("f5", Chord((), "F5")),
        ("ControlOrMeta+c", Chord(("Control",), "c")),
        ("Control", Chord((), "Control")),
    ],
)
def test_common_spellings_of_chords_are_parsed(written: str, chord: Chord) -> None:
    assert parse_chord(written) == chord


def test_a_named_key_has_its_code_and_text() -> None:
    assert key_named("Enter") == Key("Enter", "Enter", 13, "\r")
    assert key_named("ShiftRight") == Key("Shift", "ShiftRight", 16, location=2)
    assert key_named("Numpad7") == Key("7", "Numpad7", 103, "7", location=3)


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("Entr", "Unknown key 'Entr'. Did you mean Enter?"),
        ("Control+Bananas", "Unknown key 'Bananas'. Name one, such as Enter, ArrowDown or Control+a."),
        (
            "a+b",
            "'a' in 'a+b' is not a modifier. Combine Control, Shift, Alt or Meta with one key.",
        ),
        ("", "No key was given. Name one, such as Enter or Control+a."),
    ],
)
def test_an_invalid_chord_is_rejected_with_a_suggestion(written: str, message: str) -> None:
    with pytest.raises(InvalidArgs) as refusal:
        parse_chord(written)
    assert str(refusal.value) == message
