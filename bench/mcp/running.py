"""A server under measurement, with the client that speaks to it."""

from dataclasses import dataclass

from bench.mcp.client import Client, Use
from bench.mcp.peer import Peer
from bench.mcp.place import Place


@dataclass(frozen=True)
class Running:
    """One peer's server, its browser open for the whole part."""

    place: Place
    client: Client

    @property
    def peer(self) -> Peer:
        """Whose server it is."""
        return self.place.peer

    async def call(self, use: Use, **words: str) -> str:
        """Use a tool; return what a model would read."""
        return await self.client.call(use.filled(**words))

    async def go(self, url: str) -> None:
        """Open a page."""
        await self.call(self.peer.navigate, url=url)

    async def ref(self, role: str, name: str) -> str:
        """Return an element's ref from a new snapshot."""
        return self.peer.ref(await self.call(self.peer.snapshot), role, name)


def tokens(text: str) -> float:
    """Estimate what a text costs a model."""
    return len(text) / 4
