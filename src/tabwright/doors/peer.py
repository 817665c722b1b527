"""Who is at the other end of a Unix socket."""

import os
import socket
import struct
import sys


def same_user(link: socket.socket) -> bool:
    """Tell whether the other end is ours, where the kernel says so; elsewhere the socket's rights must do."""
    if sys.platform != "linux":
        return True
    told = link.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    _, user, _ = struct.unpack("3i", told)
    return bool(user == os.getuid())
