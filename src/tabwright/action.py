"""What an action is: typed arguments, a typed result, a small function, and its effect.

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
from typing import Any, ClassVar, Literal, Protocol, TypeVar, get_args

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


# What an action does, for rules about it (`security.confirm`):
#   look         reads the page, or what was recorded of it
#   point        moves the pointer, the focus or the scroll position
#   press        presses something: with the mouse, a finger, a key, or by answering a dialog
#   type         sets form fields or types text
#   navigate     loads a page, in this tab or a new one
#   upload       gives files to the page
#   download     saves files
#   run_script   runs JavaScript
#   read_data    reads cookies, storage, traffic or saved state
#   change_data  changes cookies, storage or saved state
#   configure    changes how the session works: emulation, permissions, request rules, the current tab
#   close        closes tabs, sessions or browsers
#   manage       changes profiles or installs browsers
#   run_program  runs a program
#   run_actions  runs other actions, each of which is judged by itself
Operation = Literal[
    "look",
    "point",
    "press",
    "type",
    "navigate",
    "upload",
    "download",
    "run_script",
    "read_data",
    "change_data",
    "configure",
    "close",
    "manage",
    "run_program",
    "run_actions",
]
OPERATIONS: tuple[Operation, ...] = get_args(Operation)
# What else can be done with some of them: a script can click, and a program can use the browser.
_BY_SCRIPT: frozenset[Operation] = frozenset(
    ("look", "point", "press", "type", "navigate", "read_data", "change_data")
)
_INCLUDES: Mapping[Operation, frozenset[Operation]] = {
    "run_script": _BY_SCRIPT,
    "run_program": frozenset(OPERATIONS) - {"manage", "run_actions"},
}

# What can have any consequence, such as a button that deletes something.
_CONSEQUENTIAL: frozenset[Operation] = frozenset(("press", "run_script", "run_program", "run_actions"))
# What reaches beyond this computer, whatever it works on.
_REACHES_SITES: frozenset[Operation] = frozenset(
    ("point", "press", "type", "navigate", "upload", "download", "run_script", "run_program", "run_actions")
)

# What a token must allow for an action to run.
Scope = Literal["read", "act", "evaluate", "admin", "manage"]


class Args(BaseModel):
    """Arguments: flat, described, no unknown fields. Actions without arguments use this class itself."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    # Fields that contradict each other: of each group, a call may give only one.
    exclusive: ClassVar[tuple[tuple[str, ...], ...]] = ()

    def explicit(self, name: str) -> Any:
        """Return the value of a field, or None if the caller left it out."""
        return getattr(self, name) if name in self.model_fields_set else None


