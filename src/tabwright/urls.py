"""Origins of URLs, and URL globs."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from tabwright.errors import InvalidArgs

_PORTS = {"http": 80, "https": 443}


def origin_of(url: str) -> str | None:
    """Return the origin of an http(s) URL in Chrome's notation; None for any other URL."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in _PORTS or not parts.hostname:
        return None
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}" + ("" if port in (None, _PORTS[parts.scheme]) else f":{port}")


def require_origin(url: str) -> str:
    """Return the origin of a URL that a caller gives.

    Raises:
        InvalidArgs: it is not an http(s) URL.
    """
    origin = origin_of(url)
    if origin is None:
        raise InvalidArgs(f"{url!r} is not an origin.", hint="Give one such as https://example.com.")
    return origin


@dataclass(frozen=True, slots=True)
class UrlGlob:
    """One URL pattern; `*` matches anything. Without a `*` it matches exactly that URL."""

    text: str

    def __post_init__(self) -> None:
        if not self.text.strip():
            raise InvalidArgs("The URL pattern is empty.", hint="Give one such as */api/* or https://ads.*.")

    def matches(self, url: str) -> bool:
        """Whether the pattern matches the whole URL. Takes linear time: the URL may be a hostile page's."""
        first, *rest = self.text.split("*")
        if not rest:
            return url == first
        *middle, last = rest
        if len(url) < len(first) + len(last) or not (url.startswith(first) and url.endswith(last)):
            return False
        position, end = len(first), len(url) - len(last)
        for part in middle:
            found = url.find(part, position, end)
            if found < 0:
                return False
            position = found + len(part)
        return True

    @property
    def for_chrome(self) -> str:
        """The pattern in the Fetch domain's syntax, where question mark and backslash are special."""
        return self.text.replace("\\", "\\\\").replace("?", "\\?")
