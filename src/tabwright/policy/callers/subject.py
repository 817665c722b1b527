"""What a call would act on, as a person is shown it before they approve the call."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tabwright.action import Action, Args
from tabwright.browser.capture.screenshot_point import parse_screenshot_point
from tabwright.browser.find.actionability import Requirements
from tabwright.browser.find.approved import Approved, Shown, describe
from tabwright.browser.page.frame import DocumentGone
from tabwright.browser.tab import Tab, TabId
from tabwright.cdp import CdpError
from tabwright.errors import NotFound, Stale
from tabwright.fields import Code
from tabwright.page_tools.inventory import inventory_of
from tabwright.policy.callers.redact_url import redact_url
from tabwright.sessions.session import Session

_MAX_LABEL = 200
_MAX_FACT = 300
_MAX_SCRIPT = 4_000
# Seconds for a target to appear, for actions without a timeout.
_TIMEOUT = 5.0


@dataclass(frozen=True, slots=True)
class Subject:
    """What a call acts on: role and name of the target, the URL of the page, and more facts about both.

    `approved` is what the call is bound to if it is approved; None if it acts on no page.
    """

    target: str = ""
    page: str = ""
    facts: tuple[str, ...] = ()
    approved: Approved | None = field(default=None, compare=False, repr=False)

    def release(self) -> None:
        """Forget it: the call was refused."""
        if self.approved is not None:
            self.approved.release()


async def find_subject(session: Session | None, tab_id: str | None, action: Action, args: Args) -> Subject:
    """Return what a call would act on, without changing anything.

    Raises:
        TabwrightError: its target is not there, so that there is nothing to approve.
    """
    given: dict[str, Any] = vars(args)
    facts = tuple(_scripts(args))
    tab = _find_tab(session, str(given.get("id") or tab_id or ""))
    if tab is None and action.works_on is Tab and "url" not in given:
        raise NotFound("No page is open that could be shown for approval.", hint="Open one first.")
    if tab is None:
        return Subject(facts=facts)
    page = redact_url(tab.url)
    if action.works_on is not Tab:
        return Subject(page=page, facts=facts)
    approved = tab.shield.new_approval()
    try:
        shown = await _show(tab, approved, action, given)
    except (DocumentGone, CdpError) as gone:
        raise Stale("The page navigated away.", hint="Wait for it to load, then try again.") from gone
    labels = " and ".join(one.label[:_MAX_LABEL] for one in shown)
    more = tuple(fact[:_MAX_FACT] for one in shown for fact in one.facts)
    return Subject(labels, page, (*more, *facts), approved)


def _find_tab(session: Session | None, tab_id: str) -> Tab | None:
    if session is None or not session.alive:
        return None
    return session.context.tabs.get(TabId(tab_id)) or session.next


async def _show(tab: Tab, approved: Approved, action: Action, given: dict[str, Any]) -> list[Shown]:
    """Hold everything that the call would act on; return how it looks."""
    if action.at == "dialog":
        if tab.dialogs.open is None:
            raise NotFound("No dialog is open.", hint="There is nothing to answer.")
        approved.dialog = tab.dialogs.open
        return [Shown(str(approved.dialog))]
    if "url" not in given and tab.declared is None:
        await approved.bind_document()
    if action.does[0] == "run_script" and tab.frames.chosen is not tab.main_frame:
        await approved.bind_document(tab.frames.chosen)
    if action.name == "call_page_tool":
        return await inventory_of(tab).show(approved, given["name"], given["arguments"])
    targets = [str(given[name]) for name in ("target", "to") if given.get(name)]
    if targets:
        timeout = min(given.get("timeout", _TIMEOUT), _TIMEOUT)
        return [await _show_target(tab, approved, action, target, timeout) for target in targets]
    if "x" in given and "y" in given:
        return [await approved.show_at(given["x"], given["y"])]
    if action.at == "pointer":
        return [await approved.show_at(*tab.mouse.position)]
    return [await approved.show_focused()] if action.at == "focus" else []


async def _show_target(tab: Tab, approved: Approved, action: Action, target: str, timeout: float) -> Shown:
    if (point := parse_screenshot_point(tab, target)) is not None:
        return await approved.show_at(*await point.point())
    args = {"number": approved.number, "retargets": list(_retargets(action))}
    how = Requirements("attached", enabled=False, operation="show", args=args)
    ready = await tab.element(target).ready(how, timeout)
    return describe(ready.frame, ready.facts["shown"])


def _retargets(action: Action) -> Iterator[str]:
    """Yield the ways in which the action finds the element that a target stands for."""
    yield from ("press", "control")
    if "type" in action.does:
        yield from ("field", "check")
    if "upload" in action.does:
        yield "files"


def _scripts(args: Args) -> Iterator[str]:
    """Yield the scripts among the arguments."""
    for name, info in type(args).model_fields.items():
        script = getattr(args, name)
        if any(isinstance(mark, Code) for mark in info.metadata) and isinstance(script, str):
            cut = f" … ({len(script):,} characters)" if len(script) > _MAX_SCRIPT else ""
            yield f"{script[:_MAX_SCRIPT]}{cut}"
