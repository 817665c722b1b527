"""Finding a browser."""

from pathlib import Path

import pytest

from tabwright.browser.process.find import find_browser, find_shell, is_shell
from tabwright.errors import NotFound


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the only place where commands are looked for."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def program(path: Path, *, mode: int = 0o755) -> Path:
    path.write_text("#!/bin/sh\n")
    path.chmod(mode)
    return path


def test_the_chosen_browser_comes_before_all_others(commands: Path, tmp_path: Path) -> None:
    program(commands / "google-chrome")
    chosen = program(tmp_path / "my-browser")
    assert find_browser(chosen) == chosen


def test_a_chosen_command_is_looked_up_in_the_path(commands: Path) -> None:
    brave = program(commands / "brave")
    assert find_browser(Path("brave")) == brave


def test_a_chosen_browser_in_the_home_folder_is_found(
    commands: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    chosen = program(tmp_path / "chrome")
    assert find_browser(Path("~/chrome")) == chosen


@pytest.mark.parametrize("mode", [None, 0o644])
def test_a_chosen_browser_that_cannot_be_run_is_named_and_no_other_is_taken(
    commands: Path, tmp_path: Path, mode: int | None
) -> None:
    program(commands / "chromium")
    chosen = tmp_path / "chrome"
    if mode is not None:
        program(chosen, mode=mode)
    with pytest.raises(NotFound) as missing:
        find_browser(chosen)
    assert missing.value.message == f"{chosen} is not a program that can be run."
    assert missing.value.hint == "Correct the setting `browser`, or remove it."


@pytest.mark.parametrize(
    ("installed", "taken"),
    [
        (["chromium", "google-chrome"], "google-chrome"),
        (["brave", "chromium"], "chromium"),
        (["brave", "microsoft-edge"], "microsoft-edge"),
        (["brave-browser"], "brave-browser"),
    ],
)
def test_chrome_comes_first_then_chromium_edge_and_brave(
    commands: Path, installed: list[str], taken: str
) -> None:
    for name in installed:
        program(commands / name)
    assert find_browser() == commands / taken


def test_an_application_outside_the_path_is_found_last(commands: Path, tmp_path: Path) -> None:
    installed = program(tmp_path / "chrome")
    assert find_browser(elsewhere=(tmp_path / "missing", installed)) == installed
    brave = program(commands / "brave")
    assert find_browser(elsewhere=(installed,)) == brave


def test_without_any_browser_the_error_says_how_to_get_one(commands: Path) -> None:
    with pytest.raises(NotFound) as missing:
        find_browser(elsewhere=())
    assert str(missing.value) == (
        "No Chrome, Chromium, Edge or Brave was found. Run `tabwright install-browser`, or name the path of one "
        "in TABWRIGHT_BROWSER."
    )


def test_a_headless_shell_is_found_by_itself_and_known_by_its_name(commands: Path, tmp_path: Path) -> None:
    assert find_shell(elsewhere=()) is None
    installed = program(tmp_path / "chromium-headless-shell")
    assert find_shell(elsewhere=(tmp_path / "missing", installed)) == installed
    shell = program(commands / "chrome-headless-shell")
    assert find_shell(elsewhere=(installed,)) == shell
    assert is_shell(shell)
    assert not is_shell(program(commands / "chromium"))
