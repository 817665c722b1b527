"""All configuration: flag > environment > file > default. Only this and `home` read the environment."""

import os
import re
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo, available_timezones

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    field_validator,
)
from pydantic.fields import FieldInfo
from pydantic_core import InitErrorDetails, PydanticCustomError
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
    TomlConfigSettingsSource,
)

from tabwright.errors import InvalidArgs
from tabwright.foreign_settings import VARIABLES, nested, snake_case, translate
from tabwright.home import Home

# Tables of the same file that other modules read.
_OTHER_TABLES = ("profiles",)
_KEY = re.compile(r"[ -~]{1,512}")
_ZONE = re.compile(r"[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*")


def anchor(path: Path) -> Path:
    """Return the path that the user means: `~` is the home folder, others begin at the settings file."""
    try:
        expanded = path.expanduser()
    except RuntimeError as error:
        raise ValueError(f"{path} names the home folder of an unknown user") from error
    return Home.find().config / expanded


AnchoredPath = Annotated[Path, AfterValidator(anchor)]


class Group(BaseModel):
    """Related settings: one table of the file."""

    # Unknown variables of the environment are ignored; an unknown key of the file is refused.
    model_config = ConfigDict(frozen=True, extra="ignore")


class AuthSettings(Group):
    """Who may call over HTTP."""

    type: Literal["auto", "token", "none"] = Field(
        "auto",
        description="token: every HTTP request needs a token. none: no request needs one. "
        "auto: requests need one once a token exists, and always from other computers.",
    )
    token_file: AnchoredPath | None = Field(
        None,
        description="File that stores the tokens; by default `tokens.json` in the configuration folder. "
        "Once it is set, `auto` always requires a token.",
    )
    api_key: SecretStr | None = Field(
        None,
        description="A key of your choice that opens HTTP like a token with the scope admin, as `X-API-Key` "
        "or as a bearer token; 16 characters or more. Once it is set, `auto` always requires it or a token. "
        "`BROWSION_API_KEY` sets it, too.",
    )

    @field_validator("api_key")
    @classmethod
    def _check_api_key(cls, value: SecretStr | None) -> SecretStr | None:
        key = value.get_secret_value() if value else ""
        if value and not (_KEY.fullmatch(key) and key == key.strip()):
            raise ValueError("use 1 to 512 printable ASCII characters, without spaces at the ends")
        return value


class SessionSettings(Group):
    """How many sessions may be open, for how long, and who shares them."""

    max_concurrent: int = Field(10, ge=1, le=1_000, description="Sessions that may be open at once.")
    timeout_minutes: float = Field(
        30, gt=0, description="A session is closed after this many minutes without a call."
    )
    reconnect_seconds: float = Field(
        60,
        ge=0,
        description="An unnamed session waits this many seconds after its client disconnects, until the same "
        "client connects again from the same folder; 0 closes it at once. Your own Chrome's tabs never wait.",
    )
    keep_days: float = Field(
        30, gt=0, description="A named session stays on disk for this many days after its last use."
    )
    allow_shared: bool | tuple[str, ...] = Field(
        False, description="Sessions that all clients share: true for all named ones, or a list of names."
    )


class ScreenshotSettings(Group):
    """How large screenshots of the default tools may be."""

    max_side: int = Field(
        1568, ge=100, le=8_000, description="Maximum width and height of a screenshot in pixels."
    )
    max_bytes: int = Field(
        5_242_880, ge=10_000, description="Maximum size of a screenshot; its quality is reduced as needed."
    )


class SecuritySettings(Group):
    """What sessions may reach and run."""

    allowed_url_patterns: tuple[str, ...] = Field(
        ("https://*", "http://localhost/*", "http://*.localhost/*", "http://127.0.0.1/*", "http://[::1]/*"),
        description="URLs that sessions may reach: `*` matches anything, a host without a port matches "
        "all its ports; a pattern that begins with `^` is a regular expression.",
    )
    block_eval: bool = Field(
        True,
        description="Bar `evaluate` scripts from the page's variables, cookies, storage and the network.",
    )
    allowed_proxies: tuple[str, ...] = Field(
        (),
        description="Proxies that callers may give to profiles, as `host:port`; `*` matches anything. "
        "Profiles in this file may use any.",
    )
    confirm: tuple[str, ...] = Field(
        (),
        description="What needs approval on the dashboard, whichever action does it: `press`, `type`, "
        "`navigate`, `upload`, `download`, `run_script`, `read_data`, `change_data`, `configure`, `close`, "
        "`point`, `look`, `manage`, `run_program`; or `act` or `destroy` for all actions with that effect. "
        "The name of an action stands for what it is for: `click` for every way to press. An approval holds "
        "for what was shown, once.",
    )
    manage: bool = Field(
        False,
        description="Let all MCP clients of this computer create, change and delete profiles and install "
        "browsers. Otherwise they need `tabwright mcp --manage`, or approval on the dashboard for each call.",
    )


