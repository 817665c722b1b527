"""Which URLs a session may reach. A URL is parsed once, as Chrome parses it, and its parts are checked."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from ada_url import URL

from tabwright.errors import Denied, InvalidArgs
from tabwright.policy.network.ip_ranges import Ip, kind, literal
from tabwright.policy.network.own_ports import OwnPorts
from tabwright.policy.network.url_pattern import UrlPattern, parse_pattern

SETTING = "security.allowed_url_patterns"
_PORTS = {"http": 80, "https": 443}
_PORT_FOR_SCHEME = re.compile(r"\s*[\w.-]+:\d+(/|\s*$)")
_WHOLE_URL_HINT = "Give a whole URL, such as https://example.com/."


@dataclass(frozen=True, slots=True)
class Address:
    """The parts of an http or https URL; the path includes the query."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def origin(self) -> str:
        """Scheme, host and port, without the default port."""
        return f"{self.scheme}://{self.host}{'' if self.port == _PORTS[self.scheme] else f':{self.port}'}"

    def __str__(self) -> str:
        return self.origin + self.path


def parse(url: str) -> Address:
    """Parse a URL.

    Raises:
        InvalidArgs: it is not a URL.
        Denied: it is not an http or https URL, or contains a password.
    """
    try:
        parsed = URL(url)
    except ValueError:
        raise InvalidArgs(f"{url[:200]!r} is not a URL.", hint=_WHOLE_URL_HINT) from None
    scheme = parsed.protocol.removesuffix(":")
    if scheme not in _PORTS:
        if _PORT_FOR_SCHEME.match(url):
            raise InvalidArgs(f"{url[:200]!r} has no scheme.", hint=_WHOLE_URL_HINT)
        raise Denied(f"{scheme}: URLs are refused.", hint="Use http or https.")
    if parsed.username or parsed.password:
        raise Denied(
            f"A URL of {parsed.hostname} with a user name or password is refused.",
            hint="Leave them out; set_credentials answers a site that asks for them.",
        )
    host = parsed.hostname.removesuffix(".")  # the trailing dot of the DNS root
    if not host:
        raise InvalidArgs(f"{url[:200]!r} has no host.", hint=_WHOLE_URL_HINT)
    return Address(scheme, host, int(parsed.port or _PORTS[scheme]), parsed.pathname + parsed.search)


class UrlRules:
    """The patterns that allow URLs. Everything else is refused, and so are the hub's own ports."""

    def __init__(self, patterns: Iterable[str], own: OwnPorts | None = None) -> None:
        self.patterns = tuple(patterns)
        self._own = own or OwnPorts()
        self._rules: tuple[UrlPattern, ...] = tuple(map(parse_pattern, self.patterns))
        self._named = frozenset(rule.host for rule in self._rules if rule.names_host)

    def check(self, url: str) -> None:
        """Check a URL that a caller wants to open.

        Raises:
            InvalidArgs: it is not a URL.
            Denied: no rule allows it.
        """
        if url.strip() != "about:blank" and (refusal := self.refusal(parse(url))) is not None:
            raise refusal

    def refusal(self, address: Address) -> Denied | None:
        """Return why a request is refused; None if it is allowed."""
        if (ours := self._own.refusal(address.host, address.port)) is not None:
            return ours
        if not any(rule.allows(address) for rule in self._rules):
            return self._no_rule(address)
        ip = literal(address.host)
        return self.refusal_of_address(address.host, kind(ip)) if ip and kind(ip) else None

    def refusal_of_addresses(self, host: str, port: int, addresses: Iterable[Ip]) -> Denied | None:
        """Return why an allowed host is refused because of the addresses that it resolved to."""
        found = tuple(addresses)
        if (ours := self._own.refusal(host, port, found)) is not None:
            return ours
        refusals = (self.refusal_of_address(host, of) for of in map(kind, found) if of)
        return next(filter(None, refusals), None)

    def refusal_of_address(self, host: str, kind: str) -> Denied | None:
        """Return why a host with an address of that kind is refused; None if a pattern names the host.

        Link-local and unspecified addresses must be named themselves; the name of a host is not enough.
        """
        trusted = host in self._named or host.endswith(".localhost")
        if trusted and (literal(host) is not None or kind in ("private", "loopback")):
            return None
        return Denied(
            f"{host} is refused: its address is {kind}, and no pattern of {SETTING} names that host.",
            hint=f"Ask the user to add a pattern with the host {host}.",
        )

    def reaches(self, scheme: str, host: str, port: int) -> bool:
        """Whether some path there is allowed, which is all that a connection shows before its first bytes."""
        return any(rule.reaches(scheme, host, port) for rule in self._rules)

    @cached_property
    def paused(self) -> tuple[str, ...]:
        """The https URLs that Chrome must ask about, because a pattern has a path."""
        return tuple(sorted({rule.paused for rule in self._rules if rule.paused}))

    def _no_rule(self, address: Address) -> Denied:
        port = _PORTS["https"] if address.port == _PORTS["http"] else address.port
        secure = Address("https", address.host, port, address.path)
        safe = address.scheme == "http" and self.refusal(secure) is None
        return Denied(
            f"{str(address)[:200]} is refused: no pattern of {SETTING} allows it.",
            hint=f"Try {str(secure)[:200]}" if safe else "Use an allowed URL, or ask the user to allow it.",
        )
