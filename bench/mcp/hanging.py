"""A page that hangs: how long until it can be used again, and what others notice of it.

Ours alone: the budget is a limit, not a comparison.
"""

from collections.abc import Sequence
from contextlib import suppress
from time import perf_counter

import anyio

from bench.mcp.client import Client, ServerFailed, use
from bench.mcp.peer import Peer
from bench.mcp.peers import OURS
from bench.mcp.place import Place
from bench.mcp.rows import Row, aim
from bench.measure import p50
from bench.pages import HANG

_RECOVERED = 3.0
_UNNOTICED = 0.1  # seconds by which reading beside it may take longer than without it
_ALONE = 10
_SNAPSHOT = use("browser_snapshot")


async def hang_rows(ours: Peer, site: str, rounds: int) -> Sequence[Row]:
    """Have one client's page hang while another client reads a page in a tab of the same browser."""
    recovered: list[float] = []
    beside: list[float] = []
    async with Place.open(ours) as place, place.start() as unlucky, place.start() as other:
        await other.call(use("browser_navigate", url=f"{site}/form"))
        alone = [await _read(other) for _ in range(_ALONE)]
        for _ in range(rounds):
            await unlucky.call(use("browser_navigate", url=f"{site}/hang"))
            button = ours.ref(await unlucky.call(_SNAPSHOT), "button", HANG)
            over = anyio.Event()
            async with anyio.create_task_group() as group:
                group.start_soon(_read_on, other, over, beside)
                recovered.append(await _recover(unlucky, button))
                over.set()
    limit = round(p50(alone) + _UNNOTICED, 3)
    return [
        Row("hung page, until it is read again", "ms", {OURS: recovered}, aim(_RECOVERED)),
        Row(f"another tab beside it (alone {1000 * p50(alone):.0f} ms)", "ms", {OURS: beside}, aim(limit)),
    ]


async def _recover(client: Client, button: str) -> float:
    """Click what never ends, and read the page again; the click itself may be told as failed."""
    begin = perf_counter()
    with suppress(ServerFailed):
        await client.call(use("browser_click", selector=button))
    await client.call(_SNAPSHOT)
    return perf_counter() - begin


async def _read_on(client: Client, over: anyio.Event, taken: list[float]) -> None:
    while not over.is_set():
        taken.append(await _read(client))


async def _read(client: Client) -> float:
    begin = perf_counter()
    await client.call(_SNAPSHOT)
    return perf_counter() - begin
