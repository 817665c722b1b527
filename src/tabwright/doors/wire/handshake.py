"""The first line in each direction on the hub's socket: the client's hello and the hub's welcome."""

import json
import os
import socket
import struct
import sys
from pathlib import Path
from typing import Any, Literal, NamedTuple

Door = Literal["mcp", "call", "extension", "stop", "status"]
MAX_LINE = 65_536
_FIELD_TYPES = {"version": str, "folder": str, "client": str, "options": dict}
_DOORS = ("mcp", "call", "extension", "stop", "status")


# Named tuples, because `dataclasses` costs every command and every agent's start 8 ms of imports.
class Hello(NamedTuple):
    """The client's first line. `stop` and `status` are not doors: the welcome is the whole answer."""

    door: Door
    version: str
    folder: str = ""
    client: str = ""
    options: dict[str, Any] = {}  # noqa: RUF012 - a field of a tuple; nobody changes it

    def line(self) -> bytes:
        """Encode it; the folder is the current one unless another was given."""
        return json.dumps({**self._asdict(), "folder": self.folder or str(Path.cwd())}).encode() + b"\n"

    @classmethod
    def parse(cls, line: bytes) -> "Hello":
        """Decode it; raises ValueError for anything else."""
        fields = json.loads(line)
        if not isinstance(fields, dict) or fields.get("door") not in _DOORS:
            raise ValueError("not a hello")
        if any(not isinstance(fields.get(name, kind()), kind) for name, kind in _FIELD_TYPES.items()):
            raise ValueError("not a hello")
        return cls(**{name: fields[name] for name in fields if name in cls._fields})


class Welcome(NamedTuple):
    """The hub's answer: taken, leaving (start another hub), or refused with a reason."""

    taken: bool
    version: str
    pid: int = 0
    clients: int = 0
    leaving: bool = False
    reason: str = ""

    def line(self) -> bytes:
        """Encode it."""
        return json.dumps({**self._asdict(), "pid": self.pid or os.getpid()}).encode() + b"\n"

    @classmethod
    def parse(cls, line: bytes) -> "Welcome":
        """Decode it, ignoring fields that a hub of another version may add."""
        fields = json.loads(line)
        return cls(**{name: fields[name] for name in fields if name in cls._fields})


def complain(sentence: str) -> None:
    """Print a sentence for the user on standard error; standard output belongs to the protocol."""
    print(f"tabwright: {sentence}", file=sys.stderr)


def is_same_user(link: socket.socket) -> bool:
    """Whether the other end belongs to our user. Only Linux can tell; elsewhere the socket's mode must do."""
    if sys.platform != "linux":
        return True
    credentials = link.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    _, user, _ = struct.unpack("3i", credentials)
    return bool(user == os.getuid())
