"""A runner over the real engine, with the test's own home folder."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tabwright.actions import CATALOG
from tabwright.artifacts import Artifacts
from tabwright.browser.supervisor import BrowserSupervisor
from tabwright.call import Answer, Call
from tabwright.policy.callers.principal import Principal
from tabwright.policy.data.script_reach import Scripts
from tabwright.policy.data.secret_store import Secrets
from tabwright.policy.data.secret_typing import SecretTyping
from tabwright.runner import Runner
from tabwright.sessions.registry import Sessions
from tests.calls import Do


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TABWRIGHT_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
async def runner(supervisor: BrowserSupervisor, home: Path) -> AsyncIterator[Runner]:
    async with Sessions.open(supervisor, recipes=home / "recipes") as sessions:
        vault = SecretTyping(Secrets(home / "secrets.toml"))
        yield Runner(CATALOG, sessions, Artifacts(), secrets=vault, scripts=Scripts(block_eval=False))
        for session in sessions:
            await session.close()


@pytest.fixture
def do(runner: Runner, home: Path) -> Do:
    """Run an action as a door would."""
    me = Principal("local:test", folder=home)

    async def do(action: str, **args: Any) -> Answer:
        return await runner.run(Call(action=action, args=args, principal=me))

    return do
