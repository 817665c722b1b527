"""One Chromium with the extension for all tests of a process; each test pairs it with its hub."""

from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest

from tests.extension.hub import Hub, Link
from tests.extension.idle_chromes import IdleChromes
from tests.extension.person import Person, launch_user_chrome


@pytest.fixture(scope="session")
async def person(anyio_backend: str) -> AsyncIterator[Person]:
    async with launch_user_chrome() as person:
        yield person


@pytest.fixture(scope="session")
async def unattended(
    anyio_backend: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[IdleChromes]:
    """Chromes that are idle for half a minute while other tests run."""
    idle = IdleChromes(tmp_path_factory.mktemp("unattended"))
    async with anyio.create_task_group() as group:
        group.start_soon(idle.run)
        yield idle
        group.cancel_scope.cancel()


@pytest.fixture
async def hub(person: Person, tmp_path: Path) -> AsyncIterator[Hub]:
    """A hub whose door is not open yet; the user's tabs and choices are reset after the test."""
    yield Hub(tmp_path)
    await person.reset()


@pytest.fixture
async def link(hub: Hub, person: Person) -> AsyncIterator[Link]:
    """The link between a hub and the user's Chrome, without shared tabs."""
    async with hub.door.open("any"):
        await person.pair_with(hub.door)
        yield await hub.link()
