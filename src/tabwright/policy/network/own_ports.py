"""The ports that the hub listens on: no session may reach them, by any name of this computer.

Without tokens, everyone who connects there is the user, so an agent could approve its own calls.
"""

import socket
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from tabwright.errors import Denied
from tabwright.policy.network.ip_ranges import Ip, inside, literal


class OwnPorts:
    """The ports of the hub; doors add those they open."""

    def __init__(self, ports: Iterable[int] = ()) -> None:
        self._open = Counter(ports)

    @contextmanager
    def opened(self, *ports: int) -> Iterator[None]:
        """Count ports as ours while the block runs."""
        self._open.update(ports)
        try:
            yield
        finally:
            self._open.subtract(ports)

    def require_foreign(self, url: str) -> None:
        """Check that a URL is not one of the hub.

        Raises:
            Denied: it is.
        """
        if (refusal := self.refusal_of_url(url)) is not None:
            raise refusal

    def refusal_of_url(self, url: str) -> Denied | None:
        """Return why no call may run in a tab with that URL; None if it is not ours."""
        parts = urlsplit(url)  # Chrome has normalized it
        return self.refusal(parts.hostname or "", parts.port or 80) if parts.scheme == "http" else None

    def refusal(self, host: str, port: int, addresses: Iterable[Ip] = ()) -> Denied | None:
        """Return why no session may connect there; None for other ports and other computers.

        A name is checked by its `addresses`, if they are known.
        """
        if self._open[port] <= 0:
            return None
        ip = literal(host)
        found = [*addresses, ip] if ip is not None else addresses
        if not (is_local_name(host) or any(map(_is_here, found))):
            return None
        return Denied(
            f"{host}:{port} is refused: sessions may not reach the ports of Tabwright itself.",
            hint="The dashboard is for people. Ask the user to do it there.",
        )


def is_local_name(host: str) -> bool:
    """Whether a name always means this computer."""
    return host == "localhost" or host.endswith(".localhost")


def _is_here(address: Ip) -> bool:
    """Whether an address belongs to this computer: only those can be bound."""
    ip = inside(address) or address
    if ip.is_loopback or ip.is_unspecified:
        return True
    family = socket.AF_INET if ip.version == 4 else socket.AF_INET6
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind((str(ip), 0))
        except OSError:
            return False
    return True
