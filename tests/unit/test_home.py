"""Where configuration and state live."""

import sys
from pathlib import Path

import pytest

from tabwright.home import Home

linux = pytest.mark.skipif(sys.platform != "linux", reason="the freedesktop places are those of Linux")


@linux
def test_home_is_where_the_desktop_keeps_configuration_and_state(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for variable in ("TABWRIGHT_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))

    assert Home.find() == Home(tmp_path / ".config/tabwright", tmp_path / ".local/state/tabwright")


@linux
def test_home_follows_the_desktop_to_other_places_but_not_to_relative_ones(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("TABWRIGHT_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "conf"))
    monkeypatch.setenv("XDG_STATE_HOME", "not/absolute")

    assert Home.find() == Home(tmp_path / "conf/tabwright", tmp_path / ".local/state/tabwright")


def test_tabwright_home_holds_all_in_one_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TABWRIGHT_HOME", str(tmp_path / "one"))

    home = Home.find()

    assert home == Home(tmp_path / "one", tmp_path / "one")
    assert home.config_file == tmp_path / "one/tabwright.toml"
