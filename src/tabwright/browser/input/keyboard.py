"""The keyboard of a tab: real key events on a US layout, and text that its keys cannot type."""

from contextlib import AbstractAsyncContextManager, nullcontext
from typing import TYPE_CHECKING

import anyio

from tabwright.browser.input.dispatch import Answer, await_dispatched, require_ready, require_ready_for_text
from tabwright.browser.input.keys import MODIFIERS, Key, key_for, key_named, parse_chord, with_shift
from tabwright.cdp import CdpSession, Params
from tabwright.errors import InvalidArgs

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

# A million characters take a textarea about a second; each key press costs two messages.
MAX_TEXT = 1_000_000
MAX_KEY_PRESSES = 5_000
CHUNK = 50_000
_KEYS_PER_BATCH = 40

# They press the focused button, and Enter submits a form.
_PRESSING_KEYS = ("Enter", " ")
# On a Mac, the system menus handle these chords; elsewhere the page editor does.
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
    """The keyboard: types text and presses keys in the focused element."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self._held: dict[str, Key] = {}

    @property
    def modifiers(self) -> int:
        """The protocol's bit mask of the modifiers held now."""
        return sum({MODIFIERS[key.key] for key in self._held.values() if key.key in MODIFIERS})

    @property
    def is_mac(self) -> bool:
        """Whether the browser runs on a Mac, where Meta does what Control does elsewhere."""
        return "Macintosh" in self._tab.context.browser.version.user_agent

    async def press(self, chord: str, *, session: CdpSession | None = None) -> None:
        """Press and release a key, with modifiers if given: `Enter`, `Control+a`."""
        parsed = parse_chord(chord, main_modifier="Meta" if self.is_mac else "Control")
        await require_ready(self._tab)
        held = [key_named(name) for name in parsed.modifiers if key_named(name).code not in self._held]
        key, modifiers = key_named(parsed.key), sum(MODIFIERS[name] for name in parsed.modifiers)
        async with self._clipboard_for(key, self.modifiers | modifiers):
            answers = [self._down(key) for key in held]
            answers += self._press(key, commands=self._commands(str(parsed)))
            answers += [self._up(key) for key in reversed(held)]
            await await_dispatched(self._tab, answers, session=session)

    async def down(self, key: str) -> None:
        """Press a key and hold it; pressed again, it repeats."""
        found = key_named(key)
        await require_ready(self._tab)
        async with self._clipboard_for(found, self.modifiers):
            await await_dispatched(self._tab, [self._down(found)])

    async def up(self, key: str) -> None:
        """Release a key."""
        found = key_named(key)
        await require_ready(self._tab)
        await await_dispatched(self._tab, [self._up(found)])

    async def type(self, text: str, *, delay: float = 0, session: CdpSession | None = None) -> None:
        """Type text key by key, `delay` seconds apart.

        Characters without a key are inserted. A text of more than 5,000 characters is inserted as a whole.

        Raises:
            InvalidArgs: the text is too long.
        """
        if len(text) > MAX_KEY_PRESSES:
            await self.insert_text(text, session=session)
            return
        await require_ready_for_text(self._tab)
        characters = text.replace("\r\n", "\n")
        batch = 1 if delay else _KEYS_PER_BATCH
        for at in range(0, len(characters), batch):
            if at:
                await anyio.sleep(delay)
                self._tab.require_responsive()
            answers = [
                answer
                for character in characters[at : at + batch]
                for answer in self._type_character(character)
            ]
            await await_dispatched(self._tab, answers, session=session)

    async def insert_text(self, text: str, *, session: CdpSession | None = None) -> None:
        """Insert text at the caret as a whole, as an input method does.

        Raises:
            InvalidArgs: the text is too long.
        """
        if len(text) > MAX_TEXT:
            raise InvalidArgs(
                f"The text has {len(text):,} characters; at most {MAX_TEXT:,} can be typed.",
                hint="Upload it as a file, or insert it with a script.",
            )
        for at in range(0, len(text), CHUNK):
            await require_ready_for_text(self._tab)
            answer = self._tab.session.start("Input.insertText", text=text[at : at + CHUNK])
            await await_dispatched(self._tab, [answer], session=session)

    def _clipboard_for(self, key: Key, modifiers: int) -> AbstractAsyncContextManager[None]:
        """Provide what a key pastes, if it pastes."""
        main = MODIFIERS["Control"] | MODIFIERS["Meta"]
        pastes = (key.code == "KeyV" and modifiers & main) or (
            key.code == "Insert" and modifiers & MODIFIERS["Shift"]
        )
        return self._tab.context.clipboard.in_chrome() if pastes else nullcontext()

    def _type_character(self, character: str) -> list[Answer]:
        key = key_for(character)
        if key is None:
            return [self._tab.session.start("Input.insertText", text=character)]
        return self._press(key)

    def _press(self, key: Key, *, commands: tuple[str, ...] = ()) -> list[Answer]:
        """Press and release one key, with Shift for a character that needs it."""
        shift = key_named("Shift") if key.shifted and not self.modifiers & MODIFIERS["Shift"] else None
        answers = [self._down(shift)] if shift else []
        answers += [self._down(key, commands=commands), self._up(key)]
        return answers + ([self._up(shift)] if shift else [])

    def _commands(self, chord: str) -> tuple[str, ...]:
        command = _MAC_COMMANDS.get(chord) if self.is_mac else None
        return (command,) if command else ()

    def _down(self, key: Key, *, commands: tuple[str, ...] = ()) -> Answer:
        if key.key in _PRESSING_KEYS:
            self._tab.call_permissions.require_approval("press")
        repeated = key.code in self._held
        self._held[key.code] = key
        sent = with_shift(key) if self.modifiers & MODIFIERS["Shift"] else key
        has_command = self.modifiers & (MODIFIERS["Control"] | MODIFIERS["Alt"] | MODIFIERS["Meta"])
        text = "" if has_command else sent.text
        return self._tab.session.start(
            "Input.dispatchKeyEvent",
            type="keyDown" if text else "rawKeyDown",
            text=text,
            unmodifiedText=text,
            autoRepeat=repeated,
            commands=commands,
            **self._key_params(sent),
        )

    def _up(self, key: Key) -> Answer:
        sent = with_shift(key) if self.modifiers & MODIFIERS["Shift"] else key
        self._held.pop(key.code, None)
        return self._tab.session.start("Input.dispatchKeyEvent", type="keyUp", **self._key_params(sent))

    def _key_params(self, key: Key) -> Params:
        return {
            "key": key.key,
            "code": key.code,
            "windowsVirtualKeyCode": key.key_code,
            "location": key.location if key.location < 3 else 0,
            "isKeypad": key.location == 3,
            "modifiers": self.modifiers,
        }
