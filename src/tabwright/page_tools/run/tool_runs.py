"""Runs the tools that were found on a page: fills in, submits, presses, chooses, reads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tabwright.browser.snapshot.observe import THOROUGH, Since, settle
from tabwright.browser.snapshot.plain_text import text_of
from tabwright.browser.snapshot.tables import record_sets
from tabwright.errors import Blocked, Stale, TabwrightError
from tabwright.page_tools.found.facts import ChoiceSet, Field, Group
from tabwright.page_tools.found.frame_query import call_script
from tabwright.page_tools.found.parameters import quote_page_text
from tabwright.page_tools.run.fill_field import FieldFiller
from tabwright.page_tools.run.results import read_alerts, read_new_messages, read_results
from tabwright.page_tools.tool import Outcome
from tabwright.text import format_count, quote, quote_name

_TEXT_KINDS = frozenset({"text", "email", "url", "tel", "number", "editable", "combobox"})
_MAX_ROWS = 200
_MAX_LABEL_LENGTH = 40
_MAX_LABEL_WORDS = 3


@dataclass(frozen=True)
class Parameter:
    """A field and the key of its argument."""

    key: str
    field: Field


async def submit(
    filler: FieldFiller,
    name: str,
    group: Group,
    parameters: Sequence[Parameter],
    arguments: Mapping[str, Any],
    *,
    searches: bool = False,
) -> Outcome:
    """Fill in the given fields in page order and submit them."""
    done = await _fill(filler, parameters, arguments)
    filled = f"Filled in {_list(done)}" if done else "Filled in nothing"
    before = await read_alerts(filler.frame)
    await call_script(filler.frame, "pageToolWatchSubmit", group.ref)
    since = Since.now(filler.tab)
    pressed = await _press_submit(filler, name, group, parameters, done)
    await settle(filler.tab, since, THOROUGH)
    lines = await _check_rejected(filler, parameters, done)
    lines += await read_new_messages(filler.frame, before, searches=searches)
    return Outcome(summary=f"{filled} and {pressed}.", page_lines=tuple(lines))


async def _fill(
    filler: FieldFiller, parameters: Sequence[Parameter], arguments: Mapping[str, Any]
) -> list[str]:
    """Fill in the given fields; return their keys."""
    done: list[str] = []
    for parameter in parameters:
        if parameter.key not in arguments:
            continue
        try:
            await filler.fill(parameter.field, arguments[parameter.key])
        except TabwrightError as error:
            before = f"Set before it: {_list(done)}." if done else "No field was set."
            error.message = (
                f"Could not set {quote_name(parameter.key)}: {error.message} {before} Nothing was submitted."
            )
            raise
        done.append(parameter.key)
    return done


async def _press_submit(
    filler: FieldFiller, name: str, group: Group, parameters: Sequence[Parameter], done: Sequence[str]
) -> str:
    """Press the submit button of a group, or Enter in a text field."""
    try:
        if group.submit is not None:
            await filler.press(name, group.submit.ref)
            return f"pressed {_quote_label(group.submit.label) or 'its button'}"
        lines = [one for one in parameters if one.field.kind in _TEXT_KINDS and one.field.type != "textarea"]
        last = next((one for one in reversed(lines) if one.key in done), lines[0] if lines else None)
        if last is None or last.field.kind == "editable":
            return "pressed nothing: there is no submit button"
        if not await filler.press_enter(name, last.field.ref):
            return "pressed nothing: its button does something else"
    except TabwrightError as error:
        error.message = f"Filled in {_list(done) or 'nothing'}, but could not submit: {error.message}"
        raise
    return "pressed Enter"


async def _check_rejected(
    filler: FieldFiller, parameters: Sequence[Parameter], done: Sequence[str]
) -> list[str]:
    """Return the page's messages about invalid values.

    Raises:
        Blocked: the browser did not submit the form because of them.
    """
    keys = {parameter.field.ref: parameter.key for parameter in parameters}
    if filler.tab.dialogs.open is not None or filler.tab.closed.is_set():
        return []
    try:
        found = await call_script(filler.frame, "pageToolErrors", list(keys))
    except Stale:
        return []
    faults = [(keys[number], str(message), bool(stops)) for number, message, stops in found or ()]
    if any(stops for _, _, stops in faults):
        messages = "; ".join(f"{quote_name(key)}: {quote(message)}" for key, message, _ in faults)
        raise Blocked(
            f"Not submitted, because the page rejects these values: {messages[:600]}",
            hint=f"Set so far: {_list(done) or 'none'}. Call it again with other values.",
        )
    return [f"{key}: {message}" for key, message, _ in faults]


def _list(keys: Sequence[str]) -> str:
    return ", ".join(map(quote_name, keys))


async def press(filler: FieldFiller, name: str, number: int, label: str) -> Outcome:
    """Press a button or follow a link."""
    await filler.press(name, number)
    return Outcome(summary=f"Pressed {_quote_label(label) or 'it'}.")


async def go_to_declared(filler: FieldFiller, address: str) -> Outcome:
    """Navigate to another page of the document, which the page declares but does not show a link to."""
    await filler.tab.goto(address)
    return Outcome(summary="Went to the address that the page declares.")


def _quote_label(label: str) -> str:
    """Quote a label of the page; "" for a long text, which must not stand inside our own summary."""
    short = len(label) <= _MAX_LABEL_LENGTH and len(label.split()) <= _MAX_LABEL_WORDS
    return quote_page_text(label, _MAX_LABEL_LENGTH) if short else ""


async def press_item(filler: FieldFiller, name: str, refs: Sequence[int], index: int, label: str) -> Outcome:
    """Press the button or link of one item of a list, counted from 0."""
    number = refs[index]
    if not number:
        raise Blocked(f"Item {index} does not have this button or link.", hint="Choose another item.")
    element = await filler.press(name, number)
    return Outcome(
        summary=f"Pressed {_quote_label(label) or 'it'} of item {index}.", page_lines=(element.label,)
    )


async def show_item(filler: FieldFiller, refs: Sequence[int], index: int) -> Outcome:
    """Scroll to one of several headings, counted from 0."""
    element = filler.element(refs[index])
    await element.scroll_into_view()
    return Outcome(summary=f"Scrolled to heading {index}.", page_lines=(element.label,))


async def check_item(filler: FieldFiller, checkboxes: Sequence[int], index: int) -> Outcome:
    """Check the checkbox of one item of a list, counted from 0."""
    number = checkboxes[index]
    if not number:
        raise Blocked(f"Item {index} has no checkbox.", hint="Choose another item.")
    await filler.element(number).check()
    return Outcome(summary=f"Selected item {index}.")


async def set_single_field(
    filler: FieldFiller, name: str, parameter: Parameter, arguments: Mapping[str, Any], *, searches: bool
) -> Outcome:
    """Set a field that takes effect by itself; a single-line text field is submitted with Enter."""
    field = parameter.field
    since = Since.now(filler.tab)
    await filler.fill(field, arguments[parameter.key])
    if field.kind in ("text", "email", "url", "tel") and field.type != "textarea":
        await filler.press_enter(name, field.ref)
    if searches:
        await settle(filler.tab, since, THOROUGH)
    lines = await read_results(filler.tab) if searches else []
    return Outcome(summary=f"Set {parameter.key}.", page_lines=tuple(lines))


async def choose(filler: FieldFiller, choices: ChoiceSet, label: str) -> Outcome:
    """Press one item of a set of tabs, a menu, a tree or a set of buttons."""
    if choices.popup:
        state = await call_script(filler.frame, "pageToolState", choices.ref) or {}
        if state.get("expanded") != "true":
            await filler.element(choices.ref).click()
        await filler.choose(label)
    else:
        item = next(one for one in choices.items if one.label == label)
        await filler.element(item.ref).click()
    return Outcome(summary=f"Chose {_quote_label(label) or 'it'}.")


async def read_table(filler: FieldFiller, number: int) -> Outcome:
    """Read a table, one line per row."""
    filler.tab.refs.give(filler.frame, number)
    snapshot = await filler.tab.snapshot(root=f"@e{number}")
    tables = [found for found in record_sets(snapshot.nodes) if found.kind == "table"]
    if not tables:
        return Outcome(summary="Read it.", page_lines=tuple(text_of(node) for node in snapshot.nodes))
    table = tables[0]
    rows = [" | ".join(row.get(column, "") for column in table.columns) for row in table.rows[:_MAX_ROWS]]
    rest = f"the action extract with target @e{number}, kind table, start {_MAX_ROWS}"
    more = f" These are the first {_MAX_ROWS}; for the rest: {rest}." if len(table.rows) > _MAX_ROWS else ""
    return Outcome(
        summary=f"{format_count(len(table.rows), 'row')}.{more}",
        page_lines=(" | ".join(table.columns), *rows),
    )
