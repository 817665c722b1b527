"""Chrome is restarted: restored tabs that were shared are shared again, and no others."""

from pathlib import Path

import pytest

from tabwright.errors import BrowserGone, NotFound, Stale
from tests.extension.hub import Hub, Json
from tests.extension.linked import run_hub
from tests.extension.restarting import Chrome
from tests.extension.test_survives import pending_calls
from tests.web import Web

PAGE = "<title>Shared</title><button onclick='document.title += 1'>Add</button>"


@pytest.fixture
def chrome(tmp_path: Path) -> Chrome:
    return Chrome(tmp_path / "profile")


async def test_an_agent_continues_in_its_tabs_after_a_restart_or_crash(
    chrome: Chrome, tmp_path: Path, web: Web
) -> None:
    shared, made, own = web.page(PAGE), web.page("<title>Made</title>"), web.page("<title>Own</title>")
    async with run_hub(tmp_path) as hub:
        async with chrome.run(restore=False) as person:
            await person.pair_with(hub.door)
            await person.open_tab(own)
            await hub.share(person, shared)
            await hub.do("connect_browser")
            await hub.do("new_tab", url=made)
            await hub.do("switch_tab", id="t1")
            assert (await hub.do("snapshot")).text.endswith('- @e1: button "Add"')
        await hub.wait_until_unlinked()

        note = "The user's Chrome was restarted and is back: 2 tabs."
        async with chrome.run() as person:
            back = await hub.do("list_tabs")
            assert back.text == f"{note}\nt1 (current): {shared}\nt2: {made}"
            with pytest.raises(Stale):
                await hub.do("click", target="@e1")
            assert (await hub.do("snapshot")).text.endswith('- @e2: button "Add"')
            await hub.do("click", target="@e2")
            assert (await hub.do("get_page")).text == f'{shared} "Shared1"'
            groups = "chrome.tabGroups.query({}).then(all => all.map(group => group.title))"
            assert await person.desk.run(groups) == ["Tabwright"]
            assert await person.desk.run("chrome.action.getBadgeText({})") == "2"
            async with pending_calls(hub, "wait_for") as failures:
                await chrome.crash(shared, made, own)
        [lost] = failures
        assert str(lost) == (
            "The connection to the user's Chrome was interrupted (the WebSocket closed (without a close frame)); "
            "what the call had begun may have happened. "
            "Call again: the session goes on in its tabs as soon as that Chrome is back."
        )
        await hub.wait_until_unlinked()

        async with chrome.run():
            back = await hub.do("snapshot")
            assert back.text.startswith(note)
            assert back.text.endswith('- @e3: button "Add"')
            assert (await hub.do("list_tabs")).text == f"t1 (current): {shared}\nt2: {made}"
        await hub.wait_until_unlinked()

        async with chrome.run(restore=False):
            with pytest.raises(NotFound):
                await hub.do("switch_tab", id="t1")


async def test_a_call_during_sleep_fails_and_the_next_continues(
    chrome: Chrome, tmp_path: Path, web: Web
) -> None:
    url = web.page(PAGE)
    async with (
        run_hub(tmp_path, heartbeat=0.2, silence_limit=5, reconnect_time=30) as hub,
        chrome.run(restore=False) as person,
    ):
        await person.pair_with(hub.door)
        await hub.share(person, url)
        await hub.do("connect_browser")
        await hub.do("snapshot")
        await hub.do("click", target="@e1")
        async with pending_calls(hub, "wait_for") as failures:
            chrome.suspend()
        [lost] = failures
        assert isinstance(lost, BrowserGone)
        assert lost.message == (
            "The connection to the user's Chrome was interrupted (it sent nothing for 5 s); "
            "what the call had begun may have happened."
        )
        chrome.resume()
        note = "The connection to the user's Chrome was interrupted and is back: 1 tab."
        assert (await hub.do("get_page")).text == f'{note}\n{url} "Shared1"'


async def test_a_session_gets_its_tabs_back_after_chrome_and_hub_restart(
    chrome: Chrome, tmp_path: Path, web: Web
) -> None:
    shared, made = web.page(PAGE), web.page("<title>Made</title>")
    async with chrome.run(restore=False) as person, run_hub(tmp_path) as hub:
        port = await hub.door.listen()
        await person.pair_with(hub.door)
        await hub.share(person, shared)
        await hub.do("connect_browser", session="work")
        await hub.do("new_tab", url=made, session="work")
        await person.desk.run(
            f"chrome.tabs.query({{url: '{made}'}}).then(([tab]) => chrome.tabs.move(tab.id, {{index: 0}}))"
        )
    async with run_hub(tmp_path, port=port) as hub, chrome.run():
        await hub.links.expect(seconds=10)
        connected = await hub.do("connect_browser", session="work")
        assert connected.result.model_dump()["tabs"] == 2
        assert (await hub.do("connect_browser", session="other")).result.model_dump()["tabs"] == 0
        tabs = await hub.do("list_tabs", session="work")
        assert tabs.text.splitlines() == [f"t1: {shared}", f"t2 (current): {made}"]


