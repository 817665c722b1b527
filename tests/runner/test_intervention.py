"""A person uses the session of an agent, without waiting for its lock and under their own name."""

import pytest

from tabwright.errors import Blocked, NotFound
from tabwright.intervention import Intervention
from tabwright.person_input import KeyEvent, MouseEvent, TextEvent
from tabwright.runner import Runner
from tabwright.sessions.session import Session
from tests.calls import Do
from tests.web import Web

ANN = "local:ann"
PAGE = """<input aria-label=Name style="position:fixed;left:0;top:0;width:200px;height:50px">
<script>console.log("hello")</script>"""


@pytest.fixture
def people(runner: Runner) -> Intervention:
    return Intervention(runner)


@pytest.fixture
async def session(runner: Runner, do: Do, web: Web) -> Session:
    await do("navigate", url=web.page(PAGE))
    (session,) = runner.sessions
    return session


async def test_agents_wait_until_a_session_is_handed_back(
    runner: Runner, people: Intervention, session: Session, do: Do
) -> None:
    people.take_over(session, ANN)
    people.take_over(session, ANN)  # again: nothing changes, and nothing is recorded
    with pytest.raises(Blocked, match="A person has taken over"):
        await do("get_page")
    assert (await people.run(session, ANN, "get_page", {})).text
    people.hand_back(session, ANN)
    await do("get_page")
    recorded = [(line.who, line.action, line.outcome) for line in runner.journal.after(1)]
    assert recorded == [
        (ANN, "take_over", "ok"),
        ("local:test", "get_page", "Blocked"),
        (ANN, "get_page", "ok"),
        (ANN, "hand_back", "ok"),
        ("local:test", "get_page", "ok"),
    ]


async def test_input_needs_a_session_that_was_taken_over(
    people: Intervention, session: Session, do: Do
) -> None:
    tab = session.tabs[0].id
    press = MouseEvent(kind="mouse", type="mousePressed", x=20, y=20, button="left", modifiers=0)
    with pytest.raises(NotFound, match="not taken over"):
        await people.send_input(session, tab, press)
    people.take_over(session, ANN)
    await people.send_input(session, tab, press)
    await people.send_input(session, tab, press.model_copy(update={"type": "mouseReleased"}))
    await people.send_input(session, tab, TextEvent(kind="text", text="Ad"))
    await people.send_input(session, tab, KeyEvent(kind="key", type="keydown", key="a", modifiers=0))
    people.hand_back(session, ANN)
    await do("wait_for_script", script="document.querySelector('input').value === 'Ada'")


async def test_inspecting_a_tab_does_not_wait_for_a_running_call(
    runner: Runner, people: Intervention, session: Session
) -> None:
    tab = session.tabs[0].id
    async with session.lock:
        [line] = (await people.inspect(session, tab, "console"))["lines"]
        assert line.startswith("1. log: hello")
        assert len((await people.inspect(session, tab, "network"))["lines"]) == 1
        assert (await people.inspect(session, tab, "tools"))["tools"][0]["name"] == "set_name"
        async for picture in people.pictures(session, tab):
            assert picture.jpeg
            break
    assert len(runner.journal.after(0)) == 1


async def test_a_person_answers_a_dialog_that_an_agent_waits_for(
    people: Intervention, session: Session, do: Do
) -> None:
    with pytest.raises(Blocked):
        await do("evaluate", script="document.title = prompt('Name?')")
    await people.answer_dialog(session, ANN, session.tabs[0].id, accept=True, text="Ada")
    assert (await do("evaluate", script="document.title")).text == "Ada"


async def test_a_person_ends_a_session_that_they_have_taken_over(
    people: Intervention, session: Session
) -> None:
    people.take_over(session, ANN)
    await people.end_session(session, ANN)
    with pytest.raises(NotFound, match="is closed"):
        people.session(f"{session.owner} {session.name}")


async def test_deciding_on_a_call_that_does_not_wait_is_not_found(
    runner: Runner, people: Intervention
) -> None:
    with pytest.raises(NotFound):
        people.decide(7, ANN, allow=True)
