"""What a person sees of calls, which calls they must approve, and what taking over a session does."""

import os
import signal
import time
from collections.abc import AsyncIterator
from dataclasses import replace

import anyio
import anyio.lowlevel
import pytest

from tabwright.actions import CATALOG
from tabwright.artifacts import Artifacts
from tabwright.browser.supervisor import BrowserSupervisor
from tabwright.call import PERSON, Call
from tabwright.errors import Blocked, Denied, InvalidArgs, NotFound
from tabwright.policy.callers.approvals import Approvals
from tabwright.policy.callers.principal import Principal
from tabwright.policy.callers.subject import Subject
from tabwright.runner import Runner
from tabwright.sessions.limits import Limits
from tabwright.sessions.reconnect import Client
from tabwright.sessions.registry import Sessions
from tests.web import Web

pytestmark = pytest.mark.usefixtures("as_owner")

AGENT = Principal("local:agent")
PAGE = "<button onclick=\"this.textContent = 'Pressed'\">Press</button><input aria-label=Name>"


@pytest.fixture
async def runner(supervisor: BrowserSupervisor) -> AsyncIterator[Runner]:
    async with Sessions.open(supervisor) as sessions:
        yield Runner(CATALOG, sessions, Artifacts(), approvals=Approvals(["destroy", "press"], timeout=0.2))


def call(action: str, door: str = "test", **args: object) -> Call:
    return Call(action=action, args=args, principal=AGENT, session="shop", door=door)


async def test_the_journal_has_the_action_and_outcome_of_each_call(runner: Runner, web: Web) -> None:
    runner.approvals = Approvals()
    await runner.run(call("navigate", url=web.page(PAGE)))
    await runner.run(call("click", target="text=Press"))
    await runner.run(call("fill", target="css=input", value="hunter2"))
    with pytest.raises(NotFound):
        await runner.run(call("click", target="@e99", timeout=0.1))

    lines = runner.journal.after(1)

    recorded = [(line.action, line.outcome, line.session, line.who, line.door) for line in lines]
    assert recorded == [
        ("click", "ok", "shop", "local:agent", "test"),
        ("fill", "ok", "shop", "local:agent", "test"),
        ("click", "NotFound", "shop", "local:agent", "test"),
    ]
    assert '~ @e1: button "Pressed"' in lines[0].summary
    assert "hunter2" not in lines[1].args
    assert lines[2].summary == "Unknown ref @e99; the latest is @e2."
    assert runner.journal.after(runner.journal.last) == []


async def test_a_call_that_needs_approval_runs_once_a_person_allows_it(runner: Runner, web: Web) -> None:
    runner.approvals = Approvals(["press"])
    await runner.run(call("navigate", url=web.page(PAGE)))
    async with anyio.create_task_group() as group:
        group.start_soon(runner.run, call("press", key="Tab"))
        with anyio.fail_after(60):
            await runner.approvals.changed.until(lambda: bool(runner.approvals.waiting))
        [question] = runner.approvals.waiting
        asked = (question.who, question.action, question.args, question.session)
        assert asked == ("local:agent", "press", {"key": "Tab"}, "shop")
        assert 110 < question.until - time.time() < 121
        runner.approvals.decide(question.number, allow=True)
    assert runner.journal.after(1)[0].outcome == "ok"
    assert runner.approvals.waiting == ()
    with pytest.raises(NotFound, match="no longer open"):
        runner.approvals.decide(question.number, allow=True)


@pytest.mark.parametrize("target", ["@e1", "text=Send 5 to Eve", "css=button"])
async def test_a_person_sees_the_target_of_a_call_before_approving_it(
    runner: Runner, web: Web, target: str
) -> None:
    runner.approvals = Approvals(["click", "fill", "close_tab"])
    url = web.page("<button>Send 5 to Eve</button><input aria-label=Name>")
    await runner.run(call("navigate", url=f"{url}?token=abc123def456ghi789"))
    await runner.run(call("snapshot"))
    tab = (await runner.run(call("list_tabs"))).text.split()[0]
    page = f"{url}?token=***"
    wanted = [
        (call("click", target=target), 'button "Send 5 to Eve"', {"target": target}),
        (
            call("fill", target="css=input", value="hunter2"),
            'textbox "Name"',
            {"target": "css=input", "value": "<7 characters>"},
        ),
        (call("close_tab", id=tab), "", {"id": tab}),
    ]
    for asked, label, args in wanted:
        async with anyio.create_task_group() as group:
            group.start_soon(refuse_next, runner, Subject(label, page), args)
            with pytest.raises(Denied, match="A person refused"):
                await runner.run(asked)


async def refuse_next(runner: Runner, about: Subject, args: dict[str, str]) -> None:
    with anyio.fail_after(60):
        await runner.approvals.changed.until(lambda: bool(runner.approvals.waiting))
    [question] = runner.approvals.waiting
    runner.approvals.decide(question.number, allow=False)
    assert (question.about, question.args) == (about, args)


async def test_an_invalid_call_does_not_ask_for_approval(runner: Runner) -> None:
    runner.approvals = Approvals(["press"])
    with pytest.raises(InvalidArgs):
        await runner.run(call("press", keys="Tab"))
    assert runner.approvals.waiting == ()


