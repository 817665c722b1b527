"""The first line on the hub's socket, both ways: who comes and through which door; whether they are taken."""

import json
import os
import socket
import struct
import sys
from pathlib import Path
from typing import Any, Literal, NamedTuple

Door = Literal["mcp", "call", "extension", "stop", "status"]
LONGEST = 65_536
_KINDS = {"version": str, "folder": str, "client": str, "options": dict}
_DOORS = ("mcp", "call", "extension", "stop", "status")


# Named tuples, because `dataclasses` costs every command and every agent's start 8 ms of imports.
class Hello(NamedTuple):
    """What a client says first. `stop` and `status` are no doors: the welcome is the whole answer."""

    door: Door
    version: str
    folder: str = ""
    client: str = ""
    options: dict[str, Any] = {}  # noqa: RUF012 - a field of a tuple, shared by nobody who changes it

    def line(self) -> bytes:
        """Return it as sent; the folder is where we are unless another was named."""
        return json.dumps({**self._asdict(), "folder": self.folder or str(Path.cwd())}).encode() + b"\n"

    @classmethod
    def parse(cls, line: bytes) -> "Hello":
        """Read it; a ValueError says that it is none."""
        said = json.loads(line)
        if not isinstance(said, dict) or said.get("door") not in _DOORS:
            raise ValueError("no hello")
        if any(not isinstance(said.get(name, kind()), kind) for name, kind in _KINDS.items()):
            raise ValueError("no hello")
        return cls(**{name: said[name] for name in said if name in cls._fields})


class Welcome(NamedTuple):
    """What the hub answers: taken, leaving (start another), or refused with a reason."""

    taken: bool
    version: str
    pid: int = 0
    clients: int = 0
    leaving: bool = False
    reason: str = ""

    def line(self) -> bytes:
        """Return it as sent."""
        return json.dumps({**self._asdict(), "pid": self.pid or os.getpid()}).encode() + b"\n"

    @classmethod
    def parse(cls, line: bytes) -> "Welcome":
        """Read it, though a hub of another version may say more."""
        said = json.loads(line)
        return cls(**{name: said[name] for name in said if name in cls._fields})


def complain(sentence: str) -> None:
    """Say a sentence to the person; standard output belongs to the protocol."""
    print(f"tabwright: {sentence}", file=sys.stderr)


def same_user(link: socket.socket) -> bool:
    """Tell whether the other end is ours, where the kernel says so; elsewhere the socket's rights must do."""
    if sys.platform != "linux":
        return True
    told = link.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    _, user, _ = struct.unpack("3i", told)
    return bool(user == os.getuid())
