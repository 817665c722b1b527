"""One hub for all tests that start none of their own: it takes seconds of the processor to start."""

from collections.abc import AsyncIterator

import pytest

from tests.doors.mcp.agents import HubHome, hub_of


@pytest.fixture(scope="session")
async def shared_hub(anyio_backend: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[HubHome]:
    """The home of a hub that its first client starts, and that no test may end."""
    async with hub_of(tmp_path_factory.mktemp("hub")) as hub:
        yield hub
