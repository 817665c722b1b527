"""Parses the URL of a proxy, and masks its password for display."""

from dataclasses import dataclass
from urllib.parse import unquote

from ada_url import URL

from tabwright.errors import InvalidArgs

_PORTS = {"http": 80, "https": 443, "socks5": 1080}
_MASK = "•••"
_HINT = "Write it as http://127.0.0.1:3128; https and socks5 are supported, too."


@dataclass(frozen=True, slots=True)
class ProxyUrl:
    """The address of a proxy, and the user and password for it."""

    scheme: str
    host: str
    port: int
    user: str = ""
    password: str = ""

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"

    @classmethod
    def parse(cls, text: str, name: str, *, hint: str = _HINT) -> "ProxyUrl":
        """Parse a URL such as http://user:password@proxy.example:3128.

        Raises:
            InvalidArgs: it is invalid. The message has its `name` only, because it may contain a password.
        """
        parsed = _url(text)
        scheme = parsed.protocol.removesuffix(":") if parsed else ""
        if parsed is None or scheme not in _PORTS or not parsed.hostname:
            raise InvalidArgs(f"{name} is not the URL of a proxy.", hint=hint)
        host = parsed.hostname.strip("[]")
        port = int(parsed.port or _PORTS[scheme])
        return cls(scheme, host, port, unquote(parsed.username), unquote(parsed.password))


def mask_password(text: str) -> str:
    """Return the URL of a proxy with its password masked."""
    parsed = _url(text)
    if parsed is None or not parsed.password:
        return text
    return f"{parsed.protocol}//{parsed.username}:{_MASK}@{parsed.host}"


def has_masked_password(text: str) -> bool:
    """Whether the password in a proxy URL is masked, so that the URL cannot be used."""
    return _MASK in text


def _url(text: str) -> URL | None:
    try:
        return URL(text if "://" in text else f"http://{text}")
    except ValueError:
        return None
