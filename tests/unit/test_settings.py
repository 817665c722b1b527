"""Configuration: flag, then environment, then file, then default."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from tabwright.errors import InvalidArgs
from tabwright.settings import SessionSettings, Settings


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TABWRIGHT_HOME", str(tmp_path))
    for name in ("BROWSER", "HEADLESS", "PROXY", "LANGUAGE", "TIMEZONE", "BROWSER_ARGS"):
        monkeypatch.delenv(f"TABWRIGHT_{name}", raising=False)
    return tmp_path


def test_by_default_the_browser_is_found_and_headless() -> None:
    settings = Settings()
    assert (settings.browser, settings.headless, settings.proxy) == (None, True, None)
    assert (settings.language, settings.timezone, settings.browser_args) == (None, None, ())


def test_the_file_is_read_from_the_home_folder(home: Path) -> None:
    (home / "tabwright.toml").write_text('browser = "/opt/chrome"\nbrowser_args = ["--a", "--b=c"]\n')
    assert (Settings().browser, Settings().browser_args) == (Path("/opt/chrome"), ("--a", "--b=c"))


def test_paths_begin_at_the_home_folder_or_at_the_settings_file(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    (home / "tabwright.toml").write_text(
        'browser = "chrome/chrome"\n[auth]\ntokenFile = "~/tok.json"\n'
        '[files]\nfolders = ["~/Downloads", "out", "../up", "/srv"]\n'
    )
    settings = Settings()
    assert settings.browser == home / "chrome/chrome"
    assert settings.auth.token_file == Path("/home/ada/tok.json")
    assert settings.files.folders == (
        Path("/home/ada/Downloads"),
        home / "out",
        home / "../up",
        Path("/srv"),
    )


def test_the_home_folder_of_an_unknown_user_is_an_error(home: Path) -> None:
    (home / "tabwright.toml").write_text('[auth]\ntokenFile = "~no-such-user/tok.json"\n')
    with pytest.raises(InvalidArgs) as refused:
        Settings.read()
    assert refused.value.message == (
        "auth.token_file: ~no-such-user/tok.json names the home folder of an unknown user."
    )


def test_a_flag_overrides_the_environment_which_overrides_the_file(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "tabwright.toml").write_text('language = "de"\ntimezone = "Asia/Tokyo"\nproxy = "http://p:1"\n')
    monkeypatch.setenv("TABWRIGHT_LANGUAGE", "fr")
    monkeypatch.setenv("TABWRIGHT_TIMEZONE", "Europe/Paris")
    settings = Settings(language="pt-BR")
    assert (settings.language, settings.timezone, settings.proxy) == ("pt-BR", "Europe/Paris", "http://p:1")


def test_a_setting_of_the_wrong_type_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABWRIGHT_HEADLESS", "perhaps")
    with pytest.raises(ValidationError, match="headless"):
        Settings()


def test_settings_are_immutable() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        Settings().headless = False  # type: ignore[misc] # that it cannot be set is the point


def test_the_file_may_use_snake_case_or_camel_case(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "tabwright.toml").write_text(
        "httpPort = 8081\n[sessions]\nmaxConcurrent = 3\nallow_shared = ['team']\n[security]\nblockEval = false\n"
    )
    monkeypatch.setenv("TABWRIGHT_SESSIONS__TIMEOUT_MINUTES", "5")
    settings = Settings()
    assert (settings.http_port, settings.security.block_eval) == (8081, False)
    assert settings.sessions == SessionSettings(max_concurrent=3, timeout_minutes=5, allow_shared=("team",))


def test_every_setting_has_a_description() -> None:
    assert [name for name, field in Settings.model_fields.items() if not field.description] == []


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ('languge = "de"', "languge: unknown setting; did you mean language?"),
        ("[sesions]\nmax_concurrent = 3", "sesions: unknown setting; did you mean sessions?"),
        (
            '[security]\nalowed_url_patterns = ["https://*"]',
            "security.alowed_url_patterns: unknown setting; did you mean security.allowed_url_patterns?",
        ),
        (
            "[security]\nblokEval = true",
            "security.blokEval: unknown setting; did you mean security.block_eval?",
        ),
        ("block_eval = true", "block_eval: unknown setting; did you mean security.block_eval?"),
        ("[profile]\nid = 'shop'", "profile: unknown setting; did you mean profiles?"),
        ("xyzzy = 1", "xyzzy: unknown setting."),
        (
            "xyzzy = 1\n[auth]\ntyp = 'none'",
            "auth.typ: unknown setting; did you mean auth.type? xyzzy: unknown setting.",
        ),
        (
            "timezone = 'Nowhere/City'",
            "timezone: unknown time zone 'Nowhere/City'; use one such as Europe/Paris.",
        ),
        ("language = ", "The file cannot be read: Invalid value (at end of document)."),
    ],
)
def test_an_invalid_setting_is_reported_with_a_suggestion(home: Path, written: str, message: str) -> None:
    (home / "tabwright.toml").write_text(written)
    with pytest.raises(InvalidArgs) as refused:
        Settings.read()
    assert str(refused.value) == f"{message} Correct {home}/tabwright.toml or the environment."


def test_an_invalid_environment_variable_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABWRIGHT_HOSTS", "a.example")
    with pytest.raises(InvalidArgs, match=r'^error parsing value for field "hosts"'):
        Settings.read()


def test_unknown_profile_keys_and_variables_are_ignored(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "tabwright.toml").write_text('[[profiles]]\nid = "shop"\ncolour = "green"\n')
    monkeypatch.setenv("TABWRIGHT_LANGUGE", "de")
    monkeypatch.setenv("TABWRIGHT_SECURITY__BLOK_EVAL", "true")
    assert Settings.read() == Settings()


def test_keys_of_the_browser_vision_document_mean_ours(home: Path) -> None:
    (home / "tabwright.toml").write_text(
        "[mcp.browser]\ntransport = 'http'\nhttpPort = 8081\n"
        "[mcp.browser.auth]\ntype = 'token'\ntokenFile = '~/.clawtopus/mcp-token'\n"
        "[mcp.browser.sessions]\nmaxConcurrent = 4\ntimeoutMinutes = 5\nallowSharedSessions = true\n"
        "[mcp.browser.security]\nallowedUrlPatterns = ['^https://']\nblockEval = false\n"
    )
    settings = Settings.read()
    assert (settings.transport, settings.http_port) == ("http", 8081)
    assert (settings.auth.type, settings.auth.token_file) == (
        "token",
        Path("~/.clawtopus/mcp-token").expanduser(),
    )
    assert settings.sessions == SessionSettings(max_concurrent=4, timeout_minutes=5, allow_shared=True)
    assert settings.security.allowed_url_patterns == ("^https://",)
    assert settings.security.block_eval is False


@pytest.mark.parametrize(
    ("written", "shared"),
    [
        ("allowSharedSessions = true", True),
        ("[sessions]\nallow_shared_sessions = ['team']", ("team",)),
        ("allowSharedSessions = true\n[sessions]\nallowShared = false", False),
        ("[sessions]\nallow_shared = ['a']\n[mcp.browser.sessions]\nallowShared = true", ("a",)),
    ],
)
def test_our_own_key_counts_more_than_its_other_name(
    home: Path, written: str, shared: bool | tuple[str, ...]
) -> None:
    (home / "tabwright.toml").write_text(written)
    assert Settings.read().sessions.allow_shared == shared


BROWSION = """chrome_path = "/opt/chrome"
api_port = 38473
recent_profiles = ["uuid-1234"]

