"""Watches a field after it was filled: a page may correct a value, or set it back, a moment later.

A page that has scheduled nothing since, and asked for nothing, will not; that is known at once.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tabwright.browser.page.frame import MAIN_WORLD, DocumentGone
from tabwright.browser.page.isolated_world import script
from tabwright.browser.snapshot.observe import Since
from tabwright.cdp import CdpError, Params

if TYPE_CHECKING:
    from tabwright.browser.page.frame import Frame

# Milliseconds in which a page may still change the value. Debounced handlers take up to 300.
_WATCH_TIME = 500
# The same if it has scheduled nothing. Short answers of the browser, as of a new database, take less.
_LEAST_TIME = 30
_EVENTS = frozenset({"input", "beforeinput", "change", "click", "keydown", "keyup", "keypress"})
_GROUP = "tabwright-event-path"


async def watch_field(frame: "Frame", since: Since, options: Sequence[tuple[str, int]] = ()) -> Params | None:
    """Wait for the page to change the field that was filled last; return its state if it did.

    `since` is from before it was filled; `options` were chosen in it.
    """
    try:
        if options:
            names, numbers = zip(*options, strict=True)
            changed = await frame.call_here("watchChoice", names, numbers, _WATCH_TIME)
        else:
            changed = await _watch(frame, since)
    except (DocumentGone, CdpError):
        return None
    return dict(changed) if changed else None


async def _watch(frame: "Frame", since: Since) -> Params | None:
    # A field without listeners is not waited for, which keeps plain forms fast.
    if not await _may_react(frame):
        return None
    # The document around a frame may handle its events, and schedule things as well.
    if frame.parent is None and since.is_local(frame.tab):
        checked = await frame.call_here("checkField", _LEAST_TIME)
        if checked is not None and since.is_local(frame.tab):
            changed: Params | None = checked["changed"]
            return changed
    state: Params | None = await frame.call_here("watchField", _WATCH_TIME)
    return state


async def _may_react(frame: "Frame") -> bool:
    """Whether the page listens to events of the field that was filled last."""
    world = frame.contexts.get(MAIN_WORLD)
    if world is None:
        return True
    try:
        field = await _call(frame, "function () { return tabwright.filledField() }", await frame.world())
        if "objectId" not in field:
            return False
        node = (await frame.ask("DOM.describeNode", objectId=field["objectId"]))["node"]["backendNodeId"]
        resolved = await frame.ask(
            "DOM.resolveNode", backendNodeId=node, executionContextId=world, objectGroup=_GROUP
        )
        return await _any_listener(frame, resolved["object"]["objectId"])
    finally:
        frame.session.post("Runtime.releaseObjectGroup", objectGroup=_GROUP)


async def _any_listener(frame: "Frame", field: str) -> bool:
    path = await frame.ask(
        "Runtime.callFunctionOn",
        functionDeclaration=script("standalone/event_path.js"),
        objectId=field,
        objectGroup=_GROUP,
    )
    nodes = (
        await frame.ask("Runtime.getProperties", objectId=path["result"]["objectId"], ownProperties=True)
    )["result"]
    answers = [
        frame.session.start("DOMDebugger.getEventListeners", objectId=node["value"]["objectId"])
        for node in nodes
        if "objectId" in node.get("value", {})
    ]
    listeners = [listener for answer in answers for listener in (await answer)["listeners"]]
    return any(listener["type"] in _EVENTS for listener in listeners)


async def _call(frame: "Frame", function: str, world: int) -> dict[str, Any]:
    answer = await frame.ask(
        "Runtime.callFunctionOn", functionDeclaration=function, executionContextId=world, objectGroup=_GROUP
    )
    return dict(answer["result"])
