"""Profiles survive the exit of hubs: the browser's folder and the settings file stay intact."""

import re
import signal
import sys
import tomllib
from pathlib import Path

import anyio

from tests.doors.mcp.agents import hub_of
from tests.doors.test_sessions_last import client_of
from tests.processes import kill_and_wait, wait_for_group_exit
from tests.web import Web

PAGE = """<title>Shop</title><body style="height:5000px"><script>
    if (location.search) {
        document.cookie = 'login=ann; max-age=9999';
        document.cookie = 'visit=7';
        setInterval(() => localStorage.count = Number(localStorage.count ?? 0) + 1, 1);
    }
</script>"""


async def test_a_profile_survives_a_hub_that_was_killed_during_writes(tmp_path: Path, web: Web) -> None:
    page = web.page(PAGE, "/shop")
    async with hub_of(tmp_path, calls_per_second="10000", security__block_eval="false") as hub:
        async with client_of(hub) as client:
            await client.do("create_profile", name="Shop")
            await client.do("navigate", url=f"{page}?write")
            await client.do("scroll", direction="down", pixels=700)
            await client.until_stored("700")
            await client.until_stored('"visit"')
            running = await client.do("get_running_browsers")
            pid = int(re.findall(r"process (\d+)", running)[0])
            await kill_and_wait(hub.pid, signal.SIGKILL)
        # The next hub waits for the browser of the last one, which still writes its files.
        async with client_of(hub) as client:
            launched = await client.do("launch_browser", profile_id="shop")
            assert re.fullmatch(
                r"Started: shop: Shop; process \d+; since \S+; 1 tab\nSession shop is back: 1 tab, from \d+ s ago\.",
                launched,
            )
            await wait_for_group_exit(pid)
            assert await client.do("list_tabs") == f"t1 (current): {page}?write"
            assert await client.do("evaluate", script="scrollY") == "700"
            cookies = await client.do("get_cookies")
            assert ("login=ann" in cookies, "visit=7" in cookies) == (True, True)
            assert int(await client.do("evaluate", script="localStorage.count")) > 0


async def test_the_settings_file_survives_a_hub_that_was_killed_during_a_write(tmp_path: Path) -> None:
    file = tmp_path / "tabwright.toml"
    file.write_text("# mine\ncalls_per_second = 10000\n\n[files]  # not ours\nmax_download_mb = 9\n")
    async with hub_of(tmp_path) as hub:
        async with client_of(hub) as client:
            await client.do("create_profile", name="Shop")
        for answers in (1, 5, 15):
            async with client_of(hub) as client:
                done = [
                    await client.do("update_profile", id="shop", description=f"d{n}") for n in range(answers)
                ]
                assert done[-1] == f"shop: Shop; d{answers - 1}; {tmp_path}/profiles/shop"
                for number in range(40):  # some of them are in progress when the hub is killed
                    await client.ask("update_profile", id="shop", description=f"e{number} " + "x" * 2_000)
                await kill_and_wait(hub.pid, signal.SIGKILL)
            written = file.read_text()
            assert written.startswith(
                "# mine\ncalls_per_second = 10000\n\n[files]  # not ours\nmax_download_mb = 9\n"
            )
            [profile] = tomllib.loads(written)["profiles"]
            assert re.fullmatch(rf"d{answers - 1}|e\d+ x{{2000}}", profile.pop("description"))
            assert profile == {"id": "shop", "name": "Shop"}
        async with client_of(hub) as client:
            await client.do("update_profile", id="shop", description="")
            assert await client.do("list_profiles") == f"shop: Shop; {tmp_path}/profiles/shop"
        assert [part async for part in anyio.Path(tmp_path).glob(".*.part")] == []


WRITER = """
import sys
from pathlib import Path
from tabwright.profiles.config_file import ProfileFile
home = Path(sys.argv[1])
file = ProfileFile(home / "tabwright.toml", home / "profiles")
for number in range(15):
    file.create({"name": "Same"})
"""


async def test_concurrent_writes_of_processes_lose_nothing(tmp_path: Path) -> None:
    (tmp_path / "tabwright.toml").write_text("# mine\n")
    async with anyio.create_task_group() as group:
        for _ in range(3):
            group.start_soon(anyio.run_process, [sys.executable, "-c", WRITER, str(tmp_path)])
    written = (tmp_path / "tabwright.toml").read_text()
    ids = [profile["id"] for profile in tomllib.loads(written)["profiles"]]
    assert sorted(ids) == sorted(["same", *(f"same-{number}" for number in range(2, 46))])
    assert written.startswith("# mine\n")
