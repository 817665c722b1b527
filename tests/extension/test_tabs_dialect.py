"""The tabs dialect in the user's own Chrome, joined through the extension, with every edge case."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from anyio.streams.buffered import BufferedByteReceiveStream

from tests.dialects.tabs_client import (
    CONNECTED,
    EMPTY,
    FLIGHTS,
    FOCUSED,
    MAIL,
    NONE,
    TABS,
    TabMemory,
    seated,
    tabs_door,
)
from tests.doors.cli.shell import PROGRAM, Shell
from tests.doors.mcp.agents import hub_of as process_of
from tests.extension.linked import Linked, hub_of
from tests.extension.person import Person
from tests.web import Web


@pytest.fixture
async def hub(person: Person, tmp_path: Path) -> AsyncIterator[Linked]:
    async with hub_of(person, tmp_path) as hub:
        yield hub
        await person.tidies_up()


async def listed(seat: TabMemory) -> list[tuple[str, bool]]:
    """Return the titles of an agent's tabs, and which one has focus."""
    return [(tab["title"], tab["focused"]) for tab in (await seat.do("list_tabs"))["tabs"]]


async def until_listed(seat: TabMemory, expected: list[tuple[str, bool]]) -> None:
    with anyio.fail_after(10):
        while await listed(seat) != expected:
            pass  # what a person does comes a moment later


async def test_connecting_joins_the_linked_chrome_and_leaves_it_unchanged(
    hub: Linked, person: Person, web: Web
) -> None:
    await person.orders("stop")
    await hub.without_chrome()
    mail, empty = web.page(MAIL), web.page(EMPTY)
    async with seated(tabs_door(hub.runner)) as seat:
        answer = await seat.do("connect_browser")
        assert answer.pop("instructions") == (
            "Please open Chrome with the Tabwright extension enabled (`tabwright extension` explains how to load "
            "and pair it), or with remote debugging on (chrome://inspect/#remote-debugging), or call with "
            "launch=true"
        )
        assert (answer, seat.told) == ({"connected": False, "error": "No browser found"}, 0)
        await person.orders("start")
        shared = await hub.share(person, mail)
        connected = await seat.do("connect_browser")
        assert connected["browser"].pop("version").split(".")[0].isdigit()
        assert connected == {"connected": True, "browser": {"name": "Chromium"}, "tabCount": 1}
        assert (seat.told, await seat.offered()) == (1, TABS)
        opened = await seat.do("open_tab", url=empty)
        assert opened == {
            "tab": {"id": 2, "title": "Empty", "url": empty},
            "focused": True,
            "toolsAvailable": [],
        }
        assert await listed(seat) == [("Mail", False), ("Empty", True)]
        focused = await seat.do("focus_tab", tabId=1)
        assert focused["toolsAvailable"] == ["search"]
        assert (seat.told, await seat.offered()) == (3, [*FOCUSED, "search"])
        refused = await seat.failed("open_tab", url="file:///etc/passwd")
        assert refused.startswith("AuthorizationError (-32002): file: URLs are refused.")
    titles = "chrome.tabs.query({}).then(tabs => tabs.slice(1).map(tab => [tab.id, tab.title, tab.groupId]))"
    left = await person.desk.until(f"{titles}.then(tabs => tabs.every(tab => tab[2] === -1) && tabs)")
    assert left[0][0] == shared
    assert [title for _, title, _ in left] == ["Mail", "Empty"]


async def test_what_the_user_does_in_chrome_is_reported_as_documented(
    hub: Linked, person: Person, web: Web
) -> None:
    mail, flights, empty = web.page(MAIL), web.page(FLIGHTS), web.page(EMPTY)
    first = await hub.share(person, mail)
    async with seated(tabs_door(hub.runner)) as seat:
        await seat.do("connect_browser")
        await seat.do("focus_tab", tabId=1)
        seat.agent.notices.clear()

        second = await person.shares(flights)  # the person opens a tab for us: no other list
        await until_listed(seat, [("Mail", True), ("Flights", False)])
        assert seat.told == 0
        await goes(person, first, flights)  # a page navigates, and its tools are others
        await seat.until_told(1)
        assert await seat.offered() == [*FOCUSED, "find_flights"]
        await goes(person, first, f"{flights}?again")  # the same tools
        await until_listed(seat, [("Flights", True), ("Flights", False)])
        for tool, arguments, said in (
            ("focus_tab", {"tabId": 987}, "NotFound (-32010): There is no tab 987; open tabs: 1, 2."),
            ("open_tab", {"url": "no url"}, "InvalidParams (-32602): 'no url' is not a URL."),
        ):
            assert (await seat.failed(tool, **arguments)).startswith(said)
        assert (seat.told, await seat.offered()) == (1, [*FOCUSED, "find_flights"])
        await person.closes(first)  # the person closes the tab in focus
        await seat.until_told(2)
        assert (await seat.offered(), await listed(seat)) == (TABS, [("Flights", False)])

        await seat.do("focus_tab", tabId=2)
        await crashes(person, flights)
        await seat.until_told(4)
        assert (await seat.offered(), await listed(seat)) == (CONNECTED, [])
        await person.closes(second)
        third = await person.shares(empty)
        await seat.until_told(5)
        await seat.do("focus_tab", tabId=3)
        assert await seat.offered() == FOCUSED
        await person.orders("unshare", tabId=third)  # the person takes a tab back
        await seat.until_told(7)
        assert await seat.offered() == CONNECTED
        assert (await seat.failed("focus_tab", tabId=3)).startswith("NotFound (-32010): There is no tab 3")

        await person.orders("stop")  # the extension disconnects
        await seat.until_told(8)
        assert await seat.offered() == NONE
        assert (await seat.failed("list_tabs")).startswith("Blocked (-32012): No browser is connected.")
        assert seat.told == 8


