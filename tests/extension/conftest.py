"""One Chromium with the extension for all tests of a worker; each pairs it with the hub it needs."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tabwright.doors.extension import ExtensionDoor
from tabwright.policy.pairing import Chromes
from tests.extension.hub import Link, Recorder
from tests.extension.person import Person, at_their_chrome


@pytest.fixture(scope="session")
async def person(anyio_backend: str) -> AsyncIterator[Person]:
    async with at_their_chrome() as person:
        yield person


@pytest.fixture
async def link(person: Person, tmp_path: Path) -> AsyncIterator[Link]:
    """The wire between a hub and the person's Chrome, with no tab shared and none of ours left open after."""
    recorder = Recorder()
    door = ExtensionDoor(Chromes(tmp_path / "chromes.json"), recorder)
    async with door.open("any"):
        await person.pairs_with(door)
        link = await recorder.link()
        yield link
        await person.tidies_up()
