"""What happens to a Chrome that nobody works in."""

import anyio
import pytest

from tests.extension.stay import SECONDS, Stay


@pytest.fixture
async def seen(unattended: Stay) -> dict[str, object]:
    with anyio.fail_after(SECONDS + 90):
        await unattended.over.wait()
    if unattended.failure is not None:
        raise unattended.failure
    return unattended.seen


async def test_a_link_that_nobody_uses_pings_and_lasts_and_a_chrome_that_brings_no_tabs_back_shares_none(
    seen: dict[str, object],
) -> None:
    assert (seen["alive"], seen["same worker"]) == (True, (1, True))
    said = seen["said"]
    assert isinstance(said, list)
    assert said.count("ping") == 1
    assert (seen["after"], seen["outdated"]) == ([], "Tabwright was updated. Reload the extension")


async def test_a_worker_that_ended_comes_back_with_its_tabs_by_an_alarm_while_the_next_call_waits(
    seen: dict[str, object],
) -> None:
    assert (seen["period"], seen["another worker"]) == (0.5, True)
    note = "The connection to the user's Chrome was interrupted and is back: 1 tab."
    assert seen["back"] == f"{note}\nt1 (current): data:text/html,<title>Shared</title>"


async def test_a_worker_without_a_link_is_ended_by_chrome_and_stop_holds_in_the_next(
    seen: dict[str, object],
) -> None:
    assert (seen["alarms"], seen["ended by idleness"]) == (0, True)
    assert seen["stopped"] == "Stopped: no agent can do anything in this Chrome"
