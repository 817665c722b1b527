"""One call of an action, and its answer: what doors and dialects pass to the runner and get back."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

from tabwright.action import Action, Args, Result
from tabwright.artifacts import Artifact
from tabwright.browser.snapshot.effects_report import Effects
from tabwright.errors import TabwrightError
from tabwright.policy.callers.principal import ANONYMOUS, Principal
from tabwright.schema import ClientNames

# The door of a person at the dashboard, who may use a session that was taken over.
PERSON = "dashboard"

Progress = Callable[[float, str], Awaitable[None]]


@dataclass(frozen=True)
class Call:
    """One call of an action.

    A dialect sets the action, its arguments and the options; the door adds the caller with
    `dataclasses.replace`. Without a caller the runner refuses the call.

    Attributes:
        names: what the client calls the arguments, for errors about them.
        by: the person who calls on behalf of the session's owner, if one does.
        render: builds the whole answer from the result, for tools that answer with a structure.
        render_error: builds the same structure from an error.
    """

    action: str
    args: Mapping[str, Any] = field(default_factory=dict)
    _: KW_ONLY
    names: ClientNames = field(default_factory=dict)
    principal: Principal = ANONYMOUS
    session: str | None = None
    tab: str | None = None
    max_tokens: int | None = None
    save: bool = False
    door: str = ""
    by: str = ""
    progress: Progress | None = None
    render: Callable[[Any], dict[str, Any]] | None = None
    render_error: Callable[[TabwrightError], dict[str, Any]] | None = None


@dataclass(frozen=True)
class PreparedCall:
    """A call whose action exists and whose arguments are valid; returned by `Runner.prepare`."""

    call: Call
    action: Action
    args: Args


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The answer to a call: text within its budget for agents, the typed result for programs."""

    head: str
    result: Result
    session: str
    page: str = ""
    notice: str = ""
    tab: str = ""
    effects: Effects | None = None
    cursor: str = ""
    artifacts: tuple[Artifact, ...] = ()

    @property
    def text(self) -> str:
        """The whole text: ours, then the page's, then the notice about what was left out."""
        return "\n".join(part for part in (self.head, self.page, self.notice) if part)

    def as_json(self, *, with_content: bool = False) -> dict[str, Any]:
        """Return the answer as every JSON door sends it; `with_content` includes the content of its files."""
        return {
            "text": self.text,
            "result": self.result.model_dump(mode="json"),
            "effects": str(self.effects) if self.effects else None,
            "cursor": self.cursor,
            "session": self.session,
            "tab": self.tab,
            "files": [file.as_json(with_content=with_content) for file in self.artifacts],
        }
