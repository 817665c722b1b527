"""Tools that the page itself offers. No page is asked yet: none is known to offer any."""

from typing import Any

from pydantic import Field

from tabwright.action import Args, Effect, Result, action
from tabwright.browser.tab import Tab
from tabwright.deeds import Done
from tabwright.errors import NotFound


class PageTools(Result):
    """The tools of a page."""

    tools: list[str] = Field(description="Each tool: its name, what it is for, its arguments.")

    def __str__(self) -> str:
        return "\n".join(self.tools) or "This page offers no tools of its own."


class CallPageTool(Args):
    """Arguments of `call_page_tool`."""

    name: str = Field(min_length=1, max_length=128, description="Name of the tool, as listed.")
    arguments: dict[str, Any] = Field({}, description="Its arguments.")


@action(Effect.READ)
async def list_page_tools(tab: Tab, args: Args) -> PageTools:
    """List the tools that the page itself offers."""
    return PageTools(tools=[])


@action(Effect.ACT)
async def call_page_tool(tab: Tab, args: CallPageTool) -> Done:
    """Run a tool that the page itself offers."""
    raise NotFound(
        f"There is no page tool {args.name[:100]}: this page offers none.",
        hint="Act on the page itself; take a snapshot to see it.",
    )
