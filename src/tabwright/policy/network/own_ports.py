"""The ports that we listen on ourselves: no session reaches them, by whatever name this computer has.

Without tokens whoever comes there is the user, so that an agent would be the person who allows what it asks.
"""

import socket
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from tabwright.errors import Denied
from tabwright.policy.network.ip_ranges import Ip, inside, literal


class OwnPorts:
    """Knows them; doors say when they open one."""

    def __init__(self, ports: Iterable[int] = ()) -> None:
        self._open = Counter(ports)

    @contextmanager
    def taken(self, *ports: int) -> Iterator[None]:
        """Have ports counted as ours while the block runs."""
        self._open.update(ports)
        try:
            yield
        finally:
            self._open.subtract(ports)

    def require_foreign(self, url: str) -> None:
        """Let pass a tab that shows no page of ours.

        Raises:
            Denied: it does.
        """
        if (refusal := self.shown(url)) is not None:
            raise refusal

    def shown(self, url: str) -> Denied | None:
        """Return why nobody acts in a tab with that address; None where it is not ours."""
        shown = urlsplit(url)  # as Chrome tells it: in one spelling
        return self.refusal(shown.hostname or "", shown.port or 80) if shown.scheme == "http" else None

    def refusal(self, host: str, port: int, addresses: Iterable[Ip] = ()) -> Denied | None:
        """Return why no session goes there; None for a port that is another's, or of another computer.

        A name is judged by the `addresses` it has, as far as they are known.
        """
        if self._open[port] <= 0:
            return None
        ip = literal(host)
        found = [*addresses, ip] if ip is not None else addresses
        if not (is_local_name(host) or any(map(_is_here, found))):
            return None
        return Denied(
            f"{host}:{port} is refused: it is a port of Tabwright itself, which no session may reach.",
            hint="The dashboard is for people: ask the user to do there what is to be done.",
        )


def is_local_name(host: str) -> bool:
    """Whether a name means this computer whatever a name server says."""
    return host == "localhost" or host.endswith(".localhost")


def _is_here(address: Ip) -> bool:
    """Whether an address is this computer's: only those can be listened on."""
    ip = inside(address) or address
    if ip.is_loopback or ip.is_unspecified:
        return True
    family = socket.AF_INET if ip.version == 4 else socket.AF_INET6
    with socket.socket(family, socket.SOCK_DGRAM) as trial:
        try:
            trial.bind((str(ip), 0))
        except OSError:
            return False
    return True
