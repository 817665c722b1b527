"""Runs a tool through Chrome's WebMCP domain, whose answers may be late, odd or missing."""

from typing import Any

import anyio
import orjson

from tabwright.browser.page.dialogs import DialogOpened
from tabwright.browser.page.frame import Frame
from tabwright.browser.tab import Tab
from tabwright.cdp import CdpError, Params
from tabwright.errors import PageFailed, Stale, TimedOut
from tabwright.page_tools.tool import Outcome
from tabwright.page_tools.webmcp.schema import DeclaredTool, clean_text
from tabwright.text import quote

TIMEOUT = 30.0
# A form that is filled in but not submitted gives no answer, only an error if Chrome rejects the values.
FORM_TIMEOUT = 1.0
_MAX_TEXT = 200_000
_MAX_ANSWERS = 100


class Invocations:
    """The running invocations of one tab. An answer may arrive before Chrome returns the invocation's id."""

    def __init__(self, tab: Tab, timeout: float) -> None:
        self._tab = tab
        self._timeout = timeout
        self._answers: dict[str, Params] = {}

    def on_tool_responded(self, event: Params) -> None:
        """Store an answer until `run` takes it."""
        if len(self._answers) >= _MAX_ANSWERS:
            self._answers.clear()  # of invocations that were given up
        self._answers[event["invocationId"]] = event
        self._tab.changed.fire()

    async def run(self, frame: Frame, tool: DeclaredTool, element: int, arguments: Params) -> Outcome:
        """Run a tool of a frame.

        Raises:
            Stale: the page has removed the tool.
            PageFailed: it failed; the message is the page's.
            TimedOut: it gave no answer.
        """
        other_window = await _opens_other_window(frame, element)
        brief = tool.is_form and (other_window or not tool.autosubmit)
        document, tabs = frame.loader_id, len(self._tab.context.tabs)
        invocation = await _invoke(frame, tool, arguments)
        try:
            answer = await self._answer(frame, invocation, FORM_TIMEOUT if brief else self._timeout)
        except DialogOpened:
            return Outcome(summary=f"{tool.name} is running; a dialog of the page is open.")
        except anyio.get_cancelled_exc_class():
            _cancel(frame, invocation)
            raise
        navigated = _is_gone(frame) or frame.loader_id != document
        if answer is not None:
            return _parse_answer(tool, answer, navigated=navigated)
        if navigated:
            return Outcome(summary=f"Ran {tool.name}; the page navigated before it answered.")
        if brief:
            opened = len(self._tab.context.tabs) > tabs
            return outcome_without_answer(tool, other_window=other_window, opened=opened)
        _cancel(frame, invocation)
        raise timeout_error(tool.name, self._timeout)

    async def _answer(self, frame: Frame, invocation: str, seconds: float) -> Params | None:
        """Wait for the answer to an invocation; None if there is none in time."""

        def is_over() -> bool:
            self._tab.require_responsive(frame.session)
            return invocation in self._answers or _is_gone(frame)

        with anyio.move_on_after(seconds):
            await self._tab.changed.until(is_over)
        return self._answers.pop(invocation, None)


def timeout_error(name: str, seconds: float) -> TimedOut:
    """Return the error of a tool that gave no answer."""
    return TimedOut(
        f"{name} did not answer within {seconds:g} s and was cancelled.",
        hint="Check the page: the tool may have done part of its work.",
    )


def failure_error(name: str, message: str) -> PageFailed:
    """Return the error of a tool that failed with the page's message."""
    return PageFailed(
        f"{name} failed: {quote(message[:500].rstrip('.'))}.",
        hint="Correct the arguments, or check the page.",
    )


def gone_error(name: str) -> Stale:
    """Return the error of a tool that the page has removed."""
    return Stale(f"The page has removed the tool {name}.", hint="List the page tools again.")


async def _invoke(frame: Frame, tool: DeclaredTool, arguments: Params) -> str:
    try:
        started = await frame.session.send(
            "WebMCP.invokeTool", frameId=frame.id, toolName=tool.name, input=tool.page_arguments(arguments)
        )
    except CdpError as error:
        raise gone_error(tool.name) from error
    return str(started["invocationId"])


def _cancel(frame: Frame, invocation: str) -> None:
    frame.session.post("WebMCP.cancelInvocation", invocationId=invocation)


async def _opens_other_window(frame: Frame, element: int) -> bool:
    """Whether a form submits to another window, which Chrome opens only on a user's click."""
    if not element:
        return False
    target = await frame.tab.element(f"@e{element}").attribute("target") or ""
    inside = {"", "_self", "_top", "_parent", *(one.name for one in frame.tab.frames)}
    return not {target, target.lower()} & inside


def _is_gone(frame: Frame) -> bool:
    return frame.tab.frames.get(frame.id) is not frame


def outcome_without_answer(
    tool: DeclaredTool, *, other_window: bool = False, opened: bool = False
) -> Outcome:
    """Return the outcome of a form that is filled in and gives no answer."""
    if opened:
        return Outcome(summary=f"Submitted the form of {tool.name} to another tab.")
    why = (
        "it opens another window, which only a click may do"
        if other_window and tool.autosubmit
        else "the site leaves that to you"
    )
    return Outcome(
        summary=f"Filled in the form of {tool.name}, not submitted: {why}. Click its button to submit it."
    )


def _parse_answer(tool: DeclaredTool, answer: Params, *, navigated: bool) -> Outcome:
    if answer["status"] == "Completed":
        lines = output_lines(answer.get("output"), ignore_empty=tool.is_form or navigated)
        return Outcome(summary=f"Ran {tool.name}.", page_lines=lines)
    message = clean_text(answer.get("errorText"))
    if "preventDefault()" in message:  # Chrome reports an error of the site, though the handler ran
        return Outcome(summary=f"Submitted the form of {tool.name}. The site returned no answer.")
    thrown = clean_text(str(answer.get("exception", {}).get("description", "")).partition("\n")[0])
    fallback = "it was cancelled" if answer["status"] == "Canceled" else "no reason given"
    raise failure_error(tool.name, message or thrown or fallback)


def output_lines(output: Any, *, ignore_empty: bool = False) -> tuple[str, ...]:
    """Return a tool's output as lines: texts unchanged, anything else as JSON.

    `ignore_empty` drops the empty list that Chrome returns for a form whose page has nothing to add.
    """
    if output is None or (ignore_empty and output == []):
        return ()
    parts = output.get("content") if isinstance(output, dict) else None
    if isinstance(parts, list) and parts and all(isinstance(part, dict) and "text" in part for part in parts):
        text = "\n".join(str(part["text"]) for part in parts)
    else:
        text = output if isinstance(output, str) else orjson.dumps(output).decode()
    return tuple(text[:_MAX_TEXT].splitlines())
