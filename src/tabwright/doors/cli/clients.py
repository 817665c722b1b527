"""The MCP clients that people use, and how each is told of a server: `tabwright config cursor`."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any, NamedTuple

from tabwright.doors.cli.saving import free_path, save
from tabwright.doors.cli.terminal import Terminal

_SERVER = "tabwright"


class Client(NamedTuple):
    """Where a client keeps its servers. A file without a folder is the project's, in the present folder."""

    title: str
    mac: str
    linux: str
    table: str = "mcpServers"
    beside: dict[str, Any] = {}  # noqa: RUF012 - a field of a tuple, shared by nobody who changes it

    @property
    def file(self) -> Path:
        """The file, on this system."""
        return Path(self.mac if sys.platform == "darwin" else self.linux).expanduser().absolute()


_MAC = "~/Library/Application Support"
_CLINE = "Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"
_STDIO = {"type": "stdio"}

CLIENTS = {
    "claude-desktop": Client(
        "Claude Desktop",
        f"{_MAC}/Claude/claude_desktop_config.json",
        "~/.config/Claude/claude_desktop_config.json",
    ),
    "claude-code": Client("Claude Code (this project)", ".mcp.json", ".mcp.json", beside=_STDIO),
    "cursor": Client("Cursor", "~/.cursor/mcp.json", "~/.cursor/mcp.json"),
    "vscode": Client(
        "VS Code", f"{_MAC}/Code/User/mcp.json", "~/.config/Code/User/mcp.json", "servers", _STDIO
    ),
    "cline": Client("Cline", f"{_MAC}/{_CLINE}", f"~/.config/{_CLINE}"),
}


class NotWritten(Exception):
    """The client's file was left as it is; the text says why."""


def order(given: dict[str, Any], terminal: Terminal) -> int:
    """Print what a client is to be told, or write it into the client's file."""
    client = CLIENTS[given["client"]]
    told = {client.table: {_SERVER: {**client.beside, **command(given.get("dialect"))}}}
    if not given.get("write"):
        terminal.say(json.dumps(told, indent=2))
        terminal.note(f"For {client.title}, in {client.file}; --write puts it there.")
        return 0
    try:
        backup = write(client.file, told)
    except (NotWritten, OSError) as failure:
        terminal.fail("tabwright config", str(failure), "Put in by hand what `tabwright config` prints.")
        return 1
    kept = f"; as it was: {backup}" if backup else ""
    terminal.say(f"{client.file} names Tabwright now{kept}. Start {client.title} anew.")
    return 0


def command(dialect: str | None = None) -> dict[str, Any]:
    """Return how a client starts us: as we were started, by a path that holds from anywhere."""
    args = ["mcp", *(["--dialect", dialect] if dialect else [])]
    program = shutil.which(sys.argv[0])
    if program and Path(program).stem == "tabwright":
        return {"command": str(Path(program).absolute()), "args": args}
    return {"command": sys.executable, "args": ["-m", "tabwright", *args]}


def program() -> str:
    """Return what to type to run us, from anywhere."""
    started = command()
    return " ".join([started["command"], *started["args"][:-1]])


def write(file: Path, told: dict[str, Any]) -> Path | None:
    """Add to a client's file, keeping all else in it; return where it was copied to before, if it was there.

    Raises:
        NotWritten: the file is not one that can be added to safely.
    """
    file = file.resolve()
    before = file.read_bytes() if file.exists() else None
    known = _parsed(file, before) if before is not None and before.strip() else {}
    [(table, servers)] = told.items()
    named = known.setdefault(table, {})
    if not isinstance(named, dict):
        raise NotWritten(f"{file}: {table} is no table of servers.")
    if all(named.get(name) == server for name, server in servers.items()):
        return None
    named.update(servers)
    backup = save(free_path(file.parent, f"{file.name}.backup"), before) if before is not None else None
    save(file, (json.dumps(known, indent=2, ensure_ascii=False) + "\n").encode())
    return backup


def _parsed(file: Path, content: bytes) -> dict[str, Any]:
    try:
        known = json.loads(content)
    except ValueError:
        raise NotWritten(f"{file} is not plain JSON (it may hold comments, which would be lost).") from None
    if not isinstance(known, dict):
        raise NotWritten(f"{file} holds no JSON object.")
    return known
