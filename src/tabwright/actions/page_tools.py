"""Tools of the page itself: what can be done there, named and typed, and doing it."""

from typing import Annotated, Any

from pydantic import Field

from tabwright.action import Args, Effect, Result, action
from tabwright.browser.tab import Tab
from tabwright.fields import Typed
from tabwright.page_tools import PageTool, inventory_of
from tabwright.page_tools.signature import signature
from tabwright.text import format_count


class ListPageTools(Args):
    """Arguments of `list_page_tools`."""

    more: bool = Field(False, description="Also those that matter less; 20 are listed otherwise.")


class PageTools(Result):
    """The tools of a page."""

    own_lines = 1

    tools: list[dict[str, Any]] = Field(
        description="Each tool: name, description, schema of its arguments, source, read_only."
    )
    left: int = Field(description="How many more there are.")
    notice: str = Field("", description="What is wrong with recipes of the user, told once.")

    def __str__(self) -> str:
        notice = f"{self.notice} " if self.notice else ""
        if not self.tools:
            return f"{notice}This page offers no tools of its own."
        more = f"; {self.left} more with more=true" if self.left else ""
        lines = [signature(tool["name"], tool["schema"], tool["description"]) for tool in self.tools]
        head = f"{notice}{format_count(len(self.tools), 'tool')}, run by call_page_tool{more}:"
        return "\n".join([head, *lines])


class CallPageTool(Args):
    """Arguments of `call_page_tool`."""

    name: str = Field(min_length=1, max_length=128, description="Name of the tool, as listed.")
    arguments: Annotated[dict[str, Any], Typed()] = Field({}, description="Its arguments.")


class Ran(Result):
    """What a tool of the page did, and what the page said to it."""

    own_lines = 1
    with_tools = True

    deed: str = Field(description="What was done.")
    words: list[str] = Field(description="What the page said, a line each.")

    def __str__(self) -> str:
        return "\n".join([self.deed, *self.words])


@action(Effect.READ, group="Page tools")
async def list_page_tools(tab: Tab, args: ListPageTools) -> PageTools:
    """List what the page itself offers to do, as tools with arguments."""
    inventory = inventory_of(tab)
    listing = await inventory.list_tools()
    told = list(listing) if args.more else listing.shown
    left = 0 if args.more else len(listing.rest)
    return PageTools(tools=[_told(tool) for tool in told], left=left, notice=inventory.take_notices())


@action(Effect.ACT, group="Page tools")
async def call_page_tool(tab: Tab, args: CallPageTool) -> Ran:
    """Run a tool of list_page_tools."""
    outcome = await inventory_of(tab).call(args.name, args.arguments)
    return Ran(deed=outcome.summary, words=list(outcome.page_lines))


def _told(tool: PageTool) -> dict[str, Any]:
    return {
        "name": tool.name,
        "description": tool.description,
        "schema": tool.schema,
        "source": tool.source,
        "read_only": tool.read_only,
    }
