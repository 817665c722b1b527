"""All configuration: flag > environment > file > default. Nobody else reads the environment."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from tabwright.home import Home


class Settings(BaseSettings):
    """What a user may choose."""

    model_config = SettingsConfigDict(env_prefix="TABWRIGHT_", frozen=True, extra="ignore")

    browser: Path | None = Field(
        None, description="Chrome, Chromium, Edge or Brave to launch; found by itself when not set."
    )
    headless: bool = Field(True, description="Run without a window.")
    proxy: str | None = Field(None, description="Proxy of launched browsers, such as http://127.0.0.1:3128.")
    language: str | None = Field(None, description="Language that pages see, such as fr or pt-BR.")
    timezone: str | None = Field(None, description="Time zone that pages see, such as Europe/Paris.")
    browser_args: tuple[str, ...] = Field((), description="More arguments for launched browsers.")

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
    hub_idle_seconds: float = Field(
        1_800, gt=0, description="Seconds without a client after which the hub ends itself."
    )
    sse: bool = Field(False, description="Serve the older SSE transport of MCP at /sse as well.")

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
        file = TomlConfigSettingsSource(settings_cls, toml_file=Home.find().config_file)
        return init_settings, env_settings, file
