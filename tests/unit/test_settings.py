"""Configuration: flag, then environment, then file, then default."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from tabwright.settings import SessionSettings, Settings


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TABWRIGHT_HOME", str(tmp_path))
    for name in ("BROWSER", "HEADLESS", "PROXY", "LANGUAGE", "TIMEZONE", "BROWSER_ARGS"):
        monkeypatch.delenv(f"TABWRIGHT_{name}", raising=False)
    return tmp_path


def test_without_any_choice_a_browser_is_found_and_runs_without_a_window() -> None:
    settings = Settings()
    assert (settings.browser, settings.headless, settings.proxy) == (None, True, None)
    assert (settings.language, settings.timezone, settings.browser_args) == (None, None, ())


def test_the_file_is_read_from_the_home_folder(home: Path) -> None:
    (home / "tabwright.toml").write_text('browser = "/opt/chrome"\nbrowser_args = ["--a", "--b=c"]\n')
    assert (Settings().browser, Settings().browser_args) == (Path("/opt/chrome"), ("--a", "--b=c"))


def test_the_environment_comes_before_the_file_and_a_flag_before_both(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "tabwright.toml").write_text('language = "de"\ntimezone = "Asia/Tokyo"\nproxy = "http://p:1"\n')
    monkeypatch.setenv("TABWRIGHT_LANGUAGE", "fr")
    monkeypatch.setenv("TABWRIGHT_TIMEZONE", "Europe/Paris")
    settings = Settings(language="pt-BR")
    assert (settings.language, settings.timezone, settings.proxy) == ("pt-BR", "Europe/Paris", "http://p:1")


def test_a_setting_of_the_wrong_kind_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABWRIGHT_HEADLESS", "perhaps")
    with pytest.raises(ValidationError, match="headless"):
        Settings()


def test_settings_do_not_change() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        Settings().headless = False  # type: ignore[misc] # that it cannot be set is the point


def test_tables_of_the_file_may_be_written_in_either_spelling(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "tabwright.toml").write_text(
        "httpPort = 8081\n[sessions]\nmaxConcurrent = 3\nallow_shared = ['team']\n[security]\nblockEval = false\n"
    )
    monkeypatch.setenv("TABWRIGHT_SESSIONS__TIMEOUT_MINUTES", "5")
    settings = Settings()
    assert (settings.http_port, settings.security.block_eval) == (8081, False)
    assert settings.sessions == SessionSettings(max_concurrent=3, timeout_minutes=5, allow_shared=("team",))


def test_every_setting_says_what_it_is() -> None:
    assert [name for name, field in Settings.model_fields.items() if not field.description] == []
