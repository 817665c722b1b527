"""What happens to a Chrome that is not used for a while."""

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


async def test_an_idle_link_lasts_and_a_chrome_without_restored_tabs_shares_none(
    seen: dict[str, object],
) -> None:
    assert (seen["alive"], seen["same worker"]) == (True, (1, True))
    said = seen["said"]
    assert isinstance(said, list)
    assert said.count("ping") == 1
    assert (seen["after"], seen["outdated"]) == ([], "Tabwright was updated. Reload the extension")


async def test_an_alarm_restarts_the_worker_with_its_tabs_while_a_call_waits(
    seen: dict[str, object],
) -> None:
    assert (seen["period"], seen["another worker"]) == (0.5, True)
    note = "The connection to the user's Chrome was interrupted and is back: 1 tab."
    assert seen["back"] == f"{note}\nt1 (current): data:text/html,<title>Shared</title>"


async def test_stop_survives_when_chrome_ends_a_worker_without_a_link(
    seen: dict[str, object],
) -> None:
    assert (seen["alarms"], seen["ended by idleness"]) == (0, True)
    assert seen["stopped"] == "Stopped: agents cannot do anything in this Chrome"
