"""Running a caller's script in the page's own world, within a time and a size."""

import json
import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import anyio

from tabwright.browser.frame import MAIN_WORLD, DocumentGone, Frame, describe_exception
from tabwright.cdp import CdpError, Params
from tabwright.cdp.decoding import decode
from tabwright.errors import Internal, InvalidArgs, PageFailed, Stale, TimedOut

if TYPE_CHECKING:
    from collections.abc import Sequence

# Twice what any answer may hold; a page cannot flood us with more.
MAX_RESULT = 10_000_000
# A script that only reads needs no leave of the user; giving it costs a fifth of the call.
_ONLY_READS = re.compile(r"[\w\s.$\[\]'\"]*")


async def evaluate(frame: Frame, script: str, args: "Sequence[Any]" = (), *, timeout: float = 30.0) -> Any:
    """Run an expression, or statements with `return`, and return the JSON value; promises are awaited.

    `args` are the script's `args`. A DOM node comes back as its opening tag, a function as its source.

    Raises:
        InvalidArgs: the script is not JavaScript, or an argument has no JSON form.
        PageFailed: the script threw, or returned something too large or without a JSON form.
        TimedOut: it did not end in time; if it held the page, it was stopped.
    """
    call = _call(script, args)
    try:
        with anyio.fail_after(timeout):
            answer = await _run(frame, f"return (\n{script}\n)", call)
            if _is_no_script(answer):
                answer = await _run(frame, script, call)
    except TimeoutError as error:
        await frame.tab.watch.stop_script(frame.session)
        raise TimedOut(f"The script did not end in {timeout:g} s.", hint="Allow more time.") from error
    except DocumentGone as gone:
        raise Stale(
            "The page navigated away while the script ran.", hint="Run it again on the new page."
        ) from gone
    except CdpError as error:
        raise Internal(f"Chrome would not run the script: {error.message}.") from error
    return _value(answer)


def _call(script: str, args: "Sequence[Any]") -> Params:
    if not script.strip():
        raise InvalidArgs("The script is empty.", hint="Give an expression, or statements with return.")
    try:
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


async def _run(frame: Frame, body: str, call: Params) -> Params:
    tab = frame.tab
    tab.require_answering(frame.session)
    if MAIN_WORLD not in frame.contexts:
        await tab.until(lambda: MAIN_WORLD in frame.contexts or tab.frames.get(frame.id) is not frame)
    if MAIN_WORLD not in frame.contexts:
        raise DocumentGone
    return await frame.entrust(
        "Runtime.callFunctionOn",
        functionDeclaration=_wrapper().replace("BODY", body, 1),
        executionContextId=frame.contexts[MAIN_WORLD],
        returnByValue=True,
        awaitPromise=True,
        **call,
    )


def _is_no_script(answer: Params) -> bool:
    """Whether the source could not be compiled; what a script throws while it runs comes as a rejection."""
    details = answer.get("exceptionDetails", {})
    thrown = details.get("exception", {})
    return bool(details.get("text") == "Uncaught" and thrown.get("className") == "SyntaxError")


def _value(answer: Params) -> Any:
    if "exceptionDetails" in answer:
        words = describe_exception(answer["exceptionDetails"])
        if _is_no_script(answer):
            raise InvalidArgs(f"The script is not valid JavaScript: {words}.", hint="Correct the script.")
        raise PageFailed(f"The script failed: {words}.", hint="Correct the script, or look at the page.")
    text = answer["result"].get("value")
    try:
        return None if text is None else decode(text)
    except (ValueError, TypeError) as error:
        raise PageFailed(
            "The page gave a result that is not JSON.", hint="It may have replaced JSON.stringify."
        ) from error


@cache
def _wrapper() -> str:
    return (files("tabwright.browser") / "js" / "evaluate.js").read_text(encoding="utf-8")
