"""The keys of a US keyboard: what each sends, and parsing of chords such as `Control+Shift+a`."""

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from tabwright.errors import InvalidArgs

MODIFIERS: Final = {"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}
KEYPAD: Final = 3


@dataclass(frozen=True, slots=True)
class Key:
    """One key, as the protocol describes it. `text` is what it types, or ""."""

    key: str
    code: str
    key_code: int
    text: str = ""
    location: int = 0
    shifted: bool = False


@dataclass(frozen=True, slots=True)
class Chord:
    """A key and the modifiers held while it is pressed."""

    modifiers: tuple[str, ...]
    key: str

    def __str__(self) -> str:
        return "+".join((*self.modifiers, "Space" if self.key == " " else self.key))


# Unshifted and shifted character, code, Windows key code.
_CHARACTERS: Final = (
    *((letter.lower(), letter, f"Key{letter}", ord(letter)) for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    *(
        (digit, shifted, f"Digit{digit}", ord(digit))
        for digit, shifted in zip("0123456789", ")!@#$%^&*(", strict=True)
    ),
    ("`", "~", "Backquote", 192),
    ("-", "_", "Minus", 189),
    ("=", "+", "Equal", 187),
    ("[", "{", "BracketLeft", 219),
    ("]", "}", "BracketRight", 221),
    ("\\", "|", "Backslash", 220),
    (";", ":", "Semicolon", 186),
    ("'", '"', "Quote", 222),
    (",", "<", "Comma", 188),
    (".", ">", "Period", 190),
    ("/", "?", "Slash", 191),
    (" ", " ", "Space", 32),
)

# Key, code, Windows key code, text.
_NAMED: Final = (
    ("Enter", "Enter", 13, "\r"),
    ("Tab", "Tab", 9, ""),
    ("Backspace", "Backspace", 8, ""),
    ("Delete", "Delete", 46, ""),
    ("Escape", "Escape", 27, ""),
    ("Insert", "Insert", 45, ""),
    ("Home", "Home", 36, ""),
    ("End", "End", 35, ""),
    ("PageUp", "PageUp", 33, ""),
    ("PageDown", "PageDown", 34, ""),
    ("ArrowLeft", "ArrowLeft", 37, ""),
    ("ArrowUp", "ArrowUp", 38, ""),
    ("ArrowRight", "ArrowRight", 39, ""),
    ("ArrowDown", "ArrowDown", 40, ""),
    ("CapsLock", "CapsLock", 20, ""),
    ("NumLock", "NumLock", 144, ""),
    ("ScrollLock", "ScrollLock", 145, ""),
    ("PrintScreen", "PrintScreen", 44, ""),
    ("Pause", "Pause", 19, ""),
    ("ContextMenu", "ContextMenu", 93, ""),
    *((f"F{number}", f"F{number}", 111 + number, "") for number in range(1, 25)),
)

# Key, code, key code, location: 1 left, 2 right.
_MODIFIER_KEYS: Final = (
    ("Shift", "ShiftLeft", 16, 1),
    ("Control", "ControlLeft", 17, 1),
    ("Alt", "AltLeft", 18, 1),
    ("Meta", "MetaLeft", 91, 1),
    ("Shift", "ShiftRight", 16, 2),
    ("Control", "ControlRight", 17, 2),
    ("Alt", "AltRight", 18, 2),
    ("Meta", "MetaRight", 92, 2),
)

# Character or key, code, key code.
_KEYPAD: Final = (
    *((digit, f"Numpad{digit}", 96 + int(digit)) for digit in "0123456789"),
    ("*", "NumpadMultiply", 106),
    ("+", "NumpadAdd", 107),
    ("-", "NumpadSubtract", 109),
    (".", "NumpadDecimal", 110),
    ("/", "NumpadDivide", 111),
    ("Enter", "NumpadEnter", 13),
)

_ALIASES: Final = {
    "alt": "Alt",
    "altgraph": "AltRight",
    "altgr": "AltRight",
    "option": "Alt",
    "opt": "Alt",
    "ctrl": "Control",
    "ctl": "Control",
    "cmd": "Meta",
    "command": "Meta",
    "win": "Meta",
    "windows": "Meta",
    "super": "Meta",
    "os": "Meta",
    "esc": "Escape",
    "del": "Delete",
    "ins": "Insert",
    "return": "Enter",
    "space": " ",
    "spacebar": " ",
    "plus": "+",
    "back": "Backspace",
    "pgup": "PageUp",
    "page_up": "PageUp",
    "pgdn": "PageDown",
    "pgdown": "PageDown",
    "page_down": "PageDown",
    "left": "ArrowLeft",
    "up": "ArrowUp",
    "right": "ArrowRight",
    "down": "ArrowDown",
    "menu": "ContextMenu",
    "caps": "CapsLock",
}


def _index_by_name() -> dict[str, Key]:
    keys: dict[str, Key] = {}
    for key, code, key_code, location in _MODIFIER_KEYS:
        keys[code] = Key(key, code, key_code, location=location)
        keys.setdefault(key, keys[code])
    for key, code, key_code in _KEYPAD:
        keys[code] = Key(key, code, key_code, "\r" if key == "Enter" else key, KEYPAD)
    for key, code, key_code, text in _NAMED:
        keys[key] = Key(key, code, key_code, text)
    for plain, shifted, code, key_code in _CHARACTERS:
        keys[code] = keys[plain] = Key(plain, code, key_code, plain)
        if shifted != plain:
            keys[shifted] = Key(shifted, code, key_code, shifted, shifted=True)
    return keys


KEYS: Final = _index_by_name()
_SHIFTED: Final = {plain: shifted for plain, shifted, _, _ in _CHARACTERS}
_ANY_CASE: Final = {name.lower(): name for name in KEYS if len(name) > 1} | _ALIASES


def key_named(name: str) -> Key:
    """Return a key by its character, its name in any case, its code, or a common alias.

    Raises:
        InvalidArgs: a US keyboard has no such key.
    """
    found = KEYS.get(name) or KEYS.get(_ANY_CASE.get(name.lower(), ""))
    if found is None:
        raise _unknown_key(name)
    return found


def key_for(character: str) -> Key | None:
    """Return the key that types a character, or None if there is none."""
    if character in "\r\n":
        return KEYS["Enter"]
    if character == "\t":
        return KEYS["Tab"]
    return KEYS.get(character)


def with_shift(key: Key) -> Key:
    """Return what a key sends while Shift is held."""
    shifted = _SHIFTED.get(key.text)
    return KEYS[shifted] if shifted and key.location != KEYPAD else key


def parse_chord(text: str, *, main_modifier: str = "Control") -> Chord:
    """Parse `Control+a`, `Ctrl+A`, `Shift+Tab`, `Enter`, `Ctrl++`; `ControlOrMeta` becomes `main_modifier`.

    Raises:
        InvalidArgs: a key is unknown, or one before the last `+` is not a modifier.
    """
    *prefixes, last = _split(text)
    modifiers: list[str] = []
    for name in prefixes:
        key = KEYS[main_modifier] if name.lower() == "controlormeta" else key_named(name)
        if key.key not in MODIFIERS:
            raise InvalidArgs(
                f"{name!r} in {text!r} is not a modifier.",
                hint="Combine Control, Shift, Alt or Meta with one key.",
            )
        if key.key not in modifiers:
            modifiers.append(key.key)
    if modifiers and len(last) == 1 and last.isalpha():
        last = last.lower()  # Ctrl+A means the A key; only Shift makes it upper case
    return Chord(tuple(sorted(modifiers)), _canonical(last))


def _split(text: str) -> list[str]:
    """Split a chord at its plus signs; the last key may itself be a plus sign."""
    if text == " " or text.endswith("+ "):
        return [*(part.strip() for part in text[:-2].split("+") if part), " "]
    stripped = text.strip()
    if not stripped:
        raise InvalidArgs("No key was given.", hint="Name one, such as Enter or Control+a.")
    if stripped == "+":
        return ["+"]
    if stripped.endswith("++"):
        return [*(part.strip() for part in stripped[:-2].split("+")), "+"]
    return [part.strip() for part in stripped.split("+")]


def _canonical(name: str) -> str:
    """Return the canonical name of a key: its character, or its code if two keys share the character."""
    key = key_named(name)
    if key.location == KEYPAD or (key.location == 2 and key.key in MODIFIERS):
        return key.code
    return key.key


def _unknown_key(name: str) -> InvalidArgs:
    near = get_close_matches(name.lower(), _ANY_CASE, n=3, cutoff=0.6)
    names = list(dict.fromkeys(_ANY_CASE[match].replace(" ", "Space") for match in near))
    hint = (
        f"Did you mean {' or '.join(names)}?" if names else "Name one, such as Enter, ArrowDown or Control+a."
    )
    return InvalidArgs(f"Unknown key {name[:50]!r}.", hint=hint)
