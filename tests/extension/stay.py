"""A Chrome that nobody touches for longer than Chrome lets an idle worker live, and that is then started again."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio

from tabwright.doors.extension import ExtensionDoor
from tabwright.policy.pairing import Chromes
from tests.extension.hub import Recorder
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
        recorder = Recorder()
        door = ExtensionDoor(Chromes(self.folder / "chromes.json"), recorder)
        async with door.open("any"):
            async with at_their_chrome(profile=self.folder / "profile") as person:
                await person.pairs_with(door)
                link = await recorder.link()
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
            async with at_their_chrome(profile=self.folder / "profile") as person:
                again = await recorder.link()
                self.seen["after"] = (await again.heard("connected"))["tabs"]
                await person.desk.until("document.querySelector('#sites').innerText.includes('bank.example')")


WORKER = f"{ORIGIN}/background.js"