class Result(BaseModel):
    """The state after the action. `str()` is what an agent reads; the fields are what a program reads."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True, defer_build=True)

    # The first lines of the text that are ours; the rest comes from the page. None: all of it is ours.
    own_lines: ClassVar[int | None] = None
    # Whether its texts are values that a caller may need exactly, such as a cookie's: invisible characters
    # in them are shown as escapes. In all other texts they are removed.
    exact: ClassVar[bool] = False
    # Whether the text is a value that nothing may be added to: what changed is reported apart from it.
    value_only: ClassVar[bool] = False
    # Whether the answer also lists the new tools of the page.
    with_tools: ClassVar[bool] = False

    @property
    def stated_value(self) -> str | None:
        """The value that its text says the target now has, if any."""
        return None

    @property
    def failed(self) -> bool:
        """Whether it reports a failure, although the call itself succeeded."""
        return False

    @property
    def too_long(self) -> bool:
        """Whether its text is longer than requested, even if it fits the budget."""
        return False

    def shorten(self, max_tokens: int) -> str | None:
        """Return a shorter text (folded, fewer rows), or None if there is none."""
        return None

    @property
    def artifacts(self) -> tuple[Artifact, ...]:
        """Its files."""
        return tuple(value for value in vars(self).values() if isinstance(value, Artifact))


class NewFile(Protocol):
    """A file that is being written under a temporary name."""

    def write(self, piece: bytes) -> None:
        """Append to it."""

    def commit(self) -> None:
        """Move it to its final name."""


class Caller(Protocol):
    """The caller, for actions that run other calls or work on sessions."""

    owner: str
    connection: str
    trusted: bool
    session: str | None
    second: float  # in the caller's unit of durations
    sessions: Sessions
    catalog: "Catalog"
    commands: Commands

    async def run(self, action: str, args: Mapping[str, Any]) -> str:
        """Run another action as the same caller, in the same session; return its text."""

    def place(self) -> Place:
        """Return where programs run for the caller.

        Raises:
            Denied: it may not run programs.
        """

    def new_file(self, path: str) -> AbstractContextManager[NewFile]:
        """Write a file in the caller's folder; it appears there when it is committed."""

    async def report(self, message: str) -> None:
        """Report the progress of long work."""


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
    does: tuple[Operation, ...]
    at: Literal["", "focus", "pointer", "dialog"]
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
    on_declared_pages: bool

    @property
    def may_do(self) -> frozenset[Operation]:
        """Everything that it does or can be used for."""
        return frozenset(self.does).union(*(_INCLUDES.get(operation, frozenset()) for operation in self.does))

    @property
    def destructive(self) -> bool:
        """Whether it may change or delete what cannot be brought back."""
        return self.effect is Effect.DESTROY or bool(self.may_do & _CONSEQUENTIAL)

    @property
    def open_world(self) -> bool:
        """Whether it deals with sites, or only with the browser and its settings."""
        reads_page = self.works_on is Tab and bool(self.may_do & {"look", "read_data"})
        return reads_page or bool(self.may_do & _REACHES_SITES)


def action(
    effect: Effect,
    *,
    does: tuple[Operation, ...],
    group: str,
    at: Literal["", "focus", "pointer", "dialog"] = "",
    scope: Scope | None = None,
    observed: bool | None = None,
    idempotent: bool = False,
    patient: bool = False,
    queued: bool = True,
    on_declared_pages: bool = False,
) -> Callable[[Callable[[Any, A], Awaitable[R]]], Action]:
    """Declare an action.

    Args:
        effect: what it does to the world.
        does: what it does in the page; the first is what it is for.
        at: where its input goes if its arguments name no target: to the focused element, the
            position of the pointer, or the open dialog.
        group: its heading in the docs and in `tabwright help`.
        scope: the token scope that it needs; by default `read` for a READ action, `act` for the others.
        observed: whether the answer reports what changed on the page; by default, unless it only reads.
        idempotent: whether repeating the call changes nothing more.
        patient: whether it may take long, so that progress is reported.
        queued: whether it runs alone in its session; an action that waits for something that other calls
            cause must not block them.
        on_declared_pages: whether an action on a tab also works where an extension declares the tools of the
            page, and nothing else can be done in it.
    """

    def declare(function: Callable[[Any, A], Awaitable[R]]) -> Action:
        works_on, args, result = _shape(function)
        summary = inspect.getdoc(function)
        if not summary:
            raise TypeError(f"{function.__name__} has no docstring.")
        if not does:
            raise TypeError(f"{function.__name__} must declare what it does.")
        return Action(
            name=function.__name__,
            summary=summary,
            effect=effect,
            does=does,
            at=at,
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
            on_declared_pages=on_declared_pages,
        )

    return declare


def _shape(function: Callable[..., Any]) -> tuple[Receiver, type[Args], type[Result]]:
    """Return receiver, arguments and result of a function's signature."""
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
            near = ", ".join(get_close_matches(name, self._actions, n=3))
            similar = f"; similar: {near}" if near else ""
            raise NotFound(f"Unknown action {name}{similar}.", hint="List the actions, then choose one.")
        return self._actions[name]
