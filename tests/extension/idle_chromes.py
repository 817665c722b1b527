"""Chromes that are idle for longer than Chrome keeps an idle worker: what happens to the worker and the link."""

import json
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio

from tabwright.doors.extension.files import SHIPPED
from tests.extension.hub import Hub
from tests.extension.linked import run_hub
from tests.extension.person import ORIGIN, Person, launch_user_chrome

# Chrome stops a worker after 30 seconds without an event.
IDLE_SECONDS = 35
# Only the alarm takes this long to start a worker; normally it fires twice a minute.
ALARM_SECONDS = 8

WORKER = f"{ORIGIN}/worker/background.js"


@dataclass
class IdleChromes:
    """What `run` observed in them, in parallel to other tests."""

    folder: Path
    seen: dict[str, Any] = field(default_factory=dict)
    failure: BaseException | None = None
    done: anyio.Event = field(default_factory=anyio.Event)

    async def run(self) -> None:
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(self._observe_linked_worker)
                group.start_soon(self._observe_stopped_worker)
        except Exception as error:
            self.failure = error
        finally:
            self.done.set()

    async def _observe_linked_worker(self) -> None:
        """Check that an idle link keeps its worker alive, and that Chrome restarts without its tabs."""
        hub = Hub(self.folder)
        async with hub.door.open("any"):
            async with launch_user_chrome(profile=self.folder / "profile") as person:
                await person.pair_with(hub.door)
                link = await hub.link()
                await person.share_tab("data:text/html,<title>Shared</title>")
                await person.send_order("exclude", site="bank.example")
                await person.desk.run("chrome.alarms.clearAll()")  # it would start a stopped worker
                await person.close_desk()
                first = await workers(person)
                with anyio.move_on_after(IDLE_SECONDS):
                    await link.closed.wait()
                self.seen["alive"] = not link.closed.is_set()
                self.seen["messages"] = [message["type"] for message in link.received]
                self.seen["same worker"] = (len(first), await workers(person) == first)
            async with launch_user_chrome(self._older_extension(), self.folder / "profile") as person:
                again = await hub.link()
                self.seen["after"] = (await again.receive("connected"))["tabs"]
                await person.desk.until("document.querySelector('#sites').innerText.includes('bank.example')")
                self.seen["outdated"] = await person.desk.until(
                    "document.querySelector('#outdated').innerText"
                )

    async def _observe_stopped_worker(self) -> None:
        """Check that a stopped worker restarts by itself with its tabs, and that one without a link stays stopped."""
        (self.folder / "other").mkdir()
        async with run_hub(self.folder / "other") as hub, launch_user_chrome() as person:
            await person.pair_with(hub.door)
            await hub.links.expect(seconds=10)
            await hub.share(person, "data:text/html,<title>Shared</title>")
            await hub.do("connect_browser")
            self.seen["period"] = await person.desk.run(
                "chrome.alarms.get('hub').then(alarm => alarm.periodInMinutes)"
            )
            await person.desk.run(
                f"chrome.alarms.create('hub', {{when: Date.now() + {ALARM_SECONDS * 1000}}})"
            )
            await person.close_desk()
            [worker] = await workers(person)
            await person.stop_worker()
            await hub.wait_until_unlinked()
            self.seen["back"] = (await hub.do("list_tabs")).text
            self.seen["another worker"] = worker not in await workers(person)

            await person.open_desk()
            await person.send_order("stop")
            self.seen["alarms"] = await person.desk.run("chrome.alarms.getAll().then(all => all.length)")
            await person.close_desk()
            idle_since = anyio.current_time()
            with anyio.fail_after(IDLE_SECONDS + 25):
                await wait_for_worker_exit(person)
            self.seen["ended by idleness"] = anyio.current_time() - idle_since > IDLE_SECONDS - 15
            await person.open_desk()
            status = "document.querySelector('#status').textContent"
            self.seen["stopped"] = await person.desk.until(status)

    def _older_extension(self) -> Path:
        """Return the folder of the extension with an earlier version number."""
        folder = shutil.copytree(SHIPPED, self.folder / "older")
        manifest = json.loads((folder / "manifest.json").read_bytes())
        (folder / "manifest.json").write_text(json.dumps({**manifest, "version": "0.0.1"}))
        return folder


async def workers(person: Person) -> list[str]:
    """Return the targets of the extension's worker: one while it runs."""
    return [one["targetId"] for one in await person.targets("service_worker") if one["url"] == WORKER]


async def wait_for_worker_exit(person: Person) -> None:
    """Wait until Chrome has stopped the worker by itself."""
    gone = anyio.Event()
    before = await workers(person)

    def on_destroyed(event: dict[str, Any]) -> None:
        if event["targetId"] in before:
            gone.set()

    person.root.on("Target.targetDestroyed", on_destroyed)
    await person.root.send("Target.setDiscoverTargets", discover=True)
    if await workers(person):
        await gone.wait()
