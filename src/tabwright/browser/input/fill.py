"""Sets form fields as a user would, by typing, selecting and clicking, and checks the result."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import anyio

from tabwright.aio import seconds_until
from tabwright.browser.find.actionability import Ready, Requirements
from tabwright.browser.input.dispatch import await_dispatched, require_ready
from tabwright.browser.input.keyboard import CHUNK
from tabwright.browser.page.dialogs import DialogOpened
from tabwright.errors import Blocked, InvalidArgs, NotFound

if TYPE_CHECKING:
    from tabwright.browser.element import Element
    from tabwright.browser.tab import Tab

_TRUE = frozenset({"true", "on", "yes", "1", "checked"})
_FALSE = frozenset({"false", "off", "no", "0", "unchecked", ""})

Value = str | bool | float | Sequence[str]


async def fill(element: "Element", value: Value, *, clear: bool, timeout: float) -> str:
    """Set a form field and return the value that it then has: the page may have reformatted it.

    Raises:
        InvalidArgs: it is not a form field, or the value does not have the format that it needs.
        NotFound: a list has no such option.
        Blocked: the field is disabled or read-only, or the page rejected the value.
    """
    deadline = anyio.current_time() + timeout
    args = {"value": _as_text(value), "clear": clear}
    ready = await element.ready(
        Requirements("visible", retarget="field", operation="fill", args=args), timeout
    )
    facts = ready.facts
    match facts["kind"]:
        case "text":
            current = await _type(element, ready, str(args["value"]))
            return current and (facts["mask"] or current)
        case "check":
            checked = _as_bool(value, element.label)
            await set_checked(element, checked=checked, timeout=seconds_until(deadline))
            return str(checked).lower()
        case "chosen":
            return ", ".join(_require_kept(element, facts["labels"], kept=facts["kept"]))
        case _:
            return str(facts["value"])


async def set_checked(element: "Element", *, checked: bool, timeout: float) -> None:
    """Click a checkbox, radio button or switch, unless it already has the state.

    Raises:
        InvalidArgs: it cannot be checked, or is a radio button to be unchecked.
        Blocked: the click did not change it.
    """
    deadline = anyio.current_time() + timeout
    ready = await element.ready(Requirements("attached", retarget="field", operation="checked"), timeout)
    if ready.facts["checked"] == checked:
        return
    if not checked and ready.facts["role"] in ("radio", "menuitemradio"):
        raise InvalidArgs(f"{element.label} cannot be unchecked.", hint="Check another one of its group.")
    await element.click(timeout=seconds_until(deadline))
    if element.tab.dialogs.open is not None or element.tab.closed.is_set():
        return
    now = await ready.frame.call("isHeldChecked")
    if now is not None and now != checked:
        raise Blocked(
            f"{element.label} was clicked, but is still {'un' if checked else ''}checked.",
            hint="Check whether the page requires something else first.",
        )


async def choose_options(
    element: "Element",
    options: Sequence[str],
    *,
    by: Literal["any", "value", "label", "index"],
    timeout: float,
) -> list[str]:
    """Select exactly these options of a list; return the labels that are then selected.

    Raises:
        InvalidArgs: it is not a list, or it accepts only one option.
        NotFound: there is no such option; the error lists the options.
    """
    how = Requirements(
        "visible", retarget="field", operation="choose", args={"values": list(options), "by": by}
    )
    facts = (await element.ready(how, timeout)).facts
    return _require_kept(element, facts["labels"], kept=facts["kept"])


async def _type(element: "Element", ready: Ready, text: str) -> str:
    facts = ready.facts
    current = await _read(ready) if facts["done"] else await _insert(element.tab, ready, text)
    if current is None:
        return str(facts["wanted"])
    if current == facts["before"] and _normalize_lines(current) != _normalize_lines(facts["wanted"]):
        raise Blocked(
            f"{element.label} did not accept the text: its value has not changed.",
            hint="Try to type it, or check whether the page requires something else first.",
        )
    return str(current)


async def _insert(tab: "Tab", ready: Ready, text: str) -> str | None:
    """Send the text and, in the same round trip, read the value of the field."""
    if len(text) > CHUNK:
        await tab.keyboard.insert_text(text, session=ready.frame.session)
        return await _read(ready)
    stopped = tab.watchdog.stopped_scripts
    await require_ready(tab)
    answer = tab.session.start("Input.insertText", text=text)
    try:
        current = await _read(ready)
    finally:
        await await_dispatched(tab, [answer], session=ready.frame.session, stopped=stopped)
    return current


async def _read(ready: Ready) -> str | None:
    """Return the value of the field; None if the page navigated, closed or opened a dialog."""
    try:
        value: str | None = await ready.frame.call("readFilled")
    except DialogOpened:
        return None
    except NotFound:
        if not ready.frame.tab.closed.is_set():
            raise
        return None
    return value


def _normalize_lines(text: str) -> str:
    return text.replace("\r\n", "\n").rstrip("\n")


def _require_kept(element: "Element", labels: list[str], *, kept: bool) -> list[str]:
    if not kept:
        raise Blocked(
            f"The page changed the selection of {element.label} to {', '.join(labels) or 'nothing'}.",
            hint="Check whether the page requires something else first.",
        )
    return labels


def _as_text(value: Value) -> str | list[str]:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return value
    if isinstance(value, int | float):
        return f"{value:.15g}"
    return list(value)


def _as_bool(value: Value, label: str) -> bool:
    text = str(_as_text(value)).strip().lower()
    if text not in _TRUE | _FALSE:
        raise InvalidArgs(f"{label} does not accept {text!r}.", hint="Give true or false.")
    return text in _TRUE
