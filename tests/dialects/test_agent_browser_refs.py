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
CLICKABLE = ("button", "link", "checkbox", "radio", "tab", "switch", "menuitem", "option")
# Agents at once: most of the time of an action is waiting for the page.
AGENTS = 4


@pytest.fixture
async def runner(supervisor: BrowserSupervisor) -> AsyncIterator[Runner]:
    async with Sessions.open(supervisor) as sessions:
        yield Runner(CATALOG, sessions, Artifacts())
        for session in sessions:
            await session.close()


@cache
def find_command(name: str) -> Command:
    """Return the command of a verb, from a table that is read only once here."""
    return command_of(VERBS[name])


class Agent:
    """Uses the tools; their commands run in this process."""

    def __init__(self, runner: Runner, session: str) -> None:
        self._runner = runner
        self._session = session
        self.failures: list[str] = []
        self.actions = 0

    async def do(self, tool: str, **args: Any) -> str:
        request = AgentBrowser(CATALOG).request(f"agent_browser_{tool}", {"json": False, **args})
        assert request is not None
        order = Order(**{name: request.args[name] for name in ("verb", "words", "values")})
        found = find_verb(build_command(OWN, order, None)[len(OWN.command) :])
        assert found is not None
        verb, words = found
        command = find_command(verb.name)
        action, arguments = verb.meaning(parse(command, words))
        me = Principal("local:test")
        call = Call(action, arguments, principal=me, session=self._session, max_tokens=100_000)
        return (await self._runner.run(call)).text

    async def refs(self, kinds: tuple[str, ...]) -> list[str]:
        """Return the refs of usable elements of these roles."""
        lines = (await self.do("snapshot")).splitlines()
        found = [
            re.search(r"@(e\d+): (\w+)", line) for line in lines if not re.search("disabled|readonly", line)
        ]
        return [f"@{line[1]}" for line in found if line and line[2] in kinds]

    async def run(self, page: str, tool: str, ref: str, **args: str) -> None:
        self.actions += 1
        try:
            await self.do(tool, target=ref, **args)
        except TabwrightError as error:
            self.failures.append(f"{page}: {tool} {ref}: {error}")

    async def use(self, page: str, url: str) -> None:
        """Fill a field, type into another, take a new snapshot, and click an element in the middle."""
        await self.do("open", url=url)
        if fields := await self.refs(FIELDS):
            await self.run(page, "fill", fields[0], value="Ada")
            await self.run(page, "type", fields[-1], text="Ada")
        if clicked := await self.refs(CLICKABLE):
            await self.run(page, "click", clicked[len(clicked) // 2])


async def test_refs_work_in_click_fill_and_type_on_common_pages(
    runner: Runner, web: Web, capsys: pytest.CaptureFixture[str], pytestconfig: pytest.Config
) -> None:
    pages = [(name, mount(web, name)) for name in NAMES]
    pages += [(name, web.route(f"/{name}", partial(_serve_file, FOLDER / name))) for name in PLAIN]
    if not pytestconfig.getoption("--whole-sweep"):
        pages = pages[::4]
    agents = [Agent(runner, f"p{number}") for number in range(AGENTS)]

    async def use_pages(agent: Agent) -> None:
        while pages:
            await agent.use(*pages.pop())

    async with anyio.create_task_group() as group:
        for agent in agents:
            group.start_soon(use_pages, agent)
    actions = sum(agent.actions for agent in agents)
    failures = [failure for agent in agents for failure in agent.failures]
    with capsys.disabled():
        sys.stdout.write(f"\n{actions - len(failures)} of {actions} actions on refs succeed.\n")
    assert actions > len(NAMES) / 2
    assert len(failures) <= 0.05 * actions, failures


def _serve_file(path: Path, _: object) -> Response:
    return Response(path.read_bytes())
