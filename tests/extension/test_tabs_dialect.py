"""The tabs dialect in the user's own Chrome, joined through the extension, with every edge case."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

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
    TabsClient,
    connect_client,
    tabs_door,
)
from tests.doors.cli.shell import PROGRAM, Shell
from tests.doors.mcp.agents import hub_of as hub_process
from tests.extension.linked import LinkedHub, run_linked_hub
from tests.extension.person import Person
from tests.web import Web


@pytest.fixture
async def hub(person: Person, tmp_path: Path) -> AsyncIterator[LinkedHub]:
    async with run_linked_hub(person, tmp_path) as hub:
        yield hub
        await person.reset()


async def titles_and_focus(client: TabsClient) -> list[tuple[str, bool]]:
    """Return the titles of an agent's tabs, and which one has focus."""
    return [(tab["title"], tab["focused"]) for tab in (await client.do("list_tabs"))["tabs"]]


async def wait_for_tabs(client: TabsClient, expected: list[tuple[str, bool]]) -> None:
    with anyio.fail_after(60):
        while await titles_and_focus(client) != expected:
            pass  # what the user does takes effect a moment later


async def test_connecting_joins_the_linked_chrome_and_leaves_it_unchanged(
    hub: LinkedHub, person: Person, web: Web
) -> None:
    await person.send_order("stop")
    await hub.wait_until_unlinked()
    mail, empty = web.page(MAIL), web.page(EMPTY)
    async with connect_client(tabs_door(hub.runner)) as client:
        answer = await client.do("connect_browser")
        assert answer.pop("instructions") == (
            "Please open Chrome with the Tabwright extension enabled (`tabwright extension` explains how to load "
            "and pair it), or with remote debugging on (chrome://inspect/#remote-debugging), or call with "
            "launch=true"
        )
        assert (answer, client.change_count) == ({"connected": False, "error": "No browser found"}, 0)
        await person.send_order("start")
        shared = await hub.share(person, mail)
        connected = await client.do("connect_browser")
        assert connected["browser"].pop("version").split(".")[0].isdigit()
        assert connected == {"connected": True, "browser": {"name": "Chromium"}, "tabCount": 1}
        assert (client.change_count, await client.tool_names()) == (1, TABS)
        opened = await client.do("open_tab", url=empty)
        assert opened == {
            "tab": {"id": 2, "title": "Empty", "url": empty},
            "focused": True,
            "toolsAvailable": [],
        }
        assert await titles_and_focus(client) == [("Mail", False), ("Empty", True)]
        focused = await client.do("focus_tab", tabId=1)
        assert focused["toolsAvailable"] == ["search"]
        assert (client.change_count, await client.tool_names()) == (3, [*FOCUSED, "search"])
        refused = await client.expect_error("open_tab", url="file:///etc/passwd")
        assert refused.startswith("AuthorizationError (-32002): file: URLs are refused.")
    titles = "chrome.tabs.query({}).then(tabs => tabs.slice(1).map(tab => [tab.id, tab.title, tab.groupId]))"
    left = await person.desk.until(f"{titles}.then(tabs => tabs.every(tab => tab[2] === -1) && tabs)")
    assert left[0][0] == shared
    assert [title for _, title, _ in left] == ["Mail", "Empty"]


async def test_what_the_user_does_in_chrome_is_reported_as_documented(
    hub: LinkedHub, person: Person, web: Web
) -> None:
    mail, flights, empty = web.page(MAIL), web.page(FLIGHTS), web.page(EMPTY)
    first = await hub.share(person, mail)
    async with connect_client(tabs_door(hub.runner)) as client:
        await client.do("connect_browser")
        await client.do("focus_tab", tabId=1)
        client.agent.notices.clear()

        second = await person.share_tab(flights)  # the user shares another tab: the tools stay the same
        await wait_for_tabs(client, [("Mail", True), ("Flights", False)])
        assert client.change_count == 0
        await navigate(person, first, flights)  # the page changes, and with it the tools
        await client.wait_for_changes(1)
        assert await client.tool_names() == [*FOCUSED, "find_flights"]
        await navigate(person, first, f"{flights}?again")  # the same tools
        await wait_for_tabs(client, [("Flights", True), ("Flights", False)])
        for tool, arguments, error in (
            ("focus_tab", {"tabId": 987}, "NotFound (-32010): There is no tab 987; open tabs: 1, 2."),
            ("open_tab", {"url": "no url"}, "InvalidParams (-32602): 'no url' is not a URL."),
        ):
            assert (await client.expect_error(tool, **arguments)).startswith(error)
        assert (client.change_count, await client.tool_names()) == (1, [*FOCUSED, "find_flights"])
        await person.close_tabs(first)  # the user closes the focused tab
        await client.wait_for_changes(2)
        assert (await client.tool_names(), await titles_and_focus(client)) == (TABS, [("Flights", False)])

        await client.do("focus_tab", tabId=2)
        await crash_page(person, flights)
        await client.wait_for_changes(4)
        assert (await client.tool_names(), await titles_and_focus(client)) == (CONNECTED, [])
        await person.close_tabs(second)
        third = await person.share_tab(empty)
        await client.wait_for_changes(5)
        await client.do("focus_tab", tabId=3)
        assert await client.tool_names() == FOCUSED
        await person.send_order("unshare", tabId=third)  # the user stops sharing a tab
        await client.wait_for_changes(7)
        assert await client.tool_names() == CONNECTED
        assert (await client.expect_error("focus_tab", tabId=3)).startswith(
            "NotFound (-32010): There is no tab 3"
        )

        await person.send_order("stop")  # the extension disconnects
        await client.wait_for_changes(8)
        assert await client.tool_names() == NONE
        assert (await client.expect_error("list_tabs")).startswith(
            "Blocked (-32012): No browser is connected."
        )
        assert client.change_count == 8


