"""Approvals: actions that wait until a person allows them, who sees what they act on."""

import itertools
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import anyio

from tabwright.action import Action, Args
from tabwright.aio import Signal
from tabwright.browser.find.actionability import Requirements
from tabwright.browser.tab import Tab, TabId
from tabwright.errors import Denied, NotFound, TabwrightError
from tabwright.policy.callers.audit_log import masked_url
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
            await element.ready(Requirements("attached", enabled=False), 0.0)
        except TabwrightError:
            return ""
        return element.label
    return ""


PATIENCE = 120.0
NOTHING = Subject()


@dataclass(frozen=True, eq=False)
class Question:
    """One call that waits, at most `until` a moment of the clock."""

    number: int
    who: str
    action: str
    args: Mapping[str, Any]
    session: str
    about: Subject
    until: float
    answered: anyio.Event = field(default_factory=anyio.Event, repr=False)


class Approvals:
    """Asks about the actions that were named, or all of a kind: "act", "destroy"."""

    def __init__(self, asked: Iterable[str] = (), *, patience: float = PATIENCE) -> None:
        self._asked = frozenset(asked)
        self._patience = patience
        self._numbers = itertools.count(1)
        self._waiting: dict[int, Question] = {}
        self._allowed: set[int] = set()
        self.news = Signal()

    @property
    def waiting(self) -> tuple[Question, ...]:
        """The questions without an answer, oldest first."""
        return tuple(self._waiting.values())

    def concern(self, action: Action) -> bool:
        """Whether a person is to be asked."""
        return not self._asked.isdisjoint((action.name, action.effect.value))

    async def ask(
        self,
        action: Action,
        who: str,
        args: Mapping[str, Any],
        session: str,
        about: Subject = NOTHING,
    ) -> None:
        """Wait until a person allows a call.

        Raises:
            Denied: they refused, or nobody answered.
        """
        until = time.time() + self._patience
        question = Question(next(self._numbers), who, action.name, args, session, about, until)
        self._waiting[question.number] = question
        self.news.fire()
        try:
            with anyio.move_on_after(self._patience) as limit:
                await question.answered.wait()
        finally:
            self._waiting.pop(question.number, None)
            self.news.fire()
        if limit.cancelled_caught:
            told = f"{action.name} needs a person's leave, and nobody answered in {self._patience:g} s."
            raise Denied(told, hint="Ask the person to answer on the dashboard, then try again.")
        if question.number not in self._allowed:
            raise Denied(f"A person refused {action.name}.", hint="Ask them what to do instead.")
        self._allowed.discard(question.number)

    def decide(self, number: int, *, allow: bool) -> Question:
        """Answer a question; return it.

        Raises:
            NotFound: it waits no more.
        """
        question = self._waiting.get(number)
        if question is None:
            raise NotFound("This question is not open any more.", hint="Look at what waits now.")
        if allow:
            self._allowed.add(number)
        question.answered.set()
        return question
