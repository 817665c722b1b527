"""One call of an action, and its answer: what doors and dialects pass to the runner and get back."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field, fields, is_dataclass, replace
from typing import Any, TypeVar

from pydantic import BaseModel

from tabwright.action import Action, Args, Result
from tabwright.artifacts import Artifact
from tabwright.browser.snapshot.effects_report import Effects
from tabwright.hygiene import count_invisible, escape_invisible, strip_invisible
from tabwright.policy.callers.principal import ANONYMOUS, Principal
from tabwright.schema import ClientNames
from tabwright.text import format_count

T = TypeVar("T")
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
        second: a second in the client's unit of durations: 1000 if that is milliseconds.
        in_profile: whether `session` is the id of a profile, which must exist.
        by: the person who calls on behalf of the session's owner, if one does.
        render: builds the whole answer from the result, for tools that answer with a structure.
    """

    action: str
    args: Mapping[str, Any] = field(default_factory=dict)
    _: KW_ONLY
    names: ClientNames = field(default_factory=dict)
    second: float = 1
    principal: Principal = ANONYMOUS
    session: str | None = None
    in_profile: bool = False
    tab: str | None = None
    max_tokens: int | None = None
    save: bool = False
    door: str = ""
    by: str = ""
    progress: Progress | None = None
    render: Callable[[Any], dict[str, Any]] | None = None


@dataclass(frozen=True)
class PreparedCall:
    """A call whose action exists and whose arguments are valid; returned by `Runner.prepare`."""

    call: Call
    action: Action
    args: Args


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The answer to a call: text within its budget for agents, the typed result for programs.

    No answer has invisible characters: they are removed and counted. Exact values have them as escapes in the
    text, and as they are in the result.
    """

    head: str
    result: Result
    session: str
    page: str = ""
    changes: str = ""
    notice: str = ""
    tab: str = ""
    effects: Effects | None = None
    cursor: str = ""
    artifacts: tuple[Artifact, ...] = ()

    def __post_init__(self) -> None:
        if self.result.exact:
            cleaned = {name: escape_invisible(getattr(self, name)) for name in ("head", "page", "changes")}
        else:
            (head, in_head), (page, in_page) = count_invisible(self.head), count_invisible(self.page)
            cleaned = {"head": head, "page": page, "changes": strip_invisible(self.changes)}
            if removed := in_head + in_page:
                note = f"[{format_count(removed, 'invisible character')} removed]"
                cleaned["notice"] = "\n".join(part for part in (self.notice, note) if part)
            object.__setattr__(self, "result", map_sent_texts(self.result, strip_invisible))
        for name, text in cleaned.items():
            object.__setattr__(self, name, text)

    @property
    def text(self) -> str:
        """The whole text: ours, then the page's, then the notice about what was left out."""
        return "\n".join(part for part in (self.head, self.page, self.changes, self.notice) if part)

    def as_json(self, *, with_content: bool = False) -> dict[str, Any]:
        """Return the answer as every JSON door sends it; `with_content` includes the content of its files."""
        return {
            "text": self.text,
            "result": self.result.model_dump(mode="json"),
            "effects": strip_invisible(str(self.effects)) if self.effects else None,
            "cursor": self.cursor,
            "session": self.session,
            "tab": self.tab,
            "files": [file.as_json(with_content=with_content) for file in self.artifacts],
        }


def map_sent_texts(value: T, change: Callable[[str], str]) -> T:
    """Return a value with every text in it changed, except fields that are never sent."""
    changed: Any = value
    if isinstance(value, str):
        changed = change(value)
    elif isinstance(value, BaseModel):
        changed = _map_model(value, change)
    elif isinstance(value, dict):
        changed = {change(str(name)): map_sent_texts(held, change) for name, held in value.items()}
    elif isinstance(value, list | tuple) and type(value) in (list, tuple):
        changed = type(value)(map_sent_texts(held, change) for held in value)
    elif is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in fields(value) if field.init]
        changed = replace(value, **{name: map_sent_texts(getattr(value, name), change) for name in names})
    result: T = changed
    return result


def _map_model(value: BaseModel, change: Callable[[str], str]) -> BaseModel:
    sent = (name for name, field in type(value).model_fields.items() if not field.exclude)
    before = {name: getattr(value, name) for name in sent}
    after = {name: map_sent_texts(held, change) for name, held in before.items()}
    return value if after == before else value.model_copy(update=after)
