"""A Chrome that nobody touches for longer than Chrome lets an idle worker live, and that is then started again."""

import json
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio

from tabwright.doors.unpacked import SHIPPED
from tests.extension.hub import Hub
from tests.extension.person import ORIGIN, at_their_chrome

# Chrome ends a worker after 30 seconds in which nothing happened to it.
SECONDS = 34


@dataclass
class Stay:
    """What was seen; `run` sees to it, beside other tests."""

    folder: Path
    seen: dict[str, Any] = field(default_factory=dict)
    failure: Exception | None = None
    over: anyio.Event = field(default_factory=anyio.Event)

    async def run(self) -> None:
        try:
            await self._see()
        except Exception as error:
            self.failure = error
        finally:
            self.over.set()

    async def _see(self) -> None:
        hub = Hub(self.folder)
        async with hub.door.open("any"):
            async with at_their_chrome(profile=self.folder / "profile") as person:
                await person.pairs_with(hub.door)
                link = await hub.link()
                await person.shares("data:text/html,<title>Shared</title>")
                await person.orders("exclude", site="bank.example")
                # A page of the extension would keep its worker awake.
                await person.desk.run("location.replace('about:blank')")
                with anyio.move_on_after(SECONDS):
                    await link.over.wait()
                self.seen["alive"] = not link.over.is_set()
                self.seen["said"] = [message["type"] for message in link.said]
                workers = await person.targets("service_worker")
                self.seen["workers"] = [worker["url"] for worker in workers]
            async with at_their_chrome(self._older(), self.folder / "profile") as person:
                again = await hub.link()
                self.seen["after"] = (await again.heard("connected"))["tabs"]
                await person.desk.until("document.querySelector('#sites').innerText.includes('bank.example')")
                self.seen["outdated"] = await person.desk.until(
                    "document.querySelector('#outdated').innerText"
                )

    def _older(self) -> Path:
        """The extension as an earlier version of it."""
        folder = shutil.copytree(SHIPPED, self.folder / "older")
        manifest = json.loads((folder / "manifest.json").read_bytes())
        (folder / "manifest.json").write_text(json.dumps({**manifest, "version": "0.0.1"}))
        return folder


WORKER = f"{ORIGIN}/background.js"
