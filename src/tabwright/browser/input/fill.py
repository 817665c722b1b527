"""Giving controls their values as a person would: typing, picking, clicking; and seeing that they took."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import anyio

from tabwright.aio import seconds_until
from tabwright.browser.find.actionability import Ready, Requirements
from tabwright.browser.input.dispatch import await_dispatched, require_ready
from tabwright.browser.input.keyboard import PIECE
from tabwright.browser.page.dialogs import DialogOpened
from tabwright.errors import Blocked, InvalidArgs, NotFound

if TYPE_CHECKING:
    from tabwright.browser.element import Element
    from tabwright.browser.tab import Tab

_YES = frozenset({"true", "on", "yes", "1", "checked"})
_NO = frozenset({"false", "off", "no", "0", "unchecked", ""})

# What is told of a secret: that it is there.
MASK = "••••"

Value = str | bool | float | Sequence[str]


async def fill(element: "Element", value: Value, *, clear: bool, timeout: float) -> str:
    """Give a control its value and return what it holds afterwards: the page may have written it another way.

    Raises:
        InvalidArgs: the control is of another kind, or the value has another form than it needs.
        NotFound: a list has no such option.
        Blocked: the control is disabled or read-only, or the page refused the value.
    """
    deadline = anyio.current_time() + timeout
    wish = {"value": _written(value), "clear": clear}
    ready = await element.ready(Requirements("visible", retarget="field", act="fill", args=wish), timeout)
    facts = ready.facts
    match facts["kind"]:
        case "text":
            held = await _type(element, ready, str(wish["value"]))
            return MASK if held and facts["secret"] else held
        case "check":
            checked = _as_bool(value, element.label)
            await set_checked(element, checked=checked, timeout=seconds_until(deadline))
            return str(checked).lower()
        case "chosen":
            return ", ".join(_kept(element, facts["labels"], kept=facts["kept"]))
        case _:
            return str(facts["value"])


async def set_checked(element: "Element", *, checked: bool, timeout: float) -> None:
    """Bring a checkbox, radio button or switch into a state by clicking it, if it is not in it.

    Raises:
        InvalidArgs: it cannot be checked at all, or is a radio button to be unchecked.
        Blocked: the page did not follow.
    """
    deadline = anyio.current_time() + timeout
    ready = await element.ready(Requirements("attached", retarget="field", act="checked"), timeout)
    if ready.facts["checked"] == checked:
        return
    if not checked and ready.facts["role"] in ("radio", "menuitemradio"):
        raise InvalidArgs(f"{element.label} cannot be unchecked.", hint="Check another one of its group.")
    await element.click(timeout=seconds_until(deadline))
    if element.tab.dialogs.open is not None or element.tab.closed.is_set():
        return
    now = await ready.frame.call("checkedNow")
    if now is not None and now != checked:
        raise Blocked(
            f"{element.label} was clicked, but the page left it {'un' if checked else ''}checked.",
            hint="Look at what the page asks for first.",
        )


async def choose_options(
    element: "Element",
    options: Sequence[str],
    *,
    by: Literal["any", "value", "label", "index"],
    timeout: float,
) -> list[str]:
    """Select exactly these options of a list and return the labels of what is selected afterwards.

    Raises:
        InvalidArgs: it is no list, or a list of which one can be selected.
        NotFound: there is no such option; the options are listed.
    """
    how = Requirements("visible", retarget="field", act="choose", args={"values": list(options), "by": by})
    facts = (await element.ready(how, timeout)).facts
    return _kept(element, facts["labels"], kept=facts["kept"])


async def _type(element: "Element", ready: Ready, text: str) -> str:
    facts = ready.facts
    held = await _held(ready) if facts["done"] else await _insert(element.tab, ready, text)
    if held is None:
        return str(facts["wanted"])
    if held == facts["before"] and _same_lines(held) != _same_lines(facts["wanted"]):
        raise Blocked(
            f"{element.label} did not take the text: the page keeps it as it was.",
            hint="Try to type it, or look at what the page asks for first.",
        )
    return str(held)


async def _insert(tab: "Tab", ready: Ready, text: str) -> str | None:
    """Send the text and, in the same round trip, ask what became of it."""
    if len(text) > PIECE:
        await tab.keyboard.insert_text(text, session=ready.frame.session)
        return await _held(ready)
    stopped = tab.watchdog.stopped_scripts
    await require_ready(tab)
    answer = tab.session.start("Input.insertText", text=text)
    try:
        held = await _held(ready)
    finally:
        await await_dispatched(tab, [answer], session=ready.frame.session, stopped=stopped)
    return held


async def _held(ready: Ready) -> str | None:
    """Return what the field holds; None when the page went on, closed itself or opened a dialog."""
    try:
        held: str | None = await ready.frame.call("filled")
    except DialogOpened:
        return None
    except NotFound:
        if not ready.frame.tab.closed.is_set():
            raise
        return None
    return held


def _same_lines(text: str) -> str:
    return text.replace("\r\n", "\n").rstrip("\n")


def _kept(element: "Element", labels: list[str], *, kept: bool) -> list[str]:
    if not kept:
        raise Blocked(
            f"The page changed the selection of {element.label} to {', '.join(labels) or 'nothing'}.",
            hint="Look at what the page asks for first.",
        )
    return labels


def _written(value: Value) -> str | list[str]:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return value
    if isinstance(value, int | float):
        return f"{value:.15g}"
    return list(value)


def _as_bool(value: Value, label: str) -> bool:
    word = str(_written(value)).strip().lower()
    if word not in _YES | _NO:
        raise InvalidArgs(f"{label} is checked or not, and {word!r} is neither.", hint="Give true or false.")
    return word in _YES
