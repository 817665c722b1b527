"""Reading data from a document by CSS selectors, and listing its interactive elements."""

from functools import partial
from typing import TYPE_CHECKING, Any

from tabwright.browser.page.frame import DocumentGone, Frame
from tabwright.browser.page.isolated_world import script
from tabwright.cdp import Params
from tabwright.errors import InvalidArgs, Stale

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

# Far more than an answer shows, but bounded.
_MAX_CHARACTERS = 1_000_000


async def extract_fields(
    frame: Frame, fields: dict[str, Params], *, item: str | None = None, start: int = 0, most: int = 100
) -> Params:
    """Return `values` by name; with an `item` selector, `items` from `start` on and the `count` of all.

    Raises:
        InvalidArgs: a selector is not valid CSS.
    """
    spec = {"item": item, "fields": fields, "start": start, "most": most, "characters": _MAX_CHARACTERS}
    answer = await _call_extract(frame, "extractFields", spec)
    if "fault" in answer:
        fault = answer["fault"].rpartition(": ")[2]
        raise InvalidArgs(f"Invalid CSS selector: {fault}", hint="Correct it; extraction takes CSS only.")
    return answer


async def dom_context(tab: "Tab", *, start: int = 0, most: int = 60) -> Params:
    """Return the visible elements, forms and links of the chosen frame, with refs."""
    frame = tab.frames.chosen
    answer = await _call_extract(frame, "domContext", {"start": start, "most": most}, gives_refs=True)
    for number in _refs(answer):
        tab.refs.give(frame, number)
    return answer


def _refs(answer: Any) -> list[int]:
    """Return all refs in an answer."""
    if isinstance(answer, dict):
        own = [answer["ref"]] if "ref" in answer else []
        return own + [ref for inner in answer.values() for ref in _refs(inner)]
    return [ref for inner in answer for ref in _refs(inner)] if isinstance(answer, list) else []


async def _call_extract(frame: Frame, function: str, spec: Params, *, gives_refs: bool = False) -> Params:
    """Call a function of extract.js in the current document; the script is sent along."""
    try:
        world = await frame.world()
        frame.session.post("Runtime.evaluate", expression=script("standalone/extract.js"), contextId=world)
        call = partial(frame.tab.refs.call_here, frame) if gives_refs else frame.call_here
        answer: Params = await call(function, spec)
    except DocumentGone as gone:
        raise Stale("The page navigated away.", hint="Wait for it to load, then try again.") from gone
    return answer