async def test_only_tabs_that_are_surely_the_shared_ones_come_back(
    chrome: Chrome, tmp_path: Path, web: Web
) -> None:
    alone, twin, taken, closed = (web.page(f"<title>{name}</title>") for name in "ATBC")
    excluded = web.other_site + taken.removeprefix(web.url)
    hub = Hub(tmp_path)
    async with hub.door.open("any"):
        async with chrome.run(restore=False) as person:
            await person.pair_with(hub.door)
            await person.open_tab(twin)
            first = await person.share_tab(alone)
            second = await person.share_tab(twin)
            await person.share_tab(excluded)
            await person.send_order("exclude", site="localhost")
            await person.send_order("unshare", tabId=await person.share_tab(taken))
            link = await hub.link()
            window = await person.desk.run(
                f"chrome.windows.create({{tabId: {await person.share_tab(closed)}}}).then(made => made.id)"
            )
            await person.desk.run(f"chrome.windows.remove({window})")
            assert (await link.receive("tabClosed", reason="window"))["tabId"]
            await person.stop_worker()  # the next worker sees that Chrome was not restarted
            await person.open_tab(closed)
            await hub.link()

        async with chrome.run() as person:
            link = await hub.link()
            tabs = (await link.receive("connected"))["tabs"]
            # Chrome may restore tabs slowly; the hub is connected before the last one is back.
            while len(tabs) < 2:
                tabs.append((await link.receive("tabCreated"))["tab"])
            assert [(tab["id"], tab["url"]) for tab in tabs] == [(first, alone), (second, twin)]
            await link.call("callTool", tabId=second, toolName="attach", args={"holder": "agent"})
            used = "all.filter(tab => tab.url === '" + twin + "').map(tab => tab.groupId !== -1)"
            await person.desk.until(f"chrome.tabs.query({{}}).then(all => {used}.some(Boolean))")
            assert await person.desk.run(f"chrome.tabs.query({{}}).then(all => {used})") == [False, True]


async def test_nothing_comes_back_after_stop_or_if_the_user_opted_out(
    chrome: Chrome, tmp_path: Path, web: Web
) -> None:
    stopped, wanted = web.page("<title>Stopped</title>"), web.page("<title>Wanted</title>")
    hub = Hub(tmp_path)

    async def tabs() -> list[Json]:
        reported: list[Json] = (await (await hub.link()).receive("connected"))["tabs"]
        return reported

    async with hub.door.open("any"):
        async with chrome.run(restore=False) as person:
            await person.pair_with(hub.door)
            assert await tabs() == []
            await person.share_tab(stopped)
            await person.send_order("stop")
            await person.send_order("start")
            assert await tabs() == []
            await person.share_tab(wanted)
        async with chrome.run() as person:
            assert [tab["url"] for tab in await tabs()] == [wanted]
            assert await person.desk.run("shareAgain.checked")
            await person.desk.run("shareAgain.click()")
            await person.desk.until(
                "chrome.storage.local.get('shareAgain').then(stored => stored.shareAgain === false)"
            )
        async with chrome.run() as person:
            assert await tabs() == []
            await person.desk.until(
                "!shareAgain.checked && document.querySelector('#none').checkVisibility()"
            )
            await person.send_order("stop")
        async with chrome.run() as person:
            status = "document.querySelector('#status').dataset.status"
            assert await person.desk.until(status) == "stopped"
            assert await person.desk.run("chrome.action.getBadgeText({})") == "off"
            assert await person.desk.run("chrome.alarms.getAll()") == []
            await person.send_order("start")
            assert await tabs() == []


async def test_a_starting_chrome_reconnects_with_the_tab_that_was_active(
    chrome: Chrome, tmp_path: Path, web: Web
) -> None:
    front = web.page("<title>Front</title>")
    hub = Hub(tmp_path)
    async with hub.door.open("any"):
        async with chrome.run(restore=False) as person:
            await person.pair_with(hub.door)
            tab = await person.share_tab(front, active=True)
            await person.close_desk()
            await hub.link()
        async with chrome.run(desk=False):
            link = await hub.link()
            [reported] = (await link.receive("connected"))["tabs"]
            assert (reported["id"], reported["url"], reported["active"]) == (tab, front, True)


async def test_of_twins_in_several_windows_only_a_unique_position_comes_back(
    chrome: Chrome, tmp_path: Path, web: Web
) -> None:
    apart, alike = web.page("<title>Apart</title>"), web.page("<title>Alike</title>")
    hub = Hub(tmp_path)
    async with hub.door.open("any"):
        async with chrome.run(restore=False) as person:
            await person.pair_with(hub.door)
            link = await hub.link()
            await person.open_tab(apart)
            index = await person.desk.run(
                f"chrome.tabs.get({await person.open_tab(alike)}).then(tab => tab.index)"
            )
            urls = [*(web.page("<p>other") for _ in range(index)), alike, apart]
            script = f"chrome.windows.create({{url: {urls}}}).then(made => made.tabs.map(tab => tab.id))"
            same_index, other_index = (await person.desk.run(script))[index:]
            await person.desk.until("chrome.tabs.query({status: 'loading'}).then(tabs => !tabs.length)")
            for tab in (other_index, same_index):
                await person.send_order("share", tabId=tab)
            await link.receive("tabCreated")
        async with chrome.run():
            link = await hub.link()
            tabs = (await link.receive("connected"))["tabs"]
            assert [(tab["id"], tab["url"]) for tab in tabs] == [(other_index, apart)]
