"""What a call is about, for the person who is asked to allow it: what it points at, and the page it is on."""

from dataclasses import dataclass
from typing import Any

import anyio

from tabwright.action import Args
from tabwright.browser.ready import How
from tabwright.browser.tab import Tab, TabId
from tabwright.errors import TabwrightError
from tabwright.policy.audit import masked_url
from tabwright.sessions.session import Session

# A person waits for the question, and the page may be busy.
_PATIENCE = 1.0
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Subject:
    """Role and name of what is pointed at, and the address of the page; empty where there is none."""

    target: str = ""
    page: str = ""


async def subject_of(session: Session | None, tab_id: str | None, args: Args) -> Subject:
    """Look at what a call is going to be done to, without doing anything."""
    if session is None or not session.alive:
        return Subject()
    given: dict[str, Any] = vars(args)
    named = session.context.tabs.get(TabId(str(given.get("id") or tab_id or "")))
    tab = named or session.next
    if tab is None:
        return Subject()
    target = given.get("target")
    label = await _label(tab, target) if isinstance(target, str) else ""
    return Subject(label[:_LONGEST], masked_url(tab.url))


async def _label(tab: Tab, target: str) -> str:
    with anyio.move_on_after(_PATIENCE):
        try:
            element = tab.element(target)
            await element.ready(How("attached", enabled=False), 0.0)
        except TabwrightError:
            return ""
        return element.label
    return ""
