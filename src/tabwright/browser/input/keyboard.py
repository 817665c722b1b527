"""The keyboard of a tab: real key events on a US layout, and text that no key of it writes."""

from typing import TYPE_CHECKING

import anyio

from tabwright.browser.input.dispatch import Answer, await_dispatched, require_ready
from tabwright.browser.input.keys import MODIFIERS, Key, key_for, key_named, parse_chord, with_shift
from tabwright.cdp import CdpSession, Params
from tabwright.errors import InvalidArgs

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

# A million characters take a textarea about a second; each key stroke costs two messages.
MOST_TEXT = 1_000_000
MOST_STROKES = 5_000
PIECE = 50_000
_AT_ONCE = 40

# What the system's menus do for these chords on a Mac; elsewhere the page's own editor knows them.
_MAC_COMMANDS = {
    "Meta+a": "selectAll",
    "Meta+c": "copy",
    "Meta+x": "cut",
    "Meta+v": "paste",
    "Meta+z": "undo",
    "Meta+Shift+z": "redo",
    "Meta+ArrowLeft": "moveToBeginningOfLine",
    "Meta+ArrowRight": "moveToEndOfLine",
    "Meta+ArrowUp": "moveToBeginningOfDocument",
    "Meta+ArrowDown": "moveToEndOfDocument",
    "Alt+ArrowLeft": "moveWordLeft",
    "Alt+ArrowRight": "moveWordRight",
    "Alt+Backspace": "deleteWordBackward",
    "Meta+Backspace": "deleteToBeginningOfLine",
}


class Keyboard:
    """Which keys are held, and what strikes them."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self._held: dict[str, Key] = {}

    @property
    def modifiers(self) -> int:
        """The protocol's number for the modifiers held now."""
        return sum({MODIFIERS[key.key] for key in self._held.values() if key.key in MODIFIERS})

    @property
    def is_mac(self) -> bool:
        """Whether the browser runs on a Mac, where Meta does what Control does elsewhere."""
        return "Macintosh" in self._tab.context.browser.version.user_agent

    async def press(self, chord: str, *, session: CdpSession | None = None) -> None:
        """Strike a key, with modifiers if so written: `Enter`, `Control+a`."""
        read = parse_chord(chord, main_modifier="Meta" if self.is_mac else "Control")
        await require_ready(self._tab)
        held = [key_named(name) for name in read.modifiers if key_named(name).code not in self._held]
        answers = [self._down(key) for key in held]
        answers += self._stroke(key_named(read.key), commands=self._commands(str(read)))
        answers += [self._up(key) for key in reversed(held)]
        await await_dispatched(self._tab, answers, session=session)

    async def down(self, key: str) -> None:
        """Press a key and hold it; pressed again, it repeats."""
        found = key_named(key)
        await require_ready(self._tab)
        await await_dispatched(self._tab, [self._down(found)])

    async def up(self, key: str) -> None:
        """Release a key."""
        found = key_named(key)
        await require_ready(self._tab)
        await await_dispatched(self._tab, [self._up(found)])

    async def type(self, text: str, *, delay: float = 0, session: CdpSession | None = None) -> None:
        """Type text key by key, `delay` seconds apart.

        What has no key is inserted. A text of more than 5,000 characters is inserted as a whole.

        Raises:
            InvalidArgs: the text is longer than can be typed.
        """
        if len(text) > MOST_STROKES:
            await self.insert_text(text, session=session)
            return
        await require_ready(self._tab)
        characters = text.replace("\r\n", "\n")
        together = 1 if delay else _AT_ONCE
        for at in range(0, len(characters), together):
            if at:
                await anyio.sleep(delay)
                self._tab.require_responsive()
            answers = [
                answer
                for character in characters[at : at + together]
                for answer in self._character(character)
            ]
            await await_dispatched(self._tab, answers, session=session)

    async def insert_text(self, text: str, *, session: CdpSession | None = None) -> None:
        """Put text in at the caret as a whole, as an input method does.

        Raises:
            InvalidArgs: the text is longer than a page bears.
        """
        if len(text) > MOST_TEXT:
            raise InvalidArgs(
                f"A text of {len(text):,} characters is too long to type; the most is {MOST_TEXT:,}.",
                hint="Upload it as a file, or put it in by a script.",
            )
        for at in range(0, len(text), PIECE):
            await require_ready(self._tab)
            answer = self._tab.session.start("Input.insertText", text=text[at : at + PIECE])
            await await_dispatched(self._tab, [answer], session=session)

    def _character(self, character: str) -> list[Answer]:
        key = key_for(character)
        if key is None:
            return [self._tab.session.start("Input.insertText", text=character)]
        return self._stroke(key)

    def _stroke(self, key: Key, *, commands: tuple[str, ...] = ()) -> list[Answer]:
        """Strike one key; a character that stands above another comes with Shift, as from a person."""
        shift = key_named("Shift") if key.shifted and not self.modifiers & MODIFIERS["Shift"] else None
        answers = [self._down(shift)] if shift else []
        answers += [self._down(key, commands=commands), self._up(key)]
        return answers + ([self._up(shift)] if shift else [])

    def _commands(self, chord: str) -> tuple[str, ...]:
        command = _MAC_COMMANDS.get(chord) if self.is_mac else None
        return (command,) if command else ()

    def _down(self, key: Key, *, commands: tuple[str, ...] = ()) -> Answer:
        repeated = key.code in self._held
        self._held[key.code] = key
        sent = with_shift(key) if self.modifiers & MODIFIERS["Shift"] else key
        commanding = self.modifiers & (MODIFIERS["Control"] | MODIFIERS["Alt"] | MODIFIERS["Meta"])
        text = "" if commanding else sent.text
        return self._tab.session.start(
            "Input.dispatchKeyEvent",
            type="keyDown" if text else "rawKeyDown",
            text=text,
            unmodifiedText=text,
            autoRepeat=repeated,
            commands=commands,
            **self._description(sent),
        )

    def _up(self, key: Key) -> Answer:
        sent = with_shift(key) if self.modifiers & MODIFIERS["Shift"] else key
        self._held.pop(key.code, None)
        return self._tab.session.start("Input.dispatchKeyEvent", type="keyUp", **self._description(sent))

    def _description(self, key: Key) -> Params:
        return {
            "key": key.key,
            "code": key.code,
            "windowsVirtualKeyCode": key.key_code,
            "location": key.location if key.location < 3 else 0,
            "isKeypad": key.location == 3,
            "modifiers": self.modifiers,
        }
