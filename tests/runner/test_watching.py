"""What people see of calls, what they must allow, and what they take over."""

from collections.abc import AsyncIterator

import anyio
import pytest

from tabwright.actions import CATALOG
from tabwright.artifacts import Artifacts
from tabwright.browser.keeper import Keeper
from tabwright.errors import Blocked, Denied, NotFound
from tabwright.policy.approvals import Approvals
from tabwright.policy.identity import Principal
from tabwright.runner import PERSON, Call, Runner
from tabwright.sessions.registry import Sessions
from tests.web import Web

AGENT = Principal("local:agent")
PAGE = "<button onclick=\"this.textContent = 'Pressed'\">Press</button><input aria-label=Name>"


@pytest.fixture
async def runner(keeper: Keeper) -> AsyncIterator[Runner]:
    async with Sessions.open(keeper) as sessions:
        yield Runner(CATALOG, sessions, Artifacts(), approvals=Approvals(["destroy", "press"], patience=0.2))


def call(action: str, door: str = "test", **args: object) -> Call:
    return Call(action=action, args=args, principal=AGENT, session="shop", door=door)


async def test_the_journal_tells_what_was_done_and_how_it_ended(runner: Runner, web: Web) -> None:
    await runner.run(call("navigate", url=web.page(PAGE)))
    await runner.run(call("click", target="text=Press"))
    await runner.run(call("fill", target="css=input", value="hunter2"))
    with pytest.raises(NotFound):
        await runner.run(call("click", target="@e99", timeout=0.1))

    lines = runner.journal.after(1)

    told = [(line.action, line.outcome, line.session, line.who, line.door) for line in lines]
    assert told == [
        ("click", "ok", "shop", "local:agent", "test"),
        ("fill", "ok", "shop", "local:agent", "test"),
        ("click", "NotFound", "shop", "local:agent", "test"),
    ]
    assert '~ @e1: button "Pressed"' in lines[0].told
    assert "hunter2" not in lines[1].args
    assert lines[2].told == "@e99 was never given out; the newest ref is @e2."
    assert runner.journal.after(runner.journal.last) == []


async def test_a_call_that_needs_leave_goes_on_once_a_person_allows_it(runner: Runner, web: Web) -> None:
    runner.approvals = Approvals(["press"])
    await runner.run(call("navigate", url=web.page(PAGE)))
    async with anyio.create_task_group() as group:
        group.start_soon(runner.run, call("press", key="Tab"))
        with anyio.fail_after(10):
            await runner.approvals.news.until(lambda: bool(runner.approvals.waiting))
        [question] = runner.approvals.waiting
        asked = (question.who, question.action, question.args, question.session)
        assert asked == ("local:agent", "press", {"key": "Tab"}, "shop")
        runner.approvals.decide(question.number, allow=True)
    assert runner.journal.after(1)[0].outcome == "ok"
    assert runner.approvals.waiting == ()
    with pytest.raises(NotFound, match="not open any more"):
        runner.approvals.decide(question.number, allow=True)


async def test_a_call_that_is_refused_or_not_answered_is_not_done(runner: Runner, web: Web) -> None:
    await runner.run(call("navigate", url=web.page(PAGE)))
    with pytest.raises(Denied, match=r"press needs a person's leave, and nobody answered in 0\.2 s"):
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
        with anyio.fail_after(10):
            await runner.approvals.news.until(lambda: bool(runner.approvals.waiting))
        runner.approvals.decide(runner.approvals.waiting[0].number, allow=False)
    assert refusals == ["A person refused close_tab."]
    assert (await runner.run(call("list_tabs"))).text == tabs.text


async def test_a_session_that_a_person_took_over_is_theirs_until_they_hand_it_back(
    runner: Runner, web: Web
) -> None:
    await runner.run(call("navigate", url=web.page(PAGE)))
    session = await runner.sessions.get(AGENT.name, "shop")
    runner.held.add(session)

    with pytest.raises(Blocked, match="A person has taken over session shop"):
        await runner.run(call("snapshot"))
    assert "Press" in (await runner.run(call("snapshot", door=PERSON))).text

    runner.held.discard(session)
    assert "Press" in (await runner.run(call("snapshot"))).text
