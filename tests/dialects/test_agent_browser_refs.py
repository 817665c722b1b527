"""Refs of a snapshot work in the next command, on every fourth page of the corpus (all with --whole-sweep)."""

import re
import sys
from collections.abc import AsyncIterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import anyio
import pytest

from tabwright.actions import CATALOG
from tabwright.agent_browser.command_line import Order, build_command
from tabwright.agent_browser.find_program import OWN
from tabwright.artifacts import Artifacts
from tabwright.browser.supervisor import BrowserSupervisor
from tabwright.call import Call
from tabwright.dialects.agent_browser.dialect import AgentBrowser
from tabwright.doors.cli.commands import Command
from tabwright.doors.cli.parse import parse
from tabwright.doors.cli.verbs import VERBS, command_of, find_verb
from tabwright.errors import TabwrightError
from tabwright.policy.callers.principal import Principal
from tabwright.runner import Runner
from tabwright.sessions.registry import Sessions
from tests.page_tools.corpus import FOLDER, NAMES, mount
from tests.web import Response, Web

PLAIN = sorted(path.name for path in FOLDER.glob("*.html"))
FIELDS = ("textbox", "searchbox")
CLICKED = ("button", "link", "checkbox", "radio", "tab", "switch", "menuitem", "option")
# Pages at once: most of an act is waiting for what the page does.
AT_ONCE = 4


@pytest.fixture
async def runner(supervisor: BrowserSupervisor) -> AsyncIterator[Runner]:
    async with Sessions.open(supervisor) as sessions:
        yield Runner(CATALOG, sessions, Artifacts())
        for session in sessions:
            await session.close()


@cache
def command_called(name: str) -> Command:
    """Return the command of a verb; its table, which each process reads, is read once for all here."""
    return command_of(VERBS[name])


class Person:
    """Uses the tools, whose commands run here rather than in a process each."""

    def __init__(self, runner: Runner, session: str) -> None:
        self._runner = runner
        self._session = session
        self.failures: list[str] = []
        self.acts = 0

    async def do(self, tool: str, **args: Any) -> str:
        request = AgentBrowser(CATALOG).request(f"agent_browser_{tool}", {"json": False, **args})
        assert request is not None
        order = Order(**{name: request.args[name] for name in ("verb", "words", "values")})
        found = find_verb(build_command(OWN, order, None)[len(OWN.command) :])
        assert found is not None
        verb, words = found
        command = command_called(verb.name)
        action, meant = verb.meaning(parse(command, words))
        me = Principal("local:test")
        call = Call(action, meant, principal=me, session=self._session, max_tokens=100_000)
        return (await self._runner.run(call)).text

    async def refs(self, kinds: tuple[str, ...]) -> list[str]:
        """Return the refs of what is of a kind and can be used."""
        lines = (await self.do("snapshot")).splitlines()
        found = [
            re.search(r"@(e\d+): (\w+)", line) for line in lines if not re.search("disabled|readonly", line)
        ]
        return [f"@{line[1]}" for line in found if line and line[2] in kinds]

    async def act(self, page: str, tool: str, ref: str, **args: str) -> None:
        self.acts += 1
        try:
            await self.do(tool, target=ref, **args)
        except TabwrightError as error:
            self.failures.append(f"{page}: {tool} {ref}: {error}")

    async def use(self, page: str, address: str) -> None:
        """Fill a field and type into another; look again, and click something in the middle."""
        await self.do("open", url=address)
        if fields := await self.refs(FIELDS):
            await self.act(page, "fill", fields[0], value="Ada")
            await self.act(page, "type", fields[-1], text="Ada")
        if clicked := await self.refs(CLICKED):
            await self.act(page, "click", clicked[len(clicked) // 2])


async def test_refs_work_in_click_fill_and_type_on_common_pages(
    runner: Runner, web: Web, capsys: pytest.CaptureFixture[str], pytestconfig: pytest.Config
) -> None:
    pages = [(name, mount(web, name)) for name in NAMES]
    pages += [(name, web.route(f"/{name}", partial(_served, FOLDER / name))) for name in PLAIN]
    if not pytestconfig.getoption("--whole-sweep"):
        pages = pages[::4]
    people = [Person(runner, f"p{number}") for number in range(AT_ONCE)]

    async def work(person: Person) -> None:
        while pages:
            await person.use(*pages.pop())

    async with anyio.create_task_group() as group:
        for person in people:
            group.start_soon(work, person)
    acts = sum(person.acts for person in people)
    failures = [failure for person in people for failure in person.failures]
    with capsys.disabled():
        sys.stdout.write(f"\n{acts - len(failures)} of {acts} acts on refs succeed.\n")
    assert acts > len(NAMES) / 2
    assert len(failures) <= 0.05 * acts, failures


def _served(path: Path, _: object) -> Response:
    return Response(path.read_bytes())
