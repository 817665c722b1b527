"""What a dialect is: a list of tools, and how a call of one becomes a call of the runner."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Protocol, runtime_checkable

from pydantic import Field

from tabwright.action import Action, Args
from tabwright.browser.tab import Tab
from tabwright.call import Call
from tabwright.dialects.tabs.client_view import ClientView
from tabwright.schema import Schema, schema_of


@dataclass(frozen=True)
class Tool:
    """A tool as a client sees it; hints that go without saying are told only where `all_hints` are."""

    name: str
    description: str
    schema: Schema
    read_only: bool
    destructive: bool
    idempotent: bool
    all_hints: bool = False


class CallOptions(Args):
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
    fields: dict[str, Schema] = schema_of(CallOptions)["properties"]
    return {name: field for name, field in fields.items() if name != "tab" or action.works_on is Tab}


class Dialect(Protocol):
    """A named tool surface."""

    name: str
    instructions: str

    def tools(self) -> list[Tool]:
        """All tools, in the order of the list."""

    def request(self, tool: str, arguments: Mapping[str, Any]) -> Call | None:
        """Translate a call; None when there is no such tool."""


@runtime_checkable
class LiveDialect(Dialect, Protocol):
    """A tool surface that depends on what its client has before it."""

    def at(self, desk: ClientView) -> Dialect:
        """The surface of a client with that before it."""


class CombinedDialect:
    """Several dialects as one; a name that two of them have means the first one's tool."""

    def __init__(self, dialects: Sequence[Dialect]) -> None:
        self.name = ",".join(dialect.name for dialect in dialects)
        self.instructions = " ".join(dialect.instructions for dialect in dialects)
        self._dialects = dialects

    def tools(self) -> list[Tool]:
        """The tools of all."""
        named: dict[str, Tool] = {}
        for dialect in self._dialects:
            for tool in dialect.tools():
                named.setdefault(tool.name, tool)
        return list(named.values())

    def request(self, tool: str, arguments: Mapping[str, Any]) -> Call | None:
        """Let the first that knows the tool translate."""
        requests = (dialect.request(tool, arguments) for dialect in self._dialects)
        return next((request for request in requests if request is not None), None)


class CombinedLiveDialect(CombinedDialect):
    """Several dialects as one, some of which depend on what the client has before it."""

    def at(self, desk: ClientView) -> Dialect:
        """All of them, those as they are with that before the client."""
        return CombinedDialect(
            [one.at(desk) if isinstance(one, LiveDialect) else one for one in self._dialects]
        )


def near(tool: str, tools: Sequence[Tool]) -> list[str]:
    """Return the names that a wrong name comes closest to, in spelling or as a part."""
    names = [known.name for known in tools]
    parts = [name for name in names if tool.lower() in name or name.rpartition("_")[2] in tool.lower()]
    return list(dict.fromkeys([*get_close_matches(tool, names, n=3, cutoff=0.5), *parts]))[:3]
