"""The user stays in charge: what they see of agents in their Chrome, and how they control them."""

import json
from typing import Any

import anyio
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from tests.extension.hub import Hub, Json, Link
from tests.extension.person import ORIGIN, Page, Person
from tests.web import Web


async def attach(link: Link, tab: int) -> None:
    await link.call("callTool", tabId=tab, toolName="attach", args={"holder": "claude-code"})


async def read_badge(person: Person) -> tuple[str, str]:
    """Return the badge text of the toolbar button, and its tooltip."""
    text, title = await person.desk.run(
        "Promise.all([chrome.action.getBadgeText({}), chrome.action.getTitle({})])"
    )
    return text, title


async def read_group(person: Person, tab: int) -> Json | None:
    group: Json | None = await person.desk.run(
        f"chrome.tabs.get({tab}).then(({{groupId}}) => groupId === -1 ? null : chrome.tabGroups.get(groupId))"
    )
    return group and {name: group[name] for name in ("title", "color")}


async def read_lines(page: Page, selector: str = "main") -> list[str]:
    text: str = await page.run(f"document.querySelector('{selector}').innerText")
    return [line for line in text.splitlines() if line.strip()]


async def test_the_toolbar_button_shares_and_unshares_a_tab(link: Link, person: Person, web: Web) -> None:
    tab = await person.open_tab(web.page("<title>Inbox</title>"), active=True)
    assert await read_badge(person) == ("", "Tabwright: ready")
    keys = (
        "chrome.commands.getAll().then(all => Object.fromEntries(all.map(one => [one.name, one.shortcut])))"
    )
    assert await person.desk.run(keys) == {
        "_execute_action": "",
        "share": "Alt+Shift+Y",
        "stop": "Alt+Shift+S",
    }
    popup = await person.press_toolbar_button(tab)
    assert await popup.until("document.querySelector('#status').textContent") == "Connected to your hub"
    about = "Agents can then read and use this tab as you can."
    window = "All tabs of this window, including new ones"
    assert await read_lines(popup) == ["Share this tab", about, window, "Stop all", "Options"]
    await popup.until("document.activeElement.id === 'share'")
    await popup.press("Enter")
    assert (await link.receive("tabCreated"))["tab"]["id"] == tab
    await popup.until("document.querySelector('#share').textContent === 'Stop sharing this tab'")
    assert await read_badge(person) == ("1", "Tabwright: 1 tab shared")
    assert await read_group(person, tab) is None

    await attach(link, tab)
    assert await read_badge(person) == ("1", "Tabwright: an agent uses 1 tab")
    await person.desk.until("chrome.tabGroups.query({title: 'Tabwright'}).then(all => all.length)")
    assert await read_group(person, tab) == {"title": "Tabwright", "color": "blue"}
    await popup.until("document.querySelector('#tabs').innerText.includes('in use')")
    assert await read_lines(popup, "#tabs") == ["Inbox", "127.0.0.1 · in use by claude-code", "Stop"]

    await popup.run("document.querySelector('#tabs button').focus()")
    await popup.press(" ")
    unshared = {"tabId": tab, "reason": "unshared"}
    assert await link.receive("detached") == {"type": "detached", **unshared}
    assert await link.receive("tabClosed") == {"type": "tabClosed", **unshared}
    answer = await link.cdp(tab, "Runtime.evaluate", expression="1")
    assert answer["error"] == f"the extension does not allow it: tab {tab} is not shared"
    await person.desk.until(f"chrome.tabs.get({tab}).then(tab => tab.groupId === -1)")
    assert await read_badge(person) == ("", "Tabwright: ready")


