"""Asking the frames of a page what can be done there: our scripts come before the first question."""

from functools import cache, partial
from typing import Any

import orjson

from tabwright.browser.page.closed_shadow_roots import register_closed_roots
from tabwright.browser.page.frame import DocumentGone, Frame
from tabwright.browser.page.isolated_world import join_scripts
from tabwright.cdp import CdpError
from tabwright.errors import Stale, TabwrightError
from tabwright.page_tools.found.facts import Facts, read

# In the order in which they depend on each other.
_SCRIPTS = (
    "page_tools_sight.js",
    "page_tools_fields.js",
    "page_tools_groups.js",
    "page_tools_lists.js",
    "page_tools.js",
)
_ROUNDS = 3
# Seconds; a look bounds itself, but a busy computer may take its time.
_PATIENCE = 8.0


@cache
def _source() -> str:
    return join_scripts(_SCRIPTS, "tabwright.page_tools")


def send_ahead(frame: Frame) -> None:
    """Have our scripts on their way to a frame before it is asked; it reads them while others answer."""
    context = frame.known_world()
    if context is not None:
        frame.session.post("Runtime.evaluate", expression=_source(), contextId=context)


async def ask(frame: Frame, function: str, *args: Any, gives_refs: bool = False) -> Any:
    """Call one of the scripts of page tools in a frame."""
    call = partial(frame.tab.refs.call, frame) if gives_refs else frame.call
    answer = await call("callIfDefined", function, *args, patience=_PATIENCE)
    if answer is None:
        await frame.ask("Runtime.evaluate", expression=_source(), contextId=await frame.world())
        answer = await call("callIfDefined", function, *args, patience=_PATIENCE)
    return answer[0] if answer else None


async def look(frame: Frame) -> Facts | None:
    """Return what can be done in a frame; None for one that is not there or shows nothing."""
    try:
        told = await _told(frame)
        for _ in range(_ROUNDS):
            if not told["suspects"] or not await register_closed_roots(frame):
                break
            told = await _told(frame)
        facts = read(told)
    except (CdpError, DocumentGone, TabwrightError) as gone:
        if frame.parent is None and isinstance(gone, DocumentGone):
            raise Stale("The page went elsewhere while it was looked at.", hint="Look again.") from gone
        if frame.parent is None:
            raise
        frame.tab.require_answering()
        return None
    return facts


async def _told(frame: Frame) -> dict[str, Any]:
    told: dict[str, Any] = orjson.loads(await ask(frame, "pageTools", gives_refs=True))
    return told


async def is_shown(frame: Frame) -> bool:
    """Whether a person sees a frame: it and all around it."""
    at = frame
    try:
        while at.parent is not None:
            if not (await at.parent.call("areVisible", await at.owner()))[0]:
                return False
            at = at.parent
    except (CdpError, DocumentGone, TabwrightError):
        frame.tab.require_answering()
        return False
    return True
