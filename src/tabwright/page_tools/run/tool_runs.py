"""Running what was found by looking: fill in, send, press, choose, read; and saying what came of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tabwright.browser.snapshot.tables import record_sets, text_of
from tabwright.errors import Blocked, Stale, TabwrightError
from tabwright.page_tools.found.facts import Chooser, Field, Group
from tabwright.page_tools.found.frame_query import ask
from tabwright.page_tools.found.parameters import quoted_words
from tabwright.page_tools.run.fill_field import Hands
from tabwright.page_tools.run.results import results, said, told_since
from tabwright.page_tools.run.settle import settled
from tabwright.page_tools.tool import Outcome
from tabwright.text import format_count, quote

_TYPED_KINDS = frozenset({"text", "email", "url", "tel", "number", "editable", "combobox"})
_MOST_ROWS = 200
_LONGEST_NAME = 40
_MOST_WORDS = 3


@dataclass(frozen=True)
class Parameter:
    """A field under the key that callers know it by."""

    key: str
    field: Field


async def send(
    hands: Hands,
    group: Group,
    parameters: Sequence[Parameter],
    arguments: Mapping[str, Any],
    *,
    searches: bool = False,
) -> Outcome:
    """Fill in the fields that were given, in the order of the page, and send them."""
    done = await _fill(hands, parameters, arguments)
    filled = f"Filled in {', '.join(done)}" if done else "Filled in nothing"
    before = await said(hands.frame)
    await ask(hands.frame, "pageToolSending", group.ref)
    async with settled(hands.tab):
        pressed = await _press(hands, group, parameters, done)
    words = await _objections(hands, parameters, done)
    words += await told_since(hands.frame, before, searches=searches)
    return Outcome(deed=f"{filled} and {pressed}.", words=tuple(words))


async def _fill(hands: Hands, parameters: Sequence[Parameter], arguments: Mapping[str, Any]) -> list[str]:
    done: list[str] = []
    for parameter in parameters:
        if parameter.key not in arguments:
            continue
        try:
            await hands.fill(parameter.field, arguments[parameter.key])
        except TabwrightError as error:
            error.message = f"{parameter.key} could not be set: {error.message} {_left(done)}"
            raise
        done.append(parameter.key)
    return done


def _left(done: Sequence[str]) -> str:
    return f"Set before it: {', '.join(done)}. Nothing was sent." if done else "Nothing was set or sent."


async def _press(hands: Hands, group: Group, parameters: Sequence[Parameter], done: Sequence[str]) -> str:
    """Press what sends the group: its button, or Enter in a line of text."""
    try:
        if group.submit is not None:
            await hands.element(group.submit.ref).click()
            return f"pressed {_named(group.submit.label) or 'its button'}"
        lines = [one for one in parameters if one.field.kind in _TYPED_KINDS and one.field.type != "textarea"]
        last = next((one for one in reversed(lines) if one.key in done), lines[0] if lines else None)
        if last is None or last.field.kind == "editable":
            return "pressed nothing, as there is nothing to send it with"
        await hands.element(last.field.ref).press("Enter")
    except TabwrightError as error:
        error.message = f"All was filled in ({', '.join(done) or 'nothing'}), but not sent: {error.message}"
        raise
    return "pressed Enter"


async def _objections(hands: Hands, parameters: Sequence[Parameter], done: Sequence[str]) -> list[str]:
    """Return what the page has against the values.

    Raises:
        Blocked: the browser did not send them.
    """
    keys = {parameter.field.ref: parameter.key for parameter in parameters}
    if hands.tab.dialogs.open is not None or hands.tab.closed.is_set():
        return []
    try:
        told = await ask(hands.frame, "pageToolFaults", list(keys))
    except Stale:
        return []
    faults = [(keys[number], str(message), bool(stops)) for number, message, stops in told or ()]
    said = "; ".join(f"{key}: {quote(message)}" for key, message, _ in faults)
    if any(stops for _, _, stops in faults):
        raise Blocked(
            f"Not sent, as the page does not accept what its fields hold: {said[:600]}",
            hint=f"Were set: {', '.join(done) or 'none'}. Call it again with other values.",
        )
    return [f"{key}: {message}" for key, message, _ in faults]


async def press(hands: Hands, number: int, label: str) -> Outcome:
    """Press a button or follow a link."""
    await hands.element(number).click()
    return Outcome(deed=f"Pressed {_named(label) or 'it'}.")


def _named(label: str) -> str:
    """Quote what the page calls a thing; "" for more than a name, as it stands among words of our own."""
    short = len(label) <= _LONGEST_NAME and len(label.split()) <= _MOST_WORDS
    return quoted_words(label, _LONGEST_NAME) if short else ""


async def press_one(hands: Hands, refs: Sequence[int], index: int, label: str) -> Outcome:
    """Press the same thing of one of several items, counted from 1."""
    number = refs[index - 1]
    if not number:
        raise Blocked(f"Item {index} has none of these.", hint="Choose another item.")
    element = hands.element(number)
    await element.click()
    return Outcome(deed=f"Pressed {_named(label) or 'it'} of item {index}.", words=(element.label,))


async def select_one(hands: Hands, boxes: Sequence[int], index: int) -> Outcome:
    """Check the box of one of several items, counted from 1."""
    number = boxes[index - 1]
    if not number:
        raise Blocked(f"Item {index} has no box.", hint="Choose another item.")
    await hands.element(number).check()
    return Outcome(deed=f"Selected item {index}.")


async def set_lone(
    hands: Hands, parameter: Parameter, arguments: Mapping[str, Any], *, searches: bool
) -> Outcome:
    """Set a control that works by itself; a line of text is sent with Enter."""
    field = parameter.field
    value = arguments[parameter.key]
    async with settled(hands.tab, wanted=searches):
        await hands.fill(field, value)
        if field.kind in ("text", "email", "url", "tel") and field.type != "textarea":
            await hands.element(field.ref).press("Enter")
    words = await results(hands.tab) if searches else []
    return Outcome(deed=f"Set {parameter.key}.", words=tuple(words))


async def choose(hands: Hands, chooser: Chooser, label: str) -> Outcome:
    """Press one of a set of tabs, menu items or parts of a tree."""
    item = next((one for one in chooser.items if one.label == label), None)
    if chooser.opens:
        if (await ask(hands.frame, "pageToolState", chooser.ref) or {}).get("expanded") != "true":
            await hands.element(chooser.ref).click()
        await hands.choose(label)
    else:
        assert item is not None
        await hands.element(item.ref).click()
    return Outcome(deed=f"Chose {_named(label) or 'it'}.")


async def read_table(hands: Hands, number: int) -> Outcome:
    """Read a table, a line per row."""
    hands.tab.refs.give(hands.frame, number)
    taken = await hands.tab.snapshot(root=f"@e{number}")
    sets = [found for found in record_sets(taken.nodes) if found.kind == "table"]
    if not sets:
        return Outcome(deed="Read it.", words=tuple(text_of(node) for node in taken.nodes))
    table = sets[0]
    rows = [" | ".join(row.get(column, "") for column in table.columns) for row in table.rows[:_MOST_ROWS]]
    rest = f"the action extract with target @e{number}, kind table, start {_MOST_ROWS}"
    left = f" The first {_MOST_ROWS} are here; the rest: {rest}." if len(table.rows) > _MOST_ROWS else ""
    return Outcome(
        deed=f"{format_count(len(table.rows), 'row')}.{left}", words=(" | ".join(table.columns), *rows)
    )