async def test_stop_ends_everything_until_the_user_starts_again(link: Link, person: Person, web: Web) -> None:
    tab = await person.share_tab(web.page("<title>Inbox</title>"))
    made = (await link.call("openTab", url=web.page("<title>Mine</title>"), holder="agent"))["tab"]["id"]
    await attach(link, tab)
    await attach(link, made)
    await link.cdp(tab, "Runtime.enable")
    link.send(
        type="callTool", callId="long", tabId=tab, toolName="cdp",
        args={"method": "Runtime.evaluate", "params": {"expression": "new Promise(() => {})", "awaitPromise": True}},
    )  # fmt: skip
    assert await read_badge(person) == ("2", "Tabwright: an agent uses 2 tabs")
    popup = await person.press_toolbar_button(tab)
    await popup.until("document.querySelector('#tabs').innerText.includes('Mine')")
    await popup.run("document.querySelector('#stop').click()")
    stopped = {"type": "detached", "reason": "stopped"}
    assert [await link.receive("detached") for _ in range(2)] == [
        {**stopped, "tabId": tab},
        {**stopped, "tabId": made},
    ]
    assert await link.receive("disconnected") == {"type": "disconnected", "reason": "stopped"}
    await link.closed.wait()
    status = "Stopped: agents cannot do anything in this Chrome"
    await popup.until(f"document.querySelector('#status').textContent === {json.dumps(status)}")
    assert await read_lines(popup) == ["Start again", "Options"]
    assert await read_badge(person) == ("off", "Tabwright: stopped")
    assert (
        await person.desk.run(
            "chrome.debugger.getTargets().then(all => all.some(one => one.attached && one.url.includes('/page')))"
        )
        is False
    )
    assert await person.desk.run(f"chrome.tabs.get({made}).then(tab => tab.title)") == "Mine"

    await popup.run("document.querySelector('#start').click()")
    await popup.until("document.querySelector('#status').textContent === 'Connected to your hub'")
    assert await read_lines(popup) != ["Start again", "Options"]
    assert await read_lines(popup, "#tabs") == []


async def test_a_shared_window_includes_new_tabs(link: Link, person: Person, web: Web) -> None:
    tab = await person.open_tab(web.page("<title>First</title>"), active=True)
    popup = await person.press_toolbar_button(tab)
    await popup.until("document.querySelector('#status').textContent === 'Connected to your hub'")
    await popup.run("document.querySelector('#window').click()")
    await link.receive("tabCreated")
    later = await person.open_tab(web.page("<title>Later</title>"))
    message = await link.receive("tabCreated")
    while message["tab"]["id"] != later:
        message = await link.receive("tabCreated")
    assert message["tab"]["mine"] == "shared"
    await person.send_order("unshare", tabId=later)
    assert await link.receive("tabClosed") == {"type": "tabClosed", "tabId": later, "reason": "unshared"}
    link.send(type="connect")
    shared_ids = {one["id"] for one in (await link.receive("connected"))["tabs"]}
    assert (tab in shared_ids, later in shared_ids) == (True, False)
    await popup.run("document.querySelector('#window').click()")
    await popup.until("document.querySelector('#tabs').innerText === ''")
    assert await read_badge(person) == ("", "Tabwright: ready")


async def test_sites_are_excluded_in_the_options_and_cannot_be_shared(
    link: Link, person: Person, web: Web
) -> None:
    options = await person.open_page(f"{ORIGIN}/ui/options.html", background=False)
    for typed, error in [
        ("  ", "That is not the address of a site."),
        ("ftp://x", "That is not the address of a site."),
    ]:
        await options.run(f"site.value = {json.dumps(typed)}; exclude.requestSubmit()")
        await options.until(f"document.querySelector('#error').textContent === {json.dumps(error)}")
    await options.run("site.value = ''; site.focus()")
    await options.session.send("Input.insertText", text="*.Bank.Example")
    await options.press("Enter")
    await options.until("document.querySelector('#sites').innerText.includes('bank.example')")
    await options.run("site.value = 'http://127.0.0.1:9/x'; exclude.requestSubmit()")
    await options.until("document.querySelectorAll('#sites li').length === 2")
    assert await read_lines(options, "#sites") == ["127.0.0.1", "Remove", "bank.example", "Remove"]

    tab = await person.open_tab(web.page("<title>Mine</title>"), active=True)
    popup = await person.press_toolbar_button(tab)
    await popup.until("document.querySelector('#share').disabled")
    assert await popup.run("about.textContent") == "Agents cannot use this page: the user excludes 127.0.0.1."
    await options.run("document.querySelector('#sites button').click()")
    await popup.until("!document.querySelector('#share').disabled")
    assert await options.run("document.querySelector('#sites').innerText.includes('bank.example')")


