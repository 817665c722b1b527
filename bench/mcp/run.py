"""The MCP part of the benchmark: which servers take part, and what is measured in which order."""

import json
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from bench.mcp.actions import action_rows, step_rows
from bench.mcp.booking import booking_rows
from bench.mcp.client import ServerFailed, tool_call
from bench.mcp.hung_page import hang_rows
from bench.mcp.peer import Peer
from bench.mcp.peers import OURS, all_peers
from bench.mcp.report import Report
from bench.mcp.rows import Row, aim
from bench.mcp.running_server import RunningServer, tokens
from bench.mcp.snapshots import growth_rows, snapshot_rows
from bench.mcp.startup import cold_rows, spawn_row
from bench.mcp.turns import Turns
from bench.mcp.workspace import Workspace
from bench.progress import report_progress
from bench.server import serve_pages
from tabwright.browser.process.launch import LaunchOptions, choose_executable

PAGES = ("article", "form", "products", "table", "frames")
_SESSIONS = 10
_MEGA = 1_000_000


async def run(pages: Sequence[str], rounds: int, modules: Path) -> Report:
    """Measure everything, the servers in turns."""
    load = os.getloadavg()[0]
    browser, turns = choose_executable(LaunchOptions()), Turns(rounds)
    peers = _installed_peers(browser, modules, turns)
    with serve_pages() as site:
        rows = await _measure(peers, site, pages, turns)
    versions = {peer.name: peer.version for peer in peers}
    return Report(str(browser), versions, rows, turns.failures, rounds, (load, os.getloadavg()[0]))


def _installed_peers(browser: Path, modules: Path, turns: Turns) -> list[Peer]:
    peers = []
    for found in all_peers(browser, modules):
        if isinstance(found, Peer):
            peers.append(found)
        else:
            turns.failures[found[0]] = str(found[1])
    return peers


async def _measure(peers: list[Peer], site: str, pages: Sequence[str], turns: Turns) -> list[Row]:
    form_page = f"{site}/form"
    report_progress("mcp, cold starts")
    rows = [row async for row in cold_rows(peers, form_page, turns)]
    async with AsyncExitStack() as stack:
        servers = [server for peer in peers async for server in _start(stack, peer, form_page, turns)]
        rows += [await _tool_row(servers), _memory_row("first page", servers)]
        report_progress("mcp, starts and actions")
        rows.append(await spawn_row(servers, turns))
        rows += [row async for row in action_rows(servers, form_page, turns)]
        rows += [row async for row in step_rows(servers, f"{site}/basket", turns)]
        report_progress("mcp, a whole task")
        rows += [row async for row in booking_rows(servers, f"{site}/booking", turns)]
        for page in pages:
            report_progress(f"mcp, {page}")
            rows += [row async for row in snapshot_rows(servers, page, f"{site}/{page}", turns)]
        report_progress("mcp, growth")
        rows += [row async for row in growth_rows(servers, site, turns)]
        rows.append(_memory_row("at the end", servers))
    report_progress("mcp, sessions and a page that hangs")
    return [
        *rows,
        *await _session_rows(peers[0], f"{site}/article"),
        *await hang_rows(peers[0], site, turns.rounds),
    ]


async def _start(stack: AsyncExitStack, peer: Peer, url: str, turns: Turns) -> AsyncIterator[RunningServer]:
    """Start a server that keeps running, and open a page; yield nothing if that fails."""
    try:
        workspace = await stack.enter_async_context(Workspace.open(peer))
        server = RunningServer(workspace, await stack.enter_async_context(workspace.start()))
        await server.go(url)
    except ServerFailed as failure:
        turns.failures[peer.name] = str(failure)
    else:
        yield server


async def _tool_row(servers: Sequence[RunningServer]) -> Row:
    sizes = {}
    for server in servers:
        listed = await server.client.request("tools/list")
        sizes[server.peer.name] = [tokens(json.dumps(listed["tools"], separators=(",", ":")))]
    return Row("tools/list", "tokens", sizes, aim(1_500))


def _memory_row(when: str, servers: Sequence[RunningServer]) -> Row:
    return Row(when, "MB", {server.peer.name: [float(server.workspace.memory())] for server in servers})


async def _session_rows(ours: Peer, url: str) -> list[Row]:
    """Open several sessions in a new hub; other servers have one session each."""
    memory = []
    async with Workspace.open(ours) as workspace, workspace.start() as client:
        for number in range(_SESSIONS):
            await client.call(tool_call("browser_navigate", url=url, sessionId=f"bench-{number}"))
            await client.call(tool_call("browser_snapshot", sessionId=f"bench-{number}"))
            memory.append(workspace.memory())
    growth = max(0, memory[-1] - memory[0]) / (_SESSIONS - 1)
    return [
        Row(f"{_SESSIONS} sessions", "MB", {OURS: [float(memory[-1])]}, aim(120 * _MEGA)),
        Row("each session more", "MB", {OURS: [growth]}, aim(1 * _MEGA)),
    ]
