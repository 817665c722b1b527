"""Addresses as people type them, without a scheme. Imports nothing heavy, because commands use it."""

import re

# Compiled only when needed: most commands of the shell need none.
_END = r"(?=[:/?#]|$)"
_HAS_SCHEME = r"(?i)[a-z][a-z0-9+.-]*://|(about|blob|data|file|javascript|view-source):"
_IS_LOCAL = rf"(?i)(localhost|([\w-]+\.)+localhost|127(\.\d+){{3}}|0\.0\.0\.0|\[::1\]){_END}"
# A name with a dot and a top-level domain of letters, or an IPv4 address.
_IS_HOST = rf"(?i)(([\w-]+\.)+([^\W\d_]{{2,}}|xn--[\w-]+)\.?|\d+(\.\d+){{3}}){_END}"


def has_scheme(address: str) -> bool:
    """Whether an address has a scheme."""
    return re.match(_HAS_SCHEME, address) is not None


def complete_url(address: str) -> str:
    """Add the scheme to a bare host name: https, or http on this computer; leave anything else unchanged."""
    if has_scheme(address):
        return address
    if re.match(_IS_LOCAL, address):
        return f"http://{address}"
    return f"https://{address}" if re.match(_IS_HOST, address) else address
