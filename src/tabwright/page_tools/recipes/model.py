"""The format of recipe files: changes to the tools of a site, and recorded sequences that become tools."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from tabwright.browser.find.selector import parse_target
from tabwright.errors import TabwrightError
from tabwright.urls import UrlGlob

_MAX_SIZE = 1_000_000
_MAX_STEPS = 200
# Names a parameter of the sequence, or a secret.
PLACEHOLDER = re.compile(r"\{\{\s*(secret:)?([A-Za-z0-9_.-]+)\s*\}\}")

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{1,47}$")]
Key = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,29}$")]
Words = Annotated[str, Field(max_length=200)]
Act = Literal["navigate", "click", "hover", "fill", "type", "select", "press", "check", "uncheck"]
_REQUIRED: dict[str, tuple[str, ...]] = {
    "navigate": ("url",),
    "press": ("key",),
    "fill": ("target", "value"),
    "type": ("target", "value"),
    "select": ("target", "value"),
}


def _as_list(given: Any) -> Any:
    return [given] if isinstance(given, str) else given


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Amendment(_Part):
    """A change to the tool that is listed as `name`."""

    name: Name
    rename: Name | None = None
    describe: Words | None = None
    pin: bool = False
    hide: bool = False


class Parameter(_Part):
    """An argument of a sequence: required if it has no default, never shown if it is `secret`."""

    describe: Words = ""
    default: Annotated[str, Field(max_length=10_000)] | None = None
    secret: bool = False


class Step(_Part):
    """One step. `target` lists locators of its element, the best first."""

    do: Act
    target: Annotated[tuple[str, ...], BeforeValidator(_as_list)] = ()
    url: str = ""
    value: Annotated[tuple[str, ...], BeforeValidator(_as_list)] = ()
    key: str = ""
    button: Literal["left", "right", "middle"] = "left"
    count: Annotated[int, Field(ge=1, le=3)] = 1

    @model_validator(mode="after")
    def _check_complete(self) -> "Step":
        missing = [name for name in _REQUIRED.get(self.do, ("target",)) if not getattr(self, name)]
        if missing:
            raise ValueError(f"{self.do} needs {' and '.join(missing)}")
        for target in self.target:
            if _parse(target).ref is not None:
                raise ValueError(f"{target} is a ref, which is not valid on another page")
        return self

    @property
    def placeholders(self) -> Iterator[tuple[str, str]]:
        """The placeholders in its texts, as (secret prefix, name)."""
        for text in (self.url, self.key, *self.value):
            yield from PLACEHOLDER.findall(text)


class RecordedSequence(_Part):
    """A sequence of steps that becomes a tool."""

    name: Name
    describe: Words = ""
    pin: bool = False
    parameters: dict[Key, Parameter] = Field({}, max_length=30)
    step: tuple[Step, ...]

    @model_validator(mode="after")
    def _check_parameters(self) -> "RecordedSequence":
        if not 1 <= len(self.step) <= _MAX_STEPS:
            raise ValueError(f"a sequence has 1 to {_MAX_STEPS} steps")
        used = {name for step in self.step for secret, name in step.placeholders if not secret}
        if unknown := sorted(used - set(self.parameters)):
            raise ValueError(f"unknown parameter {', '.join(unknown)}")
        return self


class Recipe(_Part):
    """One file: a site, optionally limited to some paths, with its amendments and sequences."""

    site: Annotated[str, Field(min_length=1, max_length=300)]
    path: Annotated[str, Field(min_length=1, max_length=2_000)] = "*"
    tool: tuple[Amendment, ...] = ()
    sequence: tuple[RecordedSequence, ...] = ()

    def applies_to(self, url: str) -> bool:
        """Whether it applies to the page at a URL."""
        parts = urlsplit(url)
        hosts = {parts.hostname or "", parts.netloc.rpartition("@")[2].lower()}
        site = UrlGlob(self.site.lower())
        return any(map(site.matches, hosts)) and UrlGlob(self.path).matches(parts.path or "/")


class InvalidRecipe(Exception):
    """An invalid recipe file; the message names the place and the reason."""


def read_recipe(path: Path) -> Recipe:
    """Read one file.

    Raises:
        InvalidRecipe: naming the invalid line or field.
    """
    try:
        if path.stat().st_size > _MAX_SIZE:
            raise InvalidRecipe(f"{path} is larger than {_MAX_SIZE:,} bytes")
        return Recipe.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise InvalidRecipe(f"{path} cannot be read: {error.strerror}") from error
    except ValidationError as error:
        raise InvalidRecipe(f"{path}: {'; '.join(_fault(fault) for fault in error.errors()[:5])}") from error
    except ValueError as error:  # not TOML, or not UTF-8
        raise InvalidRecipe(f"{path}: {error}") from error


def _fault(fault: Any) -> str:
    """Name a field as in the file, counted from one: sequence[1].step[2].url."""
    where = ""
    for part in fault["loc"]:
        where += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if where else str(part)
    return f"{where or 'the file'}: {fault['msg'].removeprefix('Value error, ')}"


def _parse(target: str) -> Any:
    try:
        return parse_target(target)
    except TabwrightError as error:
        raise ValueError(error.message.rstrip(".")) from error