async def test_focus_follows_the_user_if_enabled(hub: LinkedHub, person: Person, web: Web) -> None:
    first, second = [await hub.share(person, web.page(page)) for page in (MAIL, FLIGHTS)]
    for wanted in (True, False):
        async with connect_client(tabs_door(hub.runner, follow_user=wanted)) as client:
            await client.do("connect_browser")
            await client.do("focus_tab", tabId=1)
            before = client.change_count
            await person.desk.run(f"chrome.tabs.update({second}, {{active: true}})")
            if wanted:
                await client.wait_for_changes(before + 1)
            assert await titles_and_focus(client) == [("Mail", not wanted), ("Flights", wanted)]
            assert (await client.tool_names())[-1] == ("find_flights" if wanted else "search")
            assert client.change_count == before + wanted
        await person.desk.run(f"chrome.tabs.update({first}, {{active: true}})")


async def test_a_tab_comes_to_the_front_only_over_another_tab_of_its_agent(
    hub: LinkedHub, person: Person, web: Web
) -> None:
    first, second = [await hub.share(person, web.page(page)) for page in (MAIL, FLIGHTS)]
    in_front = "chrome.tabs.query({active: true}).then(tabs => tabs.map(tab => tab.id))"
    desk = await person.desk.run("chrome.tabs.getCurrent().then(tab => tab.id)")
    await person.desk.run(f"chrome.tabs.update({desk}, {{active: true}})")
    async with connect_client(tabs_door(hub.runner)) as client:
        await client.do("connect_browser")
        await client.do("focus_tab", tabId=1)
        await client.do("open_tab", url=web.page(EMPTY))
        assert await person.desk.run(in_front) == [desk]
        await person.desk.run(f"chrome.tabs.update({first}, {{active: true}})")
        await wait_until_active(hub, first)
        await client.do("focus_tab", tabId=2)
        assert await person.desk.run(in_front) == [second]


async def wait_until_active(hub: LinkedHub, tab: int) -> None:
    """Wait until the hub knows that a tab is active."""
    [link] = hub.links
    with anyio.fail_after(60):
        await link.changed.until(lambda: link.ownership.tabs[tab].active)


async def test_two_agents_have_separate_tabs_and_new_ones_go_to_the_last_active(
    hub: LinkedHub, person: Person, web: Web
) -> None:
    await hub.share(person, web.page(MAIL))
    async with (
        connect_client(tabs_door(hub.runner), "one") as one,
        connect_client(tabs_door(hub.runner), "two") as two,
    ):
        await one.do("connect_browser")
        assert (await two.do("connect_browser"))["tabCount"] == 0
        await two.do("open_tab", url=web.page(EMPTY))
        assert (await titles_and_focus(one), await titles_and_focus(two)) == (
            [("Mail", False)],
            [("Empty", True)],
        )
        await person.share_tab(web.page(FLIGHTS))
        await wait_for_tabs(two, [("Empty", True), ("Flights", False)])
        assert await titles_and_focus(one) == [("Mail", False)]
    async with connect_client(tabs_door(hub.runner), "three") as three:
        assert (await three.do("connect_browser"))["tabCount"] == 3


async def test_a_client_works_in_a_chrome_that_the_shell_paired(
    person: Person, tmp_path: Path, web: Web
) -> None:
    url = web.page(MAIL)
    async with hub_process(tmp_path, extension_port="any", attach="extension") as process:
        async with process.start_proxy("--dialect", "tabs") as proxy:
            await proxy.agent.initialize()
            client = TabsClient(proxy.agent)
            assert (await client.do("connect_browser"))["connected"] is False
            await person.share_tab(url)
            await pair_by_shell(person, Shell(tmp_path, process.home))
            assert (await client.do("connect_browser"))["tabCount"] == 1
            focused = await client.do("focus_tab", tabId=1)
            assert focused["tab"] == {"id": 1, "title": "Mail", "url": url}
            assert (client.change_count, await client.tool_names()) == (2, [*FOCUSED, "search"])
        await person.reset()


async def pair_by_shell(person: Person, shell: Shell) -> None:
    """Pair the user's Chrome as the shell describes."""
    command = [*PROGRAM, "extension", "pair", "--link", "--json"]
    async with await anyio.open_process(command, cwd=shell.folder, env=shell.environment) as pairing:
        assert pairing.stdout is not None
        with anyio.fail_after(60):
            line = await BufferedByteReceiveStream(pairing.stdout).receive_until(b"\n", 1_000)
            page = await person.open_page(json.loads(line)["link"])
            await page.run("document.querySelector('#pair').click()")
            await pairing.wait()
    await page.close()


async def navigate(person: Person, tab: int, url: str) -> None:
    """Navigate a tab as the user would."""
    await person.desk.run(f"chrome.tabs.update({tab}, {{url: {url!r}}})")
    await person.desk.until(
        f"chrome.tabs.get({tab}).then(tab => tab.status === 'complete' && tab.url === {url!r})"
    )


async def crash_page(person: Person, url: str) -> None:
    """Crash the page with a URL."""
    [target] = [one for one in await person.targets("page") if one["url"] == url]
    page = await person.attach(target["targetId"])
    page.session.post("Page.crash")
