"""How MCP clients start us: with a command that works from any folder."""

import json
import re
import shlex
import shutil
import sys
from importlib.metadata import distribution
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from tabwright.doors.client_config.clients import SERVER

# A folder of uv's cache, from which it runs programs for a while.
_UV_CACHE = re.compile(r"(archive|builds|environments)-v\d+")


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
    if started is None or Path(started).stem != SERVER:
        started = shutil.which(SERVER, path=str(Path(sys.executable).parent))
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
