"""What a dialect is: a list of tools, and how a call of one becomes a call of the runner."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from tabwright.schema import Schema


@dataclass(frozen=True)
class Tool:
    """A tool as a client sees it."""

    name: str
    description: str
    schema: Schema
    read_only: bool
    destructive: bool
    idempotent: bool


@dataclass(frozen=True)
class Request:
    """A tool call in the catalogue's words."""

    action: str
    args: Mapping[str, Any] = field(default_factory=dict)
    session: str | None = None
    tab: str | None = None
    max_tokens: int | None = None


class Dialect(Protocol):
    """A named tool surface."""

    name: str

    def tools(self) -> list[Tool]:
        """All tools, in the order of the list."""

    def request(self, tool: str, arguments: Mapping[str, Any]) -> Request | None:
        """Translate a call; None when there is no such tool."""
