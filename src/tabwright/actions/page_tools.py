"""Page tools: what the page can do, as tools with arguments."""

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

    more: bool = Field(False, description="Also list less important tools.")


class PageTools(Result):
    """The tools of a page."""

    own_lines = 1

    tools: list[dict[str, Any]] = Field(
        description="Each tool: name, description, schema of its arguments, source, read_only."
    )
    left: int = Field(description="Number of further tools.")
    notice: str = Field("", description="Errors in the user's recipes, reported once.")

    def __str__(self) -> str:
        notice = f"{self.notice} " if self.notice else ""
        if not self.tools:
            more = f" {format_count(self.left, 'less important one')} with more=true." if self.left else ""
            return f"{notice}This page has no tools.{more}"
        more = f"; {self.left} more with more=true" if self.left else ""
        lines = [signature(tool["name"], tool["schema"], tool["description"]) for tool in self.tools]
        head = f"{notice}{format_count(len(self.tools), 'tool')}, run by call_page_tool{more}:"
        return "\n".join([head, *lines])


class CallPageTool(Args):
    """Arguments of `call_page_tool`."""

    name: str = Field(min_length=1, max_length=128, description="Name of the tool, as listed.")
    arguments: Annotated[dict[str, Any], Typed()] = Field({}, description="Its arguments.")


class Ran(Result):
    """What a page tool did, and the page's messages."""

    own_lines = 1
    with_tools = True

    deed: str = Field(description="What was done.")
    words: list[str] = Field(description="The page's messages, a line each.")

    def __str__(self) -> str:
        return "\n".join([self.deed, *self.words])


@action(Effect.READ, does=("look",), group="Page tools", on_declared_pages=True)
async def list_page_tools(tab: Tab, args: ListPageTools) -> PageTools:
    """List the tools that the page offers, with their arguments."""
    inventory = inventory_of(tab)
    listing = await inventory.list_tools()
    listed = list(listing) if args.more else listing.shown
    left = 0 if args.more else len(listing.rest)
    return PageTools(tools=[_as_json(tool) for tool in listed], left=left, notice=inventory.take_notices())


@action(Effect.ACT, does=("press", "type", "navigate"), group="Page tools", on_declared_pages=True)
async def call_page_tool(tab: Tab, args: CallPageTool) -> Ran:
    """Run a tool from list_page_tools."""
    outcome = await inventory_of(tab).call(args.name, args.arguments)
    return Ran(deed=outcome.summary, words=list(outcome.page_lines))


def _as_json(tool: PageTool) -> dict[str, Any]:
    return {
        "name": tool.name,
        "description": tool.description,
        "schema": tool.schema,
        "source": tool.source,
        "read_only": tool.read_only,
    }