async def test_the_users_groups_pins_and_focus_stay(link: Link, person: Person, web: Web) -> None:
    front = await person.open_tab(web.page("<title>Front</title>"), active=True)
    tab = await person.share_tab(web.page("<title>Trip</title>"))
    await person.desk.run(
        f"chrome.tabs.group({{tabIds: {tab}}}).then(id => chrome.tabGroups.update(id, {{title: 'Holiday', color: 'red'}}))"
    )
    pinned = await person.share_tab(web.page("<title>Pinned</title>"))
    await person.desk.run(f"chrome.tabs.update({pinned}, {{pinned: true}})")
    for one in (tab, pinned):
        await attach(link, one)
    made = (await link.call("openTab", url=web.page("<title>Mine</title>"), focus=False, holder="a"))["tab"][
        "id"
    ]
    await attach(link, made)
    await person.desk.until("chrome.tabGroups.query({title: 'Tabwright'}).then(all => all.length)")
    assert await read_group(person, tab) == {"title": "Holiday", "color": "red"}
    assert await read_group(person, pinned) is None
    assert await read_group(person, made) == {"title": "Tabwright", "color": "blue"}
    assert await person.desk.run(f"chrome.tabs.get({front}).then(tab => tab.active)")
    await link.call("callTool", tabId=made, toolName="detach", args={})
    assert await read_group(person, made) is None
    await link.call("callTool", tabId=tab, toolName="detach", args={})
    assert await read_group(person, tab) == {"title": "Holiday", "color": "red"}


async def send_orders(person: Person, *orders: Json) -> list[Any]:
    """Send several orders without waiting; return the replies."""
    replies: list[Any] = await person.desk.run(
        f"Promise.all({json.dumps(orders)}.map(order => chrome.runtime.sendMessage(order)))"
    )
    return replies


async def shared_tabs(link: Link) -> list[int]:
    """Return the ids of the shared tabs."""
    link.rewind()
    link.send(type="connect")
    return [tab["id"] for tab in (await link.receive("connected"))["tabs"]]


async def test_sharing_undone_at_once_leaves_nothing_shared(link: Link, person: Person, web: Web) -> None:
    await person.open_tab(web.page("<title>Mine</title>"))
    window = await person.desk.run("chrome.tabs.getCurrent().then(tab => tab.windowId)")
    here = {"windowId": window}
    await send_orders(person, {"order": "shareWindow", **here}, {"order": "unshareWindow", **here})
    assert await shared_tabs(link) == []
    await send_orders(person, {"order": "shareWindow", **here}, {"order": "stop"})
    await link.closed.wait()
    assert await person.desk.run("document.querySelector('#tabs').innerText") == ""
    await person.send_order("start")
    assert await person.desk.until("document.querySelector('#none').checkVisibility()")


async def test_stop_works_while_connecting_or_pairing(person: Person, hub: Hub, web: Web) -> None:
    async with hub.door.open("any"):
        code = hub.chromes.begin()
        port = await hub.door.listen()
        pairing = {"order": "pair", "port": port, "first": port, "code": code.secret}
        assert await send_orders(person, pairing, {"order": "stop"}) == [
            {"error": "Pairing was stopped."},
            {},
        ]
        status = "document.querySelector('#status').dataset.status"
        assert await person.desk.run(status) == "stopped"
        await person.pair_with(hub.door)
        link = await hub.link()
    await link.closed.wait()
    connected, released, done = anyio.Event(), anyio.Event(), anyio.Event()

    async def slow(socket: ServerConnection) -> None:
        connected.set()
        await released.wait()
        await socket.close()
        done.set()

    last = port + 4  # the last port where the extension looks for a hub
    async with serve(slow, "127.0.0.1", last, subprotocols=[Subprotocol("tabwright.v1")]):
        with anyio.fail_after(60):
            await connected.wait()
            await person.send_order("stop")
            released.set()
            await done.wait()
        await person.send_order("shareAgain", wanted=True)
        assert await person.desk.run(status) == "stopped"


