"""A hub that is linked with a user's Chrome, and agents that work in it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio

from tabwright.app import running
from tabwright.browser.user_chrome.links import ExtensionLinks
from tabwright.call import Answer, Call
from tabwright.doors.extension.server import HEARTBEAT, ExtensionDoor
from tabwright.policy.callers.chrome_pairing import PairedChromes
from tabwright.policy.callers.principal import Principal
from tabwright.runner import Runner
from tabwright.settings import SecuritySettings, Settings
from tests.extension.person import Person


@dataclass(frozen=True)
class LinkedHub:
    """A hub linked with the user's Chrome."""

    runner: Runner
    links: ExtensionLinks
    door: ExtensionDoor

    async def do(
        self, action: str, *, session: str | None = None, at: Path | None = None, **args: Any
    ) -> Answer:
        """Run an action as a door would, for a caller with the folder `at`."""
        caller = Principal("local:test", folder=at)
        return await self.runner.run(Call(action=action, args=args, principal=caller, session=session))

    async def share(self, person: Person, url: str) -> int:
        """Let the user open and share a tab; wait until the hub knows it."""
        tab = await person.share_tab(url)
        await self.wait_for_tab(tab)
        return tab

    async def wait_for_tab(self, tab: int) -> None:
        """Wait until the hub knows a shared tab."""
        await self.links.expect(seconds=10)
        with anyio.fail_after(60):
            for link in self.links:
                await link.changed.until(lambda: any(tab in one.ownership.tabs for one in self.links))

    async def wait_until_unlinked(self) -> None:
        """Wait until no Chrome is linked, and every session has noticed."""
        with anyio.fail_after(60):
            while self.links.find() is not None or any(session.alive for session in self.runner.sessions):
                await anyio.lowlevel.checkpoint()


@asynccontextmanager
async def run_hub(
    folder: Path, *, port: int = 0, heartbeat: float = HEARTBEAT, **times: float
) -> AsyncIterator[LinkedHub]:
    """Run a hub that a Chrome can connect to, on that port or any."""
    chromes = PairedChromes(folder / "chromes.json")
    links = ExtensionLinks(chromes.names, **times)
    door = ExtensionDoor(chromes, links, heartbeat=heartbeat)
    settings = Settings(attach="extension", security=SecuritySettings(block_eval=False))
    async with running(settings, None, links) as runner, door.open(port or "any"):
        yield LinkedHub(runner, links, door)


@asynccontextmanager
async def run_linked_hub(
    person: Person, folder: Path, *, port: int = 0, **options: float
) -> AsyncIterator[LinkedHub]:
    """Run a hub that is linked with a user's Chrome: paired now, or earlier on that port."""
    async with run_hub(folder, port=port, **options) as hub:
        if not port:
            await person.pair_with(hub.door)
        await hub.links.expect(seconds=10)
        yield hub
