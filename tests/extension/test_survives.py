"""A session in the user's own Chrome survives interruptions, keeps its tabs, and reports what happened."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest

from tabwright.errors import Blocked, BrowserGone, Denied, Stale, TabwrightError
from tests.extension.linked import LinkedHub, run_linked_hub
from tests.extension.person import Person, launch_user_chrome
from tests.web import Web

PAGE = "<title>Shared</title><script>clicks = 0</script><button onclick='clicks++'>Add</button>"


@pytest.fixture
async def hub(person: Person, tmp_path: Path) -> AsyncIterator[LinkedHub]:
    async with run_linked_hub(person, tmp_path) as hub:
        yield hub
        await person.reset()


async def test_a_call_that_loses_its_link_fails_and_the_next_continues(
    hub: LinkedHub, person: Person, web: Web
) -> None:
    url, made = web.page(PAGE), web.page("<title>Made</title>")
    await hub.share(person, url)
    await hub.do("connect_browser")
    await hub.do("new_tab", url=made)
    await hub.do("switch_tab", id="t1")
    assert (await hub.do("snapshot")).text.endswith('- @e1: button "Add"')
    await hub.do("click", target="@e1")
    lost: list[BrowserGone] = []

    async def wait() -> None:
        with pytest.raises(BrowserGone) as failure:
            await hub.do("wait_for", target="#never", timeout=30)
        lost.append(failure.value)

    async with anyio.create_task_group() as group:
        group.start_soon(wait)
        await anyio.wait_all_tasks_blocked()
        await person.stop_worker()
    assert "The connection to the user's Chrome was interrupted (" in lost[0].message
    assert lost[0].message.endswith("); what the call had begun may have happened.")

    back = await hub.do("list_tabs")
    note = "The connection to the user's Chrome was interrupted and is back: 2 tabs."
    assert back.text == f"{note}\nt1 (current): {url}\nt2: {made}"
    assert (await hub.do("evaluate", script="clicks")).text == "1"  # the page itself was not touched
    with pytest.raises(Stale):
        await hub.do("click", target="@e1")
    assert (await hub.do("snapshot")).text.endswith('- @e2: button "Add" (focused)')
    opened = await hub.do("new_tab")
    assert opened.text.splitlines()[-1] == "t3 (current): about:blank"


async def test_an_unshared_tab_is_reported_and_not_replaced(hub: LinkedHub, person: Person, web: Web) -> None:
    url = web.page(PAGE)
    tab = await hub.share(person, url)
    await hub.do("connect_browser")
    await hub.do("snapshot")
    failures: list[Denied] = []

    async def wait() -> None:
        with pytest.raises(Denied) as failure:
            await hub.do("wait_for", target="#never", timeout=30)
        failures.append(failure.value)

    async with anyio.create_task_group() as group:
        group.start_soon(wait)
        await anyio.wait_all_tasks_blocked()
        await person.send_order("unshare", tabId=tab)
    unshared = "The user stopped sharing tab t1. Work in another tab, or ask the user."
    assert [str(failure) for failure in failures] == [unshared]
    with pytest.raises(Denied, match=r"The user stopped sharing tab t1\."):
        await hub.do("snapshot")
    with pytest.raises(Denied, match=r"The user stopped sharing tab t1\."):
        await hub.do("switch_tab", id="t1")
    await person.send_order("share", tabId=tab)
    await wait_until_usable(hub, "t1")
    assert (await hub.do("get_page")).text == f'{url} "Shared"'

    await person.send_order("exclude", site="127.0.0.1")
    with pytest.raises(Denied, match=r"Tab t1 went to a site that the user excluded\."):
        await call_until_it_fails(hub)
    await person.send_order("include", site="127.0.0.1")
    await wait_until_usable(hub, "t1")
    await person.send_order("exclude", site="bank.example.localhost")
    bank, page = (web.url.replace("127.0.0.1", f"{name}.example.localhost") for name in ("bank", "www"))
    web.page(f"<iframe src='{bank}/balance'></iframe>", "/holds")
    await person.desk.run(f"chrome.tabs.update({tab}, {{url: '{page}/holds'}})")
    # The hub reports the tab, or the extension refuses a call that was already sent.
    with pytest.raises(
        Denied,
        match=r"(Tab t1 contains a frame of a site that the user|page: it holds a frame of another site, and the)",
    ):
        await call_until_it_fails(hub)
    await person.send_order("include", site="bank.example.localhost")
    await wait_until_usable(hub, "t1")
    await person.desk.run(f"chrome.tabs.update({tab}, {{url: 'chrome://version/'}})")
    with pytest.raises((Blocked, Denied), match="Tab t1 "):
        await call_until_it_fails(hub)
    assert (await hub.do("new_tab", url=url)).text == f"t2 (current): {url}"


async def test_a_session_gets_its_tabs_back_after_a_hub_restart(
    person: Person, tmp_path: Path, web: Web
) -> None:
    shared, made = web.page(PAGE), web.page("<title>Made</title>")
    async with run_linked_hub(person, tmp_path) as hub:
        await hub.share(person, shared)
        await hub.do("connect_browser", session="work")
        await hub.do("new_tab", url=made, session="work")
        port = await hub.door.listen()
    async with run_linked_hub(person, tmp_path, port=port) as hub:
        connected = await hub.do("connect_browser", session="work")
        assert connected.result.model_dump()["tabs"] == 2
        assert (await hub.do("connect_browser", session="other")).result.model_dump()["tabs"] == 0
        assert (await hub.do("list_tabs", session="work")).text.splitlines() == [
            f"t1: {shared}",
            f"t2 (current): {made}",
        ]
        await person.reset()


async def test_stop_fails_running_and_later_calls_until_started_again(
    hub: LinkedHub, person: Person, web: Web
) -> None:
    url = web.page(PAGE)
    await hub.share(person, url)
    for session in ("default", "other"):
        await hub.do("connect_browser", session=session)
    [name] = {link.name for link in hub.links}
    async with pending_calls(hub, "wait_for", "wait_for_tab") as failures:
        await person.send_order("stop")
    stopped = (
        "The user stopped all agents in their Chrome. "
        "Ask the user. Once they press Start again and share a tab, connect_browser joins it."
    )
    assert [(type(failure), str(failure)) for failure in failures] == [(Denied, stopped)] * 2
    await hub.wait_until_unlinked()
    with pytest.raises(Denied) as denied:
        await hub.do("snapshot")
    assert str(denied.value) == stopped
    with pytest.raises(Denied) as denied:
        await hub.do("connect_browser", address=f"extension:{name}")
    assert str(denied.value) == stopped
    await person.send_order("start")
    await hub.share(person, url)
    await hub.links.expect(seconds=10)
    assert (await hub.do("connect_browser")).text.endswith(": 1 tab.")


async def test_two_chromes_are_reached_by_name_and_are_independent(
    person: Person, tmp_path: Path, web: Web
) -> None:
    here, there = web.page(PAGE), web.page("<title>There</title><p>Other Chrome</p>")
    async with run_linked_hub(person, tmp_path, reconnect_time=1) as hub:
        await hub.share(person, here)
        async with launch_user_chrome() as other:
            await other.pair_with(hub.door, "work")
            await hub.links.expect("work", seconds=10)
            await hub.share(other, there)
            mine = next(link.name for link in hub.links if link.name != "work")
            await hub.do("connect_browser", session="one", address=f"extension:{mine}")
            await hub.do("connect_browser", session="two", address="extension:work")
            assert (await hub.do("get_page", session="one")).text == f'{here} "Shared"'
            assert (await hub.do("get_page", session="two")).text == f'{there} "There"'
            opened = await hub.do("new_tab", url=here, session="two")
            assert opened.text.splitlines() == [f"t1: {there}", f"t2 (current): {here}"]
            assert (await hub.do("list_tabs", session="one")).text == f"t1 (current): {here}"
        with pytest.raises(BrowserGone):
            await hub.do("snapshot", session="two")
        assert (await hub.do("snapshot", session="one")).text.endswith('- @e1: button "Add"')
        await person.reset()


async def test_unpairing_in_the_options_or_the_shell_is_reported(
    hub: LinkedHub, person: Person, web: Web
) -> None:
    url = web.page(PAGE)
    await hub.share(person, url)
    await hub.do("connect_browser")
    await person.desk.run("document.querySelector('#unpair').click()")
    await hub.wait_until_unlinked()
    with pytest.raises(Denied, match=r"^The user unpaired their Chrome\. Ask the user\."):
        await hub.do("snapshot")
    assert await person.desk.run("document.querySelector('#tabs').innerText") == ""

    await person.pair_with(hub.door)
    await hub.links.expect(seconds=10)
    await hub.share(person, url)
    await hub.do("connect_browser")
    await hub.door.drop(hub.door.chromes.forget(next(iter(hub.links)).name))
    await hub.wait_until_unlinked()
    with pytest.raises(Denied, match=r"^The user unpaired their Chrome\."):
        await hub.do("snapshot")
    await person.desk.until("document.querySelector('#status').textContent.startsWith('Not paired yet.')")
    assert await person.desk.run("document.querySelector('#tabs').innerText") == ""


@asynccontextmanager
async def pending_calls(hub: LinkedHub, *actions: str) -> AsyncIterator[list[TabwrightError]]:
    """Run calls that never finish while the block runs, one per session; yield a list of their failures."""
    failures: list[TabwrightError] = []

    async def wait(action: str, session: str) -> None:
        args: dict[str, Any] = {"target": "#never"} if action == "wait_for" else {}
        with pytest.raises(TabwrightError) as failure:
            await hub.do(action, session=session, timeout=30, **args)
        failures.append(failure.value)

    async with anyio.create_task_group() as group:
        for action, session in zip(actions, ("default", "other"), strict=False):
            group.start_soon(wait, action, session)
        await anyio.wait_all_tasks_blocked()
        yield failures


async def wait_until_usable(hub: LinkedHub, tab: str) -> None:
    """Wait until a tab can be used again."""
    [session] = hub.runner.sessions
    with anyio.fail_after(60):
        await session.context.changed.until(lambda: tab in session.context.tabs)


async def call_until_it_fails(hub: LinkedHub) -> None:
    """Repeat a call until it fails: what the user does takes effect a moment later."""
    with anyio.fail_after(60):
        while True:
            await hub.do("get_page")
