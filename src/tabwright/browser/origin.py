"""Origins: the scheme, host and port that decide what may read what."""

from urllib.parse import urlsplit

from tabwright.errors import InvalidArgs

_PORTS = {"http": 80, "https": 443}


def origin_of(url: str) -> str | None:
    """Return the origin of an http(s) address as Chrome writes it, or None where there is none."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in _PORTS or not parts.hostname:
        return None
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}" + ("" if port in (None, _PORTS[parts.scheme]) else f":{port}")


def required_origin(url: str) -> str:
    """Return the origin that a caller names, by an origin or by any address of it.

    Raises:
        InvalidArgs: it has none.
    """
    origin = origin_of(url)
    if origin is None:
        raise InvalidArgs(f"{url!r} is no origin.", hint="Give one such as https://example.com.")
    return origin
