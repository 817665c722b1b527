"""Calls the scripts of page tools in the frames of a page, and loads them there before the first call."""

from functools import cache, partial
from typing import Any

import orjson

from tabwright.browser.page.closed_shadow_roots import register_closed_roots
from tabwright.browser.page.frame import DocumentGone, Frame
from tabwright.browser.page.isolated_world import join_scripts
from tabwright.cdp import CdpError
from tabwright.errors import Stale, TabwrightError
from tabwright.page_tools.found.facts import FrameFacts, parse_facts

# In the order in which they depend on each other.
_SCRIPTS = (
    "page_tools_elements.js",
    "page_tools_fields.js",
    "page_tools_buttons.js",
    "page_tools_submit.js",
    "page_tools_groups.js",
    "page_tools_repeats.js",
    "page_tools_list_titles.js",
    "page_tools_lists.js",
    "page_tools_pages.js",
    "page_tools_controls.js",
    "page_tools.js",
)
_MAX_ROUNDS = 3
# Seconds; the scripts limit themselves, but a busy computer may be slow.
_TIMEOUT = 8.0


@cache
def _source() -> str:
    return join_scripts(_SCRIPTS, "tabwright.page_tools")


def preload_scripts(frame: Frame) -> None:
    """Send our scripts to a frame before the first call, so that it parses them while others answer."""
    context = frame.known_world()
    if context is not None:
        frame.session.post("Runtime.evaluate", expression=_source(), contextId=context)


async def call_script(frame: Frame, function: str, *args: Any, gives_refs: bool = False) -> Any:
    """Call a function of the page tools' scripts in a frame; `gives_refs`: whether it numbers elements."""
    call = partial(frame.tab.refs.call, frame) if gives_refs else frame.call
    answer = await call("callIfDefined", function, *args, hang_timeout=_TIMEOUT)
    if answer is None:
        await frame.ask("Runtime.evaluate", expression=_source(), contextId=await frame.world())
        answer = await call("callIfDefined", function, *args, hang_timeout=_TIMEOUT)
    return answer[0] if answer else None


async def read_facts(frame: Frame) -> FrameFacts | None:
    """Return what can be done in a frame; None if an inner frame is gone or does not answer."""
    try:
        payload = await _inspect(frame)
        for _ in range(_MAX_ROUNDS):
            if not payload["suspects"] or not await register_closed_roots(frame):
                break
            payload = await _inspect(frame)
        facts = parse_facts(payload)
    except (CdpError, DocumentGone, TabwrightError) as gone:
        if frame.parent is None and isinstance(gone, DocumentGone):
            raise Stale("The page navigated while its tools were listed.", hint="Try again.") from gone
        if frame.parent is None:
            raise
        frame.tab.require_responsive()
        return None
    return facts


async def _inspect(frame: Frame) -> dict[str, Any]:
    payload: dict[str, Any] = orjson.loads(await call_script(frame, "pageTools", gives_refs=True))
    return payload


async def is_shown(frame: Frame) -> bool:
    """Whether a frame and all frames around it are visible."""
    at = frame
    try:
        while at.parent is not None:
            if not (await at.parent.call("areVisible", await at.owner()))[0]:
                return False
            at = at.parent
    except (CdpError, DocumentGone, TabwrightError):
        frame.tab.require_responsive()
        return False
    return True
