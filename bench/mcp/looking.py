"""Snapshots of several pages: as a server answers unasked, and the page to its end."""

from collections.abc import AsyncIterator, Sequence
from time import perf_counter

from bench.mcp.client import Use
from bench.mcp.rows import Aim, Row, aim
from bench.mcp.running import Running, tokens
from bench.mcp.turns import Turns
from bench.pages import END

_TIME, _TOKENS = aim(each=0.25), aim(each=0.5)
_SIZES = (100, 500, 2_000, 10_000)
# A table of 2,000 rows must not flood the reader.
_MOST: dict[str, tuple[float, float]] = {"table": (1.0, 1_000)}


async def growth_rows(servers: Sequence[Running], site: str, turns: Turns) -> AsyncIterator[Row]:
    """Take snapshots, as each server answers unasked, of larger and larger pages of the same content."""
    for size in _SIZES:
        looks = {
            server.peer.name: _Looks(server, server.peer.snapshot, f"{site}/grow/{size}")
            for server in servers
        }
        page = f"{size} elements"
        times = await turns.take(page, looks, seconds=12)
        yield Row(f"snapshot, {page}", "ms", times)
        yield Row(f"snapshot, {page}", "tokens", {peer: looks[peer].tokens for peer in times})


async def snapshot_rows(servers: Sequence[Running], page: str, url: str, turns: Turns) -> AsyncIterator[Row]:
    """Measure both kinds on one page, in the same turns; a server with one kind only goes once for both."""
    unasked = {server.peer.name: _Looks(server, server.peer.snapshot, url) for server in servers}
    whole = {
        server.peer.name: _Looks(server, server.peer.whole, url)
        if server.peer.whole != server.peer.snapshot
        else unasked[server.peer.name]
        for server in servers
    }
    looks = {look.name: look for look in (*unasked.values(), *whole.values())}
    times = await turns.take(page, looks, seconds=12)
    seconds, most = _MOST.get(page, (None, None))
    for kind, chosen, limits in (("snapshot", unasked, (seconds, most)), ("whole", whole, (None, None))):
        answered = {peer: look for peer, look in chosen.items() if look.name in times}
        by_time = {peer: times[look.name] for peer, look in answered.items()}
        by_size = {peer: look.tokens for peer, look in answered.items()}
        yield Row(f"{kind}, {page}", "ms", by_time, Aim(limits[0], _TIME.parts))
        yield Row(f"{kind}, {page}", "tokens", by_size, Aim(limits[1], _TOKENS.parts))
    for peer, look in whole.items():
        if look.tokens and not look.complete:
            turns.failures[f"{peer}: whole, {page}"] = "does not reach the page's end, not comparable"


class _Looks:
    """Takes snapshots of a page, which its first turn opens."""

    def __init__(self, server: Running, use: Use, url: str) -> None:
        self._server = server
        self._use = use
        self._url = url
        self._there = False
        self.name = f"{server.peer.name} {use.arguments}"
        self.tokens: list[float] = []
        self.complete = False

    async def __call__(self) -> float:
        if not self._there:
            await self._server.go(self._url)
            self._there = True
        begin = perf_counter()
        said = await self._server.call(self._use)
        taken = perf_counter() - begin
        self.tokens.append(tokens(said))
        self.complete = END in said
        return taken
