"""Calls that wait until a person approves them; the person sees what each would act on."""

import itertools
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import anyio

from tabwright.action import Action, Catalog
from tabwright.aio import Signal
from tabwright.errors import Denied, NotFound
from tabwright.policy.callers.principal import Principal
from tabwright.policy.callers.subject import Subject

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
    """Asks a person about calls: by what they do (`press`), or by their effect (`act`, `destroy`).

    The name of an action stands for what it does: a rule about `click` is a rule about every way to press.
    """

    def __init__(self, rules: Iterable[str] = (), *, timeout: float = TIMEOUT) -> None:
        self._rules = frozenset(rules)
        self._timeout = timeout
        self._numbers = itertools.count(1)
        self._waiting: dict[int, Question] = {}
        self._allowed: set[int] = set()
        self._people = 0
        self.changed = Signal()

    @property
    def waiting(self) -> tuple[Question, ...]:
        """The open questions, oldest first."""
        return tuple(self._waiting.values())

    @property
    def has_people(self) -> bool:
        """Whether somebody has the dashboard open and can be asked."""
        return self._people > 0

    @contextmanager
    def person_present(self) -> Iterator[None]:
        """Count a person who can be asked while the block runs."""
        self._people += 1
        try:
            yield
        finally:
            self._people -= 1

    def rules(self, catalog: Catalog) -> frozenset[str]:
        """Return the rules, with what actions do in addition to their names."""
        meant = (catalog[rule].does[0] for rule in self._rules if rule in catalog)
        return self._rules.union(meant)

    def needed_for(self, action: Action, catalog: Catalog) -> bool:
        """Whether a person has to approve the action."""
        return not self.rules(catalog).isdisjoint((action.name, action.effect.value, *action.may_do))

    def can_replace_scope(self, action: Action, principal: Principal) -> bool:
        """Whether a person is asked for an action because the caller lacks its scope.

        Raises:
            Denied: it lacks the scope, and nobody can be asked.
        """
        if action.scope != "manage" or "manage" in principal.scopes or not principal.trusted:
            return False
        if self.has_people:
            return True
        raise Denied(
            f"{action.name} needs the scope manage or approval by a person, and no dashboard is open.",
            hint="Ask the user to open the dashboard and call again, to start this client with "
            "`tabwright mcp --manage`, or to set security.manage.",
        )

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
