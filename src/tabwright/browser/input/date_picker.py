"""Chooses a date in the calendar that a read-only field opens; reads back what the field then shows."""

import re
from typing import TYPE_CHECKING

from tabwright.aio import seconds_until
from tabwright.browser.find.actionability import Ready
from tabwright.browser.input.filled import Filled
from tabwright.cdp import Params
from tabwright.errors import Blocked
from tabwright.text import quote

if TYPE_CHECKING:
    from tabwright.browser.element import Element

_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
# Milliseconds for a calendar to open, and to turn its page.
_OPEN_TIME = 1_500
_TURN_TIME = 1_000
_MAX_MONTHS = 60
# Milliseconds for the field to show the date.
_VALUE_TIME = 1_000


async def choose_date(element: "Element", ready: Ready, value: str, deadline: float) -> Filled:
    """Open the calendar of a field, turn it to the month, and click the day.

    Raises:
        Blocked: the value is not a date, no calendar opened, or the day cannot be chosen.
    """
    label = element.label
    picker = _Picker(element, ready, value)
    await element.click_field(timeout=seconds_until(deadline))
    element.label = label
    shown = await picker.find(None, _OPEN_TIME)
    if shown is None:
        raise Blocked(
            f"{label} is read-only, and a click on it did not open a calendar.",
            hint="Take a snapshot: choose in what it opened, or use another field.",
        )
    await picker.turn_to_month(shown, deadline)
    now = await ready.frame.call("waitForOtherValue", ready.facts["before"], _VALUE_TIME)
    if now == ready.facts["before"] and now != value:
        raise Blocked(
            f"{label} still shows {quote(now)} after {value} was clicked in its calendar.",
            hint="Take a snapshot: the calendar may need a second date, or a button to confirm.",
        )
    return Filled(now)


class _Picker:
    """An open calendar."""

    def __init__(self, element: "Element", ready: Ready, value: str) -> None:
        self._tab = element.tab
        self._frame = ready.frame
        self._label = element.label
        self._value = value
        found = _DATE.fullmatch(value.strip())
        if found is None:
            raise Blocked(
                f"{self._label} is read-only.",
                hint="Click it if it opens a picker; if that is a calendar, give a date such as 2026-05-31.",
            )
        self._date = [int(part) for part in found.groups()]

    async def find(self, before: list[int] | None, time: int) -> Params | None:
        """Return the day's cell and the buttons that turn the month; wait for another month than `before`."""
        found: Params | None = await self._tab.refs.call(
            self._frame, "findDay", self._date, before, time, hang_timeout=time / 1000 + 2
        )
        for name in ("cell", "next", "previous"):
            if found and found[name]:
                self._tab.refs.give(self._frame, found[name])
        return found

    async def turn_to_month(self, shown: Params, deadline: float) -> None:
        """Turn the calendar until it shows the day, and click it."""
        found: Params | None = shown
        for _ in range(_MAX_MONTHS):
            if found is None:
                break
            if found["cell"]:
                await self._click_day(found, deadline)
                return
            before = list(found["shown"])
            button = found["next" if before < self._date[:2] else "previous"]
            if not button:
                break
            await self._tab.element(f"@e{button}").click(timeout=seconds_until(deadline))
            found = await self.find(before, _TURN_TIME)
            if found and list(found["shown"]) == before:
                break
        raise Blocked(
            f"{self._value} was not found in the calendar of {self._label}, which is open.",
            hint="Take a snapshot, turn it to the month, and click the day.",
        )

    async def _click_day(self, found: Params, deadline: float) -> None:
        if found["disabled"]:
            raise Blocked(f"{self._label} does not offer {self._value}.", hint="Choose another date.")
        await self._tab.element(f"@e{found['cell']}").click(timeout=seconds_until(deadline))
