"""How MCP clients start us: the configuration file of each client, and the entry to put there."""

import json
import re
import shlex
import shutil
import sys
from importlib.metadata import distribution
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

_SERVER = "tabwright"


class Client(NamedTuple):
    """Where a client stores its MCP servers. A relative path is a file of the project in the current folder.

    Attributes:
        table: the key of the servers in the file.
        extra: fields that each server has in this client.
        old_file: where older versions store them, below the folder for application settings.
    """

    title: str
    mac: str
    linux: str
    table: str = "mcpServers"
    extra: dict[str, Any] = {}  # noqa: RUF012 - a field of a tuple; nobody changes it
    old_file: str = ""

    @property
    def file(self) -> Path:
        """The file that it reads on this system."""
        file = _absolute(self.mac if sys.platform == "darwin" else self.linux)
        old = _absolute(f"{_MAC if sys.platform == 'darwin' else _LINUX}/{self.old_file}")
        return old if self.old_file and old.exists() and not file.parent.exists() else file

    def entry(self, dialect: str | None = None) -> dict[str, Any]:
        """Return what to merge into the file."""
        return {self.table: {_SERVER: {**self.extra, **start_command(dialect)}}}


_MAC, _LINUX = "~/Library/Application Support", "~/.config"
_STDIO = {"type": "stdio"}
# A folder of uv's cache, from which it runs programs for a while.
_UV_CACHE = re.compile(r"(archive|builds|environments)-v\d+")

CLIENTS = {
    "claude-desktop": Client(
        "Claude Desktop",
        f"{_MAC}/Claude/claude_desktop_config.json",
        f"{_LINUX}/Claude/claude_desktop_config.json",
    ),
    "claude-code": Client("Claude Code (this project)", ".mcp.json", ".mcp.json", extra=_STDIO),
    "cursor": Client("Cursor", "~/.cursor/mcp.json", "~/.cursor/mcp.json"),
    "vscode": Client(
        "VS Code", f"{_MAC}/Code/User/mcp.json", f"{_LINUX}/Code/User/mcp.json", "servers", _STDIO
    ),
    # Since 4.0, which imports the file of older versions once.
    "cline": Client(
        "Cline",
        "~/.cline/data/settings/cline_mcp_settings.json",
        "~/.cline/data/settings/cline_mcp_settings.json",
        old_file="Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
    ),
}


def start_command(dialect: str | None = None) -> dict[str, Any]:
    """Return how a client starts us: with a path that works from any folder and stays valid."""
    args = ["mcp", *(["--dialect", dialect] if dialect else [])]
    program = _find_program()
    if program is None:
        return {"command": sys.executable, "args": ["-m", "tabwright", *args]}
    if any(_UV_CACHE.fullmatch(folder.name) for folder in program.parents):
        return {"command": shutil.which("uvx") or "uvx", "args": [*_source(), "tabwright", *args]}
    return {"command": str(program), "args": args}


def _find_program() -> Path | None:
    """Return the running program; in a hub, which runs as a module, the one next to its interpreter."""
    started = shutil.which(sys.argv[0])
    if started is None or Path(started).stem != _SERVER:
        started = shutil.which(_SERVER, path=str(Path(sys.executable).parent))
    return Path(started).absolute() if started else None


def _source() -> list[str]:
    """Return the options for uvx if it installed us from a file."""
    origin = json.loads(distribution("tabwright").read_text("direct_url.json") or "{}")
    url = urlsplit(origin.get("url", ""))
    return ["--from", unquote(url.path)] if url.scheme == "file" else []


def program() -> str:
    """Return the command to run us from any folder."""
    start = start_command()
    return shlex.join([start["command"], *start["args"][:-1]])


def claude_code_command(dialect: str | None = None) -> str:
    """Return the command that adds us to Claude Code for all projects of its user."""
    start = start_command(dialect)
    return shlex.join(
        ["claude", "mcp", "add", "--scope", "user", _SERVER, "--", start["command"], *start["args"]]
    )


def setup_steps() -> dict[str, str]:
    """Return, by client, the command that configures it, or the text for its file."""
    us = program()
    others = {
        title: f"{us} config {name} --write" for name, (title, *_) in CLIENTS.items() if name != "claude-code"
    }
    return {
        "Claude Code": claude_code_command(),
        **others,
        "By hand": json.dumps(CLIENTS["cursor"].entry()),
        "VS Code format": json.dumps(CLIENTS["vscode"].entry()),
    }


def _absolute(path: str) -> Path:
    return Path(path).expanduser().absolute()
