"""Runs the episodes of one server."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import anyio

from bench.mcp.client import Client, ServerFailed
from bench.mcp.peer import Peer
from bench.mcp.peers import AGENT_BROWSER, OURS, PLAYWRIGHT, all_peers
from bench.mcp.workspace import Workspace
from bench.progress import report_progress
from bench.tasks.oracles import ORACLES
from bench.tasks.page import AGENT_BROWSER_MOVES, OUR_MOVES, PLAYWRIGHT_MOVES, NotSeenError, Page
from tabwright.browser.process.launch import LaunchOptions, choose_executable

SERVERS = {OURS: OUR_MOVES, AGENT_BROWSER: AGENT_BROWSER_MOVES, PLAYWRIGHT: PLAYWRIGHT_MOVES}
_MODULES = Path(__file__).parents[2] / ".stamps/peers/node_modules"
# The clock of a page is for people who practise; the oracle waits for nobody.
_START = (
    "(core.EPISODE_MAX_TIME = 1e6, Math.seedrandom('SEED'), core.startEpisodeReal(),"
    " document.getElementById('query').textContent.replace(/\\\\s+/g, ' ').trim())"
)
_TIMEOUT = 60.0
# An oracle that did not see what it expects fails in one of these ways.
_UNSOLVED = (ArithmeticError, LookupError, RuntimeError, ValueError)


@dataclass(frozen=True)
class Episode:
    """What one episode took, and whether the page rewarded it."""

    server: str
    task: str
    seed: str
    reward: float
    calls: int
    tokens: float
    first: float
    looks_after: int
    failure: str
    log: str

    @property
    def reached(self) -> bool:
        """Whether the page's own reward says that the goal is reached."""
        return self.reward > 0.5

    @property
    def title(self) -> str:
        """Server, task, seed and result on one line."""
        return f"{self.server}, {self.task}, {self.seed}: {self.reward:g} {self.failure}"


async def run_server(name: str, site: str, tasks: Sequence[str], seeds: Sequence[str]) -> list[Episode]:
    """Run all episodes, each on a fresh page."""
    peer = next(
        each
        for each in all_peers(choose_executable(LaunchOptions()), _MODULES)
        if isinstance(each, Peer) and each.name == name
    )
    episodes: list[Episode] = []
    async with Workspace.open(peer) as workspace, workspace.start() as client:
        for task in tasks:
            report_progress(f"{name}, {task}")
            episodes += [await _run_episode(peer, client, site, task, seed) for seed in seeds]
    return episodes


async def _run_episode(peer: Peer, client: Client, site: str, task: str, seed: str) -> Episode:
    page = Page(client, SERVERS[peer.name], peer.evaluate)
    failure, reward = "", 0.0
    try:
        await client.call(peer.navigate.fill_in(url=f"{site}/miniwob/{task}.html"))
        page.goal = await page.know(_START.replace("SEED", seed))
        with anyio.fail_after(_TIMEOUT):
            await ORACLES[task](page)
    except (NotSeenError, ServerFailed, TimeoutError, *_UNSOLVED) as error:
        failure = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
    try:
        reward = float(await page.know("WOB_RAW_REWARD_GLOBAL"))
    except (NotSeenError, ServerFailed) as error:
        failure = failure or str(error)
    log = "\n".join([page.goal, *page.log])
    return Episode(
        peer.name, task, seed, reward, page.calls, page.tokens, page.first, page.looks_after, failure, log
    )
