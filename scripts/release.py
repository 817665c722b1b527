"""Writes the files of a release: server.json for the MCP registry, and the bundle for Claude Desktop.

The version is always that of the package.
"""

import json
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

from tabwright import __version__
from tabwright.actions import CATALOG
from tabwright.dialects.browser import Browser

ROOT = Path(__file__).parents[1]
NAME = "io.github.tabwright/tabwright"
SUMMARY = "A real browser for agents: snapshots with refs, acts that report what changed, page tools."
_SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
_EPOCH = (1980, 1, 1, 0, 0, 0)  # a fixed date makes the bundle reproducible
_START = '''"""Starts `tabwright mcp` for a desktop client, in the folder that the user chose for files."""

import os
import sys

from tabwright.__main__ import main

try:
    os.chdir(sys.argv[1])
except OSError as error:
    # In the root folder no file can be read or saved, but everything else works.
    os.chdir("/")
    sys.stderr.write(f"tabwright: cannot use the folder for files: {error}\\n")
sys.argv[1:] = ["mcp"]
sys.exit(main())
'''


def server_json() -> str:
    """Return server.json for the MCP registry."""
    package = {
        "registryType": "pypi",
        "identifier": "tabwright",
        "version": __version__,
        "runtimeHint": "uvx",
        "transport": {"type": "stdio"},
        "packageArguments": [{"type": "positional", "value": "mcp"}],
    }
    server = {
        "$schema": _SCHEMA,
        "name": NAME,
        "title": "Tabwright",
        "description": SUMMARY,
        "version": __version__,
        "packages": [package],
    }
    return json.dumps(server, indent=2) + "\n"


def manifest() -> dict[str, Any]:
    """Return the manifest of the bundle; the client's own uv installs Python and the dependencies."""
    project = _project()
    return {
        "manifest_version": "0.4",
        "name": "tabwright",
        "display_name": "Tabwright",
        "version": __version__,
        "description": SUMMARY,
        "author": {"name": project["authors"][0]["name"]},
        "license": project["license"],
        "icon": "icon.png",
        "keywords": ["browser", "chrome", "automation", "web"],
        "server": {
            "type": "uv",
            "entry_point": "server/main.py",
            "mcp_config": {
                "command": "uv",
                "args": [
                    *("run", "--quiet", "--project", "${__dirname}"),
                    *("${__dirname}/server/main.py", "${user_config.folder}"),
                ],
                "env": {"TABWRIGHT_HEADLESS": "${user_config.headless}"},
            },
        },
        "tools": [{"name": tool.name, "description": tool.description} for tool in Browser(CATALOG).tools()],
        "compatibility": {
            "platforms": ["darwin", "linux"],
            "runtimes": {"python": project["requires-python"]},
        },
        "user_config": {
            "headless": {
                "type": "boolean",
                "title": "No window",
                "description": "Run the browser without a window; watch it on the dashboard instead. Has no "
                "effect while a hub of another client runs.",
                "default": True,
            },
            "folder": {
                "type": "directory",
                "title": "Folder for files",
                "description": "The only folder for uploads and saved files, besides those in the setting "
                "files.folders. Not the home folder itself.",
                "default": "${HOME}/Downloads",
            },
        },
    }


def bundle(wheel: Path) -> Path:
    """Make the bundle in the folder of its wheel, and return its path."""
    path = wheel.with_name(f"tabwright-{__version__}.mcpb")
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in {
            "manifest.json": (json.dumps(manifest(), indent=2) + "\n").encode(),
            "pyproject.toml": _bundled_project(wheel.name).encode(),
            "server/main.py": _START.encode(),
            "icon.png": (ROOT / "src/tabwright/extension/icons/128.png").read_bytes(),
            wheel.name: wheel.read_bytes(),
        }.items():
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), content, zipfile.ZIP_DEFLATED)
    return path


def build_wheel(folder: Path) -> Path:
    """Build the wheel into a folder and return its path."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return folder / f"tabwright-{__version__}-py3-none-any.whl"


def _bundled_project(wheel: str) -> str:
    """Return the project that uv sets up: the wheel, and its dependencies in the locked versions."""
    pins = "".join(f"    {json.dumps(pin)},\n" for pin in locked_versions())
    return (
        f'[project]\nname = "tabwright-bundle"\nversion = "{__version__}"\n'
        f'requires-python = "{_project()["requires-python"]}"\ndependencies = ["tabwright"]\n\n'
        f"[tool.uv]\npackage = false\nconstraint-dependencies = [\n{pins}]\n\n"
        f'[tool.uv.sources]\ntabwright = {{ path = "{wheel}" }}\n'
    )


def locked_versions() -> list[str]:
    """Return the package's dependencies in the locked versions."""
    lines = (ROOT / "requirements/run.lock").read_text().splitlines()
    return [re.sub(r"\s*\\$", "", line) for line in lines if re.match(r"[a-z0-9]", line)]


def _project() -> dict[str, Any]:
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return project


if __name__ == "__main__":
    wheel = build_wheel(Path(sys.argv[1]))
    print(f"Wrote {wheel}.\nWrote {bundle(wheel)}: open it with Claude Desktop.")
