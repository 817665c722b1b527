"""Running a caller's script in the page's own world, within a time and a size."""

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import anyio
import orjson

from tabwright.browser.frame import MAIN_WORLD, DocumentGone, Frame, describe_exception
from tabwright.cdp import Params
from tabwright.errors import InvalidArgs, PageFailed, Stale, TimedOut

if TYPE_CHECKING:
    from collections.abc import Sequence

# Twice what any answer may hold; a page cannot flood us with more.
MAX_RESULT = 10_000_000
_STATEMENTS = re.compile(
    r"\breturn\b|;|^\s*(?:const|let|var|if|for|while|do|switch|try|throw|function|class)\b"
)


async def evaluate(frame: Frame, script: str, args: "Sequence[Any]" = (), *, timeout: float = 30.0) -> Any:
    """Run an expression, or statements with `return`, and return the JSON value; promises are awaited.

    `args` are the script's `args`. A DOM node comes back as its opening tag, a function as its source.

    Raises:
        InvalidArgs: the script is not JavaScript.
        PageFailed: the script threw, or returned something too large or without a JSON form.
        TimedOut: it did not end in time; it was stopped.
    """
    body = await _as_body(frame, script)
    try:
        with anyio.fail_after(timeout):
            answer = await _run(frame, body, args, timeout)
    except TimeoutError as error:
        frame.session.post("Runtime.terminateExecution")
        raise TimedOut(
            f"The script did not end in {timeout:g} s and was stopped.", hint="Allow more time."
        ) from error
    except DocumentGone as gone:
        raise Stale(
            "The page navigated away while the script ran.", hint="Run it again on the new page."
        ) from gone
    if "exceptionDetails" in answer:
        raise _failure(answer["exceptionDetails"])
    text = answer["result"].get("value")
    return None if text is None else orjson.loads(text)


async def _run(frame: Frame, body: str, args: "Sequence[Any]", timeout: float) -> Params:
    frame.tab.require_answering()
    return await frame.ask(
        "Runtime.callFunctionOn",
        patience=timeout + 1,
        functionDeclaration=_wrapper().replace("BODY", body, 1),
        executionContextId=await _main_context(frame),
        arguments=[{"value": MAX_RESULT}, *({"value": arg} for arg in args)],
        returnByValue=True,
        awaitPromise=True,
        userGesture=True,
    )


async def _main_context(frame: Frame) -> int:
    context = frame.contexts.get(MAIN_WORLD)
    if context is None:
        raise Stale("The page is between two documents.", hint="Wait for it to load, then try again.")
    return context


async def _as_body(frame: Frame, script: str) -> str:
    """Return the script as a function body: an expression is returned, statements return by themselves."""
    if not _STATEMENTS.search(script) or await _compiles(frame, f"async (...args) => (\n{script}\n)") is None:
        return f"return (\n{script}\n)"
    return script


async def _compiles(frame: Frame, source: str) -> str | None:
    """Return why `source` is not JavaScript, or None when it is."""
    answer = await frame.ask("Runtime.compileScript", expression=source, sourceURL="", persistScript=False)
    return describe_exception(answer["exceptionDetails"]) if "exceptionDetails" in answer else None


def _failure(details: Params) -> Exception:
    words = describe_exception(details)
    if details.get("exception", {}).get("className") == "SyntaxError" and "stackTrace" not in details:
        return InvalidArgs(f"The script is not valid JavaScript: {words}.", hint="Correct the script.")
    return PageFailed(f"The script failed: {words}.", hint="Correct the script, or look at the page.")


@cache
def _wrapper() -> str:
    return (files("tabwright.browser") / "js" / "evaluate.js").read_text(encoding="utf-8")
