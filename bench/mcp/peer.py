"""An MCP server for the benchmark: its command, and the tools that do the same work in each server."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from bench.mcp.client import ServerFailed, ToolCall


@dataclass(frozen=True)
class Peer:
    """One server. `snapshot` uses default arguments, `whole` returns the whole page."""

    name: str
    version: str
    command: tuple[str, ...]
    environment: Callable[[Path], Mapping[str, str]]  # for a folder that it may write to
    idle: ToolCall
    navigate: ToolCall
    snapshot: ToolCall
    whole: ToolCall
    click: ToolCall
    fill: ToolCall
    step: tuple[ToolCall, ...]  # a click, and learning what it changed
    screenshot: ToolCall
    evaluate: ToolCall
    refs: str  # pattern of an element in the snapshot, with its ref as the group

    def ref(self, snapshot: str, role: str, name: str) -> str:
        """Return the ref of an element.

        Raises:
            ServerFailed: it is not in the snapshot.
        """
        found = re.search(self.refs.format(role=role, name=re.escape(name)), snapshot)
        if not found:
            raise ServerFailed(f'{role} "{name}" is not in the snapshot')
        return found[1]


def installed_version(modules: Path, package: str) -> str:
    """Return the version of an npm package.

    Raises:
        ServerFailed: it is not installed.
    """
    try:
        described = json.loads((modules / package / "package.json").read_text())
    except FileNotFoundError:
        raise ServerFailed("not installed; `make bench` installs it") from None
    return str(described["version"])
