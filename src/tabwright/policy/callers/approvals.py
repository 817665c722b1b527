"""Calls that wait until a person approves them; the person sees the target and the page of each."""

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
from tabwright.policy.callers.redact_url import redact_url
from tabwright.sessions.session import Session

# The page may be busy, and the person is waiting for the question.
_LABEL_TIMEOUT = 1.0
_MAX_LABEL = 200


@dataclass(frozen=True, slots=True)
class Subject:
    """What a call acts on: role and name of the target, and the URL of the page; empty if there is none."""

    target: str = ""
    page: str = ""


async def find_subject(session: Session | None, tab_id: str | None, args: Args) -> Subject:
    """Return what a call would act on, without changing anything."""
    if session is None or not session.alive:
        return Subject()
    given: dict[str, Any] = vars(args)
    named = session.context.tabs.get(TabId(str(given.get("id") or tab_id or "")))
    tab = named or session.next
    if tab is None:
        return Subject()
    target = given.get("target")
    label = await _find_label(tab, target) if isinstance(target, str) else ""
    return Subject(label[:_MAX_LABEL], redact_url(tab.url))


async def _find_label(tab: Tab, target: str) -> str:
    with anyio.move_on_after(_LABEL_TIMEOUT):
        try:
            element = tab.element(target)
            await element.ready(Requirements("attached", enabled=False), 0.0)
        except TabwrightError:
            return ""
        return element.label
    return ""


TIMEOUT = 120.0
NO_SUBJECT = Subject()


@dataclass(frozen=True, eq=False)
class Question:
    """One call that waits for approval until the time `until`."""

    number: int
    who: str
    action: str
    args: Mapping[str, Any]
    session: str
    about: Subject
    until: float
    answered: anyio.Event = field(default_factory=anyio.Event, repr=False)


class Approvals:
    """Asks a person about actions: by name, or all with an effect (`act`, `destroy`)."""

    def __init__(self, actions: Iterable[str] = (), *, timeout: float = TIMEOUT) -> None:
        self._actions = frozenset(actions)
        self._timeout = timeout
        self._numbers = itertools.count(1)
        self._waiting: dict[int, Question] = {}
        self._allowed: set[int] = set()
        self.changed = Signal()

    @property
    def waiting(self) -> tuple[Question, ...]:
        """The open questions, oldest first."""
        return tuple(self._waiting.values())

    def needed_for(self, action: Action) -> bool:
        """Whether a person has to approve the action."""
        return not self._actions.isdisjoint((action.name, action.effect.value))

    async def ask(
        self,
        action: Action,
        who: str,
        args: Mapping[str, Any],
        session: str,
        about: Subject = NO_SUBJECT,
    ) -> None:
        """Wait until a person approves a call.

        Raises:
            Denied: they refused it, or nobody answered in time.
        """
        until = time.time() + self._timeout
        question = Question(next(self._numbers), who, action.name, args, session, about, until)
        self._waiting[question.number] = question
        self.changed.fire()
        try:
            with anyio.move_on_after(self._timeout) as limit:
                await question.answered.wait()
        finally:
            self._waiting.pop(question.number, None)
            self.changed.fire()
        if limit.cancelled_caught:
            raise Denied(
                f"{action.name} needs approval; nobody answered in {self._timeout:g} s.",
                hint="Ask the user to answer on the dashboard, then try again.",
            )
        if question.number not in self._allowed:
            raise Denied(f"A person refused {action.name}.", hint="Ask them what to do instead.")
        self._allowed.discard(question.number)

    def decide(self, number: int, *, allow: bool) -> Question:
        """Answer a question; return it.

        Raises:
            NotFound: it is no longer open.
        """
        question = self._waiting.get(number)
        if question is None:
            raise NotFound("This question is no longer open.", hint="Choose one of the open questions.")
        if allow:
            self._allowed.add(number)
        question.answered.set()
        return question
