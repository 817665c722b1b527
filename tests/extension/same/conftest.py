"""The runner of other tests, with its sessions in the user's own Chrome, joined through the extension.

A test that is listed as limited must fail with that refusal; every other test must pass unchanged.
"""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from tabwright.actions import CATALOG
from tabwright.artifacts import Artifacts
from tabwright.browser.network.gate import OpenGate
from tabwright.browser.supervisor import BrowserSupervisor
from tabwright.browser.user_chrome.links import ExtensionLinks
from tabwright.call import Answer, Call
from tabwright.doors.extension.server import ExtensionDoor
from tabwright.errors import Denied
from tabwright.policy.callers.chrome_pairing import PairedChromes
from tabwright.policy.callers.principal import Principal
from tabwright.policy.data.script_reach import Scripts
from tabwright.runner import Runner
from tabwright.sessions.registry import Sessions
from tabwright.sessions.user_browser import UserBrowser, Ways
from tests.calls import Do
from tests.extension.person import Person
from tests.extension.same.limited import LIMITED


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Iterator[None]:
    fact = LIMITED.get(pyfuncitem.originalname)
    if fact is None:
        return (yield)
    with pytest.raises(Denied) as refused:
        yield
    assert refused.value.message == fact
    return True  # type: ignore[return-value] # reports to pytest that the test was run


@pytest.fixture(scope="module")
async def links(person: Person, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ExtensionLinks]:
    links = ExtensionLinks()
    door = ExtensionDoor(PairedChromes(tmp_path_factory.mktemp("pairing") / "chromes.json"), links)
    async with door.open("any"):
        await person.pair_with(door)
        await links.expect(seconds=10)
        yield links


@pytest.fixture
async def runner(
    links: ExtensionLinks, supervisor: BrowserSupervisor, person: Person
) -> AsyncIterator[Runner]:
    async with (
        UserBrowser.open(Ways(links), OpenGate) as users,
        Sessions.open(supervisor, users=users) as sessions,
    ):
        await person.send_order(
            "exclude", site="bank.example"
        )  # the results must be the same with exclusions
        tab = await person.share_tab("about:blank", active=True)
        [link] = links
        await link.changed.until(lambda: tab in link.ownership.tabs)
        yield Runner(CATALOG, sessions, Artifacts(), scripts=Scripts(block_eval=False))
        for session in sessions:
            await session.close()
        await person.reset()


@pytest.fixture
def me(tmp_path: Path) -> Principal:
    return Principal("local:test", folder=tmp_path)


@pytest.fixture
def do(runner: Runner, me: Principal) -> Do:
    """Run an action as a door would, in a session that works in the user's Chrome."""

    async def do(
        action: str, *, max_tokens: int | None = None, session: str | None = None, **args: Any
    ) -> Answer:
        if runner.sessions.find(me.name, session) is None:
            await runner.sessions.join(me.name, session)
        call = Call(action=action, args=args, principal=me, session=session, max_tokens=max_tokens)
        return await runner.run(call)

    return do
