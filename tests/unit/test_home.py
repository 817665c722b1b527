"""Where configuration and state live."""

import sys
from pathlib import Path

import pytest

from tabwright.home import Home

linux = pytest.mark.skipif(sys.platform != "linux", reason="the XDG folders are for Linux")


@linux
def test_home_uses_the_standard_folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for variable in ("TABWRIGHT_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))

    assert Home.find() == Home(tmp_path / ".config/tabwright", tmp_path / ".local/state/tabwright")


@linux
def test_home_follows_xdg_variables_unless_they_are_relative(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("TABWRIGHT_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "conf"))
    monkeypatch.setenv("XDG_STATE_HOME", "not/absolute")

    assert Home.find() == Home(tmp_path / "conf/tabwright", tmp_path / ".local/state/tabwright")


def test_tabwright_home_puts_everything_in_one_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TABWRIGHT_HOME", str(tmp_path / "one"))

    home = Home.find()

    assert home == Home(tmp_path / "one", tmp_path / "one")
    assert home.config_file == tmp_path / "one/tabwright.toml"
