"""What a dialect is: a list of tools, and how a call of one becomes a call of the runner."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from pydantic import Field

from tabwright.action import Action, Args
from tabwright.browser.tab import Tab
from tabwright.schema import Schema, schema_of


@dataclass(frozen=True)
class Tool:
    """A tool as a client sees it."""

    name: str
    description: str
    schema: Schema
    read_only: bool
    destructive: bool
    idempotent: bool


class Beside(Args):
    """What a call may say beside the action's own arguments."""

    session: str | None = Field(
        None, min_length=1, max_length=100, description="Session to work in; your own when not given."
    )
    tab: str | None = Field(
        None, min_length=1, max_length=20, description="Tab to work in; the current one when not given."
    )
    max_tokens: int | None = Field(None, ge=50, description="Most tokens of the answer.")
    save: bool = Field(False, description="Also keep the whole answer as a file, and tell its address.")


def beside(action: Action) -> dict[str, Schema]:
    """Return the schemas of what may be said beside an action's own arguments."""
    fields: dict[str, Schema] = schema_of(Beside)["properties"]
    return {name: field for name, field in fields.items() if name != "tab" or action.scope is Tab}


@dataclass(frozen=True)
class Request:
    """A tool call in the catalogue's words."""

    action: str
    args: Mapping[str, Any] = field(default_factory=dict)
    session: str | None = None
    tab: str | None = None
    max_tokens: int | None = None
    save: bool = False


class Dialect(Protocol):
    """A named tool surface."""

    name: str

    def tools(self) -> list[Tool]:
        """All tools, in the order of the list."""

    def request(self, tool: str, arguments: Mapping[str, Any]) -> Request | None:
        """Translate a call; None when there is no such tool."""
