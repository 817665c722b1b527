"""What an MCP server is to the benchmark: a command, and the tools that do the same work in each."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from bench.mcp.client import ServerFailed, Use


@dataclass(frozen=True)
class Peer:
    """One server. `snapshot` is what it answers unasked, `whole` the page to its end."""

    name: str
    version: str
    command: tuple[str, ...]
    environment: Callable[[Path], Mapping[str, str]]  # given the folder it may write to
    idle: Use
    navigate: Use
    snapshot: Use
    whole: Use
    click: Use
    fill: Use
    step: tuple[Use, ...]  # a click, and knowing what it changed
    screenshot: Use
    evaluate: Use
    refs: str  # how the snapshot writes an element, its ref in parentheses

    def ref(self, snapshot: str, role: str, name: str) -> str:
        """Return the ref of an element.

        Raises:
            ServerFailed: it is not there.
        """
        found = re.search(self.refs.format(role=role, name=re.escape(name)), snapshot)
        if not found:
            raise ServerFailed(f'{role} "{name}" is not in the snapshot')
        return found[1]


def installed(modules: Path, package: str) -> str:
    """Return the version of an npm package.

    Raises:
        ServerFailed: it is not there.
    """
    try:
        described = json.loads((modules / package / "package.json").read_text())
    except FileNotFoundError:
        raise ServerFailed("not installed; `make bench` installs it") from None
    return str(described["version"])
