"""Chooses options of listboxes, radio groups and comboboxes built of ARIA roles; reads back the choice."""

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import anyio

from tabwright.aio import seconds_until
from tabwright.browser.find.actionability import Ready
from tabwright.browser.input.filled import Filled
from tabwright.cdp import Params
from tabwright.errors import Blocked, NotFound
from tabwright.text import quote

if TYPE_CHECKING:
    from tabwright.browser.element import Element

# Milliseconds: a list is complete once it has not changed for `quiet`; one that does not open is waited for
# `first`.
_OPENED = {"quiet": 400, "first": 1_000, "most": 3_000}
_OPEN = {"quiet": 150, "first": 0, "most": 1_000}
_SUGGESTED = {"quiet": 300, "first": 500, "most": 1_500}
# Seconds: a box that draws over its own field stays there, and a key opens the list too.
_CLICK_TIMEOUT = 0.5
# Milliseconds for a page to show the choice.
_CHOICE_TIME = 1_000
# Milliseconds for a list to close after the choice.
_CLOSE_TIME = 300
# Milliseconds for a page to drop a text that is not an option, once the field has lost the focus.
_BLUR_TIME = 150


async def choose_listed(element: "Element", ready: Ready, values: Sequence[str], deadline: float) -> Filled:
    """Choose exactly these options of a list, opened first if necessary.

    Raises:
        NotFound: it has no such option.
        Blocked: an option is disabled.
    """
    options = _Options(element, ready)
    if ready.facts["kind"] == "list":
        found = await options.wait(values, _OPEN)
    else:
        found = await options.open(values, deadline)
    missing = [value for value, option in zip(values, found["found"], strict=True) if option is None]
    if missing:
        await options.close()
        listed = ", ".join(map(quote, found["names"])) or "none"
        raise NotFound(f'{element.label} has no option "{missing[0]}".', hint=f"Its options: {listed}.")
    return await options.choose(found, deadline)


async def choose_suggested(element: "Element", ready: Ready, typed: Filled, deadline: float) -> Filled:
    """Choose the option that equals the typed text, if the field offers one; else list what it offers."""
    options = _Options(element, ready)
    text = str(ready.facts["wanted"])
    found = await options.wait_for_suggestions(text)
    option = found["found"][0]
    if option is not None and not option["disabled"]:
        return await options.choose(found, deadline)
    if found["listed"]:
        listed = ", ".join(f"@e{number} {quote(name)}" for name, number in found["listed"])
        more = (
            f" and {found['count'] - len(found['listed'])} more"
            if found["count"] > len(found["listed"])
            else ""
        )
        return Filled(typed.value, pending=f"No option is chosen. Option list open: {listed}{more}.")
    kept = await ready.frame.call("isKeptAfterBlur", _BLUR_TIME)
    if kept is False:
        return Filled("", pending=f"It accepts only its options, and {quote(text)} is none of them.")
    return typed


class _Options:
    """The options of one field."""

    def __init__(self, element: "Element", ready: Ready) -> None:
        self._element = element
        self._tab = element.tab
        self._frame = ready.frame
        self._label = element.label
        self._expanded = bool(ready.facts.get("expanded"))

    async def wait(self, values: Sequence[str], pace: Params) -> Params:
        """Wait for options; those that are listed get refs."""
        found = await self._tab.refs.call(
            self._frame, "waitForOptions", list(values), pace, hang_timeout=pace["most"] / 1000 + 2
        )
        if found is None:
            raise Blocked(f"{self._label} was replaced by the page.", hint="Take a snapshot, then try again.")
        options = [option for option in (*found["found"], *found["extra"]) if option]
        for number in {option["number"] for option in options} | {number for _, number in found["listed"]}:
            self._tab.refs.give(self._frame, number)
        return dict(found)

    async def wait_for_suggestions(self, text: str) -> Params:
        """Wait for the list of a text field, and for the requests that fetch it."""
        since = self._tab.traffic.started
        found = await self.wait([text], _SUGGESTED)
        for _ in range(3):
            if found["found"][0] or not self._tab.traffic.in_flight:
                break
            with anyio.move_on_after(2):
                await self._tab.traffic.wait_for_end(since)
            found = await self.wait([text], _SUGGESTED)
        return found

    async def open(self, values: Sequence[str], deadline: float) -> Params:
        """Open the list by a click, or else by a key; type the name if it is not among the first options."""
        if not self._expanded:
            with suppress(Blocked):
                await self._element.click_field(timeout=min(_CLICK_TIMEOUT, seconds_until(deadline)))
        found = await self.wait(values, _OPENED if self._expanded else {**_OPENED, "first": 600})
        if not found["names"]:
            await self._press("ArrowDown")
            found = await self.wait(values, _OPENED)
        may_type = not self._tab.call_permissions.secrets
        if may_type and found["names"] and len(values) == 1 and not found["found"][0]:
            await self._tab.keyboard.type(values[0][:100], session=self._frame.session)
            found = await self.wait(values, _OPENED)
        return found

    async def close(self) -> None:
        """Close the list if it is open."""
        if await self._frame.call("isStillOpen", 0):
            await self._press("Escape")

    async def choose(self, found: Params, deadline: float) -> Filled:
        """Click the options that are not selected yet, and those that are but should not be."""
        wanted: list[Any] = found["found"]
        for option in [*found["extra"], *wanted]:
            if option in wanted and option["selected"] and (found["multiple"] or not found["expanded"]):
                continue
            if option["disabled"]:
                raise Blocked(f'option "{option["name"]}" is disabled.', hint="Choose another one.")
            if (approved := self._tab.shield.approved) is not None:
                await approved.extend(self._frame, option["number"])
            await self._tab.element(f"@e{option['number']}").click(timeout=seconds_until(deadline))
            if self._tab.dialogs.open is not None or self._tab.closed.is_set():
                break
        return await self._confirm(wanted, multiple=found["multiple"])

    async def _confirm(self, wanted: Sequence[Params], *, multiple: bool) -> Filled:
        names = [option["name"] for option in wanted]
        numbers = [option["number"] for option in wanted]
        value = ", ".join(names)
        if self._tab.dialogs.open is not None or self._tab.closed.is_set():
            return Filled(value)
        state = await self._frame.call("waitForChosen", names, numbers, _CHOICE_TIME)
        if state is None:  # the page navigated, or replaced it
            return Filled(value)
        if state["held"]:
            if await self._frame.call("isStillOpen", 0 if multiple else _CLOSE_TIME):
                await self._press("Escape")
            return Filled(value, options=tuple(zip(names, numbers, strict=True)))
        if state["inDialog"]:
            pending = f"{quote(value)} is selected in the dialog that it opened. Confirm it there."
            return Filled(state["shown"], pending=pending)
        return Filled(state["shown"], pending=f"Option {quote(value)} was clicked, but it does not show it.")

    async def _press(self, key: str) -> None:
        await self._tab.keyboard.press(key, session=self._frame.session)
