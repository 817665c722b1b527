"""Moves sliders and spin buttons with the keys of the ARIA Authoring Practices."""

from typing import TYPE_CHECKING, NamedTuple

from tabwright.browser.find.actionability import Ready
from tabwright.browser.input.filled import Filled
from tabwright.errors import Blocked, InvalidArgs
from tabwright.text import quote

if TYPE_CHECKING:
    from tabwright.browser.element import Element

_MAX_PRESSES = 1_000
_BATCH = 50
_MAX_NAMED_STEPS = 200


class _State(NamedTuple):
    """Where a slider stands; `text` is what it shows instead of the number, if it does."""

    now: float | None
    least: float | None
    most: float | None
    text: str

    def __str__(self) -> str:
        return self.text or ("nothing" if self.now is None else f"{self.now:g}")


async def step_to(element: "Element", ready: Ready, value: str) -> Filled:
    """Move a slider or spin button to a number, or to a step with a name.

    Raises:
        InvalidArgs: the number is out of range.
        Blocked: it does not stop there.
    """
    state = _State(*(ready.facts[name] for name in _State._fields))
    mover = _Mover(element, ready, state)
    try:
        wanted = float(value)
    except ValueError:
        await mover.to_named(value)
        reached = mover.state.text.casefold() == value.strip().casefold()
    else:
        _require_range(element.label, state, wanted)
        await mover.to_number(wanted)
        reached = mover.state.now == wanted
    if reached:
        return Filled(str(mover.state))
    raise Blocked(
        f"{element.label} does not stop at {quote(value)}; it is now {quote(str(mover.state))}.",
        hint="Choose a value that it can take.",
    )


def _require_range(label: str, state: _State, wanted: float) -> None:
    if (state.least is not None and wanted < state.least) or (state.most is not None and wanted > state.most):
        least, most = (None if end is None else f"{end:g}" for end in (state.least, state.most))
        limits = f"{f' from {least}' if least else ''}{f' up to {most}' if most else ''}"
        raise InvalidArgs(f"{label} does not accept that value.", hint=f"Give a number{limits}.")


class _Mover:
    """Presses keys on one slider."""

    def __init__(self, element: "Element", ready: Ready, state: _State) -> None:
        self._tab = element.tab
        self._frame = ready.frame
        self.state = state
        self._more, self._less = "ArrowUp", "ArrowDown"

    async def to_number(self, wanted: float) -> None:
        """Press keys as long as they bring it closer."""
        if wanted in (self.state.least, self.state.most) and self.state.now != wanted:
            await self._press("Home" if wanted == self.state.least else "End", 1)
        step, presses = 0.0, 0
        while self.state.now is not None and self.state.now != wanted and presses < _MAX_PRESSES:
            before: float = self.state.now
            count = min(_BATCH, max(1, round(abs(wanted - before) / step))) if step else 1
            now = await self._press(self._more if before < wanted else self._less, count)
            presses += count
            if now is None or (count == 1 and abs(wanted - now) >= abs(wanted - before)):
                break
            step = step or abs(now - before)

    async def to_named(self, name: str) -> None:
        """Go through the steps from the first one until it shows the name."""
        wanted = name.strip().casefold()
        if self.state.text.casefold() == wanted:
            return
        await self._press("Home", 1)
        for _ in range(_MAX_NAMED_STEPS):
            before = self.state
            if before.text.casefold() == wanted:
                return
            await self._press(self._more, 1)
            if self.state == before:
                return

    async def _press(self, key: str, count: int) -> float | None:
        for _ in range(count):
            await self._tab.keyboard.press(key, session=self._frame.session)
        after = await self._frame.call("stepsAfter", self.state._asdict())
        if after is not None:
            self.state = _State(**after)
        return self.state.now
