"""What a dialect is: a list of tools, and the translation of their calls into calls of actions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Protocol, runtime_checkable

from pydantic import Field

from tabwright.action import Action, Args
from tabwright.browser.tab import Tab
from tabwright.call import Call
from tabwright.dialects.tabs.client_view import ClientView
from tabwright.errors import TabwrightError
from tabwright.schema import Schema, schema_of

RenderError = Callable[[TabwrightError], dict[str, Any]]


@dataclass(frozen=True)
class Tool:
    """A tool as a client sees it; hints that equal MCP's default are listed only with `all_hints`."""

    name: str
    description: str
    schema: Schema
    read_only: bool
    destructive: bool
    idempotent: bool
    open_world: bool
    all_hints: bool = False


class CallOptions(Args):
    """Options of every call, in addition to the arguments of its action."""

    session: str | None = Field(
        None, min_length=1, max_length=100, description="Session to work in; by default your own."
    )
    tab: str | None = Field(
        None, min_length=1, max_length=20, description="Tab to work in; by default the current one."
    )
    max_tokens: int | None = Field(None, ge=50, description="Token limit for the answer.")
    save: bool = Field(False, description="Also save the whole answer as a file, and return its address.")


def option_schemas(action: Action) -> dict[str, Schema]:
    """Return the schemas of the call options that an action takes."""
    fields: dict[str, Schema] = schema_of(CallOptions)["properties"]
    return {name: field for name, field in fields.items() if name != "tab" or action.works_on is Tab}


class Dialect(Protocol):
    """A named set of tools."""

    name: str
    instructions: str

    def tools(self) -> list[Tool]:
        """Return the tools, in the order of the list."""

    def request(self, tool: str, arguments: Mapping[str, Any]) -> Call | None:
        """Translate a call; None when there is no such tool."""

    def error_renderer(self, tool: str) -> RenderError | None:
        """Return what makes a structure from an error, for tools that answer with structures."""


@runtime_checkable
class LiveDialect(Dialect, Protocol):
    """A dialect whose tools depend on the client's browser and tabs."""

    def for_view(self, view: ClientView) -> Dialect:
        """Return the dialect for a client with this view."""


class CombinedDialect:
    """Several dialects as one; if two have a tool of the same name, the first one's counts."""

    def __init__(self, dialects: Sequence[Dialect]) -> None:
        self.name = ",".join(dialect.name for dialect in dialects)
        self.instructions = " ".join(dialect.instructions for dialect in dialects)
        self._dialects = dialects

    def tools(self) -> list[Tool]:
        """Return the tools of all dialects."""
        named: dict[str, Tool] = {}
        for dialect in self._dialects:
            for tool in dialect.tools():
                named.setdefault(tool.name, tool)
        return list(named.values())

    def request(self, tool: str, arguments: Mapping[str, Any]) -> Call | None:
        """Translate a call by the first dialect that has the tool."""
        requests = (dialect.request(tool, arguments) for dialect in self._dialects)
        return next((request for request in requests if request is not None), None)

    def error_renderer(self, tool: str) -> RenderError | None:
        """Return that of the first dialect that has the tool."""
        owners = (one for one in self._dialects if any(known.name == tool for known in one.tools()))
        owner = next(owners, None)
        return owner.error_renderer(tool) if owner else None


class CombinedLiveDialect(CombinedDialect):
    """Several dialects as one, some of which depend on the client's view."""

    def for_view(self, view: ClientView) -> Dialect:
        """Return the dialects for a client with this view."""
        return CombinedDialect(
            [one.for_view(view) if isinstance(one, LiveDialect) else one for one in self._dialects]
        )


def close_names(tool: str, tools: Sequence[Tool]) -> list[str]:
    """Return the names closest to an unknown one: similar in spelling, or sharing a part."""
    names = [known.name for known in tools]
    parts = [name for name in names if tool.lower() in name or name.rpartition("_")[2] in tool.lower()]
    return list(dict.fromkeys([*get_close_matches(tool, names, n=3, cutoff=0.5), *parts]))[:3]
