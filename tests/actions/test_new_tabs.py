"""Tabs that pages open are reported once, whether the wait starts before or after the click."""

import re

import anyio
import anyio.lowlevel
import pytest

from tabwright.call import Answer
from tabwright.errors import NotFound, TimedOut
from tabwright.runner import Runner
from tests.calls import Do
from tests.web import Web

OPENED = re.compile(r"(t\d+) opened tab (t\d+): (.+)")
LINK = "<a href='/pop' target=_blank>Open</a>"


@pytest.fixture
async def opener(do: Do, web: Web) -> Do:
    web.page("<title>Popup</title>", "/pop")
    await do("navigate", url=web.page(LINK))
    return do


async def test_a_wait_started_before_the_click_gets_the_new_tab(opener: Do, web: Web) -> None:
    answer: list[Answer] = []

    async def wait() -> None:
        answer.append(await opener("wait_for_tab", timeout=10))

    async with anyio.create_task_group() as group:
        group.start_soon(wait)
        await anyio.wait_all_tasks_blocked()
        clicked = await opener("click", target="a")
    tab = answer[0].result.model_dump()["id"]
    assert answer[0].text == f"{clicked.tab} opened tab {tab}: {web.url}/pop"
    assert answer[0].result.model_dump() == {"id": tab, "url": f"{web.url}/pop", "opener": clicked.tab}
    assert clicked.text.splitlines()[1] == f"Opened tab {tab} {web.url}/pop"


async def test_a_wait_after_the_click_gets_the_new_tab_once(opener: Do, web: Web) -> None:
    clicked = await opener("click", target="a")
    await opener("snapshot")
    answer = (await opener("wait_for_tab")).text
    assert OPENED.sub(r"\2", answer) == clicked.text.splitlines()[1].split()[2]
    with pytest.raises(TimedOut) as failure:
        await opener("wait_for_tab", timeout=0.2)
    assert str(failure.value) == (
        "No new tab opened in 0.2 s. "
        "Do what opens it, then wait again: a tab that opened in the meantime is returned at once."
    )


async def test_each_new_tab_goes_to_one_of_several_waiters(opener: Do) -> None:
    answer: list[str] = []

    async def wait() -> None:
        answer.append((await opener("wait_for_tab", timeout=30)).result.model_dump()["id"])

    async with anyio.create_task_group() as group:
        group.start_soon(wait)
        group.start_soon(wait)
        await opener("click", target="a")
        while not answer:  # the next action treats the tab that this one reported as known
            await anyio.lowlevel.checkpoint()
        await opener("click", target="a")
    assert len(set(answer)) == 2


async def test_a_tab_that_was_reported_or_listed_is_not_new(opener: Do, web: Web) -> None:
    await opener("click", target="a")
    await opener("hover", target="a")
    with pytest.raises(TimedOut):
        await opener("wait_for_tab", timeout=0.2)
    await opener("click", target="a")
    await opener("list_tabs")
    with pytest.raises(TimedOut):
        await opener("wait_for_tab", timeout=0.2)
    await opener("new_tab", url=web.page("<p>ours"))
    with pytest.raises(TimedOut):
        await opener("wait_for_tab", timeout=0.2)


async def test_a_tab_that_opens_later_is_still_new_after_other_actions(opener: Do, web: Web) -> None:
    await opener("evaluate", script="void setTimeout(() => open('/pop'), 600)")
    await opener("hover", target="a")
    await opener(
        "wait_for_script", script="performance.now() > 0 && new Promise(ok => setTimeout(ok, 900, true))"
    )
    await opener("hover", target="a")
    assert OPENED.sub(r"\3", (await opener("wait_for_tab")).text) == f"{web.url}/pop"


async def test_a_click_returns_the_tab_that_it_opens_with_expect_tab(opener: Do, web: Web) -> None:
    clicked = await opener("click", target="a", expect_tab=True)
    result = clicked.result.model_dump()
    assert result == {
        "deed": "Clicked",
        "target": 'link "Open"',
        "tab": result["tab"],
        "url": f"{web.url}/pop",
    }
    assert clicked.text.splitlines()[:2] == [
        f'Clicked link "Open". It opened tab {result["tab"]}: {web.url}/pop',
        f"Opened tab {result['tab']} {web.url}/pop",
    ]
    await opener("navigate", url=web.page("<a href='#here'>Stay</a>"))
    with pytest.raises(TimedOut) as failure:
        await opener("click", target="a", expect_tab=True, timeout=0.3)
    assert (
        str(failure.value)
        == "No new tab opened in 0.3 s. The action was done, but opened no tab; check the page."
    )


async def test_waiting_for_a_tab_fails_when_the_session_ends(opener: Do, runner: Runner) -> None:
    async with anyio.create_task_group() as group:

        async def wait() -> None:
            with pytest.raises(NotFound, match=r"The session is closed\."):
                await opener("wait_for_tab", timeout=20)

        group.start_soon(wait)
        await anyio.wait_all_tasks_blocked()
        await runner.sessions.close("local:test", "default")
