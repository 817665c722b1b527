"""Types into text fields and editors, and reads back what they then hold."""

import re
from typing import TYPE_CHECKING

from tabwright.browser.find.actionability import Ready
from tabwright.browser.input.dispatch import await_dispatched, require_ready_for_text
from tabwright.browser.input.filled import Filled
from tabwright.browser.input.keyboard import CHUNK
from tabwright.browser.page.dialogs import DialogOpened
from tabwright.errors import Blocked, NotFound

if TYPE_CHECKING:
    from tabwright.browser.element import Element
    from tabwright.browser.tab import Tab

# Characters that editors add without showing them, and whitespace, which they lay out in their own way.
_INVISIBLE = re.compile(r"[\u200b\u200c\u200d\u2060\ufeff\s]+")


async def type_into(element: "Element", ready: Ready, text: str) -> Filled:
    """Type into the field that the page has focused and selected; return the value that it then has.

    Raises:
        Blocked: the value has not changed.
    """
    facts = ready.facts
    if facts["rich"]:
        current = await _edit(element.tab, ready, text)
    else:
        current = await read_field(ready) if facts["done"] else await _insert(element.tab, ready, text)
    if current is None:
        return Filled(facts["mask"] or str(facts["wanted"]))
    if current == facts["before"] and _normalize_lines(current) != _normalize_lines(facts["wanted"]):
        raise Blocked(
            f"{element.label} did not accept the text: its value has not changed.",
            hint="Try to type it, or check whether the page requires something else first.",
        )
    return Filled(current and (facts["mask"] or current))


async def _edit(tab: "Tab", ready: Ready, text: str) -> str | None:
    """Replace the text of an editor, or append to it.

    An editor may show only a part of its text, or keep its own selection: if the text is not replaced, its
    own command selects everything. An editor that draws its text has no other selection.
    """
    facts = ready.facts
    replaces = facts["wanted"] == text
    if facts["done"]:
        return await read_field(ready)
    if facts["drawn"]:
        await tab.keyboard.press("ControlOrMeta+a" if replaces else "ControlOrMeta+End")
        await _overwrite(tab, ready, text)
        drawn = await ready.frame.call("readDrawn", text)
        return text if drawn["same"] or not replaces else str(drawn["shown"])
    current = await _overwrite(tab, ready, text)
    if current is None or not replaces or is_same_text(current, text):
        return current
    await ready.frame.call("holdAgain")
    await tab.keyboard.press("ControlOrMeta+a", session=ready.frame.session)
    return await _overwrite(tab, ready, text)


async def _overwrite(tab: "Tab", ready: Ready, text: str) -> str | None:
    if text:
        return await _insert(tab, ready, text)
    await tab.keyboard.press("Backspace", session=ready.frame.session)
    return await read_field(ready)


def is_same_text(one: str, other: str) -> bool:
    """Whether two texts differ at most in whitespace and invisible characters."""
    return _INVISIBLE.sub(" ", one).strip() == _INVISIBLE.sub(" ", other).strip()


async def _insert(tab: "Tab", ready: Ready, text: str) -> str | None:
    """Send the text and, in the same round trip, read the value of the field."""
    if len(text) > CHUNK:
        await tab.keyboard.insert_text(text, session=ready.frame.session)
        return await read_field(ready)
    stopped = tab.watchdog.stopped_scripts
    await require_ready_for_text(tab)
    answer = tab.session.start("Input.insertText", text=text)
    try:
        current = await read_field(ready)
    finally:
        await await_dispatched(tab, [answer], session=ready.frame.session, stopped=stopped)
    return current


async def read_field(ready: Ready) -> str | None:
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
