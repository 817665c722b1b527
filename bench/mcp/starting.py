"""From nothing to a server that shook hands, and on to a first page."""

from collections.abc import AsyncIterator, Iterable
from time import perf_counter

from bench.mcp.peer import Peer
from bench.mcp.place import Place
from bench.mcp.rows import Row, aim
from bench.mcp.running import Running
from bench.mcp.turns import Turns
from bench.measure import Clock, opening

# DESIGN gives the whole way to a first page 0.7; the call alone is held to it too.
_FIRST = aim(playwright=0.7)
_SPAWN = aim(0.120, playwright=0.25)


async def cold_rows(peers: Iterable[Peer], url: str, turns: Turns) -> AsyncIterator[Row]:
    """Start each server where nothing of it runs, and open a page: a hub and a browser must start too."""
    runs = {peer.name: _Cold(peer, url) for peer in peers}
    whole = await turns.take("spawn to first page", runs, seconds=30)
    start = "spawn to initialize, no hub"
    yield Row(start, "ms", {peer: runs[peer].starts[1:] for peer in whole})
    yield Row(start, "CPU ms", {peer: runs[peer].computing[1:] for peer in whole})
    yield Row("first navigate, cold", "ms", {peer: runs[peer].navigations[1:] for peer in whole}, _FIRST)
    yield Row("spawn to first page, cold", "ms", whole, _FIRST)


async def spawn_row(servers: Iterable[Running], turns: Turns) -> Row:
    """Start one more server beside one that runs: ours finds its hub."""
    clocks: dict[str, Clock] = {server.peer.name: opening(server.place.start) for server in servers}
    name = "spawn to initialize, hub runs"
    return Row(name, "ms", await turns.take(name, clocks, seconds=25), _SPAWN)


class _Cold:
    """A whole start, and its two halves."""

    def __init__(self, peer: Peer, url: str) -> None:
        self._peer = peer
        self._url = url
        self.starts: list[float] = []
        self.computing: list[float] = []
        self.navigations: list[float] = []

    async def __call__(self) -> float:
        async with Place.open(self._peer) as place:
            begin = perf_counter()
            async with place.start() as client:
                self.starts.append(perf_counter() - begin)
                self.computing.append(place.cpu())
                begin = perf_counter()
                await client.call(self._peer.navigate.filled(url=self._url))
                self.navigations.append(perf_counter() - begin)
        return self.starts[-1] + self.navigations[-1]
