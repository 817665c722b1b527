"""Chromes that are left alone for longer than Chrome keeps an idle worker: what happens to worker and link."""

import json
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio

from tabwright.doors.extension.files import SHIPPED
from tests.extension.hub import Hub
from tests.extension.linked import hub_at
from tests.extension.person import ORIGIN, Person, at_their_chrome

# Chrome stops a worker after 30 seconds without an event.
SECONDS = 35
# Longer than anything but the alarm takes to start a worker; it is due twice a minute.
ALARM = 8

WORKER = f"{ORIGIN}/worker/background.js"


@dataclass
class Stay:
    """What was observed by `run`, in parallel to other tests."""

    folder: Path
    seen: dict[str, Any] = field(default_factory=dict)
    failure: BaseException | None = None
    over: anyio.Event = field(default_factory=anyio.Event)

    async def run(self) -> None:
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(self._linked)
                group.start_soon(self._ended)
        except Exception as error:
            self.failure = error
        finally:
            self.over.set()

    async def _linked(self) -> None:
        """Check that an idle link keeps its worker alive, and that Chrome restarts without its tabs."""
        hub = Hub(self.folder)
        async with hub.door.open("any"):
            async with at_their_chrome(profile=self.folder / "profile") as person:
                await person.pairs_with(hub.door)
                link = await hub.link()
                await person.shares("data:text/html,<title>Shared</title>")
                await person.orders("exclude", site="bank.example")
                await person.desk.run("chrome.alarms.clearAll()")  # it would start a stopped worker
                await person.leaves_the_desk()
                began = await workers(person)
                with anyio.move_on_after(SECONDS):
                    await link.over.wait()
                self.seen["alive"] = not link.over.is_set()
                self.seen["said"] = [message["type"] for message in link.received]
                self.seen["same worker"] = (len(began), await workers(person) == began)
            async with at_their_chrome(self._older(), self.folder / "profile") as person:
                again = await hub.link()
                self.seen["after"] = (await again.heard("connected"))["tabs"]
                await person.desk.until("document.querySelector('#sites').innerText.includes('bank.example')")
                self.seen["outdated"] = await person.desk.until(
                    "document.querySelector('#outdated').innerText"
                )

    async def _ended(self) -> None:
        """Check that a stopped worker restarts by itself with its tabs, and that one without a link stays stopped."""
        (self.folder / "other").mkdir()
        async with hub_at(self.folder / "other") as hub, at_their_chrome() as person:
            await person.pairs_with(hub.door)
            await hub.links.expect(seconds=10)
            await hub.share(person, "data:text/html,<title>Shared</title>")
            await hub.do("connect_browser")
            self.seen["period"] = await person.desk.run(
                "chrome.alarms.get('hub').then(alarm => alarm.periodInMinutes)"
            )
            await person.desk.run(f"chrome.alarms.create('hub', {{when: Date.now() + {ALARM * 1000}}})")
            await person.leaves_the_desk()
            [worker] = await workers(person)
            await person.ends_the_worker()
            await hub.without_chrome()
            self.seen["back"] = (await hub.do("list_tabs")).text
            self.seen["another worker"] = worker not in await workers(person)

            await person.sits_down()
            await person.orders("stop")
            self.seen["alarms"] = await person.desk.run("chrome.alarms.getAll().then(all => all.length)")
            await person.leaves_the_desk()
            left = anyio.current_time()
            with anyio.fail_after(SECONDS + 25):
                await ended(person)
            self.seen["ended by idleness"] = anyio.current_time() - left > SECONDS - 15
            await person.sits_down()
            status = "document.querySelector('#status').textContent"
            self.seen["stopped"] = await person.desk.until(status)

    def _older(self) -> Path:
        """The extension as an earlier version of it."""
        folder = shutil.copytree(SHIPPED, self.folder / "older")
        manifest = json.loads((folder / "manifest.json").read_bytes())
        (folder / "manifest.json").write_text(json.dumps({**manifest, "version": "0.0.1"}))
        return folder


async def workers(person: Person) -> list[str]:
    """The targets of the extension's worker: one while it lives."""
    return [one["targetId"] for one in await person.targets("service_worker") if one["url"] == WORKER]


async def ended(person: Person) -> None:
    """Wait until Chrome has ended the worker by itself."""
    gone = anyio.Event()
    there = await workers(person)

    def destroyed(event: dict[str, Any]) -> None:
        if event["targetId"] in there:
            gone.set()

    person.root.on("Target.targetDestroyed", destroyed)
    await person.root.send("Target.setDiscoverTargets", discover=True)
    if await workers(person):
        await gone.wait()
