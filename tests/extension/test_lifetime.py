"""The link survives restarts of its worker and its hub, and keeps its tabs."""

from collections.abc import Callable
from pathlib import Path

import anyio
import pytest

from tests.extension.hub import Hub, Link
from tests.extension.person import Person
from tests.web import Request, Response, Web

# The observation of idle Chromes takes half a minute, so it starts early.
pytestmark = pytest.mark.usefixtures("unattended")


async def test_a_restarted_worker_has_its_tabs_and_attaches_again(hub: Hub, person: Person, web: Web) -> None:
    async with hub.door.open("any"):
        await person.pair_with(hub.door)
        link = await hub.link()
        shared = await person.share_tab(web.page("<title>Shared</title>"))
        made = (await link.call("openTab", url=web.page("<title>Made</title>"), holder="agent"))["tab"]["id"]
        await link.call("callTool", tabId=made, toolName="attach", args={"holder": "agent"})
        await link.cdp(made, "Fetch.enable")
        await person.desk.until("chrome.tabGroups.query({title: 'Tabwright'}).then(all => all.length)")
        await person.stop_worker()
        await link.closed.wait()

        link = await hub.link()
        tabs = (await link.receive("connected"))["tabs"]
        found = [(tab["id"], tab["title"], tab["mine"], tab.get("holder")) for tab in tabs]
        assert found == [(shared, "Shared", "shared", None), (made, "Made", "opened", "agent")]
        # The old worker's interception is gone: a page does not wait for requests that no worker answers.
        await person.desk.run(f"chrome.tabs.reload({made})")
        await person.desk.until(f"chrome.tabs.get({made}).then(tab => tab.status === 'complete')")
        await person.desk.until(f"chrome.tabs.get({made}).then(tab => tab.groupId === -1)")
        assert "not attached" in (await link.cdp(made, "Runtime.evaluate", expression="1"))["error"]
        await link.call("callTool", tabId=made, toolName="attach", args={"holder": "agent"})
        answer = await link.cdp(made, "Runtime.evaluate", expression="document.title")
        assert answer["result"]["result"]["value"] == "Made"


async def test_a_restarted_hub_finds_its_tabs(hub: Hub, person: Person, web: Web) -> None:
    async with hub.door.open("any"):
        await person.pair_with(hub.door)
        link = await hub.link()
        tab = await person.share_tab(web.page("<title>Shared</title>"))
        await link.call("callTool", tabId=tab, toolName="attach", args={"holder": "agent"})
        await link.cdp(tab, "Fetch.enable")
        port = await hub.door.listen()
    await person.desk.until("chrome.action.getBadgeText({}).then(text => text === '!')")
    title = await person.desk.run("chrome.action.getTitle({})")
    assert title == "Tabwright: 1 tab shared, but no hub is connected"
    await person.desk.run(f"chrome.tabs.reload({tab})")
    await person.desk.until(f"chrome.tabs.get({tab}).then(tab => tab.status === 'complete')")
    async with hub.door.open(port):
        link = await hub.link()
        [reported] = (await link.receive("connected"))["tabs"]
        assert (reported["id"], reported["holder"]) == (tab, "agent")


async def test_a_silent_connection_is_closed_and_reopened(person: Person, tmp_path: Path) -> None:
    hub = Hub(tmp_path, heartbeat=1)
    async with hub.door.open("any"):
        await person.pair_with(hub.door)
        link = await hub.link()
        for _ in range(2):
            await link.receive("ping", seconds=3)
        assert not link.closed.is_set()
        link.answers_pings = False
        with anyio.fail_after(60):
            await link.closed.wait()
        again = await hub.link()
        assert (await again.receive("connected"))["tabs"] == []


async def share_discarded_tab(person: Person, web: Web, link: Link) -> tuple[int, Callable[[], None]]:
    """Share a tab, discard its page, and block its reload; return the tab and a function that lets it load."""
    released = anyio.Event()

    async def slow(_: Request) -> Response:
        await released.wait()
        return Response("<title>Slow</title>", headers={"content-type": "text/html"})

    url = web.page("<title>Quick</title>", "/slow")
    tab = await person.share_tab(url)
    web.route("/slow", slow)
    web.requests.clear()
    tab = await person.desk.run(f"chrome.tabs.discard({tab}).then(tab => tab.id)")
    await person.desk.until(f"chrome.tabs.get({tab}).then(tab => tab.status === 'unloaded')")
    while (await link.receive("tabCreated"))["tab"]["id"] != tab:
        pass  # the message of the tab before it was discarded; Chrome has changed its id since
    return tab, released.set


IS_DEBUGGED = (
    "chrome.debugger.getTargets().then(all => all.some(one => one.attached && one.url.includes('/slow')))"
)


async def test_a_tab_is_not_held_for_a_hub_that_left_while_attaching(
    hub: Hub, person: Person, web: Web
) -> None:
    async with hub.door.open("any"):
        await person.pair_with(hub.door)
        link = await hub.link()
        tab, load = await share_discarded_tab(person, web, link)
        link.send(type="callTool", callId="a", tabId=tab, toolName="attach", args={"holder": "agent"})
        await web.wait_for_request("/slow")
        port = await hub.door.listen()
    load()
    await person.desk.until(f"chrome.tabs.get({tab}).then(tab => tab.status === 'complete')")
    async with hub.door.open(port):
        link = await hub.link()
        other = await person.share_tab(web.page("<title>Other</title>"))
        await link.call("callTool", tabId=other, toolName="attach", args={"holder": "agent"})
        assert await person.desk.run(IS_DEBUGGED) is False


async def test_a_tab_released_while_attaching_is_detached(hub: Hub, person: Person, web: Web) -> None:
    async with hub.door.open("any"):
        await person.pair_with(hub.door)
        link = await hub.link()
        tab, load = await share_discarded_tab(person, web, link)
        for number, tool in enumerate(("attach", "detach")):
            args = {"holder": "agent"} if tool == "attach" else {}
            link.send(type="callTool", callId=f"n{number}", tabId=tab, toolName=tool, args=args)
        await web.wait_for_request("/slow")
        load()
        for number in range(2):
            assert "error" not in await link.receive("toolResult", callId=f"n{number}")
        assert await person.desk.run(IS_DEBUGGED) is False
        link.send(type="connect")
        assert "holder" not in (await link.receive("connected"))["tabs"][0]
