"""Which IP addresses belong to this computer and its networks, not to the internet."""

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

Ip = IPv4Address | IPv6Address

_NAT64 = IPv6Network("64:ff9b::/96")


def literal(host: str) -> Ip | None:
    """Return the host of a parsed URL as an IP address; None for a name."""
    try:
        return ip_address(host.removeprefix("[").removesuffix("]"))
    except ValueError:
        return None


def kind(address: Ip) -> str:
    """Return why an address is not on the internet, such as "private"; empty for one that is."""
    inner = inside(address)
    if inner is not None:
        return kind(inner)
    kinds = {
        "unspecified": address.is_unspecified,
        "loopback": address.is_loopback,
        "link-local": address.is_link_local,
        "multicast": address.is_multicast,
        "private": address.is_private or not address.is_global,
    }
    return next((name for name, is_so in kinds.items() if is_so), "")


def inside(address: Ip) -> IPv4Address | None:
    """Return the IPv4 address that is embedded in an IPv6 one."""
    if isinstance(address, IPv4Address):
        return None
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour
