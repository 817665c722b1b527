"""The MCP clients that people use, and how each is told of a server: `tabwright config cursor`."""

import json
import re
import shlex
import shutil
import sys
from importlib.metadata import distribution
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from tabwright.doors.cli.saving import free_path, save
from tabwright.doors.cli.terminal import Terminal

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


class NotWritten(Exception):
    """The client's file was left as it is; the text says why."""


def order(given: dict[str, Any], terminal: Terminal) -> int:
    """Print what a client is to be told, or write it into the client's file."""
    client, dialect = CLIENTS[given["client"]], given.get("dialect")
    if not given.get("write"):
        terminal.say(json.dumps(client.told(dialect), indent=2))
        terminal.note(f"For {client.title}, in {client.file}; --write puts it there.")
    else:
        file = client.file
        try:
            backup = write(file, client.told(dialect))
        except (NotWritten, OSError) as failure:
            terminal.fail("tabwright config", str(failure), "Put in by hand what `tabwright config` prints.")
            return 1
        kept = f"; as it was: {backup}" if backup else ""
        terminal.say(f"{file} names Tabwright now{kept}. Start {client.title} anew.")
    if given["client"] == "claude-code":
        terminal.note(f"In all your projects: {for_claude_code(dialect)}")
    return 0


def command(dialect: str | None = None) -> dict[str, Any]:
    """Return how a client starts us: as we were started, by a path that holds from anywhere and lasts."""
    args = ["mcp", *(["--dialect", dialect] if dialect else [])]
    program = shutil.which(sys.argv[0])
    if program and any(_CACHED.fullmatch(folder.name) for folder in Path(program).absolute().parents):
        return {"command": shutil.which("uvx") or "uvx", "args": [*_source(), "tabwright", *args]}
    if program and Path(program).stem == "tabwright":
        return {"command": str(Path(program).absolute()), "args": args}
    return {"command": sys.executable, "args": ["-m", "tabwright", *args]}


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


def _placed(place: str) -> Path:
    return Path(place).expanduser().absolute()


def _parsed(file: Path, content: bytes) -> dict[str, Any]:
    try:
        known = json.loads(content)
    except ValueError:
        raise NotWritten(f"{file} is not plain JSON (it may hold comments, which would be lost).") from None
    if not isinstance(known, dict):
        raise NotWritten(f"{file} holds no JSON object.")
    return known
