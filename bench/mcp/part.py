"""The part of the benchmark that goes through MCP: who takes part, what is measured in which order."""

import json
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from bench.mcp.acting import act_rows, step_rows
from bench.mcp.booking import booking_rows
from bench.mcp.client import ServerFailed, use
from bench.mcp.hanging import hang_rows
from bench.mcp.looking import growth_rows, snapshot_rows
from bench.mcp.peer import Peer
from bench.mcp.peers import OURS, all_peers
from bench.mcp.place import Place
from bench.mcp.report import Report
from bench.mcp.rows import Row, aim
from bench.mcp.running import Running, tokens
from bench.mcp.starting import cold_rows, spawn_row
from bench.mcp.turns import Turns
from bench.server import serving
from bench.stage import say
from tabwright.browser.process.launch import LaunchOptions, choose_executable

PAGES = ("article", "form", "products", "table", "frames")
_SESSIONS = 10
_MEGA = 1_000_000


async def run(pages: Sequence[str], rounds: int, modules: Path) -> Report:
    """Measure everything, each server in its turn."""
    load = os.getloadavg()[0]
    browser, turns = choose_executable(LaunchOptions()), Turns(rounds)
    peers = _present(browser, modules, turns)
    with serving() as site:
        rows = await _measure(peers, site, pages, turns)
    versions = {peer.name: peer.version for peer in peers}
    return Report(str(browser), versions, rows, turns.failures, rounds, (load, os.getloadavg()[0]))


def _present(browser: Path, modules: Path, turns: Turns) -> list[Peer]:
    peers = []
    for found in all_peers(browser, modules):
        if isinstance(found, Peer):
            peers.append(found)
        else:
            turns.failures[found[0]] = str(found[1])
    return peers


async def _measure(peers: list[Peer], site: str, pages: Sequence[str], turns: Turns) -> list[Row]:
    act_page = f"{site}/form"
    say("mcp, cold starts")
    rows = [row async for row in cold_rows(peers, act_page, turns)]
    async with AsyncExitStack() as stack:
        servers = [server for peer in peers async for server in _started(stack, peer, act_page, turns)]
        rows += [await _tool_row(servers), _memory_row("first page", servers)]
        say("mcp, starts and acts")
        rows.append(await spawn_row(servers, turns))
        rows += [row async for row in act_rows(servers, act_page, turns)]
        rows += [row async for row in step_rows(servers, f"{site}/basket", turns)]
        say("mcp, a whole task")
        rows += [row async for row in booking_rows(servers, f"{site}/booking", turns)]
        for page in pages:
            say(f"mcp, {page}")
            rows += [row async for row in snapshot_rows(servers, page, f"{site}/{page}", turns)]
        say("mcp, growth")
        rows += [row async for row in growth_rows(servers, site, turns)]
        rows.append(_memory_row("at the end", servers))
    say("mcp, sessions and a page that hangs")
    return [
        *rows,
        *await _session_rows(peers[0], f"{site}/article"),
        *await hang_rows(peers[0], site, turns.rounds),
    ]


async def _started(stack: AsyncExitStack, peer: Peer, url: str, turns: Turns) -> AsyncIterator[Running]:
    """Start a server that stays, and open a page; nothing when it cannot."""
    try:
        place = await stack.enter_async_context(Place.open(peer))
        server = Running(place, await stack.enter_async_context(place.start()))
        await server.go(url)
    except ServerFailed as failure:
        turns.failures[peer.name] = str(failure)
    else:
        yield server


async def _tool_row(servers: Sequence[Running]) -> Row:
    sizes = {}
    for server in servers:
        listed = await server.client.request("tools/list")
        sizes[server.peer.name] = [tokens(json.dumps(listed["tools"], separators=(",", ":")))]
    return Row("tools/list", "tokens", sizes, aim(1_500))


def _memory_row(when: str, servers: Sequence[Running]) -> Row:
    return Row(when, "MB", {server.peer.name: [float(server.place.memory())] for server in servers})


async def _session_rows(ours: Peer, url: str) -> list[Row]:
    """Open several sessions in a fresh hub of ours; others have one for each server."""
    held = []
    async with Place.open(ours) as place, place.start() as client:
        for number in range(_SESSIONS):
            await client.call(use("browser_navigate", url=url, sessionId=f"bench-{number}"))
            await client.call(use("browser_snapshot", sessionId=f"bench-{number}"))
            held.append(place.memory())
    growth = max(0, held[-1] - held[0]) / (_SESSIONS - 1)
    return [
        Row(f"{_SESSIONS} sessions", "MB", {OURS: [float(held[-1])]}, aim(120 * _MEGA)),
        Row("each session more", "MB", {OURS: [growth]}, aim(1 * _MEGA)),
    ]