async def test_a_tab_opened_for_an_agent_in_a_shared_window_is_its_own(
    link: Link, person: Person, web: Web
) -> None:
    window = await person.desk.run("chrome.tabs.getCurrent().then(tab => tab.windowId)")
    await person.send_order("shareWindow", windowId=window)
    url = web.page("<title>Made</title>")
    for _ in range(5):
        made = (await link.call("openTab", url=url, holder="agent"))["tab"]["id"]
        await attach(link, made)
        reported = [
            one["tab"] for one in link.received if one["type"] == "tabCreated" and one["tab"]["id"] == made
        ]
        assert [(one["mine"], one.get("holder")) for one in reported] == [("opened", "agent")]


async def test_a_user_group_with_our_name_is_left_alone(link: Link, person: Person, web: Web) -> None:
    mine = await person.open_tab(web.page("<title>About Tabwright</title>"))
    await person.desk.run(
        f"chrome.tabs.group({{tabIds: {mine}}}).then(id => chrome.tabGroups.update(id, {{title: 'Tabwright', color: 'red'}}))"
    )
    tab = await person.share_tab(web.page("<title>Trip</title>"))
    await attach(link, tab)
    await person.desk.until(f"chrome.tabs.get({tab}).then(tab => tab.groupId !== -1)")
    assert await read_group(person, tab) == {"title": "Tabwright", "color": "blue"}
    await link.call("callTool", tabId=tab, toolName="detach", args={})
    assert await read_group(person, tab) is None
    assert await read_group(person, mine) == {"title": "Tabwright", "color": "red"}


async def test_a_tab_is_shared_while_it_is_in_a_shared_window(link: Link, person: Person, web: Web) -> None:
    await link.receive("connected")
    window = await person.desk.run("chrome.tabs.getCurrent().then(tab => tab.windowId)")
    tab = await person.open_tab(web.page("<title>Moves</title>"))
    move_to_new_window = f"chrome.windows.create({{tabId: {tab}, focused: false}}).then(made => made.id)"
    await person.desk.run(move_to_new_window)
    await person.send_order("shareWindow", windowId=window)
    assert tab not in await shared_tabs(link)
    await person.desk.run(f"chrome.tabs.move({tab}, {{windowId: {window}, index: -1}})")
    assert (await link.receive("tabCreated"))["tab"]["id"] == tab
    await person.desk.run(move_to_new_window)
    assert await link.receive("tabClosed") == {"type": "tabClosed", "tabId": tab, "reason": "unshared"}


async def test_the_hub_learns_which_window_the_user_focuses(link: Link, person: Person, web: Web) -> None:
    await link.receive("connected")
    windows = await person.desk.run(
        "chrome.windows.create({focused: true}).then(made => chrome.tabs.getCurrent().then(tab => [made.id, tab.windowId]))"
    )
    for window in reversed(windows):
        await person.desk.run(f"chrome.windows.update({window}, {{focused: true}})")
    message = await link.receive("windowFocused")
    now = await person.desk.run("Date.now()")
    assert 0 <= now - message["at"] < 60_000


async def test_the_shortcuts_share_unshare_and_stop(link: Link, person: Person, web: Web) -> None:
    url = web.page("<title>Inbox</title>")
    tab = await person.open_tab(url, active=True)
    [target] = [one for one in await person.targets("page") if one["url"] == url]
    page = await person.attach(target["targetId"])
    await page.press("Y", alt_shift=True)
    assert (await link.receive("tabCreated"))["tab"]["id"] == tab
    await page.press("Y", alt_shift=True)
    assert await link.receive("tabClosed") == {"type": "tabClosed", "tabId": tab, "reason": "unshared"}
    await page.press("Y", alt_shift=True)
    await link.receive("tabCreated")
    await page.press("S", alt_shift=True)
    assert await link.receive("tabClosed") == {"type": "tabClosed", "tabId": tab, "reason": "stopped"}
    assert await link.receive("disconnected") == {"type": "disconnected", "reason": "stopped"}
    await page.press("Y", alt_shift=True)
    await person.desk.until("chrome.action.getBadgeText({}).then(text => text === 'off')")
    assert await person.desk.run("document.querySelector('#none').checkVisibility()")
