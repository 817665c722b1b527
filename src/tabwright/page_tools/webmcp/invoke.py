"""Running a tool through Chrome's WebMCP domain, whose answers come late, twisted, or not at all."""

from typing import Any

import anyio
import orjson

from tabwright.browser.page.dialogs import DialogOpened
from tabwright.browser.page.frame import Frame
from tabwright.browser.tab import Tab
from tabwright.cdp import CdpError, Params
from tabwright.errors import PageFailed, Stale, TimedOut
from tabwright.page_tools.tool import Outcome
from tabwright.page_tools.webmcp.schema import Declared, cleaned
from tabwright.text import quote

PATIENCE = 30.0
# What is filled in but not sent, or may not be sent, is told at once unless it is refused.
_GLANCE = 1.0
_MOST_TEXT = 200_000
_MOST_KEPT = 100


class Invocations:
    """What runs in one tab. Answers may come before Chrome says what they answer."""

    def __init__(self, tab: Tab, patience: float) -> None:
        self._tab = tab
        self._patience = patience
        self._answers: dict[str, Params] = {}

    def answered(self, event: Params) -> None:
        """Keep an answer for whoever waits for it."""
        if len(self._answers) >= _MOST_KEPT:
            self._answers.clear()  # of invocations that nobody waits for any more
        self._answers[event["invocationId"]] = event
        self._tab.changed.fire()

    async def run(self, frame: Frame, tool: Declared, element: int, arguments: Params) -> Outcome:
        """Have Chrome run a tool of a frame, and say what is known of how it went.

        Raises:
            Stale: the page took it back.
            PageFailed: it failed, in the page's words.
            TimedOut: it gave no answer.
        """
        elsewhere = await _opens_window(frame, element)
        brief = tool.is_form and (elsewhere or not tool.autosubmit)
        document, tabs = frame.loader_id, len(self._tab.context.tabs)
        invocation = await _begun(frame, tool, arguments)
        try:
            answer = await self._answer(frame, invocation, _GLANCE if brief else self._patience)
        except DialogOpened:
            return Outcome(deed=f"{tool.name} runs, and waits for a dialog of the page.")
        except anyio.get_cancelled_exc_class():  # whoever wanted it has gone
            _stop(frame, invocation)
            raise
        moved = _is_gone(frame) or frame.loader_id != document
        if answer is not None:
            return _read(tool, answer, moved=moved)
        if moved:
            return Outcome(deed=f"Ran {tool.name}; the page went on before it answered.")
        if brief:
            opened = len(self._tab.context.tabs) > tabs
            return _unanswered(tool, elsewhere=elsewhere, opened=opened)
        _stop(frame, invocation)
        raise too_late(tool.name, self._patience)

    async def _answer(self, frame: Frame, invocation: str, seconds: float) -> Params | None:
        """Wait for the answer to an invocation; None when none came in time."""

        def looked() -> bool:
            self._tab.require_answering(frame.session)
            return invocation in self._answers or _is_gone(frame)

        with anyio.move_on_after(seconds):
            await self._tab.changed.until(looked)
        return self._answers.pop(invocation, None)


def too_late(name: str, seconds: float) -> TimedOut:
    """Return the error of a tool that gave no answer."""
    return TimedOut(
        f"{name} gave no answer in {seconds:g} s, and was told to stop.",
        hint="Look at the page: part of it may have been done.",
    )


def failed(name: str, words: str) -> PageFailed:
    """Return the error of a tool that failed, in the page's words."""
    return PageFailed(
        f"{name} failed: {quote(words[:500].rstrip('.'))}.",
        hint="Correct the arguments, or look at the page.",
    )


def taken_back(name: str) -> Stale:
    """Return the error of a tool that the page does not have any more."""
    return Stale(f"The page has no tool {name} any more.", hint="List the page tools again.")


async def _begun(frame: Frame, tool: Declared, arguments: Params) -> str:
    try:
        started = await frame.session.send(
            "WebMCP.invokeTool", frameId=frame.id, toolName=tool.name, input=tool.given(arguments)
        )
    except CdpError as error:
        raise taken_back(tool.name) from error
    return str(started["invocationId"])


def _stop(frame: Frame, invocation: str) -> None:
    frame.session.post("WebMCP.cancelInvocation", invocationId=invocation)


async def _opens_window(frame: Frame, element: int) -> bool:
    """Whether a form sends into another window, which Chrome opens for nobody but a person."""
    if not element:
        return False
    target = await frame.tab.element(f"@e{element}").attribute("target") or ""
    inside = {"", "_self", "_top", "_parent", *(one.name for one in frame.tab.frames)}
    return not {target, target.lower()} & inside


def _is_gone(frame: Frame) -> bool:
    return frame.tab.frames.get(frame.id) is not frame


def _unanswered(tool: Declared, *, elsewhere: bool, opened: bool) -> Outcome:
    if opened:
        return Outcome(deed=f"Sent the form of {tool.name} into another tab.")
    why = (
        "it opens another window, which only a click may do"
        if elsewhere and tool.autosubmit
        else "the site leaves that to you"
    )
    return Outcome(
        deed=f"Filled in the form of {tool.name}. It is not sent: {why}. Click its button to send it."
    )


def _read(tool: Declared, answer: Params, *, moved: bool) -> Outcome:
    if answer["status"] == "Completed":
        words = lines_of(answer.get("output"), led_on=tool.is_form or moved)
        return Outcome(deed=f"Ran {tool.name}.", words=words)
    said = cleaned(answer.get("errorText"))
    if "preventDefault()" in said:  # Chrome calls it an error of the site, though its handler ran
        return Outcome(deed=f"Sent the form of {tool.name}. The site took it and gave no answer of its own.")
    thrown = cleaned(str(answer.get("exception", {}).get("description", "")).partition("\n")[0])
    fact = said or thrown or ("it was cancelled" if answer["status"] == "Canceled" else "no reason given")
    raise failed(tool.name, fact)


def lines_of(output: Any, *, led_on: bool = False) -> tuple[str, ...]:
    """Return what a tool gave as lines: texts as they are, anything else as JSON."""
    if output is None or (led_on and output == []):  # the page that it led to has nothing to add
        return ()
    parts = output.get("content") if isinstance(output, dict) else None
    if isinstance(parts, list) and parts and all(isinstance(part, dict) and "text" in part for part in parts):
        text = "\n".join(str(part["text"]) for part in parts)
    else:
        text = output if isinstance(output, str) else orjson.dumps(output).decode()
    return tuple(text[:_MOST_TEXT].splitlines())
