"""Sets form fields as a user would, by typing, selecting and clicking, and checks the result."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import anyio

from tabwright.aio import seconds_until
from tabwright.browser.find.actionability import Ready, Requirements
from tabwright.browser.input.date_picker import choose_date
from tabwright.browser.input.filled import Filled
from tabwright.browser.input.options import choose_listed, choose_suggested
from tabwright.browser.input.reaction import watch_field
from tabwright.browser.input.secret_text import fill_secret
from tabwright.browser.input.steps import step_to
from tabwright.browser.input.text_field import type_into
from tabwright.browser.page.element_internals import ElementInternals
from tabwright.browser.snapshot.observe import Since
from tabwright.errors import Blocked, InvalidArgs
from tabwright.text import quote_line, quote_name

if TYPE_CHECKING:
    from tabwright.browser.element import Element

_TRUE = frozenset({"true", "on", "yes", "1", "checked"})
_FALSE = frozenset({"false", "off", "no", "0", "unchecked", ""})
# Milliseconds for a page to show the new state of a checkbox.
_CHECK_TIME = 1_000
# Kinds of fields whose value a page may change after it was set.
_WATCHED = frozenset({"text", "set", "check", "chosen"})

Value = str | bool | float | Sequence[str]


async def fill(
    element: "Element", value: Value, *, clear: bool, timeout: float, watch: bool = False
) -> Filled:
    """Set a form field and return the value that it then has: the page may have reformatted it.

    With `watch`, a page that listens gets half a second to change the value.

    Raises:
        InvalidArgs: it is not a form field, or the value does not have the format that it needs.
        NotFound: a list has no such option.
        Blocked: the field is disabled or read-only, or the page rejected the value.
    """
    deadline = anyio.current_time() + timeout
    since = Since.now(element.tab)
    given = _as_text(value)
    args = {"value": given, "clear": clear}
    if element.tab.call_permissions.secrets:
        ready = await fill_secret(element, args, timeout)
    else:
        how = Requirements("visible", retarget="field", operation="fill", args=args)
        ready = await element.ready(how, timeout)
    filled = await _fill_ready(element, ready, value, given, deadline)
    return await _confirm(element, ready, filled, since) if watch else filled


async def _confirm(element: "Element", ready: Ready, filled: Filled, since: Since) -> Filled:
    """Return what the page has made of the value a moment later.

    Raises:
        Blocked: the page has set it back.
    """
    tab = element.tab
    watched = filled.options or ready.facts.get("kind", "check") in _WATCHED
    if filled.pending or not watched or tab.dialogs.open is not None or tab.closed.is_set():
        return filled
    changed = await watch_field(ready.frame, since, filled.options)
    if changed is None:
        return filled
    if changed["reverted"]:
        raise Blocked(
            f"{element.label} did not keep {quote_line(filled.value)}: the page changed it back to "
            f"{quote_line(changed['value'])}.",
            hint="Check what the page requires.",
        )
    before = "" if changed["secret"] else f" from {quote_line(filled.value)}"
    return Filled(changed["value"], note=f"The page changed it{before}.")


async def _fill_ready(
    element: "Element", ready: Ready, value: Value, given: str | list[str], deadline: float
) -> Filled:
    match ready.facts["kind"]:
        case "text":
            return await _fill_text(element, ready, str(given), deadline)
        case "check":
            checked = _as_bool(value, element.label)
            await set_checked(element, checked=checked, timeout=seconds_until(deadline))
            return Filled(str(checked).lower())
        case "picker":
            return await choose_date(element, ready, str(given), deadline)
        case "steps":
            return await step_to(element, ready, str(given))
        case "list" | "popup":
            return await choose_listed(element, ready, _as_list(given), deadline)
    return _read_set(element, ready)


def _read_set(element: "Element", ready: Ready) -> Filled:
    """Return the value of a field that was set in the page."""
    if ready.facts["kind"] == "chosen":
        return Filled(", ".join(_require_kept(element, ready.facts["labels"], kept=ready.facts["kept"])))
    return Filled(str(ready.facts["value"]))


async def _fill_text(element: "Element", ready: Ready, text: str, deadline: float) -> Filled:
    filled = await type_into(element, ready, text)
    if ready.facts["suggests"] and filled.value:
        return await choose_suggested(element, ready, filled, deadline)
    return filled


async def set_checked(element: "Element", *, checked: bool, timeout: float, watch: bool = False) -> None:
    """Click a checkbox, radio button or switch, unless it already has the state; `watch` as in `fill`.

    Raises:
        InvalidArgs: it cannot be checked, or is a radio button to be unchecked.
        Blocked: the click did not change it.
    """
    deadline = anyio.current_time() + timeout
    since = Since.now(element.tab)
    ready = await element.ready(Requirements("attached", retarget="field", operation="checked"), timeout)
    if ready.facts["checked"] == checked:
        return
    label = element.label
    if not checked and ready.facts["role"] in ("radio", "menuitemradio"):
        raise InvalidArgs(f"{label} cannot be unchecked.", hint="Check another one of its group.")
    await element.click_field(timeout=seconds_until(deadline))
    element.label = label
    if element.tab.dialogs.open is not None or element.tab.closed.is_set():
        return
    await element.tab.component(ElementInternals).refresh(ready.frame)
    now = await ready.frame.call("waitForChecked", checked, _CHECK_TIME)
    if now is not None and now != checked:
        raise Blocked(
            f"{label} was clicked, but is still {'un' if checked else ''}checked.",
            hint="Check whether the page requires something else first.",
        )
    if watch:
        await _confirm(element, ready, Filled(str(checked).lower()), since)


async def choose_options(
    element: "Element",
    options: Sequence[str],
    *,
    by: Literal["any", "value", "label", "index"],
    timeout: float,
    watch: bool = False,
) -> list[str]:
    """Select exactly these options of a list; return the labels that are then selected; `watch` as in `fill`.

    Raises:
        InvalidArgs: it is not a list, or it accepts only one option.
        NotFound: there is no such option; the error lists the options.
    """
    deadline = anyio.current_time() + timeout
    since = Since.now(element.tab)
    how = Requirements(
        "visible", retarget="field", operation="choose", args={"values": list(options), "by": by}
    )
    ready = await element.ready(how, timeout)
    match ready.facts["kind"]:
        case "chosen":
            labels = _require_kept(element, ready.facts["labels"], kept=ready.facts["kept"])
            changed = await watch_field(ready.frame, since) if watch else None
            return _require_kept(element, [changed["value"]], kept=False) if changed else labels
        case "suggest":
            return [await _suggest(element, option, deadline) for option in options]
        case _:
            filled = await choose_listed(element, ready, options, deadline)
            return [filled.value] if filled.value else []


async def _suggest(element: "Element", option: str, deadline: float) -> str:
    """Type into a text field with a list, and choose the option.

    Raises:
        Blocked: no option was chosen.
    """
    filled = await fill(element, option, clear=True, timeout=seconds_until(deadline))
    if filled.pending:
        raise Blocked(f"{element.label}: {filled.pending}", hint="Click the option, or give its exact name.")
    return filled.value


def _require_kept(element: "Element", labels: list[str], *, kept: bool) -> list[str]:
    if not kept:
        selected = ", ".join(map(quote_name, labels)) or "nothing"
        raise Blocked(
            f"The page changed the selection of {element.label} to {selected}.",
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


def _as_list(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value


def _as_bool(value: Value, label: str) -> bool:
    text = str(_as_text(value)).strip().lower()
    if text not in _TRUE | _FALSE:
        raise InvalidArgs(f"{label} does not accept {text!r}.", hint="Give true or false.")
    return text in _TRUE