async def test_a_call_that_is_refused_or_not_answered_does_not_run(runner: Runner, web: Web) -> None:
    await runner.run(call("navigate", url=web.page(PAGE)))
    with pytest.raises(Denied, match=r"press needs approval; nobody answered in 0\.2 s"):
        await runner.run(call("press", key="Tab"))

    runner.approvals = Approvals(["destroy"])
    tabs, refusals = await runner.run(call("list_tabs")), []

    async def close() -> None:
        try:
            await runner.run(call("close_tab", id=tabs.text.split()[0]))
        except Denied as denied:
            refusals.append(denied.message)

    async with anyio.create_task_group() as group:
        group.start_soon(close)
        with anyio.fail_after(60):
            await runner.approvals.changed.until(lambda: bool(runner.approvals.waiting))
        runner.approvals.decide(runner.approvals.waiting[0].number, allow=False)
    assert refusals == ["A person refused close_tab."]
    assert (await runner.run(call("list_tabs"))).text == tabs.text


async def test_a_session_is_blocked_for_agents_until_a_person_hands_it_back(runner: Runner, web: Web) -> None:
    await runner.run(call("navigate", url=web.page(PAGE)))
    session = await runner.sessions.get(AGENT.name, "shop")
    session.take_over()

    with pytest.raises(Blocked, match="A person has taken over session shop"):
        await runner.run(call("snapshot"))
    assert "Press" in (await runner.run(call("snapshot", door=PERSON))).text

    session.hand_back()
    assert "Press" in (await runner.run(call("snapshot"))).text


async def test_taking_over_refuses_waiting_calls_and_lets_the_running_one_finish(
    runner: Runner, web: Web
) -> None:
    runner.approvals = Approvals()
    await runner.run(call("navigate", url=web.page(PAGE)))
    session = await runner.sessions.get(AGENT.name, "shop")
    [tab] = session.tabs
    outcomes: dict[str, str] = {}

    async def run(action: str, **args: object) -> None:
        try:
            await runner.run(replace(call(action), args=args))
            outcomes[action] = "ok"
        except Blocked as blocked:
            outcomes[action] = blocked.message

    async with anyio.create_task_group() as group:
        group.start_soon(lambda: run("wait_for_text", text="Now"))
        with anyio.fail_after(60):
            while not session.lock.locked():
                await anyio.lowlevel.checkpoint()
        group.start_soon(lambda: run("click", target="text=Press"))
        with anyio.fail_after(60):
            while not session.lock.statistics().tasks_waiting:
                await anyio.lowlevel.checkpoint()
        session.take_over()
        await tab.evaluate("document.body.append('Now')")
    assert outcomes == {"wait_for_text": "ok", "click": "A person has taken over session shop."}
    assert await tab.element("css=button").text() == "Press"


async def test_a_session_that_was_taken_over_stays_so_until_it_is_handed_back(
    runner: Runner, web: Web
) -> None:
    runner.approvals = Approvals()
    await runner.run(call("navigate", url=web.page(PAGE)))
    session = await runner.sessions.get(AGENT.name, "shop")
    session.take_over()
    for args in ({"name": "shop"}, {"name": "shop", "graceful": False}, {}):
        with pytest.raises(Blocked, match="A person has taken over session shop"):
            await runner.run(call("close_session", **args))
    assert session.context.browser.pid is not None
    os.kill(session.context.browser.pid, signal.SIGKILL)
    with anyio.fail_after(60):
        while session.alive:
            await anyio.lowlevel.checkpoint()
    with pytest.raises(Blocked, match="A person has taken over session shop"):
        await runner.run(call("snapshot"))


async def test_an_unnamed_session_that_was_taken_over_outlives_its_client(
    supervisor: BrowserSupervisor,
) -> None:
    async with Sessions.open(supervisor, Limits(reconnect_seconds=0)) as sessions:
        for taken_over in (True, False):
            name = sessions.connections.resume(Client(AGENT.name), "connection")
            session = await sessions.get(AGENT.name, name)
            if taken_over:
                session.take_over()
            await sessions.connections.leave("connection")
            assert (session in set(sessions)) == taken_over
            await session.close()


async def test_a_persons_call_needs_no_approval_and_leaves_the_agents_notes(runner: Runner, web: Web) -> None:
    runner.approvals = Approvals(["press"])
    await runner.run(call("navigate", url=web.page(PAGE)))
    session = await runner.sessions.get(AGENT.name, "shop")
    session.add_note("Session shop is back: 1 tab.")
    answer = await runner.run(replace(call("press", door=PERSON, key="Tab"), by="local:person"))
    assert "is back" not in answer.text
    line = runner.journal.after(runner.journal.last - 1)[0]
    recorded = (line.who, line.door, line.owner, line.session, line.action, line.outcome)
    assert recorded == ("local:person", "dashboard", "local:agent", "shop", "press", "ok")
    assert (await runner.run(call("list_tabs"))).text.startswith("Session shop is back: 1 tab.\n")
