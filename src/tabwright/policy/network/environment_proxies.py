"""The proxies that the environment names: HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, and NO_PROXY for exceptions."""

from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_network

from tabwright.home import proxy_variables
from tabwright.policy.network.ip_ranges import literal
from tabwright.policy.network.upstream_proxy import UpstreamProxy
from tabwright.proxy_url import ProxyUrl

# The value of the setting `proxy` that turns the environment's proxies off; Chrome understands it too.
DIRECT = "direct://"


@dataclass(frozen=True, slots=True)
class EnvironmentProxies:
    """A proxy for plain HTTP, one for everything else, and the hosts that need none."""

    http: UpstreamProxy | None
    https: UpstreamProxy | None
    exceptions: tuple[str, ...] = ()

    @classmethod
    def parse(cls, variables: Mapping[str, str]) -> "EnvironmentProxies | None":
        """Read the variables, with upper-case names; None if they name no proxy.

        Raises:
            InvalidArgs: one is not the URL of a proxy.
        """
        http, https = (_proxy(variables, name) for name in ("HTTP_PROXY", "HTTPS_PROXY"))
        if http is None and https is None:
            return None
        excepted = variables.get("NO_PROXY", "").lower().replace(" ", ",").split(",")
        return cls(http, https, tuple(filter(None, excepted)))

    def choose(self, host: str, port: int, *, plain: bool) -> UpstreamProxy | None:
        """Return the proxy for a host; None if it is reached directly."""
        name = host.lower().strip("[]")
        if any(_matches(exception, name, port) for exception in self.exceptions):
            return None
        return self.http if plain else self.https


def upstream_of(setting: str | None) -> UpstreamProxy | EnvironmentProxies | None:
    """Return the proxies that the user chose: in the settings, or else in the environment.

    Raises:
        InvalidArgs: one is not the URL of a proxy.
    """
    if setting == DIRECT:
        return None
    return UpstreamProxy.parse(setting) if setting else EnvironmentProxies.parse(proxy_variables())


def _proxy(variables: Mapping[str, str], name: str) -> UpstreamProxy | None:
    used = next((one for one in (name, "ALL_PROXY") if variables.get(one)), None)
    if used is None:
        return None
    # The proxy looks up names in any case, which is what the h asks for.
    text = variables[used].replace("socks5h://", "socks5://", 1)
    hint = 'Correct it, or ignore it: proxy = "direct://" in the settings.'
    return UpstreamProxy(ProxyUrl.parse(text, f"The variable {used}", hint=hint))


def _matches(exception: str, name: str, port: int) -> bool:
    """Whether an entry of NO_PROXY covers a host: `*`, a domain, an address, or a range of addresses."""
    if exception == "*":
        return True
    if "/" in exception:
        return _in_range(exception, name)
    entry, _, only = exception.partition(":") if exception.count(":") == 1 else (exception, "", "")
    if only and only != str(port):
        return False
    domain = entry.removeprefix("*").strip("[].")
    return bool(domain) and (name == domain or name.endswith(f".{domain}"))


def _in_range(exception: str, name: str) -> bool:
    address = literal(name)
    try:
        return address is not None and address in ip_network(exception, strict=False)
    except ValueError:
        return False
