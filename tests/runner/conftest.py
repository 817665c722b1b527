"""A runner over the real engine."""

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from tabwright.actions import CATALOG
from tabwright.artifacts import Artifacts
from tabwright.browser.keeper import Keeper
from tabwright.policy.identity import Principal
from tabwright.policy.scripts import Scripts
from tabwright.runner import Answer, Call, Runner
from tabwright.sessions.registry import Sessions

Do = Callable[..., Awaitable[Answer]]


@pytest.fixture
async def runner(keeper: Keeper) -> AsyncIterator[Runner]:
    async with Sessions.open(keeper) as sessions:
        yield Runner(CATALOG, sessions, Artifacts(), scripts=Scripts(block_eval=False))
        for session in sessions:
            await session.close()


@pytest.fixture
def me(tmp_path: Path) -> Principal:
    return Principal("local:test", folder=tmp_path)


@pytest.fixture
def do(runner: Runner, me: Principal) -> Do:
    """Run an action as a door would."""

    async def do(
        action: str, *, max_tokens: int | None = None, session: str | None = None, **args: Any
    ) -> Answer:
        return await runner.run(
            Call(action=action, args=args, principal=me, session=session, max_tokens=max_tokens)
        )

    return do
