"""Running a caller's script: where it runs, how long it may take, and how large its result may be."""

import json
import re
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import anyio

from tabwright.browser.page.frame import MAIN_WORLD, DocumentGone, Frame, Handle, describe_exception
from tabwright.browser.page.isolated_world import script
from tabwright.browser.page.script_forms import bodies
from tabwright.browser.page.script_sandbox import Level, Reach
from tabwright.cdp import CdpError, Params
from tabwright.cdp.decoding import decode
from tabwright.errors import Denied, Internal, InvalidArgs, PageFailed, Stale, TimedOut
from tabwright.text import quote

if TYPE_CHECKING:
    from collections.abc import Sequence

# The most characters of a result that a page can send us.
MAX_RESULT = 10_000_000
# A script that only reads properties runs without a user gesture, which takes a fifth of the call's time.
_ONLY_READS = re.compile(r"[\w\s.$\[\]'\"]*")
# How the errors of guard.js and of Chrome's side-effect check begin.
_REFUSED = "Refused: "
_SIDE_EFFECTS = ("EvalError: Possible side-effect", "EvalError: waits", "SyntaxError: await is only valid")
_WAITS = "EvalError('waits')"
# Thrown where a world is not completely hardened: nothing has run yet.
_UNGUARDED = "EvalError: unguarded"
# Pages can add frames faster than we harden them.
_MAX_HARDENINGS = 5


async def evaluate(
    frame: Frame,
    script: str,
    args: "Sequence[Any]" = (),
    *,
    element: Handle | None = None,
    timeout: float = 30.0,
) -> Any:
    """Run an expression, statements with `return`, or a function; return the JSON value.

    A function is called with the arguments; other scripts have them in `args` and `arguments`. An element (an
    object of our world) is the first, and also in `element`. Promises are awaited. A DOM node is returned as
    its opening tag. The running call's permissions (`Reach`) decide where the script runs: in the page's own
    world, or in the hardened one, where it may only read or also act.

    Raises:
        Denied: it needs more than those permissions.
        InvalidArgs: the script is not JavaScript, or an argument has no JSON form.
        PageFailed: the script threw, or returned something too large or without a JSON form.
        TimedOut: it did not finish in time; if it blocked the page, it was stopped.
    """
    call = _prepare(script, args, element)
    answer: Params = {}
    try:
        with anyio.fail_after(timeout):
            for body in bodies(script):
                answer = await _run_hardened(frame, body, call)
                if not _has_syntax_error(answer):
                    break
    except TimeoutError as error:
        await frame.tab.watchdog.stop_script(frame.session)
        raise TimedOut(f"The script did not finish in {timeout:g} s.", hint="Allow more time.") from error
    except DocumentGone as gone:
        raise Stale(
            "The page navigated away while the script ran.", hint="Run it again on the new page."
        ) from gone
    except CdpError as error:
        raise Internal(f"Chrome did not run the script: {error.message}.") from error
    return _value(answer, frame.tab.call_permissions.script_reach)


async def take_held(frame: Frame) -> Handle:
    """Return the element that our world holds for a script."""
    found = await frame.ask(
        "Runtime.evaluate", expression="tabwright.takeHeld()", contextId=await frame.world()
    )
    if "objectId" not in found["result"]:
        raise Stale("The page navigated away.", hint="Wait for it to load, then try again.")
    return Handle(found["result"]["objectId"])


@dataclass(frozen=True, slots=True)
class _ScriptCall:
    arguments: list[Params]
    element: Handle | None
    gesture: bool


