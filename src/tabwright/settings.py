"""All configuration: flag > environment > file > default. Nobody else reads the environment."""

import re
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo, available_timezones

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
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
from tabwright.home import Home

# Tables of the same file that are read elsewhere.
_OF_OTHERS = ("profiles",)
_ZONE = re.compile(r"[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*")


class Group(BaseModel):
    """Settings that belong together: a table of the file."""

    # Of the environment, where others may set variables; an unknown key of the file is refused.
    model_config = ConfigDict(frozen=True, extra="ignore")


class AuthSettings(Group):
    """Who may come in over HTTP."""

    type: Literal["auto", "token", "none"] = Field(
        "auto",
        description="token: every HTTP request needs one. none: nobody does. "
        "auto: needed once a token was made, and always beyond this computer.",
    )
    token_file: Path | None = Field(
        None, description="File of the tokens; `tokens.json` in the configuration folder when not set."
    )


class SessionSettings(Group):
    """How many sessions, for how long, for whom."""

    max_concurrent: int = Field(10, ge=1, le=1_000, description="Sessions that may be open at once.")
    timeout_minutes: float = Field(30, gt=0, description="Minutes without a call that close a session.")
    keep_days: float = Field(
        30, gt=0, description="Days after its last use that a named session is kept on disk to come back."
    )
    allow_shared: bool | tuple[str, ...] = Field(
        False, description="Sessions that all clients share: true for every named one, or their names."
    )


class ScreenshotSettings(Group):
    """How large pictures of the default tools may be."""

    max_side: int = Field(1568, ge=100, le=8_000, description="Longest side of a picture in pixels.")
    max_bytes: int = Field(
        5_242_880, ge=10_000, description="Largest size of a picture; its quality falls as needed."
    )


class SecuritySettings(Group):
    """What sessions may reach and run."""

    allowed_url_patterns: tuple[str, ...] = Field(
        ("https://*", "http://localhost/*", "http://*.localhost/*", "http://127.0.0.1/*", "http://[::1]/*"),
        description="Addresses that sessions may reach: `*` stands for anything, a host without a port for "
        "all its ports; a pattern that begins with `^` is a regular expression.",
    )
    block_eval: bool = Field(
        True, description="Keep scripts of `evaluate` out of the page's own world, cookies and storage."
    )
    confirm: tuple[str, ...] = Field(
        (),
        description="Actions, or `act` or `destroy` for all of a kind, that wait until a person allows them "
        "on the dashboard.",
    )


class FileSettings(Group):
    """Which files agents may use."""

    folders: tuple[Path, ...] = Field(
        (), description="Folders beside the caller's own that uploads come from and downloads go to."
    )
    max_download_mb: int = Field(
        2_000, ge=1, description="Megabytes that the downloads of one session may take together."
    )


class Settings(BaseSettings):
    """What a user may choose."""

    model_config = SettingsConfigDict(
        env_prefix="TABWRIGHT_", env_nested_delimiter="__", frozen=True, extra="ignore"
    )

    browser: Path | None = Field(
        None, description="Chrome, Chromium, Edge or Brave to launch; found by itself when not set."
    )
    headless: bool = Field(True, description="Run without a window.")
    headless_shell: bool = Field(
        True,
        description="Without a window and a profile, launch Chromium's headless shell where it is installed "
        "and `browser` names no other: the same pages for half the time and processor. It has no viewer of "
        "PDFs, which it downloads, and no extensions.",
    )
    proxy: str | None = Field(None, description="Proxy of launched browsers, such as http://127.0.0.1:3128.")
    language: str | None = Field(None, description="Language that pages see, such as fr or pt-BR.")
    timezone: str | None = Field(None, description="Time zone that pages see, such as Europe/Paris.")
    browser_args: tuple[str, ...] = Field((), description="More arguments for launched browsers.")
    webmcp: bool = Field(
        True,
        description="Switch WebMCP on in launched browsers, so that pages declare tools of their own as they "
        "load: a page looks for it once. Every page can see that it is on.",
    )

    attach: str = Field(
        "auto",
        description="The user's own browser that `connect_browser` joins: a debugging port or an address "
        "such as http://127.0.0.1:9222. auto: the Chrome that the extension connects, else where Chrome, "
        "Chromium, Edge or Brave say that they listen. extension: only the first. none: never.",
    )
    extension_port: Annotated[int, Field(ge=0, le=65535)] | Literal["any"] = Field(
        8765,
        description="Port of this computer that the extension comes to once a Chrome is paired; the next "
        "free one when it is taken. 0 for none.",
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
        2_000, ge=50, le=100_000, description="Most tokens of an answer, unless a call says."
    )
    calls_per_second: float = Field(
        100,
        gt=0,
        description="Calls a second that one caller may make in the long run; at once twenty times as many.",
    )

    api_port: Annotated[int, Field(ge=0, le=65535)] | Literal["any"] = Field(
        38472, description="Port of the HTTP door on this computer: 0 for none, any for a free one."
    )
    bind: str = Field(
        "127.0.0.1",
        description="Address that HTTP listens on; one that other computers reach needs tokens.",
    )
    hosts: tuple[str, ...] = Field(
        (), description="More names that HTTP requests may be for, such as tabwright.example.com."
    )
    hub_idle_seconds: float = Field(
        1_800, gt=0, description="Seconds without a client after which the hub ends itself."
    )
    http_port: int | None = Field(
        None, ge=0, le=65535, description="A second port of the HTTP door, such as 8081; none when not set."
    )
    transport: Literal["stdio", "http"] = Field(
        "stdio",
        description="What `tabwright mcp` speaks: its standard input and output, or HTTP on `http_port`.",
    )
    sse: bool = Field(False, description="Serve the older SSE transport of MCP at /sse as well.")

    dialect: str = Field("browser", description="Tool surfaces offered to MCP clients that name none.")
    tool_names: Literal["plain", "dotted"] = Field(
        "plain", description="dotted lists browser.navigate rather than browser_navigate; both can be called."
    )
    auth: AuthSettings = Field(AuthSettings(), description="Who may come in over HTTP.")
    sessions: SessionSettings = Field(SessionSettings(), description="How many sessions, how long, for whom.")
    security: SecuritySettings = Field(SecuritySettings(), description="What sessions may reach and run.")
    files: FileSettings = Field(FileSettings(), description="Which files agents may use.")
    screenshots: ScreenshotSettings = Field(ScreenshotSettings(), description="How large pictures may be.")

    @classmethod
    def read(cls) -> "Settings":
        """Return what the user chose.

        Raises:
            InvalidArgs: naming each key and value that cannot be.
        """
        try:
            return cls()
        except ValidationError as error:
            told = " ".join(_fault(fault["loc"], fault["msg"]) for fault in error.errors())
        except SettingsError as error:
            told = str(error)
        except (ValueError, OSError) as error:
            told = f"The file cannot be read: {error}"
        raise wrong(told)

    @field_validator("timezone")
    @classmethod
    def _check_timezone(cls, value: str | None) -> str | None:
        return value and checked_zone(value)

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
        return init_settings, env_settings, file


