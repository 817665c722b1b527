"""Only a Chrome that the person paired comes in, and only to the hub that it was paired with."""

from pathlib import Path

import anyio

from tabwright.doors.extension import ExtensionDoor
from tabwright.policy.pairing import Chromes
from tests.extension.hub import Recorder
from tests.extension.person import Person


async def test_a_chrome_is_paired_by_a_code_and_comes_back_without_one(
    person: Person, tmp_path: Path
) -> None:
    chromes = Chromes(tmp_path / "chromes.json")
    recorder = Recorder()
    door = ExtensionDoor(chromes, recorder)
    async with door.open("any") as port:
        await person.pairs_with(door)
        with anyio.fail_after(5):
            link = await recorder.link()
            assert (await link.heard("connected"))["tabs"] == []
    [chrome] = chromes
    assert chrome.name == "chromium"
    async with door.open(port or 0):
        with anyio.fail_after(5):
            link = await recorder.link()
            assert (await link.heard("connected"))["browser"]["name"] == "Chromium"
