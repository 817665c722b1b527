"""What a profile is, and which values it may have."""

import re
import unicodedata
from collections.abc import Callable, Container, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from tabwright.browser.process.flags import check_args
from tabwright.errors import InvalidArgs, TabwrightError
from tabwright.proxy_url import ProxyUrl, has_masked_password, mask_password
from tabwright.settings import check_time_zone

# Owner of the session of a profile, followed by the profile's id; no client can have this name.
OWNER = "profile:"
_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?")
# Names of sessions that were not named.
_RESERVED_IDS = re.compile(r"default|auto-.*")


class Profile(BaseModel):
    """A named browser identity. An empty language, time zone or proxy means that of the settings."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    name: str = Field(min_length=1, max_length=100)
    description: str = Field("", max_length=2_000)
    user_data_dir: str = Field("", max_length=1_000)
    proxy_server: str = Field("", max_length=2_000)
    lang: str = ""
    timezone: str = ""
    headless: bool = True
    tags: tuple[str, ...] = Field((), max_length=100)
    custom_args: tuple[str, ...] = Field((), max_length=100)

    @classmethod
    def read(cls, table: Mapping[str, Any]) -> "Profile":
        """Parse a profile from its table.

        Raises:
            InvalidArgs: naming each invalid value.
        """
        try:
            return cls.model_validate({"name": table.get("id"), **table})
        except ValidationError as error:
            problems = "; ".join(_describe_fault(fault["loc"], fault["msg"]) for fault in error.errors())
            raise InvalidArgs(f"{problems}.", hint="Correct it.") from None

    @property
    def shown_proxy(self) -> str:
        """The proxy without its password."""
        return mask_password(self.proxy_server)

    @field_validator("id")
    @classmethod
    def _check_id(cls, value: str) -> str:
        if not _ID.fullmatch(value) or _RESERVED_IDS.fullmatch(value):
            raise ValueError(f"invalid id {value!r}: use 1 to 64 of a-z, 0-9, _ and -, not default or auto-…")
        return value

    @field_validator("lang")
    @classmethod
    def _check_lang(cls, value: str) -> str:
        if value and not _LANGUAGE.fullmatch(value):
            raise ValueError(f"unknown language {value!r}; use one such as fr or pt-BR")
        return value

    @field_validator("timezone")
    @classmethod
    def _check_timezone(cls, value: str) -> str:
        return value and check_time_zone(value)

    @field_validator("user_data_dir")
    @classmethod
    def _check_folder(cls, value: str) -> str:
        if not value.isprintable():
            raise ValueError(f"{value!r} is not a path")
        try:
            Path(value).expanduser()
        except RuntimeError:
            raise ValueError(f"{value!r} names the home folder of an unknown user") from None
        return value

    @field_validator("proxy_server")
    @classmethod
    def _check_proxy(cls, value: str) -> str:
        if has_masked_password(value):
            raise ValueError("its password is masked; give the password")
        if value:
            _as_value_error(lambda: ProxyUrl.parse(value, "it"))
        return value

    @field_validator("custom_args")
    @classmethod
    def _check_args(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        _as_value_error(lambda: check_args(value, proxy_only=True))
        return value


def id_for(name: str, taken: Container[str]) -> str:
    """Derive an id from a name that is not taken yet."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:58].strip("-") or "profile"
    wanted, number = slug, 1
    while wanted in taken or _RESERVED_IDS.fullmatch(wanted):
        number += 1
        wanted = f"p{number}-{slug}" if slug.startswith("auto-") else f"{slug}-{number}"
    return wanted


def _as_value_error(check: Callable[[], object]) -> None:
    try:
        check()
    except TabwrightError as error:
        raise ValueError(error.message.rstrip(".")) from error


def _describe_fault(where: tuple[int | str, ...], message: str) -> str:
    return f"{'.'.join(map(str, where))}: {message.removeprefix('Value error, ')}"
