"""Running a caller's script: where it runs, how long it may take, and how large its result may be."""

import json
import re
from functools import cache
from typing import TYPE_CHECKING, Any

import anyio

from tabwright.browser.page.frame import MAIN_WORLD, DocumentGone, Frame, describe_exception
from tabwright.browser.page.isolated_world import script
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
# Thrown in a world that is not completely hardened, where nothing may run.
_UNGUARDED = "EvalError('unguarded')"


async def evaluate(frame: Frame, script: str, args: "Sequence[Any]" = (), *, timeout: float = 30.0) -> Any:
    """Run an expression, or statements with `return`, and return the JSON value; promises are awaited.

    In the script, the arguments are in `args`. A DOM node is returned as its opening tag, a function as its
    source. The running call's permissions (`Reach`) decide where the script runs: in the page's own world, or
    in the hardened one, where it may only read or also act.

    Raises:
        Denied: it needs more than those permissions.
        InvalidArgs: the script is not JavaScript, or an argument has no JSON form.
        PageFailed: the script threw, or returned something too large or without a JSON form.
        TimedOut: it did not finish in time; if it blocked the page, it was stopped.
    """
    params = _call_params(script, args)
    try:
        with anyio.fail_after(timeout):
            answer = await _run(frame, f"return (\n{script}\n)", params)
            if _has_syntax_error(answer):
                answer = await _run(frame, script, params)
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


def _call_params(script: str, args: "Sequence[Any]") -> Params:
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
    return {
        "arguments": [{"value": MAX_RESULT}, *({"value": arg} for arg in args)],
        "userGesture": _ONLY_READS.fullmatch(script) is None,
    }


async def _run(frame: Frame, body: str, params: Params) -> Params:
    frame.tab.require_responsive(frame.session)
    permissions = frame.tab.call_permissions
    level = permissions.script_reach.level
    world = await (_page_world(frame) if level is Level.FULL else frame.tab.scripts.world(frame))
    if permissions.approved is not None:
        permissions.approved.require_unchanged()
    return await frame.ask_to_run(
        "Runtime.callFunctionOn",
        functionDeclaration=_wrapper(level).replace("BODY", body, 1),
        executionContextId=world,
        returnByValue=True,
        **({"throwOnSideEffect": True} if level is Level.READ else {"awaitPromise": True}),
        **params,
    )


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
    if error_text == "EvalError: unguarded":
        raise Internal("The isolated world for scripts is not completely hardened on this page.")
    if error_text.startswith(_REFUSED):
        raise Denied(f"{error_text.removeprefix(_REFUSED)}.", hint=reach.hint)
    if error_text.startswith(_SIDE_EFFECTS):
        raise Denied("The script does more than read the page.", hint=reach.hint)


@cache
def _wrapper(level: Level) -> str:
    """Return the function that runs a script; at the level READ it cannot be async."""
    source = script("standalone/evaluate.js")
    if level is Level.FULL:
        return source
    source = source.replace("{\n", f"{{ if (globalThis.guarded !== true) throw new {_UNGUARDED};\n", 1)
    if level is Level.GUARDED:
        return source
    called, serialised = source.replace("async ", "").replace("await ", "").split("})();", 1)
    return f"{called}}})(); if (value instanceof Promise) throw new {_WAITS};{serialised}"