async def test_focus_follows_the_user_if_enabled(hub: Linked, person: Person, web: Web) -> None:
    first, second = [await hub.share(person, web.page(page)) for page in (MAIL, FLIGHTS)]
    for wanted in (True, False):
        async with seated(tabs_door(hub.runner, follow_user=wanted)) as seat:
            await seat.do("connect_browser")
            await seat.do("focus_tab", tabId=1)
            before = seat.told
            await person.desk.run(f"chrome.tabs.update({second}, {{active: true}})")
            if wanted:
                await seat.until_told(before + 1)
            assert await listed(seat) == [("Mail", not wanted), ("Flights", wanted)]
            assert (await seat.offered())[-1] == ("find_flights" if wanted else "search")
            assert seat.told == before + wanted
        await person.desk.run(f"chrome.tabs.update({first}, {{active: true}})")


async def test_a_tab_comes_to_the_front_only_over_another_tab_of_its_agent(
    hub: Linked, person: Person, web: Web
) -> None:
    first, second = [await hub.share(person, web.page(page)) for page in (MAIL, FLIGHTS)]
    in_front = "chrome.tabs.query({active: true}).then(tabs => tabs.map(tab => tab.id))"
    desk = await person.desk.run("chrome.tabs.getCurrent().then(tab => tab.id)")
    await person.desk.run(f"chrome.tabs.update({desk}, {{active: true}})")
    async with seated(tabs_door(hub.runner)) as seat:
        await seat.do("connect_browser")
        await seat.do("focus_tab", tabId=1)
        await seat.do("open_tab", url=web.page(EMPTY))
        assert await person.desk.run(in_front) == [desk]
        await person.desk.run(f"chrome.tabs.update({first}, {{active: true}})")
        await until_active(hub, first)
        await seat.do("focus_tab", tabId=2)
        assert await person.desk.run(in_front) == [second]


async def until_active(hub: Linked, tab: int) -> None:
    """Wait until the hub knows that a tab is active."""
    [link] = hub.links
    with anyio.fail_after(10):
        await link.changed.until(lambda: link.ownership.tabs[tab].active)


async def test_two_agents_have_separate_tabs_and_new_ones_go_to_the_last_active(
    hub: Linked, person: Person, web: Web
) -> None:
    await hub.share(person, web.page(MAIL))
    async with seated(tabs_door(hub.runner), "one") as one, seated(tabs_door(hub.runner), "two") as two:
        await one.do("connect_browser")
        assert (await two.do("connect_browser"))["tabCount"] == 0
        await two.do("open_tab", url=web.page(EMPTY))
        assert (await listed(one), await listed(two)) == ([("Mail", False)], [("Empty", True)])
        await person.shares(web.page(FLIGHTS))
        await until_listed(two, [("Empty", True), ("Flights", False)])
        assert await listed(one) == [("Mail", False)]
    async with seated(tabs_door(hub.runner), "three") as three:
        assert (await three.do("connect_browser"))["tabCount"] == 3


async def test_a_client_works_in_a_chrome_that_the_shell_paired(
    person: Person, tmp_path: Path, web: Web
) -> None:
    url = web.page(MAIL)
    async with process_of(tmp_path, extension_port="any", attach="extension") as process:
        async with process.start_proxy("--dialect", "tabs") as proxy:
            await proxy.agent.initialize()
            seat = TabMemory(proxy.agent)
            assert (await seat.do("connect_browser"))["connected"] is False
            await person.shares(url)
            await pairs_by_shell(person, Shell(tmp_path, process.home))
            assert (await seat.do("connect_browser"))["tabCount"] == 1
            focused = await seat.do("focus_tab", tabId=1)
            assert focused["tab"] == {"id": 1, "title": "Mail", "url": url}
            assert (seat.told, await seat.offered()) == (2, [*FOCUSED, "search"])
        await person.tidies_up()


async def pairs_by_shell(person: Person, shell: Shell) -> None:
    """Pair the user's Chrome as the shell describes."""
    command = [*PROGRAM, "extension", "pair", "--link", "--json"]
    async with await anyio.open_process(command, cwd=shell.folder, env=shell.environment) as pairing:
        assert pairing.stdout is not None
        with anyio.fail_after(30):
            told = await BufferedByteReceiveStream(pairing.stdout).receive_until(b"\n", 1_000)
            page = await person.looks_at(json.loads(told)["link"])
            await page.run("document.querySelector('#pair').click()")
            await pairing.wait()
    await page.close()


async def goes(person: Person, tab: int, url: str) -> None:
    """Navigate a tab as the user would."""
    await person.desk.run(f"chrome.tabs.update({tab}, {{url: {url!r}}})")
    await person.desk.until(
        f"chrome.tabs.get({tab}).then(tab => tab.status === 'complete' && tab.url === {url!r})"
    )


async def crashes(person: Person, url: str) -> Any:
    """Crash the page with a URL."""
    [target] = [one for one in await person.targets("page") if one["url"] == url]
    page = await person.attach(target["targetId"])
    page.session.post("Page.crash")
