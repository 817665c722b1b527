"""The MCP clients that people use, where each keeps its servers, and what it is told of us."""

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
    """Where a client keeps its servers. A file without a folder is the project's, in the present folder.

    `once` is where older versions of it keep them, below the folder of the system's applications.
    """

    title: str
    mac: str
    linux: str
    table: str = "mcpServers"
    beside: dict[str, Any] = {}  # noqa: RUF012 - a field of a tuple, shared by nobody who changes it
    once: str = ""

    @property
    def file(self) -> Path:
        """The file that it reads, on this system."""
        file = _placed(self.mac if sys.platform == "darwin" else self.linux)
        once = _placed(f"{_MAC if sys.platform == 'darwin' else _LINUX}/{self.once}")
        return once if self.once and once.exists() and not file.parent.exists() else file

    def told(self, dialect: str | None = None) -> dict[str, Any]:
        """What it is to be told of us."""
        return {self.table: {_SERVER: {**self.beside, **command(dialect)}}}


_MAC, _LINUX = "~/Library/Application Support", "~/.config"
_STDIO = {"type": "stdio"}
# Of a program that uv keeps for a while and runs from there.
_CACHED = re.compile(r"(archive|builds|environments)-v\d+")

CLIENTS = {
    "claude-desktop": Client(
        "Claude Desktop",
        f"{_MAC}/Claude/claude_desktop_config.json",
        f"{_LINUX}/Claude/claude_desktop_config.json",
    ),
    "claude-code": Client("Claude Code (this project)", ".mcp.json", ".mcp.json", beside=_STDIO),
    "cursor": Client("Cursor", "~/.cursor/mcp.json", "~/.cursor/mcp.json"),
    "vscode": Client(
        "VS Code", f"{_MAC}/Code/User/mcp.json", f"{_LINUX}/Code/User/mcp.json", "servers", _STDIO
    ),
    # Since 4.0; it takes over once what versions before it kept.
    "cline": Client(
        "Cline",
        "~/.cline/data/settings/cline_mcp_settings.json",
        "~/.cline/data/settings/cline_mcp_settings.json",
        once="Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
    ),
}


def command(dialect: str | None = None) -> dict[str, Any]:
    """Return how a client starts us: by a path that holds from anywhere and lasts."""
    args = ["mcp", *(["--dialect", dialect] if dialect else [])]
    program = _program()
    if program is None:
        return {"command": sys.executable, "args": ["-m", "tabwright", *args]}
    if any(_CACHED.fullmatch(folder.name) for folder in program.parents):
        return {"command": shutil.which("uvx") or "uvx", "args": [*_source(), "tabwright", *args]}
    return {"command": str(program), "args": args}


def _program() -> Path | None:
    """Return the program that was started; in a hub, which Python runs as a module, the one beside that."""
    started = shutil.which(sys.argv[0])
    if started is None or Path(started).stem != _SERVER:
        started = shutil.which(_SERVER, path=str(Path(sys.executable).parent))
    return Path(started).absolute() if started else None


def _source() -> list[str]:
    """Say where uv has us from, if that is a file."""
    told = json.loads(distribution("tabwright").read_text("direct_url.json") or "{}")
    url = urlsplit(told.get("url", ""))
    return ["--from", unquote(url.path)] if url.scheme == "file" else []


def program() -> str:
    """Return what to type to run us, from anywhere."""
    started = command()
    return shlex.join([started["command"], *started["args"][:-1]])


def for_claude_code(dialect: str | None = None) -> str:
    """Return what to type to have Claude Code know us in all projects of its user."""
    started = command(dialect)
    words = ["claude", "mcp", "add", "--scope", "user", _SERVER, "--", started["command"], *started["args"]]
    return shlex.join(words)


def ways() -> dict[str, str]:
    """Return what to type, or to put into a client's file, to have an agent use us, by client."""
    us = program()
    others = {
        title: f"{us} config {name} --write" for name, (title, *_) in CLIENTS.items() if name != "claude-code"
    }
    return {
        "Claude Code": for_claude_code(),
        **others,
        "By hand": json.dumps(CLIENTS["cursor"].told()),
        "VS Code's way": json.dumps(CLIENTS["vscode"].told()),
    }


def _placed(place: str) -> Path:
    return Path(place).expanduser().absolute()
