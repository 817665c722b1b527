"""Real component libraries: each control is found in the snapshot, named, operated by ref and read back, over MCP."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tabwright.app import mcp_door, running
from tabwright.runner import Runner
from tabwright.settings import Settings
from tests.components.driver import Missed, reach
from tests.components.goals import Goal
from tests.components.libraries import BUILT, LIBRARIES, goals_of, known_failures, serve_page
from tests.doors.mcp.agents import Agent, connected_to
from tests.web import Web

# The test reads the variables of the page, which scripts of agents may not by default.
SETTINGS = Settings.model_validate({"calls_per_second": 10_000, "security": {"block_eval": False}})
KNOWN = known_failures()


@pytest.fixture(scope="module")
async def runner(anyio_backend: str) -> AsyncIterator[Runner]:
    async with running(SETTINGS) as runner:
        yield runner


@pytest.fixture
async def agent(runner: Runner, tmp_path: Path) -> AsyncIterator[Agent]:
    async with connected_to(mcp_door(runner, SETTINGS), folder=tmp_path) as agent:
        yield agent


def goal_params() -> list[object]:
    """Return every goal as a case; one that is known to fail must fail."""
    return [
        pytest.param(library, goal, id=f"{library}: {goal.name}", marks=marks_of(library, goal))
        for library in LIBRARIES
        for goal in goals_of(library)
    ]


def marks_of(library: str, goal: Goal) -> list[pytest.MarkDecorator]:
    reason = KNOWN.get(library, {}).get(goal.name)
    if reason is None:
        return []
    # A goal that is reached now and then depends on time; every other one leaves the list once it is reached.
    return [pytest.mark.xfail(reason=reason, raises=Missed, strict=not reason.startswith("Sometimes"))]


@pytest.mark.sampled(10)
@pytest.mark.skipif(not BUILT.exists(), reason="npm or its registry is not available: no component libraries")
@pytest.mark.parametrize(("library", "goal"), goal_params())
async def test_a_goal_is_reached(agent: Agent, web: Web, tmp_path: Path, library: str, goal: Goal) -> None:
    (tmp_path / "report.txt").write_text("For uploads")
    await agent.text("browser_navigate", url=serve_page(web, library))
    await reach(agent, goal, patience=2 if goal.name in KNOWN.get(library, {}) else 60)


def test_every_known_failure_is_a_goal() -> None:
    listed = {(library, name) for library, goals in KNOWN.items() for name in goals}
    assert listed - {(library, goal.name) for library in LIBRARIES for goal in goals_of(library)} == set()


def test_goals_have_different_names() -> None:
    names = {library: [goal.name for goal in goals_of(library)] for library in LIBRARIES}
    assert [library for library, given in names.items() if len(given) != len(set(given))] == []