def _prepare(script: str, args: "Sequence[Any]", element: Handle | None) -> _ScriptCall:
    if not script.strip():
        raise InvalidArgs("The script is empty.", hint="Give an expression, or statements with return.")
    try:
        if args:
            json.dumps(args, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidArgs(
            f"An argument of the script has no JSON form: {error}.",
            hint="Give text, numbers, lists or objects.",
        ) from error
    gesture = _ONLY_READS.fullmatch(script) is None
    return _ScriptCall([{"value": arg} for arg in args], element, gesture)


async def _run_hardened(frame: Frame, body: str, call: _ScriptCall) -> Params:
    """Run a script; if a frame within its reach is not hardened, harden them all and try again."""
    answer: Params = {}
    for _ in range(_MAX_HARDENINGS):
        answer = await _run(frame, body, call)
        if not _is_unguarded(answer):
            break
        for other in [one for one in frame.tab.frames if one.session is frame.session]:
            with suppress(CdpError, *(() if other is frame else (DocumentGone,))):
                await frame.tab.scripts.harden(other)
    return answer


async def _run(frame: Frame, body: str, call: _ScriptCall) -> Params:
    frame.tab.require_responsive(frame.session)
    permissions = frame.tab.call_permissions
    level = permissions.script_reach.level
    world = await (_page_world(frame) if level is Level.FULL else frame.tab.scripts.world(frame))
    element = [await _in_world(frame, call.element, world)] if call.element else []
    if permissions.approved is not None:
        permissions.approved.require_unchanged()
    return await frame.ask_to_run(
        "Runtime.callFunctionOn",
        functionDeclaration=_wrapper(level, with_element=bool(element)).replace("BODY", body, 1),
        executionContextId=world,
        returnByValue=True,
        arguments=[{"value": MAX_RESULT}, *element, *call.arguments],
        userGesture=call.gesture,
        **({"throwOnSideEffect": True} if level is Level.READ else {"awaitPromise": True}),
    )


async def _in_world(frame: Frame, element: Handle, world: int) -> Params:
    """Return an element of our world as an argument for a script in another one."""
    node = (await frame.ask("DOM.describeNode", objectId=element.object_id))["node"]
    found = await frame.ask("DOM.resolveNode", backendNodeId=node["backendNodeId"], executionContextId=world)
    return {"objectId": found["object"]["objectId"]}


async def _page_world(frame: Frame) -> int:
    """Return the page's own world."""
    tab = frame.tab
    if MAIN_WORLD not in frame.contexts:
        await tab.until(lambda: MAIN_WORLD in frame.contexts or tab.frames.get(frame.id) is not frame)
    if MAIN_WORLD not in frame.contexts:
        raise DocumentGone
    return frame.contexts[MAIN_WORLD]


def _has_syntax_error(answer: Params) -> bool:
    """Whether the source did not compile; what a script throws while it runs arrives as a rejection."""
    details = answer.get("exceptionDetails", {})
    thrown = details.get("exception", {})
    return bool(details.get("text") == "Uncaught" and thrown.get("className") == "SyntaxError")


def _is_unguarded(answer: Params) -> bool:
    return "exceptionDetails" in answer and describe_exception(answer["exceptionDetails"]) == _UNGUARDED


def _value(answer: Params, reach: Reach) -> Any:
    if "exceptionDetails" in answer:
        error_text = describe_exception(answer["exceptionDetails"])
        if reach.level is not Level.FULL:
            _require_reach(error_text, reach)
        if _has_syntax_error(answer):
            raise InvalidArgs(
                f"The script is not valid JavaScript: {error_text}.", hint="Correct the script."
            )
        thrown = error_text if error_text.startswith('"') else quote(error_text)  # a string is quoted already
        raise PageFailed(f"The script failed: {thrown}.", hint="Correct the script, or check the page.")
    text = answer["result"].get("value")
    try:
        return None if text is None else decode(text)
    except (ValueError, TypeError) as error:
        raise PageFailed(
            "The page returned a result that is not JSON.", hint="It may have replaced JSON.stringify."
        ) from error


def _require_reach(error_text: str, reach: Reach) -> None:
    if error_text == _UNGUARDED:
        raise Internal("The isolated world for scripts is not completely hardened on this page.")
    if error_text.startswith(_REFUSED):
        raise Denied(f"{error_text.removeprefix(_REFUSED)}.", hint=reach.hint)
    if error_text.startswith(_SIDE_EFFECTS):
        raise Denied("The script does more than read the page.", hint=reach.hint)


@cache
def _wrapper(level: Level, *, with_element: bool) -> str:
    """Return the function that runs a script; at the level READ it cannot be async."""
    source = script("standalone/evaluate.js")
    if with_element:
        source = source.replace("    args =>", "    (args, element) =>")
    if level is Level.FULL:
        return source.replace("{\n", "{\n" + script("standalone/script_result.js"), 1)
    source = source.replace("tabwrightResult", "guardedResult")
    if level is Level.GUARDED:
        return _with_scope(source)
    source = source.replace("async ", "").replace("await ", "")
    # To make an `arguments` object counts as a side effect, so it is a parameter.
    element = "element" if with_element else "_"
    source = re.sub(
        r"    (?:args|\(args, element\)) =>", f"    (args, {element}, arguments) =>", source, count=1
    )
    source = source.replace("      function () {", "      () => {", 1)
    source = source.replace(
        "if (typeof value", f"if (value instanceof Promise) throw new {_WAITS}; if (typeof value", 1
    )
    source = source.replace(
        "    return guarded", f"    if (value instanceof Promise) throw new {_WAITS}; return guarded", 1
    )
    return _checked(source)


def _with_scope(source: str) -> str:
    """Give the script the variables of guard_scope.js."""
    head, make = source.split("  })(\n", 1)
    function, end = make.split(",\n    ...", 1)
    scoped = f"{head}  }})((() => {{ with (guardedScope) return (\n{function}) }})(),\n    ...{end}"
    return _checked(scoped.replace("globalThis, given", "guardedScope, given"))


def _checked(source: str) -> str:
    condition = "globalThis.guarded !== true || !guardedFrames()"
    return source.replace("{\n", f"{{ if ({condition}) throw new EvalError('unguarded');\n", 1)
