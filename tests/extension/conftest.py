"""One Chromium with the extension for all tests of a worker; each pairs it with the hub it needs."""

from collections.abc import AsyncIterator

import pytest

from tests.extension.person import Person, at_their_chrome


@pytest.fixture(scope="session")
async def person(anyio_backend: str) -> AsyncIterator[Person]:
    async with at_their_chrome() as person:
        yield person