class FileSettings(Group):
    """Which files agents may use."""

    folders: tuple[AnchoredPath, ...] = Field(
        (), description="Folders for uploads and downloads, in addition to the caller's own."
    )
    max_download_mb: int = Field(
        2_000, ge=1, description="Maximum total size of the downloads of one session, in megabytes."
    )


class Settings(BaseSettings):
    """All settings of the user."""

    model_config = SettingsConfigDict(
        env_prefix="TABWRIGHT_", env_nested_delimiter="__", frozen=True, extra="ignore"
    )

    browser: AnchoredPath | None = Field(
        None,
        description="Path of the Chrome, Chromium, Edge or Brave to launch; by default, the first found.",
    )
    headless: bool = Field(True, description="Run without a window.")
    headless_shell: bool = Field(
        True,
        description="If no window, profile or particular `browser` is asked for, launch Chromium's headless "
        "shell where it is installed: the same pages in half the time. It downloads PDFs instead of showing "
        "them, and has no extensions.",
    )
    proxy: str | None = Field(
        None,
        description="Proxy for launched browsers, such as http://127.0.0.1:3128; by default those that "
        "HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY name. `direct://` for none. This computer is always "
        "reached directly.",
    )
    language: str | None = Field(None, description="Language that pages see, such as fr or pt-BR.")
    timezone: str | None = Field(None, description="Time zone that pages see, such as Europe/Paris.")
    browser_args: tuple[str, ...] = Field((), description="Extra arguments for launched browsers.")
    webmcp: bool = Field(
        True,
        description="Enable WebMCP in launched browsers, so that pages can declare their own tools when they "
        "load. Every page can see that it is enabled.",
    )

    attach: str = Field(
        "auto",
        description="The user's own browser that `connect_browser` connects to: a debugging port or a URL "
        "such as http://127.0.0.1:9222. auto: the Chrome with the extension, else a Chrome, Chromium, Edge "
        "or Brave with an open debugging port. extension: only the first. none: never.",
    )
    extension_port: Annotated[int, Field(ge=0, le=65535)] | Literal["any"] = Field(
        8765,
        description="Local port that the extension connects to once a Chrome is paired; the next free one "
        "if it is in use. 0 for none.",
    )
    follow_user: bool = Field(
        False, description="In the dialect `tabs`, focus the tab that the user brings to the front."
    )

    max_page_mb: int = Field(
        3_000,
        ge=100,
        description="Megabytes of memory at which a page's process is killed; no effect on macOS.",
    )

    max_tokens: int = Field(
        2_000, ge=50, le=100_000, description="Default token limit per answer; a call can override it."
    )
    calls_per_second: float = Field(
        100,
        gt=0,
        description="Calls per second that one caller may make on average; bursts may have 20 times as many.",
    )

    api_port: Annotated[int, Field(ge=0, le=65535)] | Literal["any"] = Field(
        38472,
        description="Local port of the HTTP API and the dashboard: 0 for none, any for a free one. "
        "`BROWSION_API_PORT` sets it, too.",
    )
    bind: str = Field(
        "127.0.0.1",
        description="Address that HTTP listens on; one that other computers can reach requires tokens.",
    )
    hosts: tuple[str, ...] = Field(
        (),
        description="Additional host names that HTTP requests may use, such as tabwright.example.com, on any "
        "port and over https, for a proxy in front of the hub; `name:8443` only on that port.",
    )
    browsion_answers: bool = Field(
        False,
        description="Answer at Browsion's routes as Browsion does, for its own clients; without it, only "
        "requests with `Accept: application/vnd.browsion+json` are answered so.",
    )
    hub_idle_seconds: float = Field(
        1_800, gt=0, description="The hub exits after this many seconds without a client."
    )
    http_port: int | None = Field(
        None, ge=0, le=65535, description="A second port for HTTP, such as 8081; none by default."
    )
    transport: Literal["stdio", "http"] = Field(
        "stdio",
        description="Transport of `tabwright mcp`: standard input and output, or HTTP on `http_port`.",
    )
    sse: bool = Field(False, description="Also serve the older SSE transport of MCP at /sse.")

    dialect: str = Field("browser", description="Tool set for MCP clients that choose none.")
    tool_names: Literal["plain", "dotted"] = Field(
        "plain",
        description="plain lists browser_navigate, dotted lists browser.navigate; both can always be called.",
    )
    auth: AuthSettings = Field(AuthSettings(), description="Who may call over HTTP.")
    sessions: SessionSettings = Field(
        SessionSettings(), description="How many sessions, for how long, shared by whom."
    )
    security: SecuritySettings = Field(SecuritySettings(), description="What sessions may reach and run.")
    files: FileSettings = Field(FileSettings(), description="Which files agents may use.")
    screenshots: ScreenshotSettings = Field(ScreenshotSettings(), description="How large screenshots may be.")

    @classmethod
    def read(cls) -> "Settings":
        """Read the settings of the user.

        Raises:
            InvalidArgs: naming each invalid key and value.
        """
        try:
            return cls()
        except ValidationError as error:
            problem = " ".join(_describe_fault(fault["loc"], fault["msg"]) for fault in error.errors())
        except SettingsError as error:
            problem = str(error)
        except (ValueError, OSError) as error:
            problem = f"The file cannot be read: {error}"
        raise invalid_setting(problem)

    @field_validator("timezone")
    @classmethod
    def _check_timezone(cls, value: str | None) -> str | None:
        return value and check_time_zone(value)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - the signature is the library's
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - the signature is the library's
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Flags first, then the environment, then the file."""
        file = _File(settings_cls, toml_file=Home.find().config_file)
        return init_settings, env_settings, _ForeignVariables(settings_cls), file


def invalid_setting(problem: str) -> InvalidArgs:
    """Return the error for an invalid setting, with where to correct it."""
    return InvalidArgs(
        _with_full_stop(problem), hint=f"Correct {Home.find().config_file} or the environment."
    )


def _with_full_stop(sentence: str) -> str:
    return sentence if sentence.endswith((".", "?")) else f"{sentence}."


def check_time_zone(name: str) -> str:
    """Return a time zone.

    Raises:
        ValueError: it does not exist.
    """
    if not _is_zone(name):
        raise ValueError(f"unknown time zone {name!r}; use one such as Europe/Paris")
    return name


def _is_zone(name: str) -> bool:
    if not _ZONE.fullmatch(name):
        return False
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return not available_timezones()  # the system has no time zones; the browser has its own
    return True


class _ForeignVariables(PydanticBaseSettingsSource):
    """Variables of other programs that mean one of our settings."""

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        """Return nothing: the settings are read all at once."""
        return None, field_name, False

    def __call__(self) -> dict[str, Any]:
        given = {path: os.environ.get(name) for name, path in VARIABLES.items()}
        content: dict[str, Any] = {}
        for path, value in given.items():
            content |= nested(path, value) if value else {}
        return content


class _File(TomlConfigSettingsSource):
    """The file. Its keys may be written `maxConcurrent` or `max_concurrent`."""

    def __call__(self) -> dict[str, Any]:
        content = translate(super().__call__())
        if faults := list(_find_unknown(content, Settings)):
            raise ValidationError.from_exception_data("Settings", faults)
        return _snake_keys(content)


def _find_unknown(table: dict[str, Any], model: type[BaseModel], *above: str) -> Iterator[InitErrorDetails]:
    """Find unknown keys: a misspelt rule would be ignored without notice."""
    for key, value in table.items():
        path, field = (*above, key), model.model_fields.get(snake_case(key))
        if field is None:
            if above or key not in _OTHER_TABLES:
                problem = PydanticCustomError("unknown_setting", "unknown setting{near}", _suggestion(path))
                yield InitErrorDetails(type=problem, loc=path, input=value)
        elif isinstance(value, dict) and (inner := _table(field)):
            yield from _find_unknown(value, inner, *path)


def _table(field: FieldInfo) -> type[BaseModel] | None:
    """Return the model of a setting that is a table."""
    kind = field.annotation
    return kind if isinstance(kind, type) and issubclass(kind, BaseModel) else None


def _suggestion(path: tuple[str, ...]) -> dict[str, Any]:
    """Suggest the setting that may be meant: the same name in another table, or a similar name."""
    known, meant = [*_paths(Settings), *_OTHER_TABLES], ".".join(map(snake_case, path)).lower()
    elsewhere = [one for one in known if one.rpartition(".")[2] == meant.rpartition(".")[2]]
    near = elsewhere or get_close_matches(meant, known, n=1)
    return {"near": f"; did you mean {near[0]}?" if near else ""}


def _paths(model: type[BaseModel], above: str = "") -> Iterator[str]:
    for name, field in model.model_fields.items():
        yield above + name
        if inner := _table(field):
            yield from _paths(inner, f"{above}{name}.")


def _snake_keys(table: dict[str, Any]) -> dict[str, Any]:
    return {
        snake_case(key): _snake_keys(value) if isinstance(value, dict) else value
        for key, value in table.items()
    }


def _describe_fault(where: tuple[int | str, ...], message: str) -> str:
    return _with_full_stop(f"{'.'.join(map(str, where))}: {message.removeprefix('Value error, ')}")
