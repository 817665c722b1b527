"""Our own `document.modelContext`, for browsers without one, and the tools that pages register with it."""

from typing import Any

import anyio
import orjson

from tabwright.browser.page.dialogs import DialogOpened
from tabwright.browser.page.frame import MAIN_WORLD, DocumentGone, Frame, WorldKey
from tabwright.browser.page.isolated_world import script
from tabwright.cdp import CdpError, CdpSession, Params
from tabwright.errors import TabwrightError
from tabwright.page_tools.tool import Outcome
from tabwright.page_tools.webmcp.invoke import (
    FORM_TIMEOUT,
    failure_error,
    gone_error,
    outcome_without_answer,
    output_lines,
    timeout_error,
)
from tabwright.page_tools.webmcp.schema import DeclaredTool, clean_text, parse_declared

BINDING = "__tabwrightTools"
_MAX_TEXT = 1_000_000
_MAX_TOOLS = 200
_LIST_TIMEOUT = 1.0
# Seconds between the page's own deadline and ours.
_GRACE = 2.0


def _script(name: str) -> str:
    return script(name, "tabwright.page_tools")


def install(session: CdpSession) -> None:
    """Install it in every document of a session before the page's scripts run."""
    session.post("Runtime.addBinding", name=BINDING)
    session.post(
        "Page.addScriptToEvaluateOnNewDocument",
        source=_script("webmcp_polyfill.js"),
        runImmediately=True,
    )


async def list_offered(frame: Frame) -> list[DeclaredTool]:
    """Return the tools that a frame's page has registered; none if it does not answer."""
    try:
        with anyio.move_on_after(_LIST_TIMEOUT):
            text = await _call(frame, "webmcp_list.js", _MAX_TEXT)
            tools = orjson.loads(text) if isinstance(text, str) else []
            return [
                parse_declared(tool)
                for tool in tools[:_MAX_TOOLS]
                if isinstance(tool, dict) and tool.get("name")
            ]
    except (CdpError, DocumentGone, TabwrightError, ValueError, TypeError):
        frame.tab.require_responsive()
    return []


async def list_forms(frame: Frame) -> dict[tuple[str, int], DeclaredTool]:
    """Return the forms of a frame that are declared as tools, by frame id and ref number."""
    try:
        world = await frame.world()
        frame.session.post("Runtime.evaluate", expression=_script("webmcp_forms.js"), contextId=world)
        listed = await frame.tab.refs.call_here(frame, "listToolForms")
    except (CdpError, DocumentGone, TabwrightError):
        frame.tab.require_responsive()
        return {}
    return {
        (frame.id, number): parse_declared({"name": name, "description": description})
        for number, name, description in listed
    }


async def run(
    frame: Frame, tool: DeclaredTool, arguments: Params, timeout: float, key: WorldKey | None = None
) -> Outcome:
    """Run a tool that the page has registered; with `key`, only in the document that it belongs to.

    Raises:
        Stale: the page has removed the tool.
        PageFailed: it failed; the message is the page's.
        TimedOut: it gave no answer.
    """
    unfinished = tool.is_form and not tool.autosubmit
    seconds = FORM_TIMEOUT if unfinished else timeout
    given = (tool.name, tool.page_arguments(arguments), seconds * 1000, _MAX_TEXT, unfinished)
    try:
        with anyio.move_on_after(seconds + _GRACE):
            answer = await _call(frame, "webmcp_run.js", *given, key=key)
            if not (isinstance(answer, dict) and answer.get("late")):
                return _parse_answer(tool, answer)
    except DialogOpened:
        return Outcome(summary=f"{tool.name} is running; a dialog of the page is open.")
    except DocumentGone:
        return Outcome(summary=f"Ran {tool.name}; the page navigated before it answered.")
    raise timeout_error(tool.name, timeout)


def _parse_answer(tool: DeclaredTool, answer: Any) -> Outcome:
    answer = answer if isinstance(answer, dict) else {"thrown": "the page returned an invalid answer"}
    if answer.get("gone"):
        raise gone_error(tool.name)
    if answer.get("left"):
        return outcome_without_answer(tool)
    if "thrown" in answer:
        raise failure_error(tool.name, clean_text(answer["thrown"]))
    try:
        output = orjson.loads(answer.get("text") or "null")
    except ValueError:
        output = answer["text"]
    return Outcome(summary=f"Ran {tool.name}.", page_lines=output_lines(output))


async def _call(frame: Frame, script: str, *args: Any, key: WorldKey | None = None) -> Any:
    key = key or frame.world_keys.get(MAIN_WORLD)
    if key is None:
        raise DocumentGone
    answer = await frame.ask_to_run(
        "Runtime.callFunctionOn",
        functionDeclaration=_script(script),
        uniqueContextId=key.id,
        arguments=[{"value": arg} for arg in args],
        returnByValue=True,
        awaitPromise=True,
    )
    return answer["result"].get("value")
