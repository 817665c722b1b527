"""Giving a field of the page its value as a person would, whatever it is made of."""

from collections.abc import Sequence
from typing import Any

import anyio

from tabwright.browser.element import Element
from tabwright.browser.find.locate import wait_for_change
from tabwright.browser.page.frame import Frame
from tabwright.errors import Blocked, InvalidArgs, NotFound, Stale
from tabwright.page_tools.found.facts import Field, Option
from tabwright.page_tools.found.frame_query import ask
from tabwright.text import quote

_PATIENCE = 3.0
_MOST_STROKES = 400
_MOST_TOLD = 20


class Hands:
    """What acts on the elements of one frame."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.tab = frame.tab

    def element(self, number: int) -> Element:
        """Return the element of a number that the scripts of page tools gave."""
        self.tab.refs.give(self.frame, number)
        return self.tab.element(f"@e{number}")

    async def fill(self, field: Field, value: Any) -> None:
        """Give a field its value; again, if the page drew it anew meanwhile."""
        try:
            await self._fill(field, value)
        except (Blocked, Stale):
            if await self.frame.call("isAlive", field.ref):
                raise
            await self._fill(field, value)

    async def _fill(self, field: Field, value: Any) -> None:
        match field.kind:
            case "check":
                await self._check(field.ref, on=bool(value))
            case "radio":
                await self.element(_of(field, value).ref).check()
            case "checks":
                for option in field.options:
                    await self._check(option.ref, on=option.label in value)
            case "select":
                await self._select(field, _several(value))
            case "listbox":
                await self._choose_listed(field, _several(value))
            case "spin":
                await self._step_to(field, float(value))
            case "file":
                await self.element(field.ref).upload(*_several(value))
            case _ if field.kind == "combobox" or field.readonly:
                await self._pick(field, str(value))
            case _:
                await self._write(field, value)

    async def _check(self, number: int, *, on: bool) -> None:
        element = self.element(number)
        await (element.check() if on else element.uncheck())

    async def _write(self, field: Field, value: Any) -> None:
        text = f"{value:g}" if isinstance(value, float) else str(value)
        if field.kind == "datetime":
            text = text.removesuffix("Z").partition("+")[0]
        await self.element(field.ref).fill(text)

    async def _select(self, field: Field, labels: Sequence[str]) -> None:
        """Select by label; options that depend on another field may still be on their way."""
        deadline = anyio.current_time() + _PATIENCE
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
            state = await ask(self.frame, "pageToolState", option.ref) or {}
            selected = state.get("selected") == "true"
            if (option.label in labels) != selected and (option.label in labels or field.many):
                await self.element(option.ref).click()

    async def _pick(self, field: Field, value: str) -> None:
        """Open what a control offers, narrow it down by typing where that is possible, and choose."""
        element = self.element(field.ref)
        if field.typed and not field.readonly:
            await element.click()
            await element.fill("")
            await element.type(value)
        elif (await self._state(field.ref)).get("expanded") != "true":
            await element.click()
        number = await self._option(value, calendar=field.kind != "combobox")
        if number:
            await self.element(number).click()
            return
        listed = [label for _, label in await self.options(calendar=field.kind != "combobox")]
        if (
            listed
            or field.options
            or not field.typed
            or (await self._state(field.ref)).get("expanded") == "true"
        ):
            await self.tab.keyboard.press("Escape", session=self.frame.session)
            told = ", ".join(map(quote, listed[:_MOST_TOLD])) or "none"
            raise NotFound(f"No option {value!r:.100} was offered.", hint=f"Offered: {told}.")

    async def _state(self, number: int) -> dict[str, Any]:
        return await ask(self.frame, "pageToolState", number) or {}

    async def _option(self, value: str, *, calendar: bool = False) -> int:
        """Wait for an option of that label to be shown; 0 when none comes."""
        deadline = anyio.current_time() + _PATIENCE
        while True:
            listed = await self.options(calendar=calendar)
            if number := _matching(listed, value):
                return number
            left = deadline - anyio.current_time()
            if left <= 0:
                return 0
            await wait_for_change(self.tab, left)

    async def options(self, *, calendar: bool = False) -> list[tuple[int, str]]:
        """Return the options, menu items and the like that are shown now; the days of a `calendar` too."""
        listed = await ask(self.frame, "pageToolOptions", calendar, gives_refs=True)
        return [(int(number), str(label)) for number, label in listed]

    async def choose(self, label: str) -> None:
        """Press one of the options or items that are shown, once it is."""
        number = await self._option(label)
        if not number:
            raise NotFound(f"{label!r:.100} was not offered.", hint="Look at the page for what it offers.")
        await self.element(number).click()

    async def _step_to(self, field: Field, value: float) -> None:
        """Move a slider by its keys until it stands where it should."""
        element = self.element(field.ref)
        now, gap = await self._now(field), float("inf")
        for _ in range(_MOST_STROKES):
            # Done, or no nearer than before: it does not move, or in steps that pass the value by.
            if now is None or abs(value - now) >= gap or now == value:
                break
            gap = abs(value - now)
            await element.press("ArrowRight" if now < value else "ArrowLeft")
            now = await self._now(field)
        if now != value:
            raise Blocked(
                f"The slider stands at {now if now is not None else 'an unknown value'} and moves no nearer.",
                hint="Choose a value that it can take, or move it by hand.",
            )

    async def _now(self, field: Field) -> float | None:
        told = (await self._state(field.ref)).get("now")
        try:
            return float(told) if told else None
        except ValueError:
            return None


def _several(value: str | Sequence[str]) -> list[str]:
    return [value] if isinstance(value, str) else list(value)


def _of(field: Field, value: Any) -> Option:
    for option in field.options:
        if option.label == value:
            return option
    raise InvalidArgs(f"There is no choice {value!r:.100}.", hint="Give one that is listed.")


def _matching(listed: Sequence[tuple[int, str]], value: str) -> int:
    """Return the option that is meant: the same words, else the only one that begins with or holds them."""
    wanted = value.strip().casefold()
    told = [(number, label.strip().casefold()) for number, label in listed]
    same = [number for number, label in told if label == wanted]
    begun = [number for number, label in told if label.startswith(wanted)]
    holding = [number for number, label in told if wanted in label]
    for found in (same[:1], begun, holding):
        if len(found) == 1:
            return found[0]
    return 0
