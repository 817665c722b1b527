"""The link outlives its worker and its hub, and keeps the tabs that it had."""

from pathlib import Path

import anyio
import pytest

from tests.extension.hub import Hub
from tests.extension.person import Person
from tests.web import Web

# That one takes half a minute, which may as well begin now.
pytestmark = pytest.mark.usefixtures("unattended")


async def test_a_worker_that_ended_is_back_with_its_tabs_and_takes_them_again(
    hub: Hub, person: Person, web: Web
) -> None:
    async with hub.door.open("any"):
        await person.pairs_with(hub.door)
        link = await hub.link()
        shared = await person.shares(web.page("<title>Shared</title>"))
        made = (await link.does("openTab", url=web.page("<title>Made</title>"), holder="agent"))["tab"]["id"]
        await link.does("callTool", tabId=made, toolName="attach", args={"holder": "agent"})
        await link.cdp(made, "Fetch.enable")
        await person.desk.until("chrome.tabGroups.query({title: 'Tabwright'}).then(all => all.length)")
        await person.ends_the_worker()
        await link.over.wait()

        link = await hub.link()
        tabs = (await link.heard("connected"))["tabs"]
        kept = [(tab["id"], tab["title"], tab["mine"], tab.get("holder")) for tab in tabs]
        assert kept == [(shared, "Shared", "shared", None), (made, "Made", "opened", "agent")]
        # Nothing that the old worker set up is left: a page does not wait for requests that nobody answers.
        await person.desk.run(f"chrome.tabs.reload({made})")
        await person.desk.until(f"chrome.tabs.get({made}).then(tab => tab.status === 'complete')")
        await person.desk.until(f"chrome.tabs.get({made}).then(tab => tab.groupId === -1)")
        assert "not attached" in (await link.cdp(made, "Runtime.evaluate", expression="1"))["error"]
        await link.does("callTool", tabId=made, toolName="attach", args={"holder": "agent"})
        answer = await link.cdp(made, "Runtime.evaluate", expression="document.title")
        assert answer["result"]["result"]["value"] == "Made"


async def test_a_hub_that_is_back_finds_the_tabs_it_had(hub: Hub, person: Person, web: Web) -> None:
    async with hub.door.open("any"):
        await person.pairs_with(hub.door)
        link = await hub.link()
        tab = await person.shares(web.page("<title>Shared</title>"))
        await link.does("callTool", tabId=tab, toolName="attach", args={"holder": "agent"})
        await link.cdp(tab, "Fetch.enable")
        port = await hub.door.listen()
    await person.desk.until("chrome.action.getBadgeText({}).then(text => text === '!')")
    title = await person.desk.run("chrome.action.getTitle({})")
    assert title == "Tabwright: 1 tab shared, but no hub is connected"
    await person.desk.run(f"chrome.tabs.reload({tab})")
    await person.desk.until(f"chrome.tabs.get({tab}).then(tab => tab.status === 'complete')")
    async with hub.door.open(port):
        link = await hub.link()
        [told] = (await link.heard("connected"))["tabs"]
        assert (told["id"], told["holder"]) == (tab, "agent")


async def test_a_link_whose_other_end_sleeps_is_given_up_and_made_again(
    person: Person, tmp_path: Path
) -> None:
    hub = Hub(tmp_path, heartbeat=1)
    async with hub.door.open("any"):
        await person.pairs_with(hub.door)
        link = await hub.link()
        for _ in range(2):
            await link.heard("ping", seconds=3)
        assert not link.over.is_set()
        link.awake = False
        with anyio.fail_after(5):
            await link.over.wait()
        again = await hub.link()
        assert (await again.heard("connected"))["tabs"] == []
