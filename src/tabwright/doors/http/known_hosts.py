"""Our host names, as requests write them, and the origins of the pages that we serve."""

import ipaddress
import re
from collections.abc import Iterable

_LOOPBACK = ("127.0.0.1", "localhost")
_PORT = re.compile(r":\d+$")
_DEFAULT_PORT = {"http": ":80", "https": ":443"}


class KnownHosts:
    """Loopback and our address on our own ports, and the names in the settings.

    A name without a port is ours on any port and over https, because a proxy may stand in front of us. Pages
    on another port of that name are not: another program may serve them.

    Attributes:
        example: a host to suggest to a client that uses an unknown one.
    """

    def __init__(self, ports: Iterable[int], address: str, names: Iterable[str] = ()) -> None:
        listening = [bracket(name.lower()) for name in (*_LOOPBACK, address)]
        named = {bracket(name.lower()) for name in names}
        self._names = frozenset(named)
        self._hosts = frozenset(f"{name}:{port}" for name in listening for port in ports)
        self.example = min(self._hosts)

    def has_host(self, host: str) -> bool:
        """Whether a request for this host is for us."""
        host = host.lower()
        return host in self._hosts or host in self._names or _PORT.sub("", host) in self._names

    def has_origin(self, origin: str, host: str) -> bool:
        """Whether a page of this origin is ours, in a request for `host`."""
        scheme, _, site = origin.lower().partition("://")
        if scheme not in _DEFAULT_PORT:
            return False
        name = site.removesuffix(_DEFAULT_PORT[scheme])
        # A proxy may pass on the Host that the page used, or one of ours.
        if name in self._names:
            return True
        if scheme == "http" and site in self._hosts:
            return True
        behind_proxy = _PORT.sub("", site) in self._names
        return site == host.lower() and (scheme == "http" or behind_proxy)


def bracket(name: str) -> str:
    """Return a host as URLs write it: an IPv6 address has brackets."""
    try:
        return f"[{name}]" if ipaddress.ip_address(name).version == 6 else name
    except ValueError:
        return name
