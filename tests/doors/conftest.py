"""One hub for all tests that can share one: starting a hub takes seconds of CPU time."""

from collections.abc import AsyncIterator

import pytest

from tests.doors.mcp.agents import HubHome, hub_of


@pytest.fixture(scope="session")
async def shared_hub(anyio_backend: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[HubHome]:
    """A hub that its first client starts, and that no test may stop."""
    async with hub_of(tmp_path_factory.mktemp("hub")) as hub:
        yield hub
