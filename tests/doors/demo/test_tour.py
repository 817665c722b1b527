"""`tabwright demo`, as a user sees it."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest
from PIL import Image

from tabwright.home import Home
from tests.doors.cli.shell import Ran, Shell

NO_DISPLAY = {"DISPLAY": "", "WAYLAND_DISPLAY": ""}


@pytest.fixture
async def shell(tmp_path: Path) -> AsyncIterator[Shell]:
    home = Home(tmp_path / "home", tmp_path / "home")
    shell = Shell(tmp_path, home, NO_DISPLAY)
    yield shell
    await anyio.to_thread.run_sync(shell.stop_hub)


async def test_the_tour_prints_each_call_saves_pictures_and_stops_its_hub(
    shell: Shell, tmp_path: Path
) -> None:
    ran = await shell.run("demo")

    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert "The browser has no window here. Screenshots are saved." in lines
    assert [line[3:] for line in lines if re.match(r"\d  ", line)] == [
        "A shop",
        "Page tools",
        "A form",
        "A single-page app",
        "Frames",
    ]
    # Each step had its effect.
    output = re.sub(r"127\.0\.0\.1:\d+", "SITE", re.sub(r"@e\d+", "@e", ran.out))
    for answer in (
        'Blocked (-32012): button "Add Sencha" is covered by dialog "Welcome".',
        '│ ~ "Cart: 1 · € 9.60"',
        "│ 2 of 6 teas for “smoky”",
        'combobox "Delivery" is now "Collect at the harbour".',
        "│ Navigated to http://SITE/thanks.html?name=Ada+Lovelace",
        "│ The address is now http://SITE/orders.html?order=1042",
        '│ + @e: heading "On their way (2)" (level: 2)',
        '│ + "80 °C for green teas, boiling for all others."',
        '│ + status: "Parcel 1042 crossed the bridge ten minutes ago."',
    ):
        assert answer in output
    assert next(line for line in lines if "✗" in line).split()[:4] == [
        "✗",
        "browser_click",
        "selector:",
        '"@e27"',
    ]

    folder = tmp_path / "tabwright-demo"
    saved = [line.split()[0] for line in lines[lines.index("Saved") + 1 :] if "tabwright-demo/" in line]
    assert sorted(saved) == sorted(f"tabwright-demo/{path.name}" for path in folder.iterdir())
    for picture in ("shop.jpg", "order.jpg", "help.jpg"):
        with Image.open(folder / picture) as opened:
            assert opened.size == (1280, 720)
    page = (folder / "transcript.html").read_text()
    calls = len([line for line in lines if line.startswith(("   ▸", "   ✗"))])
    assert page.count("<article") == calls == 25
    assert "<img src=" in page
    assert shell.hub() is None


async def test_a_running_hub_is_used_and_left_running_and_errors_are_reported(tmp_path: Path) -> None:
    elsewhere = {"TABWRIGHT_SECURITY__ALLOWED_URL_PATTERNS": '["https://*"]', "TABWRIGHT_DIALECT": "tabs"}
    shell = Shell(tmp_path, Home(tmp_path / "home", tmp_path / "home"), {**NO_DISPLAY, **elsewhere})
    await shell.run("list-sessions")
    try:
        shown = await shell.run("demo", "--folder", "kept")

        assert (shown.code, shown.err) == (
            1,
            "tabwright demo: The tour stopped early: browser_navigate failed.\nTo find the cause: tabwright doctor\n",
        )
        assert "no pattern of security.allowed_url_patterns allows it." in shown.out
        assert [path.name for path in (tmp_path / "kept").iterdir()] == ["transcript.html"]
        assert shell.hub() is not None
    finally:
        await anyio.to_thread.run_sync(shell.stop_hub)


async def test_a_folder_that_cannot_be_created_is_reported_before_the_hub_starts(
    shell: Shell, tmp_path: Path
) -> None:
    (tmp_path / "taken").write_text("")
    assert await shell.run("demo", "--folder", "taken") == Ran(
        2, "", "tabwright demo: taken: File exists.\nChoose another --folder.\n"
    )
    assert shell.hub() is None
