"""Starting a server: up to the end of the handshake, and on to a first page."""

from collections.abc import AsyncIterator, Iterable
from time import perf_counter

from bench.mcp.peer import Peer
from bench.mcp.rows import Row, aim
from bench.mcp.running_server import RunningServer
from bench.mcp.turns import Turns
from bench.mcp.workspace import Workspace
from bench.measure import Clock, time_opening

# The budget of 0.7 is for everything up to the first page; it applies to the navigation alone too.
_FIRST = aim(playwright=0.7)
_SPAWN = aim(0.120, playwright=0.25)


async def cold_rows(peers: Iterable[Peer], url: str, turns: Turns) -> AsyncIterator[Row]:
    """Start each server while nothing of it runs, and open a page: hub and browser must start too."""
    runs = {peer.name: _Cold(peer, url) for peer in peers}
    whole = await turns.take("spawn to first page", runs, seconds=30)
    start = "spawn to initialize, no hub"
    yield Row(start, "ms", {peer: runs[peer].starts[1:] for peer in whole})
    yield Row(start, "CPU ms", {peer: runs[peer].computing[1:] for peer in whole})
    yield Row("first navigate, cold", "ms", {peer: runs[peer].navigations[1:] for peer in whole}, _FIRST)
    yield Row("spawn to first page, cold", "ms", whole, _FIRST)


async def spawn_row(servers: Iterable[RunningServer], turns: Turns) -> Row:
    """Start one more server while one runs: ours connects to the running hub."""
    clocks: dict[str, Clock] = {server.peer.name: time_opening(server.workspace.start) for server in servers}
    name = "spawn to initialize, hub runs"
    return Row(name, "ms", await turns.take(name, clocks, seconds=25), _SPAWN)


class _Cold:
    """Times a cold start, and its two halves."""

    def __init__(self, peer: Peer, url: str) -> None:
        self._peer = peer
        self._url = url
        self.starts: list[float] = []
        self.computing: list[float] = []
        self.navigations: list[float] = []

    async def __call__(self) -> float:
        async with Workspace.open(self._peer) as workspace:
            begin = perf_counter()
            async with workspace.start() as client:
                self.starts.append(perf_counter() - begin)
                self.computing.append(workspace.cpu())
                begin = perf_counter()
                await client.call(self._peer.navigate.fill_in(url=self._url))
                self.navigations.append(perf_counter() - begin)
        return self.starts[-1] + self.navigations[-1]
