"""An agent in the tabs dialect: its tools, and how often it was notified of a change."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio

from tabwright.dialects.registry import Dialects
from tabwright.doors.mcp.door import McpDoor
from tabwright.runner import Runner
from tabwright.sessions.session import Session
from tests.doors.mcp.agents import Agent, Json, connected_to

CHANGED = "notifications/tools/list_changed"
NONE, CONNECTED = ["connect_browser"], ["list_tabs", "open_tab"]
TABS = [*CONNECTED, "focus_tab"]
FOCUSED = [*TABS, "close_tab"]

FLIGHTS = "<title>Flights</title><form><label>To <input name=to></label><button>Find flights</button></form>"
MAIL = "<title>Mail</title><form role=search><input type=search aria-label=Search><button>Go</button></form>"
EMPTY = "<title>Empty</title><p>Nothing to do here."


def tabs_door(runner: Runner, dialect: str = "tabs", *, follow_user: bool = False) -> McpDoor:
    """Return a door whose clients get the tabs dialect."""
    dialects = Dialects(runner.catalog, default=dialect)
    return McpDoor(runner, dialects.choose({}), dialects.choose, follow_user=follow_user)


class TabsClient:
    """One agent that uses the tabs dialect."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent

    async def tool_names(self) -> list[str]:
        """Return the names of its tools."""
        return [tool["name"] for tool in await self.tools()]

    async def tools(self) -> list[Json]:
        """Return its tools."""
        tools: list[Json] = (await self.agent.request("tools/list"))["result"]["tools"]
        return tools

    @property
    def change_count(self) -> int:
        """How many notifications of changed tools it has read."""
        return sum(notice["method"] == CHANGED for notice in self.agent.notices)

    async def wait_for_changes(self, times: int) -> None:
        """Read until it has this many notifications of changed tools in all."""
        with anyio.fail_after(60):
            while self.change_count < times:
                self.agent.notices.append(await self.agent.hear())

    async def do(self, tool: str, **arguments: Any) -> Json:
        """Call a core tool, which succeeds; return its structure, which is its text too."""
        result = await self.agent.call(tool, **arguments)
        assert not result["isError"], result
        structure: Json = result["structuredContent"]
        [text] = result["content"]
        assert json.loads(text["text"]) == structure
        return structure

    async def expect_error(self, tool: str, **arguments: Any) -> str:
        """Call a tool, which fails; return its error text."""
        result = await self.agent.call(tool, **arguments)
        assert result["isError"], result
        assert "structuredContent" not in result
        text: str = result["content"][-1]["text"]
        return text


@asynccontextmanager
async def connect_client(door: McpDoor, name: str = "agent") -> AsyncIterator[TabsClient]:
    """Serve one agent of a door in this process."""
    async with connected_to(door, name) as agent:
        yield TabsClient(agent)


async def run_in_page(session: Session, tab_id: int, script: str) -> None:
    """Run a script in the page, as the page itself would."""
    tab = session.context.tab(f"t{tab_id}")
    await tab.session.send("Runtime.evaluate", expression=script)
