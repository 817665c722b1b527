"""Patterns of allowed URLs: `https://*.example.com:8443/docs/*`, or `^` and a regular expression."""

import re
from dataclasses import dataclass
from typing import Protocol

from ada_url import URL

from tabwright.errors import InvalidArgs
from tabwright.urls import UrlGlob

# Some regular expressions are slow on long URLs, which a hostile page can create.
_MAX_URL_FOR_EXPRESSION = 8_192
_PARTS = re.compile(
    r"(?:(?P<scheme>\*|https?)://)?"
    r"(?P<host>\[[0-9a-fA-F:.]+\]|[^/:?#\[\]@\s\\]+)"
    r"(?::(?P<port>\*|\d{1,5}))?"
    r"(?P<path>/\S*)?"
)


class Parts(Protocol):
    """The parts of a URL that a pattern checks."""

    @property
    def scheme(self) -> str: ...
    @property
    def host(self) -> str: ...
    @property
    def port(self) -> int: ...
    @property
    def path(self) -> str: ...


class UrlPattern(Protocol):
    """One rule."""

    @property
    def host(self) -> str:
        """The host, or a pattern of hosts."""

    @property
    def names_host(self) -> bool:
        """Whether it names exactly one host."""

    @property
    def paused(self) -> str:
        """The https URLs whose path decides, as Chrome's own pattern; empty for none."""

    def allows(self, url: Parts) -> bool:
        """Whether it matches a whole URL."""

    def reaches(self, scheme: str, host: str, port: int) -> bool:
        """Whether it matches some path there."""


def parse_pattern(text: str) -> UrlPattern:
    """Parse a pattern.

    Raises:
        InvalidArgs: it is not a pattern.
    """
    return Expression.parse(text) if text.startswith("^") else Glob.parse(text)


@dataclass(frozen=True, slots=True)
class Glob:
    """Scheme, host, port and path, each with `*` for anything; a missing part matches anything."""

    scheme: str
    host: str
    port: str
    path: str

    @classmethod
    def parse(cls, text: str) -> "Glob":
        found = _PARTS.fullmatch(text.strip())
        try:
            host = URL(f"http://{found['host']}/").hostname if found else ""
        except ValueError:
            host = ""
        if not found or not host:
            raise InvalidArgs(
                f"Invalid URL pattern {text!r}.", hint="Write it as https://*.example.com/* or ^https://.*"
            )
        scheme, port, path = found["scheme"] or "*", found["port"] or "*", found["path"] or "/*"
        return cls(scheme, host.removesuffix("."), port, path)

    @property
    def names_host(self) -> bool:
        return "*" not in self.host

    @property
    def paused(self) -> str:
        return "" if self.path == "/*" or self.scheme == "http" else f"https://{self.host}*"

    def allows(self, url: Parts) -> bool:
        return self.reaches(url.scheme, url.host, url.port) and UrlGlob(self.path).matches(url.path)

    def reaches(self, scheme: str, host: str, port: int) -> bool:
        return (
            self.scheme in ("*", scheme)
            and self.port in ("*", str(port))
            and UrlGlob(self.host).matches(host)
        )


@dataclass(frozen=True, slots=True)
class Expression:
    """A regular expression over the whole URL as Chrome writes it, without its fragment."""

    expression: re.Pattern[str]
    host: str = "*"
    names_host: bool = False
    paused: str = "https://*"

    @classmethod
    def parse(cls, text: str) -> "Expression":
        try:
            return cls(re.compile(text))
        except re.error as error:
            raise InvalidArgs(
                f"Invalid regular expression {text!r}: {error}.", hint="Check it, or use a * pattern."
            ) from None

    def allows(self, url: Parts) -> bool:
        whole = str(url)
        return len(whole) <= _MAX_URL_FOR_EXPRESSION and self.expression.match(whole) is not None

    def reaches(self, scheme: str, host: str, port: int) -> bool:
        """Only whole URLs can be checked; the gate remembers the origins of those that were allowed."""
        return False
