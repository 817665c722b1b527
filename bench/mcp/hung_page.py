"""A page that hangs: how long until it can be used again, and whether other tabs get slower.

Only Tabwright is measured: the budget is a limit, not a comparison.
"""

from collections.abc import Sequence
from contextlib import suppress
from time import perf_counter

import anyio

from bench.mcp.client import Client, ServerFailed, tool_call
from bench.mcp.peer import Peer
from bench.mcp.peers import OURS
from bench.mcp.rows import Row, aim
from bench.mcp.workspace import Workspace
from bench.measure import p50
from bench.pages import HANG

_RECOVERED = 3.0
_MAX_SLOWDOWN = 0.1  # seconds that a snapshot in another tab may take longer meanwhile
_SNAPSHOTS_ALONE = 10
_SNAPSHOT = tool_call("browser_snapshot")


async def hang_rows(ours: Peer, site: str, rounds: int) -> Sequence[Row]:
    """Let one client's page hang while another client reads a page in the same browser."""
    recovered: list[float] = []
    meanwhile: list[float] = []
    async with Workspace.open(ours) as workspace, workspace.start() as unlucky, workspace.start() as other:
        await other.call(tool_call("browser_navigate", url=f"{site}/form"))
        alone = [await _read(other) for _ in range(_SNAPSHOTS_ALONE)]
        for _ in range(rounds):
            await unlucky.call(tool_call("browser_navigate", url=f"{site}/hang"))
            button = ours.ref(await unlucky.call(_SNAPSHOT), "button", HANG)
            over = anyio.Event()
            async with anyio.create_task_group() as group:
                group.start_soon(_read_repeatedly, other, over, meanwhile)
                recovered.append(await _recover(unlucky, button))
                over.set()
    limit = round(p50(alone) + _MAX_SLOWDOWN, 3)
    return [
        Row("hung page, until it is read again", "ms", {OURS: recovered}, aim(_RECOVERED)),
        Row(f"another tab meanwhile (alone {1000 * p50(alone):.0f} ms)", "ms", {OURS: meanwhile}, aim(limit)),
    ]


async def _recover(client: Client, button: str) -> float:
    """Click the button that hangs, and read the page again; the click itself may fail."""
    begin = perf_counter()
    with suppress(ServerFailed):
        await client.call(tool_call("browser_click", selector=button))
    await client.call(_SNAPSHOT)
    return perf_counter() - begin


async def _read_repeatedly(client: Client, over: anyio.Event, taken: list[float]) -> None:
    while not over.is_set():
        taken.append(await _read(client))


async def _read(client: Client) -> float:
    begin = perf_counter()
    await client.call(_SNAPSHOT)
    return perf_counter() - begin