def wrong(told: str) -> InvalidArgs:
    """Return the failure that a setting is, with where to correct it."""
    return InvalidArgs(_ended(told), hint=f"Correct {Home.find().config_file} or the environment.")


def _ended(sentence: str) -> str:
    return sentence if sentence.endswith((".", "?")) else f"{sentence}."


def checked_zone(name: str) -> str:
    """Return a time zone.

    Raises:
        ValueError: there is none of that name.
    """
    if not _is_zone(name):
        raise ValueError(f"{name!r} is no time zone such as Europe/Paris")
    return name


def _is_zone(name: str) -> bool:
    if not _ZONE.fullmatch(name):
        return False
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return not available_timezones()  # a system that knows none; the browser brings its own
    return True


class _File(TomlConfigSettingsSource):
    """The file, whose keys may be written `maxConcurrent` as well as `max_concurrent`."""

    def __call__(self) -> dict[str, Any]:
        told = super().__call__()
        if faults := list(_unknown(told, Settings)):
            raise ValidationError.from_exception_data("Settings", faults)
        return _snake(told)


def _unknown(table: dict[str, Any], model: type[BaseModel], *above: str) -> Iterator[InitErrorDetails]:
    """Find the keys that no setting has: a rule that is misspelt would be none, and nobody would know."""
    for key, value in table.items():
        path, field = (*above, key), model.model_fields.get(_snaked(key))
        if field is None:
            if above or key not in _OF_OTHERS:
                told = PydanticCustomError("unknown_setting", "there is no such setting{near}", _near(path))
                yield InitErrorDetails(type=told, loc=path, input=value)
        elif isinstance(value, dict) and (inner := _table(field)):
            yield from _unknown(value, inner, *path)


def _table(field: FieldInfo) -> type[BaseModel] | None:
    """Return the model of a setting that is a table of others."""
    kind = field.annotation
    return kind if isinstance(kind, type) and issubclass(kind, BaseModel) else None


def _near(path: tuple[str, ...]) -> dict[str, Any]:
    """Say which setting may be meant: one of the same name in another table, or one that is written alike."""
    known, meant = [*_paths(Settings), *_OF_OTHERS], ".".join(map(_snaked, path)).lower()
    elsewhere = [one for one in known if one.rpartition(".")[2] == meant.rpartition(".")[2]]
    near = elsewhere or get_close_matches(meant, known, n=1)
    return {"near": f"; did you mean {near[0]}?" if near else ""}


def _paths(model: type[BaseModel], above: str = "") -> Iterator[str]:
    for name, field in model.model_fields.items():
        yield above + name
        if inner := _table(field):
            yield from _paths(inner, f"{above}{name}.")


def _snake(table: dict[str, Any]) -> dict[str, Any]:
    return {_snaked(key): _snake(value) if isinstance(value, dict) else value for key, value in table.items()}


def _snaked(key: str) -> str:
    return re.sub(r"(?<=[a-z0-9])[A-Z]", lambda upper: f"_{upper[0].lower()}", key)


def _fault(where: tuple[int | str, ...], told: str) -> str:
    return _ended(f"{'.'.join(map(str, where))}: {told.removeprefix('Value error, ')}")
