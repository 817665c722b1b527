"""What happens to a Chrome that nobody works in."""

import anyio

from tests.extension.stay import SECONDS, WORKER, Stay


async def test_a_link_that_nobody_uses_pings_and_lasts_and_a_chrome_that_brings_no_tabs_back_shares_none(
    unattended: Stay,
) -> None:
    with anyio.fail_after(SECONDS + 60):
        await unattended.over.wait()
    if unattended.failure is not None:
        raise unattended.failure
    said = unattended.seen.pop("said")
    assert said.count("ping") == 1
    outdated = "Tabwright was updated. Reload the extension"
    assert unattended.seen == {"alive": True, "workers": [WORKER], "after": [], "outdated": outdated}
