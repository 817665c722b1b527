"""Sets a field of the page the way a user would, whatever kind of control it is."""

import re
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import anyio

from tabwright.browser.call_permissions import current_permissions, granted
from tabwright.browser.element import Element
from tabwright.browser.find.locate import wait_for_change
from tabwright.browser.page.frame import Frame
from tabwright.errors import Blocked, Denied, InvalidArgs, NotFound, Stale
from tabwright.page_tools.found.consequences import announces
from tabwright.page_tools.found.facts import Field, Option
from tabwright.page_tools.found.frame_query import call_script
from tabwright.text import quote

_OPTION_TIMEOUT = 3.0
_MAX_KEY_PRESSES = 400
_MAX_OPTIONS_IN_HINT = 20
_MAX_COMMAND_WORDS = 2
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


class FieldFiller:
    """Sets the fields of one frame."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.tab = frame.tab

    def element(self, number: int) -> Element:
        """Return the element with a ref number from the page tools' scripts."""
        self.tab.refs.give(self.frame, number)
        return self.tab.element(f"@e{number}")

    async def option(self, number: int) -> Element:
        """Return an option of a field; where the field was approved, so was choosing in it."""
        if (approved := self.tab.shield.approved) is not None:
            await approved.extend(self.frame, number)
        return self.element(number)

    async def fill(self, field: Field, value: Any) -> None:
        """Set a field; once more if the page replaced it meanwhile."""
        try:
            await self._fill(field, value)
        except (Blocked, Stale):
            if await self.frame.call("isAlive", field.ref):
                raise
            await self._fill(field, value)

    async def press(self, name: str, number: int) -> Element:
        """Press a button or link for the tool of that name; return it.

        Raises:
            Stale: pressing it now pays, deletes or sends, and the name of the tool does not say so.
        """
        button = await call_script(self.frame, "pageToolButton", number) or {}
        label = str(button.get("label", ""))
        # A long text of a link is a headline, which may begin like a command.
        is_headline = bool(button.get("link")) and len(label.split()) > _MAX_COMMAND_WORDS
        if not is_headline and not announces(name, label):
            raise Stale(
                f"The button is now {quote(label)}, which {name} does not say. It was not pressed.",
                hint="List the page tools again, or click the button itself.",
            )
        element = self.element(number)
        await element.click()
        return element

    async def press_enter(self, name: str, number: int) -> bool:
        """Press Enter in a field, unless this would press a button that does something else."""
        button = await call_script(self.frame, "pageToolDefaultButton", number)
        if button and (button["unrelated"] or not announces(name, button["label"])):
            return False
        await self.element(number).press("Enter")
        return True

    async def _require_secret_field(self, number: int) -> None:
        """Refuse to type a secret where others could read it.

        Raises:
            Denied: the field does not hide what is typed.
        """
        if not (await self._state(number)).get("secret"):
            raise Denied(
                "A secret is typed into a password or one-time-code field only.",
                hint="To type it into this field all the same, use fill with the field as its target.",
            )

    async def _fill(self, field: Field, value: Any) -> None:
        secret = _is_secret(value)
        if field.secret or secret:
            await self._require_secret_field(field.ref)
        permissions = self.tab.call_permissions
        with granted(replace(permissions, hidden_fields_only=True)) if secret else nullcontext():
            await self._set(field, value)

    async def _set(self, field: Field, value: Any) -> None:
        match field.kind:
            case "check":
                await self._check(field.ref, on=bool(value))
            case "radio":
                await (await self.option(_option_labelled(field, value).ref)).check()
            case "checks":
                for option in field.options:
                    await self._check(option.ref, on=option.label in value)
            case "select":
                await self._select(field, _as_list(value))
            case "listbox":
                await self._choose_listed(field, _as_list(value))
            case "spin":
                await self._step_to(field, float(value))
            case "file":
                await self.element(field.ref).upload(*_as_list(value))
            case _ if field.kind == "combobox" or (field.readonly and not _DATE.fullmatch(str(value))):
                await self._pick(field, str(value))
            case _:
                await self._write(field, value)

    async def _check(self, number: int, *, on: bool) -> None:
        element = await self.option(number)
        await (element.check() if on else element.uncheck())

    async def _write(self, field: Field, value: Any) -> None:
        text = f"{value:g}" if isinstance(value, float) else str(value)
        if field.kind == "datetime":
            text = text.removesuffix("Z").partition("+")[0]
        await self.element(field.ref).fill(text)

    async def _select(self, field: Field, labels: Sequence[str]) -> None:
        """Select by label; wait for options that depend on another field and may not be there yet."""
        deadline = anyio.current_time() + _OPTION_TIMEOUT
        while True:
            try:
                await self.element(field.ref).select_option(*labels, by="label")
            except NotFound:
                left = deadline - anyio.current_time()
                if left <= 0:
                    raise
                await wait_for_change(self.tab, left)
            else:
                return

    async def _choose_listed(self, field: Field, labels: Sequence[str]) -> None:
        for option in field.options:
            state = await call_script(self.frame, "pageToolState", option.ref) or {}
            selected = state.get("selected") == "true"
            if (option.label in labels) != selected and (option.label in labels or field.multiple):
                await (await self.option(option.ref)).click()

    async def _pick(self, field: Field, value: str) -> None:
        """Open the options of a control, filter them by typing if possible, and choose one."""
        element = self.element(field.ref)
        if field.typable and not field.readonly:
            await element.click()
            await element.fill("")
            await element.type(value)
        elif (await self._state(field.ref)).get("expanded") != "true":
            await element.click()
        number = await self._wait_for_option(value, in_dialogs=field.kind != "combobox")
        if number:
            await (await self.option(number)).click()
            return
        listed = [label for _, label in await self.options(in_dialogs=field.kind != "combobox")]
        if (
            listed
            or field.options
            or not field.typable
            or (await self._state(field.ref)).get("expanded") == "true"
        ):
            await self.tab.keyboard.press("Escape", session=self.frame.session)
            options = ", ".join(map(quote, listed[:_MAX_OPTIONS_IN_HINT])) or "none"
            raise NotFound(f"There is no option {value!r:.100}.", hint=f"Options: {options}.")

    async def _state(self, number: int) -> dict[str, Any]:
        return await call_script(self.frame, "pageToolState", number) or {}

    async def _wait_for_option(self, value: str, *, in_dialogs: bool = False) -> int:
        """Wait until an option with that label is visible; return its number, or 0 if none appears."""
        deadline = anyio.current_time() + _OPTION_TIMEOUT
        while True:
            listed = await self.options(in_dialogs=in_dialogs)
            if number := _match(listed, value):
                return number
            left = deadline - anyio.current_time()
            if left <= 0:
                return 0
            await wait_for_change(self.tab, left)

    async def options(self, *, in_dialogs: bool = False) -> list[tuple[int, str]]:
        """Return the visible options and menu items, and with `in_dialogs` the buttons of dialogs."""
        listed = await call_script(self.frame, "pageToolOptions", in_dialogs, gives_refs=True)
        return [(int(number), str(label)) for number, label in listed]

    async def choose(self, label: str) -> None:
        """Press an option or item once it is visible."""
        number = await self._wait_for_option(label)
        if not number:
            raise NotFound(f"{label!r:.100} is not there.", hint="Take a snapshot to see the options.")
        await (await self.option(number)).click()

    async def _step_to(self, field: Field, value: float) -> None:
        """Move a slider with the arrow keys until it has the value."""
        element = self.element(field.ref)
        now, gap = await self._now(field), float("inf")
        for _ in range(_MAX_KEY_PRESSES):
            # Done, or no closer than before: it does not move, or its steps skip the value.
            if now is None or abs(value - now) >= gap or now == value:
                break
            gap = abs(value - now)
            await element.press("ArrowRight" if now < value else "ArrowLeft")
            now = await self._now(field)
        if now != value:
            raise Blocked(
                f"The slider stopped at {now if now is not None else 'an unknown value'}.",
                hint="Choose a value that it can take, or press its arrow keys.",
            )

    async def _now(self, field: Field) -> float | None:
        value = (await self._state(field.ref)).get("now")
        try:
            return float(value) if value else None
        except ValueError:
            return None


def _is_secret(value: Any) -> bool:
    """Whether a value contains a stored secret that the running call named."""
    permissions = current_permissions()
    return permissions is not None and any(secret in str(value) for secret in permissions.secrets)


def _as_list(value: str | Sequence[str]) -> list[str]:
    return [value] if isinstance(value, str) else list(value)


def _option_labelled(field: Field, value: Any) -> Option:
    for option in field.options:
        if option.label == value:
            return option
    raise InvalidArgs(f"There is no choice {value!r:.100}.", hint="Choose one from the schema.")


def _match(listed: Sequence[tuple[int, str]], value: str) -> int:
    """Return the option with that label, else the only one that starts with or contains it, else 0."""
    wanted = value.strip().casefold()
    labels = [(number, label.strip().casefold()) for number, label in listed]
    same = [number for number, label in labels if label == wanted]
    starting = [number for number, label in labels if label.startswith(wanted)]
    containing = [number for number, label in labels if wanted in label]
    for found in (same[:1], starting, containing):
        if len(found) == 1:
            return found[0]
    return 0
