"""Reading data off a document by CSS, and listing what it offers to use."""

from functools import partial
from typing import TYPE_CHECKING, Any

from tabwright.browser.page.frame import DocumentGone, Frame
from tabwright.browser.page.isolated_world import script
from tabwright.cdp import Params
from tabwright.errors import InvalidArgs, Stale

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

# Far beyond what an answer tells, and no flood.
_MOST_CHARACTERS = 1_000_000


async def extract_fields(
    frame: Frame, fields: dict[str, Params], *, item: str | None = None, start: int = 0, most: int = 100
) -> Params:
    """Return `values` by name; with an `item` selector, `items` from `start` on and the `count` of all.

    Raises:
        InvalidArgs: a selector is no CSS.
    """
    spec = {"item": item, "fields": fields, "start": start, "most": most, "characters": _MOST_CHARACTERS}
    answer = await _asked(frame, "extractFields", spec)
    if "fault" in answer:
        fault = answer["fault"].rpartition(": ")[2]
        raise InvalidArgs(f"A selector is no CSS: {fault}", hint="Correct it; extraction takes CSS only.")
    return answer


async def dom_context(tab: "Tab", *, start: int = 0, most: int = 60) -> Params:
    """Return elements, forms and links that a person sees in the chosen frame, with refs."""
    frame = tab.frames.chosen
    answer = await _asked(frame, "domContext", {"start": start, "most": most}, gives_refs=True)
    for number in _numbers(answer):
        tab.refs.give(frame, number)
    return answer


def _numbers(told: Any) -> list[int]:
    """Return all refs in an answer."""
    if isinstance(told, dict):
        own = [told["ref"]] if "ref" in told else []
        return own + [number for inner in told.values() for number in _numbers(inner)]
    return [number for inner in told for number in _numbers(inner)] if isinstance(told, list) else []


async def _asked(frame: Frame, function: str, spec: Params, *, gives_refs: bool = False) -> Params:
    """Call a function of extract.js in the present document, which gets the script with it."""
    try:
        world = await frame.world()
        frame.session.post("Runtime.evaluate", expression=script("standalone/extract.js"), contextId=world)
        call = partial(frame.tab.refs.call_here, frame) if gives_refs else frame.call_here
        answer: Params = await call(function, spec)
    except DocumentGone as gone:
        raise Stale("The page navigated away.", hint="Wait for it to load, then try again.") from gone
    return answer
