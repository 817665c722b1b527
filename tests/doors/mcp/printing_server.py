"""An embedded MCP server whose tools are the trial actions."""

import anyio

from tabwright.action import Catalog
from tabwright.artifacts import Artifacts
from tabwright.browser.supervisor import BrowserSupervisor
from tabwright.dialects.plain import Plain
from tabwright.doors.mcp.door import McpDoor
from tabwright.doors.mcp.embedded import own_stdio
from tabwright.policy.callers.principal import Principal
from tabwright.runner import Runner
from tabwright.sessions.registry import Sessions
from tests.doors import trial


async def main() -> None:
    catalog = Catalog(trial)
    async with (
        BrowserSupervisor.open() as supervisor,
        Sessions.open(supervisor) as sessions,
        own_stdio() as stream,
    ):
        door = McpDoor(Runner(catalog, sessions, Artifacts()), Plain(catalog))
        await door.serve(stream, Principal("local:test"))


if __name__ == "__main__":
    anyio.run(main)
