"""A hub without its doors, in this process: faults are injected into it, and what is left is counted."""

import os
import signal
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import anyio

from tabwright.actions import CATALOG
from tabwright.artifacts import Artifacts
from tabwright.browser.browser import Browser
from tabwright.browser.network.gate import Boundary
from tabwright.browser.ownership import Ownership
from tabwright.browser.process.launch import LaunchOptions, launch_process, restrict_to_proxy
from tabwright.browser.supervisor import BrowserSupervisor, Launch
from tabwright.call import Answer, Call
from tabwright.policy.callers.principal import Principal
from tabwright.policy.data.file_access import Files
from tabwright.policy.network.boundary import Boundary as Gates
from tabwright.policy.network.url_rules import UrlRules
from tabwright.runner import Runner
from tabwright.sessions.limits import Limits
from tabwright.sessions.registry import Sessions
from tabwright.sessions.store import Store
from tabwright.settings import SecuritySettings
from tests.fakes.transport import FaultyTransport
from tests.processes import wait_for_group_exit

ANN = "local:ann"


class HubCore:
    """Runs calls as a client does, and counts what they leave."""

    def __init__(self, runner: Runner, supervisor: BrowserSupervisor, folder: Path) -> None:
        self.runner = runner
        self.supervisor = supervisor
        self.folder = folder

    async def do(self, action: str, *, session: str | None = "shop", **args: Any) -> Answer:
        """Run an action."""
        principal = Principal(ANN, folder=self.folder)
        return await self.runner.run(Call(action=action, args=args, principal=principal, session=session))

    async def kill_browser(self) -> None:
        """Kill the browser; return when all its processes have exited."""
        browser = await self.supervisor.browser()
        assert browser.pid is not None
        os.kill(browser.pid, signal.SIGKILL)
        with anyio.fail_after(60):
            await browser.wait_until_gone()
            await wait_for_group_exit(browser.pid)

    async def clear(self) -> None:
        """Close all sessions for good."""
        for session in self.runner.sessions:
            await self.runner.sessions.close(session.owner, session.name)

    async def count_left(self) -> tuple[int, int, int, int]:
        """Count the contexts and tabs that we know, and the contexts and pages that Chrome has."""
        browser = await self.supervisor.browser()
        contexts = await browser.root.send("Target.getBrowserContexts")
        pages = await browser.root.send("Target.getTargets", filter=[{"type": "page"}])
        tabs = sum(len(context.tabs) for context in browser.contexts)
        return len(browser.contexts) - 1, tabs, len(contexts["browserContextIds"]), len(pages["targetInfos"])

    async def wait_until_nothing_left(self) -> None:
        """Return once nothing is left; closing takes a moment."""
        with anyio.fail_after(60):
            while await self.count_left() != (0, 0, 0, 0):
                await anyio.lowlevel.checkpoint()


@asynccontextmanager
async def open_hub_core(
    folder: Path,
    *,
    launch: Launch = Browser.launch,
    deadline: float = 60.0,
    limits: Limits | None = None,
    options: LaunchOptions | None = None,
) -> AsyncIterator[HubCore]:
    """Wire everything that a hub wires, in a folder."""
    rules = UrlRules(SecuritySettings().allowed_url_patterns)
    async with (
        Gates.open(rules) as gates,
        BrowserSupervisor.open(options, gates, launch) as supervisor,
        Sessions.open(supervisor, limits, Store(folder / "sessions.db"), folder / "downloads") as sessions,
    ):
        runner = Runner(CATALOG, sessions, Artifacts(), files=Files(), deadline=deadline)
        yield HubCore(runner, supervisor, folder)


class FaultyLaunch:
    """Launches browsers behind a faulty wire; `wire` is that of the last one."""

    wire: FaultyTransport

    def __call__(
        self, options: LaunchOptions, boundary: Boundary | None
    ) -> AbstractAsyncContextManager[Browser]:
        return self._launched(restrict_to_proxy(options, boundary.closed) if boundary else options, boundary)

    @asynccontextmanager
    async def _launched(self, options: LaunchOptions, boundary: Boundary | None) -> AsyncIterator[Browser]:
        async with launch_process(options) as process:
            self.wire = FaultyTransport(process.transport)
            async with Browser.over(self.wire, headless=True, ownership=Ownership.LAUNCHED) as browser:
                browser.pid, browser.boundary = process.pid, boundary
                await browser.start()
                yield browser
