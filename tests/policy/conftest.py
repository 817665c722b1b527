"""Fixtures of the policy tests."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tabwright.browser.supervisor import BrowserSupervisor
from tabwright.sessions.registry import Sessions
from tests.policy.desk import Desk


@pytest.fixture
async def desk(supervisor: BrowserSupervisor, tmp_path: Path) -> AsyncIterator[Desk]:
    async with Sessions.open(supervisor) as sessions:
        yield Desk(sessions, tmp_path)
        for session in sessions:
            await session.close()