[settings]
minimize_to_tray = true
auto_start = false

[[profiles]]
id = "uuid-1234"
name = "US Profile"
color = "red"
"""


def test_browsions_file_is_read(home: Path) -> None:
    (home / "tabwright.toml").write_text(BROWSION)
    settings = Settings.read()
    assert (settings.api_port, settings.browser) == (38473, Path("/opt/chrome"))


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("[settings]\nheadless = false", "settings: unknown setting."),
        ("[mcp]\nport = 1", "mcp: unknown setting; did you mean webmcp?"),
        ("[mcp.browser]\nsesions = 1", "sesions: unknown setting; did you mean sessions?"),
        ("api_key = 'a'", "api_key: unknown setting; did you mean auth.api_key?"),
        ("[auth]\napi_key = 'a\u00e9'", "auth.api_key: use 1 to 512 printable ASCII characters"),
        ("[auth]\napi_key = ' a'", "auth.api_key: use 1 to 512 printable ASCII characters"),
    ],
)
def test_what_the_other_files_do_not_have_is_still_reported(home: Path, written: str, message: str) -> None:
    (home / "tabwright.toml").write_text(written)
    with pytest.raises(InvalidArgs) as refused:
        Settings.read()
    assert refused.value.message.startswith(message)


def test_browsions_variables_come_after_ours_and_before_the_file(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "tabwright.toml").write_text("api_port = 1\n[auth]\napi_key = 'of the file'\ntype = 'token'\n")
    monkeypatch.setenv("BROWSION_API_PORT", "2")
    monkeypatch.setenv("BROWSION_API_KEY", "your-key")
    settings = Settings.read()
    assert (settings.api_port, settings.auth.type) == (2, "token")
    assert settings.auth.api_key is not None
    assert settings.auth.api_key.get_secret_value() == "your-key"
    monkeypatch.setenv("TABWRIGHT_API_PORT", "3")
    monkeypatch.setenv("TABWRIGHT_AUTH__API_KEY", "ours")
    settings = Settings.read()
    assert settings.api_port == 3
    assert settings.auth.api_key is not None
    assert settings.auth.api_key.get_secret_value() == "ours"
    assert "ours" not in f"{settings!r} {settings} {settings.model_dump_json()}"


def test_an_empty_variable_of_browsion_counts_as_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BROWSION_API_PORT", "")
    monkeypatch.setenv("BROWSION_API_KEY", "")
    assert (Settings.read().api_port, Settings.read().auth.api_key) == (38472, None)


def test_an_invalid_variable_of_browsion_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BROWSION_API_PORT", "99999")
    with pytest.raises(InvalidArgs, match=r"^api_port\."):
        Settings.read()
