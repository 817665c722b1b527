"""What a recipe file may say: what the user wants of a site's tools, and sequences of acts that are tools."""

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

_LARGEST = 1_000_000
_MOST_STEPS = 200
# A parameter of the sequence, or a secret by its name.
PLACE = re.compile(r"\{\{\s*(secret:)?([A-Za-z0-9_.-]+)\s*\}\}")

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{1,47}$")]
Key = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,29}$")]
Words = Annotated[str, Field(max_length=200)]
Act = Literal["navigate", "click", "hover", "fill", "type", "select", "press", "check", "uncheck"]
_NEEDS: dict[str, tuple[str, ...]] = {
    "navigate": ("url",),
    "press": ("key",),
    "fill": ("target", "value"),
    "type": ("target", "value"),
    "select": ("target", "value"),
}


def _listed(given: Any) -> Any:
    return [given] if isinstance(given, str) else given


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Amendment(_Part):
    """What is to be other about a tool of the page, named as it is listed."""

    name: Name
    rename: Name | None = None
    describe: Words | None = None
    pin: bool = False
    hide: bool = False


class Parameter(_Part):
    """What a sequence is given. One without a default must be; one that is `secret` is never shown."""

    describe: Words = ""
    default: Annotated[str, Field(max_length=10_000)] | None = None
    secret: bool = False


class Step(_Part):
    """One act. `target` lists ways to find its element, the best first."""

    do: Act
    target: Annotated[tuple[str, ...], BeforeValidator(_listed)] = ()
    url: str = ""
    value: Annotated[tuple[str, ...], BeforeValidator(_listed)] = ()
    key: str = ""
    button: Literal["left", "right", "middle"] = "left"
    count: Annotated[int, Field(ge=1, le=3)] = 1

    @model_validator(mode="after")
    def _complete(self) -> "Step":
        missing = [name for name in _NEEDS.get(self.do, ("target",)) if not getattr(self, name)]
        if missing:
            raise ValueError(f"{self.do} needs {' and '.join(missing)}")
        for target in self.target:
            if _parsed(target).ref is not None:
                raise ValueError(f"{target} is a ref, which names nothing on the next page")
        return self

    @property
    def places(self) -> Iterator[tuple[str, str]]:
        """The parameters and secrets that it names."""
        for text in (self.url, self.key, *self.value):
            yield from PLACE.findall(text)


class Recorded(_Part):
    """A sequence of acts that is a tool."""

    name: Name
    describe: Words = ""
    pin: bool = False
    parameters: dict[Key, Parameter] = Field({}, max_length=30)
    step: tuple[Step, ...]

    @model_validator(mode="after")
    def _closed(self) -> "Recorded":
        if not 1 <= len(self.step) <= _MOST_STEPS:
            raise ValueError(f"a sequence has 1 to {_MOST_STEPS} steps")
        named = {name for step in self.step for secret, name in step.places if not secret}
        if unknown := sorted(named - set(self.parameters)):
            raise ValueError(f"no parameter is called {', '.join(unknown)}")
        return self


class Recipe(_Part):
    """One file: a site, perhaps some of its paths, and what is wanted there."""

    site: Annotated[str, Field(min_length=1, max_length=300)]
    path: Annotated[str, Field(min_length=1, max_length=2_000)] = "*"
    tool: tuple[Amendment, ...] = ()
    sequence: tuple[Recorded, ...] = ()

    def is_for(self, url: str) -> bool:
        """Whether it speaks of the page at an address."""
        parts = urlsplit(url)
        hosts = {parts.hostname or "", parts.netloc.rpartition("@")[2].lower()}
        site = UrlGlob(self.site.lower())
        return any(map(site.matches, hosts)) and UrlGlob(self.path).matches(parts.path or "/")


class Malformed(Exception):
    """A file that is no recipe; the text says where and why."""


def read_recipe(path: Path) -> Recipe:
    """Read one file.

    Raises:
        Malformed: naming the line or the field at fault.
    """
    try:
        if path.stat().st_size > _LARGEST:
            raise Malformed(f"{path} is larger than {_LARGEST:,} bytes")
        return Recipe.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise Malformed(f"{path} cannot be read: {error.strerror}") from error
    except ValidationError as error:
        raise Malformed(f"{path}: {'; '.join(_fault(fault) for fault in error.errors()[:5])}") from error
    except ValueError as error:  # not TOML, or not UTF-8
        raise Malformed(f"{path}: {error}") from error


def _fault(fault: Any) -> str:
    """Name a field as the file has it, counted from one: sequence[1].step[2].url."""
    where = ""
    for part in fault["loc"]:
        where += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if where else str(part)
    return f"{where or 'the file'}: {fault['msg'].removeprefix('Value error, ')}"


def _parsed(target: str) -> Any:
    try:
        return parse_target(target)
    except TabwrightError as error:
        raise ValueError(error.message.rstrip(".")) from error
