"""The address of a proxy of the user's: read, and shown without its password."""

from dataclasses import dataclass
from urllib.parse import unquote

from ada_url import URL

from tabwright.errors import InvalidArgs

_PORTS = {"http": 80, "https": 443, "socks5": 1080}
_MASK = "•••"


@dataclass(frozen=True, slots=True)
class ProxyUrl:
    """Where a proxy is, and what lets us in."""

    scheme: str
    host: str
    port: int
    user: str = ""
    password: str = ""

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"

    @classmethod
    def parse(cls, text: str, named: str) -> "ProxyUrl":
        """Read an address such as http://user:password@proxy.example:3128.

        Raises:
            InvalidArgs: it is none; what was `named` so is not repeated, for it may hold a password.
        """
        parsed = _url(text)
        scheme = parsed.protocol.removesuffix(":") if parsed else ""
        if parsed is None or scheme not in _PORTS or not parsed.hostname:
            raise InvalidArgs(
                f"{named} is no address of a proxy.",
                hint="Write it as http://127.0.0.1:3128; https and socks5 can be, too.",
            )
        host = parsed.hostname.strip("[]")
        port = int(parsed.port or _PORTS[scheme])
        return cls(scheme, host, port, unquote(parsed.username), unquote(parsed.password))


def without_password(text: str) -> str:
    """Return the address of a proxy as it may be shown."""
    parsed = _url(text)
    if parsed is None or not parsed.password:
        return text
    return f"{parsed.protocol}//{parsed.username}:{_MASK}@{parsed.host}"


def hides_password(text: str) -> bool:
    """Whether an address is one as it is shown, so that nobody gets in with it."""
    return _MASK in text


def _url(text: str) -> URL | None:
    try:
        return URL(text if "://" in text else f"http://{text}")
    except ValueError:
        return None
