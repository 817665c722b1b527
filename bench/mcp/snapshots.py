"""Snapshots of several pages: with the server's default arguments, and of the whole page."""

from collections.abc import AsyncIterator, Sequence
from time import perf_counter

from bench.mcp.client import ToolCall
from bench.mcp.rows import Aim, Row, aim
from bench.mcp.running_server import RunningServer, tokens
from bench.mcp.turns import Turns
from bench.pages import END

_TIME, _TOKENS = aim(each=0.25), aim(each=0.5)
_SIZES = (100, 500, 2_000, 10_000)
# Seconds and tokens: a table of 2,000 rows must not flood the agent.
_LIMITS: dict[str, tuple[float, float]] = {"table": (1.0, 1_000)}


async def growth_rows(servers: Sequence[RunningServer], site: str, turns: Turns) -> AsyncIterator[Row]:
    """Take default snapshots of larger and larger pages of the same content."""
    for size in _SIZES:
        snapshots = {
            server.peer.name: _Snapshots(server, server.peer.snapshot, f"{site}/grow/{size}")
            for server in servers
        }
        page = f"{size} elements"
        times = await turns.take(page, snapshots, seconds=12)
        yield Row(f"snapshot, {page}", "ms", times)
        yield Row(f"snapshot, {page}", "tokens", {peer: snapshots[peer].tokens for peer in times})


async def snapshot_rows(
    servers: Sequence[RunningServer], page: str, url: str, turns: Turns
) -> AsyncIterator[Row]:
    """Measure both kinds on one page, in the same turns; a server with one kind is measured once for both."""
    default = {server.peer.name: _Snapshots(server, server.peer.snapshot, url) for server in servers}
    whole = {
        server.peer.name: _Snapshots(server, server.peer.whole, url)
        if server.peer.whole != server.peer.snapshot
        else default[server.peer.name]
        for server in servers
    }
    by_name = {one.name: one for one in (*default.values(), *whole.values())}
    times = await turns.take(page, by_name, seconds=12)
    seconds, most = _LIMITS.get(page, (None, None))
    for kind, chosen, limits in (("snapshot", default, (seconds, most)), ("whole", whole, (None, None))):
        answered = {peer: one for peer, one in chosen.items() if one.name in times}
        by_time = {peer: times[one.name] for peer, one in answered.items()}
        by_size = {peer: one.tokens for peer, one in answered.items()}
        yield Row(f"{kind}, {page}", "ms", by_time, Aim(limits[0], _TIME.parts))
        yield Row(f"{kind}, {page}", "tokens", by_size, Aim(limits[1], _TOKENS.parts))
    for peer, one in whole.items():
        if one.tokens and not one.complete:
            turns.failures[f"{peer}: whole, {page}"] = "does not reach the page's end, not comparable"


class _Snapshots:
    """Takes snapshots of a page, which the first turn opens."""

    def __init__(self, server: RunningServer, tool_call: ToolCall, url: str) -> None:
        self._server = server
        self._use = tool_call
        self._url = url
        self._opened = False
        self.name = f"{server.peer.name} {tool_call.arguments}"
        self.tokens: list[float] = []
        self.complete = False

    async def __call__(self) -> float:
        if not self._opened:
            await self._server.go(self._url)
            self._opened = True
        begin = perf_counter()
        text = await self._server.call(self._use)
        taken = perf_counter() - begin
        self.tokens.append(tokens(text))
        self.complete = END in text
        return taken
