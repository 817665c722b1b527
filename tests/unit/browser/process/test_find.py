"""Finding a browser."""

from pathlib import Path

import pytest

from tabwright.browser.process.find import find_browser, find_headless_shell, is_headless_shell
from tabwright.errors import NotFound


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder in the PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def write_program(path: Path, *, mode: int = 0o755) -> Path:
    path.write_text("#!/bin/sh\n")
    path.chmod(mode)
    return path


def test_the_chosen_browser_comes_before_all_others(commands: Path, tmp_path: Path) -> None:
    write_program(commands / "google-chrome")
    chosen = write_program(tmp_path / "my-browser")
    assert find_browser(chosen) == chosen


def test_a_chosen_command_is_looked_up_in_the_path(commands: Path) -> None:
    brave = write_program(commands / "brave")
    assert find_browser(Path("brave")) == brave


def test_a_chosen_browser_in_the_home_folder_is_found(
    commands: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    chosen = write_program(tmp_path / "chrome")
    assert find_browser(Path("~/chrome")) == chosen


@pytest.mark.parametrize("mode", [None, 0o644])
def test_a_chosen_browser_that_is_not_executable_is_named_and_not_replaced(
    commands: Path, tmp_path: Path, mode: int | None
) -> None:
    write_program(commands / "chromium")
    chosen = tmp_path / "chrome"
    if mode is not None:
        write_program(chosen, mode=mode)
    with pytest.raises(NotFound) as missing:
        find_browser(chosen)
    assert missing.value.message == f"{chosen} is not an executable program."
    assert missing.value.hint == "Correct the setting `browser`, or remove it."


@pytest.mark.parametrize(
    ("installed", "found"),
    [
        (["chromium", "google-chrome"], "google-chrome"),
        (["brave", "chromium"], "chromium"),
        (["brave", "microsoft-edge"], "microsoft-edge"),
        (["brave-browser"], "brave-browser"),
    ],
)
def test_chrome_comes_first_then_chromium_edge_and_brave(
    commands: Path, installed: list[str], found: str
) -> None:
    for name in installed:
        write_program(commands / name)
    assert find_browser() == commands / found


def test_an_application_outside_the_path_is_found_last(commands: Path, tmp_path: Path) -> None:
    installed = write_program(tmp_path / "chrome")
    assert find_browser(app_paths=(tmp_path / "missing", installed)) == installed
    brave = write_program(commands / "brave")
    assert find_browser(app_paths=(installed,)) == brave


def test_without_a_browser_the_error_explains_how_to_install_one(commands: Path) -> None:
    with pytest.raises(NotFound) as missing:
        find_browser(app_paths=())
    assert str(missing.value) == (
        "No Chrome, Chromium, Edge or Brave was found. Run `tabwright install-browser`, or set TABWRIGHT_BROWSER "
        "to the path of one."
    )


def test_a_headless_shell_is_found_and_recognised_by_its_name(commands: Path, tmp_path: Path) -> None:
    assert find_headless_shell(paths=()) is None
    installed = write_program(tmp_path / "chromium-headless-shell")
    assert find_headless_shell(paths=(tmp_path / "missing", installed)) == installed
    shell = write_program(commands / "chrome-headless-shell")
    assert find_headless_shell(paths=(installed,)) == shell
    assert is_headless_shell(shell)
    assert not is_headless_shell(write_program(commands / "chromium"))
