"""What happens to a Chrome that is not used for a while."""

import anyio
import pytest

from tests.extension.idle_chromes import IDLE_SECONDS, IdleChromes


@pytest.fixture
async def observed(unattended: IdleChromes) -> dict[str, object]:
    with anyio.fail_after(IDLE_SECONDS + 90):
        await unattended.done.wait()
    if unattended.failure is not None:
        raise unattended.failure
    return unattended.seen


async def test_an_idle_link_lasts_and_a_chrome_without_restored_tabs_shares_none(
    observed: dict[str, object],
) -> None:
    assert (observed["alive"], observed["same worker"]) == (True, (1, True))
    messages = observed["messages"]
    assert isinstance(messages, list)
    assert messages.count("ping") == 1
    assert (observed["after"], observed["outdated"]) == ([], "Tabwright was updated. Reload the extension")


async def test_an_alarm_restarts_the_worker_with_its_tabs_while_a_call_waits(
    observed: dict[str, object],
) -> None:
    assert (observed["period"], observed["another worker"]) == (0.5, True)
    note = "The connection to the user's Chrome was interrupted and is back: 1 tab."
    assert observed["back"] == f"{note}\nt1 (current): data:text/html,<title>Shared</title>"


async def test_stop_survives_when_chrome_ends_a_worker_without_a_link(
    observed: dict[str, object],
) -> None:
    assert (observed["alarms"], observed["ended by idleness"]) == (0, True)
    assert observed["stopped"] == "Stopped: agents cannot do anything in this Chrome"
