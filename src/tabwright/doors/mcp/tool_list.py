"""What a client is offered: a dialect as MCP shows it."""

from contextlib import AbstractAsyncContextManager, nullcontext
from functools import cached_property
from typing import Protocol

import mcp_types as types

from tabwright.dialects.dialect import Dialect, Tool
from tabwright.doors.mcp.server import Context
from tabwright.schema import Schema


class ToolList(Protocol):
    """The tools of one client."""

    def dialect(self, context: Context) -> Dialect:
        """Return what its calls are said in now."""

    async def tools(self, context: Context) -> list[types.Tool]:
        """Return the list as sent."""

    def calling(self, context: Context) -> AbstractAsyncContextManager[None]:
        """Know of a call while the block runs."""


class StillList:
    """A list that is always the same."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect

    def dialect(self, context: Context) -> Dialect:
        """Return what its calls are said in."""
        return self._dialect

    async def tools(self, context: Context) -> list[types.Tool]:
        """Return the list as sent."""
        return self._listed

    def calling(self, context: Context) -> AbstractAsyncContextManager[None]:
        """Take no notice of calls."""
        return nullcontext()

    @cached_property
    def schemas(self) -> dict[str, Schema]:
        """The arguments of each tool."""
        return {tool.name: tool.schema for tool in self._dialect.tools()}

    @cached_property
    def _listed(self) -> list[types.Tool]:
        return [described(tool) for tool in self._dialect.tools()]


def described(tool: Tool) -> types.Tool:
    """Describe a tool."""
    hints = types.ToolAnnotations(
        read_only_hint=tool.read_only, destructive_hint=tool.destructive, idempotent_hint=tool.idempotent
    )
    return types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.schema,
        annotations=hints if tool.all_hints else _few(tool),
    )


def _few(tool: Tool) -> types.ToolAnnotations:
    """Of the hints, those that differ from what the protocol takes for granted."""
    return types.ToolAnnotations(
        read_only_hint=tool.read_only or None,
        destructive_hint=None if tool.read_only or tool.destructive else False,
        idempotent_hint=(tool.idempotent and not tool.read_only) or None,
    )
