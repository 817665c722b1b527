"""A server under measurement, with its client."""

from dataclasses import dataclass

from bench.mcp.client import Client, ToolCall
from bench.mcp.peer import Peer
from bench.mcp.workspace import Workspace


@dataclass(frozen=True)
class RunningServer:
    """One peer's server; its browser stays open for the whole part."""

    workspace: Workspace
    client: Client

    @property
    def peer(self) -> Peer:
        """The peer that it belongs to."""
        return self.workspace.peer

    async def call(self, tool_call: ToolCall, **values: str) -> str:
        """Call a tool; return the text that a model reads."""
        return await self.client.call(tool_call.fill_in(**values))

    async def go(self, url: str) -> None:
        """Open a page."""
        await self.call(self.peer.navigate, url=url)

    async def ref(self, role: str, name: str) -> str:
        """Return an element's ref from a new snapshot."""
        return self.peer.ref(await self.call(self.peer.snapshot), role, name)


def tokens(text: str) -> float:
    """Estimate how many tokens a text has."""
    return len(text) / 4
