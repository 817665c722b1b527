"""Tools that pages offer to our own `document.modelContext`, where the browser has none."""

from typing import Any

import anyio
import orjson

from tabwright.browser.page.dialogs import DialogOpened
from tabwright.browser.page.frame import MAIN_WORLD, DocumentGone, Frame
from tabwright.browser.page.isolated_world import script
from tabwright.cdp import CdpError, CdpSession, Params
from tabwright.errors import TabwrightError
from tabwright.page_tools.tool import Outcome
from tabwright.page_tools.webmcp.invoke import failed, lines_of, taken_back, too_late
from tabwright.page_tools.webmcp.schema import Declared, cleaned, declared

BINDING = "__tabwrightTools"
_MOST_TEXT = 1_000_000
_MOST_TOOLS = 200
_GLANCE = 1.0
# How long the page's own deadline has before ours.
_GRACE = 2.0


def _script(name: str) -> str:
    return script(name, "tabwright.page_tools")


def install(session: CdpSession) -> None:
    """Have it in every document of a session, from its birth."""
    session.post("Runtime.addBinding", name=BINDING)
    session.post(
        "Page.addScriptToEvaluateOnNewDocument",
        source=_script("webmcp_polyfill.js"),
        runImmediately=True,
    )


async def offered(frame: Frame) -> list[Declared]:
    """Return what the page of a frame offers; a page that does not answer offers nothing."""
    try:
        with anyio.move_on_after(_GLANCE):
            text = await _called(frame, "webmcp_list.js", _MOST_TEXT)
            told = orjson.loads(text) if isinstance(text, str) else []
            return [declared(one) for one in told[:_MOST_TOOLS] if isinstance(one, dict) and one.get("name")]
    except (CdpError, DocumentGone, TabwrightError, ValueError, TypeError):
        frame.tab.require_answering()
    return []


async def forms(frame: Frame) -> dict[tuple[str, int], Declared]:
    """Return the forms of a frame that declare themselves, by frame and number."""
    try:
        world = await frame.world()
        frame.session.post("Runtime.evaluate", expression=_script("webmcp_forms.js"), contextId=world)
        listed = await frame.tab.refs.call_here(frame, "listToolForms")
    except (CdpError, DocumentGone, TabwrightError):
        frame.tab.require_answering()
        return {}
    return {
        (frame.id, number): declared({"name": name, "description": description})
        for number, name, description in listed
    }


async def run(frame: Frame, tool: Declared, arguments: Params, patience: float) -> Outcome:
    """Run a tool that the page offers.

    Raises:
        Stale: the page took it back.
        PageFailed: it failed, in the page's words.
        TimedOut: it gave no answer.
    """
    try:
        with anyio.move_on_after(patience + _GRACE):
            answer = await _called(
                frame, "webmcp_run.js", tool.name, tool.given(arguments), patience * 1000, _MOST_TEXT
            )
            if not (isinstance(answer, dict) and answer.get("late")):
                return _read(tool, answer)
    except DialogOpened:
        return Outcome(deed=f"{tool.name} runs, and waits for a dialog of the page.")
    except DocumentGone:
        return Outcome(deed=f"Ran {tool.name}; the page went on before it answered.")
    raise too_late(tool.name, patience)


def _read(tool: Declared, answer: Any) -> Outcome:
    answer = answer if isinstance(answer, dict) else {"thrown": "the page gave no answer that can be read"}
    if answer.get("gone"):
        raise taken_back(tool.name)
    if "thrown" in answer:
        raise failed(tool.name, cleaned(answer["thrown"]))
    try:
        output = orjson.loads(answer.get("text") or "null")
    except ValueError:
        output = answer["text"]
    return Outcome(deed=f"Ran {tool.name}.", words=lines_of(output))


async def _called(frame: Frame, script: str, *args: Any) -> Any:
    context = frame.contexts.get(MAIN_WORLD)
    if context is None:
        raise DocumentGone
    answer = await frame.entrust(
        "Runtime.callFunctionOn",
        functionDeclaration=_script(script),
        executionContextId=context,
        arguments=[{"value": arg} for arg in args],
        returnByValue=True,
        awaitPromise=True,
    )
    return answer["result"].get("value")
