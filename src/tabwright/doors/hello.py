"""The first line on the hub's socket, both ways: who comes and through which door; whether they are taken."""

import json
import os
import sys
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Door = Literal["mcp", "call", "stop"]
LONGEST = 65_536


@dataclass(frozen=True)
class Hello:
    """What a client says first."""

    door: Door
    version: str
    folder: str = field(default_factory=os.getcwd)
    client: str = ""
    options: dict[str, Any] = field(default_factory=dict)

    def line(self) -> bytes:
        """Return it as sent."""
        return json.dumps(asdict(self)).encode() + b"\n"

    @classmethod
    def parse(cls, line: bytes) -> "Hello":
        """Read it; a ValueError says that it is none."""
        said = json.loads(line)
        if not isinstance(said, dict) or said.get("door") not in ("mcp", "call", "stop"):
            raise ValueError("no hello")
        return cls(**{name: said[name] for name in said if name in cls.__dataclass_fields__})


@dataclass(frozen=True)
class Welcome:
    """What the hub answers: taken, leaving (start another), or refused with a reason."""

    taken: bool
    version: str
    pid: int = field(default_factory=os.getpid)
    leaving: bool = False
    reason: str = ""

    def line(self) -> bytes:
        """Return it as sent."""
        return json.dumps(asdict(self)).encode() + b"\n"

    @classmethod
    def parse(cls, line: bytes) -> "Welcome":
        """Read it."""
        return cls(**json.loads(line))


def complain(sentence: str) -> None:
    """Say a sentence to the person; standard output belongs to the protocol."""
    print(f"tabwright: {sentence}", file=sys.stderr)
