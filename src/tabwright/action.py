"""What an action is: typed arguments, a typed result, a small function, and what kind of thing it does.

`@action` returns a frozen `Action` and registers nothing; `actions/__init__.py` collects them into the
catalogue. A wrong shape is a TypeError at import.
"""

import inspect
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from types import ModuleType
from typing import Any, ClassVar, Literal, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict

from tabwright.agent_browser.runner import Commands, Place
from tabwright.artifacts import Artifact
from tabwright.browser.tab import Tab
from tabwright.errors import NotFound
from tabwright.sessions.registry import Sessions
from tabwright.sessions.session import Session


class Effect(StrEnum):
    """What an action does to the world."""

    READ = "read"
    ACT = "act"
    DESTROY = "destroy"


# What a token must allow for an action to run.
Scope = Literal["read", "act", "evaluate", "admin"]


class Args(BaseModel):
    """Arguments: flat, described, closed to unknown fields. Used as it is by actions that take none."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Result(BaseModel):
    """What now is. `str()` is what an agent reads; the fields are what a program reads."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True, defer_build=True)

    # How many lines at the head of the text are our own words, the rest being the page's; None: all are ours.
    own_lines: ClassVar[int | None] = None
    # Whether the reply also tells which tools the page has since.
    with_tools: ClassVar[bool] = False

    @property
    def failed(self) -> bool:
        """Whether it tells of something that went wrong, though the call itself did not."""
        return False

    @property
    def too_long(self) -> bool:
        """Whether its text is longer than was asked for, though it may fit its budget."""
        return False

    def shortened(self, most_tokens: int) -> str | None:
        """Return a shorter text that still tells the whole (folded, fewer rows), where there is one."""
        return None

    @property
    def artifacts(self) -> tuple[Artifact, ...]:
        """The files that come with it."""
        return tuple(value for value in vars(self).values() if isinstance(value, Artifact))


class NewFile(Protocol):
    """A file that is being written, beside the place that it will have."""

    def write(self, piece: bytes) -> None:
        """Write on."""

    def keep(self) -> None:
        """Put it in its place, whole."""


class Caller(Protocol):
    """Whoever makes a call, for actions on calls and sessions themselves."""

    owner: str
    trusted: bool
    session: str | None
    sessions: Sessions
    catalog: "Catalog"
    commands: Commands

    async def run(self, action: str, args: Mapping[str, Any]) -> str:
        """Run another action as the same caller, in the same session; return its text."""

    def folder(self, path: str) -> str:
        """Return a folder that the caller may have filled, made where it is missing."""

    def place(self) -> Place:
        """Return where programs run for the caller.

        Raises:
            Denied: it may have none run.
        """

    def new_file(self, path: str) -> AbstractContextManager[NewFile]:
        """Write a file in the caller's folder, which is there once it is kept, whole."""

    async def tell(self, message: str) -> None:
        """Tell how far long work has got."""


A = TypeVar("A", bound=Args)
R = TypeVar("R", bound=Result)
Receiver = type[Tab] | type[Session] | type[Caller]
AnyFunction = Callable[[Any, Any], Awaitable[Result]]


@dataclass(frozen=True, kw_only=True)
class Action:
    """One thing an agent can do."""

    name: str
    summary: str
    effect: Effect
    group: str
    scope: Scope
    works_on: Receiver
    args: type[Args]
    result: type[Result]
    run: AnyFunction
    observed: bool
    idempotent: bool
    patient: bool
    queued: bool


def action(
    effect: Effect,
    *,
    group: str,
    scope: Scope | None = None,
    observed: bool | None = None,
    idempotent: bool = False,
    patient: bool = False,
    queued: bool = True,
) -> Callable[[Callable[[Any, A], Awaitable[R]]], Action]:
    """Declare an action.

    Args:
        effect: what it does to the world.
        group: its heading in the docs and in `tabwright help`.
        scope: the token scope that it needs; by default `read` for a READ action, `act` for the others.
        observed: whether the reply tells what changed on the page; by default so for acts on a tab.
        idempotent: whether a second call like the first changes nothing more.
        patient: whether it may take long, so that progress is told.
        queued: whether it waits for its turn in the session and other calls for its end; what only waits for
            something that other calls bring about must not hold them up.
    """

    def declare(function: Callable[[Any, A], Awaitable[R]]) -> Action:
        works_on, args, result = _shape(function)
        summary = inspect.getdoc(function)
        if not summary:
            raise TypeError(f"{function.__name__} has no docstring.")
        return Action(
            name=function.__name__,
            summary=summary,
            effect=effect,
            group=group,
            scope=scope or ("read" if effect is Effect.READ else "act"),
            works_on=works_on,
            args=args,
            result=result,
            run=function,
            observed=(effect is not Effect.READ and works_on is Tab) if observed is None else observed,
            idempotent=idempotent or effect is Effect.READ,
            patient=patient,
            queued=queued,
        )

    return declare


def _shape(function: Callable[..., Any]) -> tuple[Receiver, type[Args], type[Result]]:
    """Read receiver, arguments and result off a function's signature."""
    signature = inspect.signature(function, eval_str=True)
    kinds = [parameter.annotation for parameter in signature.parameters.values()]
    if len(kinds) != 2 or kinds[0] not in (Tab, Session, Caller) or not _is(kinds[1], Args):
        raise TypeError(f"{function.__name__} must take (Tab, Session or Caller, an Args), not {signature}.")
    if not _is(signature.return_annotation, Result):
        raise TypeError(f"{function.__name__} must return a Result, not {signature.return_annotation}.")
    return kinds[0], kinds[1], signature.return_annotation


def _is(kind: Any, root: type) -> bool:
    return isinstance(kind, type) and issubclass(kind, root)


class Catalog:
    """All actions of some modules, by name."""

    def __init__(self, *modules: ModuleType) -> None:
        self._actions: dict[str, Action] = {}
        for module in modules:
            for found in vars(module).values():
                if isinstance(found, Action) and self._actions.setdefault(found.name, found) is not found:
                    raise TypeError(f"Two actions are called {found.name}.")

    def __iter__(self) -> Iterator[Action]:
        return iter(self._actions.values())

    def __len__(self) -> int:
        return len(self._actions)

    def __contains__(self, name: object) -> bool:
        return name in self._actions

    def __getitem__(self, name: str) -> Action:
        if name not in self._actions:
            near = ", ".join(_near(name, self._actions)) or "none like it"
            raise NotFound(
                f"There is no action {name}; near it: {near}.", hint="List the actions, then choose one."
            )
        return self._actions[name]


def _near(name: str, known: dict[str, Action]) -> list[str]:
    return get_close_matches(name, known, n=3)
